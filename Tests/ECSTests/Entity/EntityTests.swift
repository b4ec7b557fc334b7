import ECS
import ECSTestSupport
import Testing

@Suite struct EntityTests {
  let context = Context()

  @Test func `A handle is sixteen bytes`() {
    #expect(MemoryLayout<Entity>.size == 16)
    #expect(MemoryLayout<Entity>.stride == 16)
  }

  @Test func `An entity is created without components`() {
    let entity = context.createEntity()
    #expect(entity.isAlive)
    #expect(entity.isEmpty)
    #expect(entity.components().isEmpty)
  }

  @Test func `An entity knows its context`() {
    #expect(context.createEntity().context === context)
  }

  @Test func `Entities are equal if they are the same entity`() {
    let (one, other) = (context.createEntity(), context.createEntity())
    let copy = one
    #expect(one == copy)
    #expect(one != other)
    #expect(Set([one, copy, other]).count == 2)
  }

  @Test func `Entities of different contexts differ`() {
    let other = Context()
    #expect(context.createEntity() != other.createEntity())
  }

  @Test func `Setting returns the entity, so calls chain`() {
    let entity = context.createEntity()
      .set(Position(x: 1, y: 2)).set(Velocity(dx: 3, dy: 4)).remove(Position.cid).set(Tag())
    #expect(entity.get(Position.self) == nil)
    #expect(entity.get(Velocity.self) == Velocity(dx: 3, dy: 4))
    #expect(entity.has(Tag.self))
  }

  @Test func `The type of a read component may come from its use`() {
    let entity = context.createEntity(with: Position(x: 1, y: 2))
    let position: Position? = entity.get()
    let velocity: Velocity? = entity.get()
    #expect(position == Position(x: 1, y: 2))
    #expect(velocity == nil)
  }

  @Test func `Setting a component twice replaces it`() {
    let entity = context.createEntity().set(Health(points: 1)).set(Health(points: 2))
    #expect(entity.get(Health.self)?.points == 2)
    #expect(entity.components().count == 1)
  }

  @Test func `A component can be asked for by type and by identifier`() {
    let entity = context.createEntity(with: Tag())
    #expect(entity.has(Tag.self))
    #expect(entity.has(Tag.cid))
    #expect(!entity.has(Health.self))
    #expect(!entity.has(Health.cid))
  }

  @Test func `Removing takes one component and leaves the others`() {
    let entity = context.createEntity(with: Position(x: 1, y: 2), Health(points: 3), Tag())
    entity.remove(Position.self)
    #expect(entity.get(Position.self) == nil)
    #expect(entity.get(Health.self) == Health(points: 3))
    entity.remove(Health.cid)
    #expect(entity.components().count == 1)
    #expect(entity.has(Tag.self))
  }

  @Test func `Removing what is absent changes nothing and notifies nothing`() {
    let entity = context.createEntity(with: Tag())
    let events = Recorder<Event>()
    let subscriptions = [
      entity.record(into: events), context.group(Tag.matcher).record(into: events),
      context.group(Matcher(all: [Tag.cid], none: [Health.cid])).record(into: events),
    ]
    entity.remove(Health.self)
    #expect(entity.components().count == 1)
    #expect(events.items.isEmpty)
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `Destroying one entity leaves the others as they are`() {
    let entities = (0..<10).map { context.createEntity(with: Health(points: $0), Tag()) }
    entities[3].destroy()
    entities[9].destroy()
    entities[0].destroy()
    for (number, entity) in entities.enumerated() {
      let isGone = [0, 3, 9].contains(number)
      #expect(entity.isAlive == !isGone)
      #expect(entity.get(Health.self) == (isGone ? nil : Health(points: Int32(number))))
    }
    #expect(context.count == 7)
  }

  @Test func `All components come in the order of their identifiers`() {
    let entity = context.createEntity(with: Tag(), Health(points: 7), Position(x: 1, y: 2))
    let components = entity.components()
    #expect(components.map(\.cid) == [Tag.cid, Health.cid, Position.cid].sorted())
    #expect(components.contains { $0 as? Health == Health(points: 7) })
    #expect(components.contains { $0 as? Position == Position(x: 1, y: 2) })
  }

  @Test func `A description names the components`() {
    let entity = context.createEntity(with: Position(x: 0, y: 0), Velocity(dx: 0, dy: 0))
    let description = entity.description
    #expect(description.hasPrefix("Entity "))
    #expect(description.contains("Position"))
    #expect(description.contains("Velocity"))
    #expect(!description.contains("dead"))
  }
}
