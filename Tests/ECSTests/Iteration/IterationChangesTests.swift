import ECS
import ECSTestSupport
import Testing

/// Writes to the context from inside of an iteration wait until it ends.
@Suite struct IterationChangesTests {
  /// The two forms that take a body with the context at hand.
  enum Form: CaseIterable {
    case closure
    case chunks
    case mutatingChunks
  }

  struct Refusal: Error {}

  let context = Context()
  let group: Group

  init() { group = context.group(Health.matcher) }

  /// Runs a body once, inside of an iteration over the group.
  func iterate(_ form: Form, _ body: () throws -> Void) rethrows {
    var isFirst = true
    func once() throws {
      defer { isFirst = false }
      if isFirst { try body() }
    }
    switch form {
    case .closure: try group.withEach { (_, _: Health) in try once() }
    case .chunks: try group.withChunks { (_, _: Span<Health>) in try once() }
    case .mutatingChunks:
      try group.withChunks { (_, _: inout MutableSpan<Health>) in try once() }
    }
  }

  @Test(arguments: Form.allCases)
  func `The same thread reads queued changes back, while groups show the state before`(form: Form) {
    let entity = context.createEntity(with: Health(points: 1), Name("before"))
    let other = context.createEntity(with: Tag())
    iterate(form) {
      entity.set(Name("after")).set(Position(x: 1, y: 2)).remove(Health.self)
      other.destroy()
      context.setUniqueComponent(Settings(volume: 1))
      expectEqual(entity.get(Name.self)?.text, "after")
      expectEqual(entity.get(Position.self), Position(x: 1, y: 2))
      expectTrue(entity.has(Position.self))
      expectFalse(entity.has(Health.self))
      expectNil(entity.get(Health.self))
      expectEqual(entity.components().count, 2)
      expectTrue(Position.matcher.matches(entity))
      expectFalse(other.isAlive)
      expectFalse(other.has(Tag.self))
      expectTrue(other.isEmpty)
      expectEqual(context.uniqueComponent(Settings.self)?.volume, 1)
      expectEqual(context.uniqueEntity(Settings.self)?.get(Settings.self)?.volume, 1)
      expectEqual(context.count, 2)
      expectTrue(group.contains(entity))
      expectEqual(group.count, 1)
    }
    expectEqual(entity.get(Name.self)?.text, "after")
    expectEqual(entity.get(Position.self), Position(x: 1, y: 2))
    expectFalse(entity.has(Health.self))
    expectFalse(other.isAlive)
    expectEqual(context.uniqueComponent(Settings.self)?.volume, 1)
  }

  @Test(arguments: Form.allCases)
  func `No update is lost`(form: Form) {
    context.createEntities(10, with: Health(points: 0), Position(x: 0, y: 0))
    let target = context.createEntity(with: Velocity(dx: 100, dy: 0))
    let spare = context.createEntity()
    let (_, _) = (spare.set(Tag()), context.setUniqueComponent(Settings(volume: 0)))
    func hit() {
      target.update(Velocity.self) { $0.dx -= 5 }
      spare.set(Name((spare.get(Name.self)?.text ?? "") + "+"))
      context.updateUniqueComponent(Settings.self) { $0.volume += 1 }
      let count = context.uniqueComponent(Selection.self)?.count ?? 0
      context.setUniqueComponent(Selection(count: count + 1))
    }
    switch form {
    case .closure: group.withEach { (_, _: inout Health) in hit() }
    case .chunks:
      group.withChunks { (chunk, _: Span<Health>) in for _ in 0..<chunk.count { hit() } }
    case .mutatingChunks:
      group.withChunks { (chunk, _: inout MutableSpan<Health>) in for _ in 0..<chunk.count { hit() }
      }
    }
    expectEqual(target.get(Velocity.self)?.dx, 50)
    expectEqual(spare.get(Name.self)?.text, "++++++++++")
    expectEqual(context.uniqueComponent(Settings.self)?.volume, 10)
    expectEqual(context.uniqueComponent(Selection.self)?.count, 10)
    expectEqual(context.statistics.staleWrites, 0)
  }

