import ECS
import ECSTestSupport
import Testing

private struct Age: Component, Equatable { var value: Int }

@Suite(.noHangs) struct LiveViewObservationTests {
  let context = Context()
  let view: LiveView
  let people: [Entity]
  let told = Recorder<LiveViewDifference>()
  let subscription: Subscription

  init() {
    let context = context
    people = (0..<5).map { context.createEntity(with: Age(value: $0 * 10)) }
    view = context.group(Age.matcher).filtered { (age: Age) in age.value < 100 }
      .sorted(by: \Age.value)
    let told = told
    subscription = view.observe(initial: false) { told.append($0.difference) }
  }

  @Test func `An entity that comes is an insertion`() throws {
    let entity = context.createEntity(with: Age(value: 15))
    let difference = try #require(told.take().first)
    expectEqual(difference.insertions, [.init(offset: 2, entity: entity)])
    expectTrue(
      difference.removals.isEmpty && difference.moves.isEmpty && difference.updates.isEmpty)
  }

  @Test func `What shows a change shows its difference`() {
    let changes = Recorder<LiveViewChange>()
    let observer = view.observe(initial: false) { changes.append($0) }
    context.createEntity(with: Age(value: 15))
    let labels = changes.take().flatMap { Mirror(reflecting: $0).children.compactMap(\.label) }
    expectEqual(Set(labels), ["view", "isInitial", "difference"])
    withExtendedLifetime(observer) {}
  }

  @Test func `An entity that goes is a removal, whether destroyed or filtered out`() throws {
    context.perform {
      people[1].destroy()
      people[3].set(Age(value: 100))
      return
    }
    let difference = try #require(told.take().first)
    expectEqual(
      difference.removals,
      [
        .init(offset: 1, entity: people[1]), .init(offset: 3, entity: people[3]),
      ])
    expectTrue(difference.insertions.isEmpty && difference.moves.isEmpty)
  }

  @Test func `An entity that changes places is a move`() throws {
    people[0].set(Age(value: 35))
    let difference = try #require(told.take().first)
    expectEqual(difference.moves, [.init(from: 0, to: 3, entity: people[0])])
    expectTrue(difference.insertions.isEmpty && difference.removals.isEmpty)
    expectTrue(difference.updates.isEmpty)
  }

  @Test func `An entity that changes and stays in place is an update`() throws {
    people[1].set(Age(value: 11))
    people[1].set(Age(value: 11))
    let differences = told.take()
    expectEqual(differences.count, 2)
    for difference in differences {
      expectEqual(difference.updates, [.init(offset: 1, entity: people[1])])
      expectTrue(difference.moves.isEmpty && difference.insertions.isEmpty)
    }
  }

  @Test func `An entity that comes and goes within a change is not reported`() {
    context.perform {
      let passing = context.createEntity(with: Age(value: 1))
      passing.set(Age(value: 12))
      passing.destroy()
      people[0].set(Age(value: 45))
      people[0].set(Age(value: 0))
      return
    }
    let differences = told.take()
    expectEqual(differences.count, 1)
    expectEqual(differences[0].updates, [.init(offset: 0, entity: people[0])])
    expectTrue(differences[0].insertions.isEmpty && differences[0].removals.isEmpty)
    expectTrue(differences[0].moves.isEmpty)
  }

  @Test func `If nothing but that happens, nothing is called`() {
    let sequence = Recorder<Int>()
    let calls = view.observeAfterwards { sequence.append(1) }
    context.perform { context.createEntity(with: Age(value: 1)).destroy() }
    context.perform {
      let passing = context.createEntity(with: Age(value: 1))
      passing.set(Age(value: 200))
    }
    expectEqual(told.count, 0)
    expectEqual(sequence.count, 0)
    people[0].set(Age(value: 0))
    expectEqual(told.count, 1)
    expectEqual(sequence.count, 1)
    withExtendedLifetime(calls) {}
  }

  @Test func `An observer that replaces the last one within a change hears what follows`() {
    var contents: [Entity] = []
    let isRight = Recorder<Bool>()
    var second: Subscription?
    let mirror = Recorder<LiveViewDifference>()
    let passing = context.perform {
      let passing = context.createEntity(with: Age(value: 1))
      subscription.cancel()
      contents = Array(view)
      second = view.observe(initial: false) { mirror.append($0.difference) }
      passing.destroy()
      return passing
    }
    people[2].destroy()
    people[0].set(Age(value: 45))
    for difference in mirror.take() { isRight.append(difference.apply(to: &contents)) }
    expectEqual(isRight.items, [true, true, true])
    expectEqual(contents, Array(view))
    expectFalse(contents.contains(passing))
    withExtendedLifetime(second) {}
  }

  @Test func `Unrelated changes are not reported`() {
    people[0].set(Name("somebody"))
    people[0].setIfChanged(Age(value: 0))
    _ = context.createEntity(with: Age(value: 200))
    expectEqual(told.count, 0)
  }

  @Test func `One notification comes for each outermost change`() {
    context.perform {
      for (number, person) in people.enumerated() { person.set(Age(value: 50 - number)) }
    }
    expectEqual(told.count, 1)
    context.group(Age.matcher).withEach { (_: Entity, age: inout Age) in age.value += 1 }
    expectEqual(told.count, 2)
  }

  @Test func `An initial observer gets the contents as insertions`() {
    let seen = Recorder<[Entity]>()
    let token = view.observe(initial: true) { change in
      expectTrue(change.isInitial)
      seen.append(change.difference.insertions.map(\.entity))
    }
    expectEqual(seen.items, [people])
    withExtendedLifetime(token) {}
  }

  @Test func `An observer that comes in the middle of a change hears what follows`() {
    let mirror = Recorder<[Entity]>()
    var token: Subscription?
    context.perform {
      people[0].destroy()
      let start = Array(view)
      token = view.observe(initial: false) { change in
        var contents = start
        expectTrue(change.difference.apply(to: &contents))
        mirror.append(contents)
      }
      people[4].set(Age(value: 1))
    }
    expectEqual(mirror.items, [Array(view)])
    withExtendedLifetime(token) {}
  }

  @Test func `An observation keeps its view, and releases it at its end`() {
    let owner = Recorder<Int>()
    context.group(Age.matcher).filtered { (age: Age) in age.value > 10 }
      .observe(by: owner) { owner, change in owner.append(change.view.count) }
    people[0].set(Age(value: 50))
    expectEqual(owner.items, [3, 4])
    context.stopObserving(by: owner)
    subscription.cancel()
    expectEqual(context.statistics.views, 1)
  }

  @Test func `Differences apply to copies of the contents only`() throws {
    people[0].destroy()
    let difference = try #require(told.take().first)
    var wrong: [Entity] = []
    expectFalse(difference.apply(to: &wrong))
    var right = people
    expectTrue(difference.apply(to: &right))
    expectEqual(right, Array(view))
  }

  @Test func `Changes of a view arrive as a sequence`() async {
    var changes = view.observations.makeAsyncIterator()
    people[0].destroy()
    await expectEqual(changes.next(), view)
  }
}
