import ECS

/// Runs steps on a machine.
final class Player<M: Machine> {
  let machine: M

  /// How many more reactions observers may have: programs must end.
  private var fuel = 0

  init(_ machine: M) {
    self.machine = machine
    machine.react = { [weak self] reaction, subject in self?.react(reaction, subject) }
  }

  /// Runs one step of a program.
  func play(_ step: Step) {
    fuel = 12
    run(step, nil)
  }

  private func react(_ reaction: Reaction, _ subject: Int) {
    guard fuel > 0, !reaction.steps.isEmpty else { return }
    fuel -= 1
    run(reaction.steps, subject)
  }

  private func run(_ steps: [Step], _ subject: Int?) {
    for step in steps { run(step, subject) }
  }

  private func run(_ step: Step, _ subject: Int?) {
    switch step {
    case .create(let values, let then):
      run(then, machine.create(values))
    case .createMany(let count, let values):
      machine.createMany(count, values)
    case .destroyAll:
      machine.destroyAll()
    case .setUnique(let value):
      machine.setUnique(value)
    case .removeUnique(let kind):
      machine.removeUnique(kind)
    case .updateUnique(let value):
      machine.updateUnique(value)
    case .withUnique(let value, let steps):
      machine.withUnique(value) { run(steps, subject) }
    case .getOrCreate(let key):
      machine.getOrCreate(key)
    case .perform(let steps, let throwing):
      machine.perform {
        run(steps, subject)
        if throwing { throw StepFailure() }
      }
    case .forEach(let group, let steps):
      machine.forEach(group) { run(steps, $0) }
    case .visit(let visit):
      self.visit(visit)
    default:
      runOnTarget(step, subject)
    }
  }

  private func visit(_ visit: Visit) {
    machine.visit(visit) { number, entity in
      if let steps = visit.inside[number] { run(steps, entity) }
      if visit.throwing == number { throw StepFailure() }
    }
  }

  private func runOnTarget(_ step: Step, _ subject: Int?) {
    switch step {
    case .set(let target, let value):
      resolve(target, subject) { machine.set($0, value) }
    case .setIfChanged(let target, let value):
      resolve(target, subject) { machine.setIfChanged($0, value) }
    case .update(let target, let value, let inside, let throwing):
      resolve(target, subject) { entity in
        machine.update(entity, value) {
          run(inside, entity)
          if throwing { throw StepFailure() }
        }
      }
    case .remove(let target, let kind):
      resolve(target, subject) { machine.remove($0, kind) }
    case .destroy(let target):
      resolve(target, subject) { machine.destroy($0) }
    case .read(let target, let kind):
      resolve(target, subject) { entity in
        var numbers = [machine.number(entity, kind) ?? -1, machine.isAlive(entity) ? 1 : 0]
        if let unique = machine.uniqueNumber(kind) { numbers += [unique.holder, unique.number] }
        machine.trace.append(Event(name: .read, entity: entity, kind: kind, numbers: numbers))
      }
    case .assign(let target, let key):
      resolve(target, subject) { machine.assign($0, key) }
    case .observeEntity(let target, let kinds, let reaction):
      resolve(target, subject) { machine.observe(.entity($0), kinds, reaction) }
    default:
      runOnWatchers(step)
    }
  }

  private func resolve(_ target: Target, _ subject: Int?, _ body: (Int) -> Void) {
    switch target {
    case .number(let number): body(number)
    case .subject: subject.map(body)
    }
  }

  private func runOnWatchers(_ step: Step) {
    switch step {
    case .makeGroup(let filter):
      machine.makeGroup(filter)
    case .makeCollector(let group, let kinds, let paused, let limit):
      machine.makeCollector(group, kinds, paused: paused, limit: limit)
    case .releaseCollector(let number):
      machine.releaseCollector(number)
    case .pauseCollector(let number, let isPaused):
      machine.pauseCollector(number, isPaused)
    case .drain(let number, let way):
      guard let entities = machine.drain(number, way) else { return }
      machine.trace.append(Event(name: .drained, source: number, numbers: entities))
    case .makeIndex(let kind, let several, let paused):
      machine.makeIndex(kind, several: several, paused: paused)
    case .releaseIndex(let number):
      machine.releaseIndex(number)
    case .pauseIndex(let number, let isPaused):
      machine.pauseIndex(number, isPaused)
    case .observeGroup(let group, let kinds, let reaction):
      machine.observe(.group(group), kinds, reaction)
    case .observeContext(let reaction):
      machine.observe(.context, .addedUpdatedOrRemoved, reaction)
    case .cancel(let number):
      machine.cancel(number)
    default:
      machine.compact()
    }
  }
}
