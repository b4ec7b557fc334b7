import ECS
import ECSTestSupport
import Testing

/// Iterations inside of iterations, and what is made inside of them.
@Suite struct NestedIterationTests {
  let context = Context()
  let group: Group

  init() { group = context.group(Health.matcher) }

  /// Runs a body once, inside of an iteration over the group.
  private func iterate(_ body: () -> Void) {
    var isFirst = true
    group.withEach { (_, _: Health) in
      if isFirst { body() }
      isFirst = false
    }
  }

  @Test func `Borrowed columns keep their values during the iteration`() {
    context.createEntities(3, with: Health(points: 1))
    group.withEach { (_, health: Health) in
      for entity in group { entity.set(Health(points: 7)) }
      expectEqual(health.points, 1)
    }
    expectTrue(group.allSatisfy { $0.get(Health.self)?.points == 7 })
  }

  @Test func `Changes of inner iterations are reported when the outermost one ends, in order`() {
    let entity = context.createEntity(with: Health(points: 1), Name("1"))
    let values = Recorder<String>()
    let changes = context.group(Name.matcher).observeChanges { change in
      values.append("\(change.old(Name.self)?.text ?? "-") \(change.new(Name.self)?.text ?? "-")")
    }
    iterate {
      entity.set(Name("2"))
      context.group(Name.matcher).withEach { (_, name: inout Name) in name.text = "3" }
      expectTrue(values.items.isEmpty)
      entity.set(Name("4"))
    }
    expectEqual(values.items, ["1 2", "2 3", "3 4"])
    withExtendedLifetime(changes) {}
  }

  @Test func `An entity iteration inside a closure iteration sees the state before`() {
    context.createEntities(3, with: Health(points: 1))
    var visits = 0
    iterate {
      for entity in group {
        entity.destroy()
        visits += 1
      }
      expectEqual(group.count, 3)
    }
    expectEqual(visits, 3)
    expectTrue(group.isEmpty)
  }

  @Test func `Changes queued in an inner iteration wait for the outer one`() {
    let entity = context.createEntity(with: Health(points: 1), Name("n"))
    group.withEach { (_, _: Health) in
      context.group(Name.matcher).withEach { (_, _: Name) in entity.set(Tag()) }
      expectTrue(context.group(Tag.matcher).isEmpty)
    }
    expectTrue(entity.has(Tag.self))
  }

  @Test func `An inner iteration may change what the outer one reads by copies`() {
    let entity = context.createEntity(with: Health(points: 1))
    group.withEach { (_, health: Health) in
      group.withEach { (_, health: inout Health) in health.points += 1 }
      expectEqual(health.points, 1)
    }
    expectEqual(entity.get(Health.self)?.points, 2)
  }

  @Test func `Groups and collectors made inside work afterwards`() {
    let entity = context.createEntity(with: Health(points: 1))
    var collector: Collector?
    iterate {
      let tagged = context.group(Tag.matcher)
      collector = Collector(group: tagged, type: .added)
      entity.set(Tag())
      expectTrue(tagged.isEmpty)
    }
    expectTrue(context.group(Tag.matcher).contains(entity))
    expectEqual(collector.map { Array($0.drain()) }, [entity])
  }

  @Test func `An index made inside is right about values that the iteration changes`() {
    let entities = (0..<10).map { context.createEntity(with: Health(points: $0)) }
    var index: Index<Int32>?
    group.withEach { (_, health: inout Health) in
      if index == nil { index = context.index { (health: Health) in health.points } }
      health.points += 100
    }
    expectEqual(index?.keyCount, 10)
    for (number, entity) in entities.enumerated() {
      expectEqual(index?.first(for: Int32(number + 100)), entity)
      expectNil(index?.first(for: Int32(number)))
    }
  }

  @Test func `The deinitializer of a value that is replaced inside may call the context`() {
    let counter = LifeCounter()
    let entity = context.createEntity(with: Health(points: 1))
    let other = context.createEntity(with: Tag())
    entity.set(Tracked(counter) { other.destroy() })
    context.group(Tracked.matcher).withEach { (_, tracked: inout Tracked) in
      tracked = Tracked(counter)
    }
    expectFalse(other.isAlive)
    expectEqual(counter.living, 1)
  }

  @Test(arguments: [false, true])
  func `Each iteration tells of what it has changed itself, in all tables`(_ endsEarly: Bool) {
    struct Failure: Error {}
    let plain = (0..<4).map { context.createEntity(with: Health(points: $0), Name("a")) }
    let tagged = (4..<8).map { context.createEntity(with: Health(points: $0), Name("a"), Tag()) }
    let healths = Collector(group: group, type: .updated)
    let names = Collector(group: context.group(Name.matcher), type: .updated)
    var rounds = 0
    group.withEach { (_, health: inout Health) in
      health.points += 10
      rounds += 1
      guard rounds % 4 == 2 else { return }
      do throws(Failure) {
        try context.withEach { (entity, name: inout Name) throws(Failure) in
          name = Name("b")
          if endsEarly, entity == tagged[2] { throw Failure() }
        }
      } catch {}
    }
    expectEqual(rounds, 8)
    expectEqual(Array(healths.drain()), plain + tagged)
    expectEqual(Array(names.drain()), plain + tagged.prefix(endsEarly ? 2 : 4))
    expectEqual((plain + tagged).map { $0.get(Health.self)?.points }, (10..<18).map { $0 })
  }
}
