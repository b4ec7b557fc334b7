import ECS
import ECSTestSupport
import Testing

@Suite struct EntityTests {
  let context = Context()

  @Test func `A handle is sixteen bytes`() {
    expectEqual(MemoryLayout<Entity>.size, 16)
    expectEqual(MemoryLayout<Entity>.stride, 16)
  }

  @Test func `An entity is created without components`() {
    let entity = context.createEntity()
    expectTrue(entity.isAlive)
    expectTrue(entity.isEmpty)
    expectTrue(entity.components().isEmpty)
  }

  @Test func `An entity knows its context`() {
    expectTrue(context.createEntity().context === context)
  }

  @Test func `Entities are equal if they are the same entity`() {
    let (one, other) = (context.createEntity(), context.createEntity())
    let copy = one
    expectEqual(one, copy)
    expectNotEqual(one, other)
    expectEqual(Set([one, copy, other]).count, 2)
  }

  @Test func `Entities of different contexts differ`() {
    let other = Context()
    expectNotEqual(context.createEntity(), other.createEntity())
  }

  @Test func `Setting returns the entity, so calls chain`() {
    let entity = context.createEntity()
      .set(Position(x: 1, y: 2)).set(Velocity(dx: 3, dy: 4)).remove(Position.cid).set(Tag())
    expectNil(entity.get(Position.self))
    expectEqual(entity.get(Velocity.self), Velocity(dx: 3, dy: 4))
    expectTrue(entity.has(Tag.self))
  }

  @Test func `The type of a read component may come from its use`() {
    let entity = context.createEntity(with: Position(x: 1, y: 2))
    let position: Position? = entity.get()
    let velocity: Velocity? = entity.get()
    expectEqual(position, Position(x: 1, y: 2))
    expectNil(velocity)
  }

  @Test func `Setting a component twice replaces it`() {
    let entity = context.createEntity().set(Health(points: 1)).set(Health(points: 2))
    expectEqual(entity.get(Health.self)?.points, 2)
    expectEqual(entity.components().count, 1)
  }

  @Test func `A component can be asked for by type and by identifier`() {
    let entity = context.createEntity(with: Tag())
    expectTrue(entity.has(Tag.self))
    expectTrue(entity.has(Tag.cid))
    expectFalse(entity.has(Health.self))
    expectFalse(entity.has(Health.cid))
  }

  @Test func `Removing takes one component and leaves the others`() {
    let entity = context.createEntity(with: Position(x: 1, y: 2), Health(points: 3), Tag())
    entity.remove(Position.self)
    expectNil(entity.get(Position.self))
    expectEqual(entity.get(Health.self), Health(points: 3))
    entity.remove(Health.cid)
    expectEqual(entity.components().count, 1)
    expectTrue(entity.has(Tag.self))
  }

  @Test func `Removing what is absent changes nothing and notifies nothing`() {
    let entity = context.createEntity(with: Tag())
    let events = Recorder<Event>()
    let subscriptions = [
      entity.record(into: events), context.group(Tag.matcher).record(into: events),
      context.group(Matcher(all: [Tag.cid], none: [Health.cid])).record(into: events),
    ]
    entity.remove(Health.self)
    expectEqual(entity.components().count, 1)
    expectTrue(events.items.isEmpty)
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `Destroying one entity leaves the others as they are`() {
    let entities = (0..<10).map { context.createEntity(with: Health(points: $0), Tag()) }
    entities[3].destroy()
    entities[9].destroy()
    entities[0].destroy()
    for (number, entity) in entities.enumerated() {
      let isGone = [0, 3, 9].contains(number)
      expectEqual(entity.isAlive, !isGone)
      expectEqual(entity.get(Health.self), (isGone ? nil : Health(points: Int32(number))))
    }
    expectEqual(context.count, 7)
  }

  @Test func `All components come in the order of their identifiers`() {
    let entity = context.createEntity(with: Tag(), Health(points: 7), Position(x: 1, y: 2))
    let components = entity.components()
    expectEqual(components.map(\.cid), [Tag.cid, Health.cid, Position.cid].sorted())
    expectTrue(components.contains { $0 as? Health == Health(points: 7) })
    expectTrue(components.contains { $0 as? Position == Position(x: 1, y: 2) })
  }

  @Test func `A description names the components`() {
    let entity = context.createEntity(with: Position(x: 0, y: 0), Velocity(dx: 0, dy: 0))
    let description = entity.description
    expectTrue(description.hasPrefix("Entity "))
    expectTrue(description.contains("Position"))
    expectTrue(description.contains("Velocity"))
    expectFalse(description.contains("dead"))
  }
}