  @Test func `No update of a borrowed component is lost`() {
    let entities = context.createEntities(10, with: Health(points: 100))
    let target = entities[3]
    group.withEach { (_, _: Health) in
      target.update(Health.self) { $0.points -= 5 }
      target.updateIfChanged(Health.self) { $0.points -= 1 }
    }
    expectEqual(target.get(Health.self)?.points, 40)
  }

  @Test func `A component that nothing has borrowed is written at once`() {
    let entity = context.createEntity(with: Health(points: 1), Name("1"))
    let names = context.index { (name: Name) in name.text }
    let collector = Collector(group: context.group(Name.matcher), type: .updated)
    let events = Recorder<Event>()
    let subscription = context.group(Name.matcher).record(into: events)
    let values = Recorder<String>()
    let changes = context.group(Name.matcher).observeChanges { change in
      values.append("\(change.old(Name.self)?.text ?? "-") \(change.new(Name.self)?.text ?? "-")")
    }
    iterate(.closure) {
      entity.set(Name("2")).set(Name("3"))
      context.group(Name.matcher).withEach { (_, name: Name) in expectEqual(name.text, "3") }
      expectTrue(events.items.isEmpty)
      expectTrue(collector.isEmpty)
      expectTrue(names.first(for: "1") == nil && names.first(for: "3") == entity)
    }
    expectEqual(events.items, [.updated(entity), .updated(entity)])
    expectEqual(values.items, ["1 2", "2 3"])
    expectEqual(Array(collector.drain()), [entity])
    expectEqual(names.first(for: "3"), entity)
    expectNil(names.first(for: "1"))
    withExtendedLifetime((subscription, changes)) {}
  }

  @Test func `A unique component that moves is read from its new holder`() {
    let one = context.createEntity(with: Settings(volume: 1))
    let other = context.createEntity(with: Health(points: 1))
    iterate(.closure) {
      other.set(Settings(volume: 2))
      expectEqual(context.uniqueEntity(Settings.self), other)
      expectEqual(context.uniqueComponent(Settings.self)?.volume, 2)
      expectFalse(one.has(Settings.self))
      context.setUniqueComponent(Settings(volume: 3))
      expectEqual(other.get(Settings.self)?.volume, 3)
      context.removeUniqueComponent(Settings.self)
      expectFalse(context.hasUniqueComponent(Settings.self))
      expectFalse(other.has(Settings.self))
      context.setUniqueComponent(Settings(volume: 4))
      expectEqual(context.uniqueEntity(Settings.self)?.isAlive, true)
      other.set(Settings(volume: 5))
      expectEqual(context.count, 2)
    }
    expectEqual(context.uniqueEntity(Settings.self), other)
    expectEqual(context.uniqueComponent(Settings.self)?.volume, 5)
    expectEqual(context.count, 2, "who was made for the component went with it")
  }

  @Test func `A write to an entity that is about to be destroyed is ignored`() {
    let entity = context.createEntity(with: Health(points: 1), Name("1"))
    iterate(.closure) {
      entity.destroy()
      entity.set(Name("2"))
      expectNil(entity.update(Name.self) { $0.text = "3" })
      entity.destroy()
    }
    expectEqual(context.statistics.staleWrites, 3)
  }

  @Test(arguments: Form.allCases)
  func `Entities created inside come to life at the end`(form: Form) {
    context.createEntity(with: Health(points: 1))
    var created: [Entity] = []
    iterate(form) {
      created.append(context.createEntity())
      created.append(context.createEntity(with: Health(points: 2), Tag()))
      created += context.createEntities(3, with: Tag())
      created[0].set(Name("n"))
      for entity in created {
        expectTrue(entity.isAlive)
      }
      expectEqual(created[0].get(Name.self)?.text, "n")
      expectEqual(created[1].components().count, 2)
      expectTrue(context.group(Tag.matcher).isEmpty)
      expectEqual(context.count, 1)
    }
    expectEqual(Set(created).count, 5)
    expectTrue(created.allSatisfy { $0.isAlive })
    expectEqual(context.count, 6)
    expectEqual(created[0].get(Name.self)?.text, "n")
    expectEqual(created[1].get(Health.self)?.points, 2)
    expectEqual(context.group(Tag.matcher).sorted(), Array(created[1...]))
    expectEqual(context.statistics.staleWrites, 0)
  }

