import ECS
import ECSTestSupport
import Testing

/// Leaves bits behind on the stack, which what is called next finds in its variables.
@inline(never)
private func litter(_ bits: Int) -> Int {
  let few = (bits, bits, bits, bits, bits, bits, bits, bits, bits, bits, bits, bits, bits, bits)
  let many = (few, few, few, few, few, few, few, few, few, few, few, few, few, few, few, few)
  return many.0.0 ^ many.15.13
}

/// Entities that are not there, in all places where they can be looked for: compilers have taken
/// nil for an entity.
@Suite struct OptionalEntityTests {
  private struct Place: Hashable {
    let entity: Entity
    let number: Int
  }

  let context = Context()

  @inline(never)
  private func chain(_ entity: Entity) -> [Bool?] {
    var entities: [Int: Entity] = [:]
    var places: [Entity: Place] = [:]
    let missing = [
      entities[1]?.isAlive, places[entity]?.entity.isAlive, places[entity].map(\.entity.isAlive),
    ]
    entities[1] = entity
    places[entity] = Place(entity: entity, number: 1)
    return missing + [entities[1]?.isAlive, places[entity]?.entity.isAlive, entities[2]?.isAlive]
  }

  @Test func `An entity that a dictionary does not have is nil, whatever was on the stack`() {
    let entity = context.createEntity()
    for bits in [0, 1, -1, Int.min] {
      expectEqual(litter(bits), 0)
      expectEqual(chain(entity), [nil, nil, nil, true, true, nil])
    }
  }

  @Test func `Handles and optional handles take 16 bytes`() {
    expectTrue(MemoryLayout<Entity>.size == 16 && MemoryLayout<Entity?>.size == 16)
  }

  @Test func `Mirrors show the slot and the generation, also of what contains an entity`() {
    let entity = context.createEntity()
    let place = Place(entity: entity, number: 1)
    expectEqual(Mirror(reflecting: entity).children.compactMap(\.label), ["slot", "generation"])
    var text = ""
    for _ in 0..<1000 { dump([place: 1] as [AnyHashable: Int], to: &text) }
    expectTrue(text.contains("slot") && text.contains("generation"))
    expectTrue("\(place)".contains("\(entity)"))
  }

  @Test func `Equality and hashes are those of the identity`() {
    let entity = context.createEntity()
    let slot = "\(entity)"
    entity.destroy()
    let next = context.createEntity()
    let other = Context().createEntity()
    expectEqual(Set([entity, next, other, entity]).count, 3)
    expectTrue(entity != next && next != other, "\(slot)")
  }
}
