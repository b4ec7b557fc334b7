import ECS
import ECSTestSupport
import Testing

@Suite struct ContextTests {
  let context = Context()

  @Test func `An entity has the components it was created with`() {
    let entity = context.createEntity(with: Position(x: 1, y: 2), Tag())
    expectEqual(entity.get(Position.self), Position(x: 1, y: 2))
    expectTrue(entity.has(Tag.self))
    expectFalse(entity.has(Velocity.self))
  }

  @Test func `A context has a name`() {
    expectEqual(Context(name: "world").name, "world")
    expectFalse(Context().name.isEmpty)
  }

  @Test func `A description has the name and the numbers of entities and groups`() {
    let context = Context(name: "world")
    context.createEntities(3, with: Tag())
    _ = context.group(Tag.matcher)
    expectEqual(context.description, "world (3 entities, 1 groups)")
  }

  @Test func `A context counts its living entities`() {
    expectEqual(context.count, 0)
    let entities = context.createEntities(10, with: Tag())
    expectEqual(context.count, 10)
    for entity in entities.prefix(4) { entity.destroy() }
    expectEqual(context.count, 6)
    context.createEntity(with: Tag())
    expectEqual(context.count, 7)
  }

  @Test func `Entities come in the order of their creation`() {
    var entities = (0..<10).map { number in
      number.isMultiple(of: 2)
        ? context.createEntity(with: Tag()) : context.createEntity(with: Name("\(number)"))
    }
    entities.remove(at: 3).destroy()
    entities.remove(at: 0).destroy()
    entities.append(context.createEntity())
    entities[2].set(Health(points: 1))
    expectEqual(Array(context.entities()), entities)
  }

  @Test func `Bulk creation gives the entities in order, with copies of the components`() {
    let entities = context.createEntities(100, with: Name("n"), Health(points: 7))
    expectEqual(entities.count, 100)
    expectEqual(Set(entities).count, 100)
    expectEqual(Array(context.entities()), entities)
    expectTrue(
      entities.allSatisfy {
        $0.get(Name.self)?.text == "n" && $0.get(Health.self)?.points == 7
      })
    entities[5].set(Health(points: 8))
    expectEqual(entities[6].get(Health.self)?.points, 7)
  }

  @Test func `Bulk creation of zero entities makes none`() {
    expectTrue(context.createEntities(0, with: Tag()).isEmpty)
    expectTrue(context.createEntities(0, with: Settings(volume: 1)).isEmpty)
    expectEqual(context.count, 0)
    expectFalse(context.hasUniqueComponent(Settings.self))
  }

  @Test func `Bulk creation reaches collectors and indexes`() {
    let collector = context.collector(for: Tag.matcher)
    let index = context.index { (health: Health) in health.points }
    let entities = context.createEntities(50, with: Tag(), Health(points: 3))
    expectEqual(Array(collector.drain()), entities)
    expectEqual(Array(index[3]), entities)
  }

  @Test func `Bulk creation uses free slots, and never an old handle`() {
    let old = context.createEntities(50, with: Tag())
    for entity in old { entity.destroy() }
    let new = context.createEntities(80, with: Tag())
    expectTrue(Set(old).isDisjoint(with: new))
    expectTrue(old.allSatisfy { !$0.isAlive })
    expectTrue(new.allSatisfy { $0.isAlive })
  }

  @Test func `Destroying all reports each entity in creation order`() {
    let events = Recorder<Event>()
    let entities = (0..<6).map { context.createEntity(with: Health(points: $0)) }
    entities[1].set(Tag())
    entities[4].set(Tag())
    let subscription = context.group(Health.matcher).record(into: events)
    context.destroyAllEntities()
    expectEqual(context.count, 0)
    expectEqual(events.items, entities.map { .removed($0) })
    expectTrue(entities.allSatisfy { !$0.isAlive })
    withExtendedLifetime(subscription) {}
  }

  @Test func `A context works on after all its entities were destroyed`() {
    let group = context.group(Tag.matcher)
    for round in 0..<3 {
      context.createEntities(100, with: Tag(), Health(points: Int32(round)))
      expectEqual(group.count, 100)
      context.destroyAllEntities()
      expectTrue(group.isEmpty)
    }
    expectEqual(context.statistics.staleWrites, 0)
  }

  @Test func `Statistics count what there is`() {
    let before = context.statistics
    expectTrue(before.entities == 0 && before.groups == 0 && before.indexes == 0)
    expectTrue(before.collectors == 0 && before.staleWrites == 0)
    let entity = context.createEntity(with: Tag(), Health(points: 1))
    let index = context.index { (health: Health) in health.points }
    let collectors = [
      context.collector(for: Tag.matcher), context.collector(for: Tag.matcher),
      context.collector(for: Health.matcher),
    ]
    context.createEntity(with: Tag()).destroy()
    let statistics = context.statistics
    expectEqual(statistics.entities, 1)
    expectEqual(statistics.groups, 2)
    expectEqual(statistics.indexes, 1)
    expectEqual(statistics.collectors, 3)
    expectGreaterThan(statistics.tables, before.tables)
    withExtendedLifetime((entity, index, collectors)) {}
  }

  @Test func `Performs nest, and inside everything takes effect at once`() {
    let group = context.group(Tag.matcher)
    let count = context.perform {
      context.createEntity(with: Tag())
      return context.perform {
        context.createEntity(with: Tag())
        return group.count
      }
    }
    expectEqual(count, 2)
  }

  @Test func `Many component types fit into one context`() {
    let entity = context.createEntity(
      with: Many<Many<Int>>(value: 0), Many<Many<Many<Int>>>(value: 1),
      Many<Many<Many<Many<Int>>>>(value: 2), Many<Int>(value: 3), Position(x: 0, y: 0),
      Velocity(dx: 0, dy: 0), Health(points: 1), Name("n"), Tag(), Page(filledWith: 1), Matrix(2),
      Shape.point, Settings(volume: 1), Selection(count: 2))
    expectEqual(entity.components().count, 14)
    expectEqual(entity.get(Many<Many<Many<Many<Int>>>>.self)?.value, 2)
    entity.remove(Many<Int>.self)
    expectEqual(entity.components().count, 13)
    expectEqual(entity.get(Many<Many<Int>>.self)?.value, 0)
    expectEqual(context.uniqueComponent(Selection.self)?.count, 2)
  }

  /// A component for each argument.
  struct Many<Argument>: Component { let value: Int }
}