  @Test func `New entities are not visited`() {
    context.createEntities(10, with: Health(points: 1))
    var visits = 0
    group.withEach { (_, _: Health) in
      visits += 1
      context.createEntity(with: Health(points: 2))
    }
    expectEqual(visits, 10)
    expectEqual(group.count, 20)
  }

  @Test func `Entities that die inside are still visited`() {
    context.createEntities(10, with: Health(points: 1))
    var visits = 0
    group.withEach { (_, _: Health) in
      visits += 1
      context.destroyAllEntities()
    }
    expectEqual(visits, 10)
    expectEqual(context.count, 0)
  }

  @Test(arguments: Form.allCases)
  func `Queued changes are made in order`(form: Form) {
    let entity = context.createEntity(with: Health(points: 1))
    let events = Recorder<Event>()
    let subscription = context.group(Tag.matcher).record(into: events)
    var created = entity
    iterate(form) {
      entity.set(Tag())
      created = context.createEntity(with: Tag())
      entity.remove(Tag.self)
      created.destroy()
      entity.set(Name("1"))
      entity.set(Name("2"))
    }
    expectFalse(created.isAlive)
    expectEqual(entity.get(Name.self)?.text, "2")
    expectFalse(entity.has(Tag.self))
    expectEqual(events.items, [.removed(entity), .removed(created)], "the added ones are void")
    withExtendedLifetime(subscription) {}
  }

  @Test func `Setting if changed compares with the value at its turn`() {
    let entity = context.createEntity(with: Health(points: 1), Name("1"))
    iterate(.closure) {
      entity.set(Name("2"))
      entity.setIfChanged(Name("1"))
    }
    expectEqual(entity.get(Name.self)?.text, "1")
  }

  @Test func `An update inside that removes its component is dropped`() {
    let entity = context.createEntity(with: Health(points: 1), Name("1"))
    iterate(.closure) {
      entity.update(Name.self) { name in
        name.text = "2"
        entity.remove(Name.self)
      }
    }
    expectFalse(entity.has(Name.self))
  }

  @Test func `An update if changed inside that changes nothing writes nothing`() {
    let entity = context.createEntity(with: Health(points: 1), Name("1"))
    iterate(.closure) {
      entity.set(Name("2"))
      entity.updateIfChanged(Name.self) { _ in }
    }
    expectEqual(entity.get(Name.self)?.text, "2")
  }

  @Test func `Destroying all inside waits its turn`() {
    context.createEntity(with: Health(points: 1))
    var (before, after) = (context.createEntity(), context.createEntity())
    iterate(.closure) {
      before = context.createEntity(with: Tag())
      context.destroyAllEntities()
      after = context.createEntity(with: Tag())
    }
    expectFalse(before.isAlive)
    expectTrue(after.isAlive)
    expectEqual(context.count, 1)
  }

  @Test func `Unique components change hands at the end`() {
    let (one, other) = (
      context.createEntity(with: Settings(volume: 1)), context.createEntity(with: Health(points: 1))
    )
    iterate(.closure) {
      other.set(Settings(volume: 2))
      expectTrue(context.group(Settings.matcher).contains(one))
    }
    expectEqual(context.uniqueEntity(Settings.self), other)
    iterate(.closure) {
      context.removeUniqueComponent(Settings.self)
      context.setUniqueComponent(Selection(count: 1))
      context.updateUniqueComponent(Settings.self) { $0.volume = 3 }
      expectNil(context.uniqueComponent(Settings.self))
    }
    expectNil(context.uniqueComponent(Settings.self))
    expectEqual(context.uniqueComponent(Selection.self)?.count, 1)
  }

  @Test(arguments: Form.allCases)
  func `Queued changes are made even if the body throws`(form: Form) {
    let entity = context.createEntity(with: Health(points: 1))
    #expect(throws: Refusal.self) {
      try iterate(form) {
        entity.set(Tag())
        throw Refusal()
      }
    }
    expectTrue(entity.has(Tag.self))
    entity.set(Name("n"))
    expectTrue(entity.has(Name.self), "changes are not queued any more")
  }
}
