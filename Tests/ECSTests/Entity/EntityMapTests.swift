import ECS
import ECSTestSupport
import Testing

@Suite struct EntityMapTests {
  let context = Context()

  @Test func `A value is found under its entity`() {
    let entities = context.createEntities(3, with: Tag())
    var map = EntityMap<String>()
    expectTrue(map.isEmpty)
    map[entities[1]] = "b"
    map[entities[0]] = "a"
    expectEqual(map.count, 2)
    expectEqual(map[entities[0]], "a")
    expectEqual(map[entities[1]], "b")
    expectNil(map[entities[2]])
    expectTrue(map.contains(entities[0]) && !map.contains(entities[2]))
    expectEqual(map.updateValue("c", for: entities[1]), "b")
    expectNil(map.updateValue("d", for: entities[2]))
    expectEqual(map.map(\.entity), [entities[1], entities[0], entities[2]])
    expectEqual(map.map(\.value), ["c", "a", "d"])
  }

  @Test func `Setting nil removes a value`() {
    let entities = context.createEntities(3, with: Tag())
    var map = EntityMap<Int>()
    for (number, entity) in entities.enumerated() { map[entity] = number }
    map[entities[0]] = nil
    map[entities[0]] = nil
    expectNil(map[entities[0]])
    expectEqual(map[entities[1]], 1)
    expectEqual(map[entities[2]], 2)
    expectEqual(map.removeValue(for: entities[2]), 2)
    expectNil(map.removeValue(for: entities[2]))
    expectEqual(map.count, 1)
  }

  @Test func `A default is there to be changed in place`() {
    let entity = context.createEntity()
    var map = EntityMap<[Int]>()
    expectEqual(map[entity, default: [0]], [0])
    expectTrue(map.isEmpty)
    map[entity, default: []].append(1)
    map[entity, default: []].append(2)
    expectEqual(map[entity], [1, 2])
  }

  @Test func `The value of a dead entity stays, and is not found for the next one of its slot`() {
    var map = EntityMap<Int>()
    var dead: [Entity] = []
    for number in 0..<5 {
      let entity = context.createEntity()
      map[entity] = number
      entity.destroy()
      dead.append(entity)
    }
    let living = context.createEntity()
    expectNil(map[living])
    map[living] = 5
    expectEqual(dead.map { map[$0] }, [0, 1, 2, 3, 4])
    expectEqual(map.removeValue(for: dead[3]), 3)
    expectEqual(map[living], 5)
    expectEqual(map.removeValue(for: living), 5)
    expectEqual(dead.map { map[$0] }, [0, 1, 2, nil, 4])
  }

  @Test func `Entities of several contexts are distinguished`() {
    let other = Context()
    let (one, two) = (context.createEntity(), other.createEntity())
    var map = EntityMap<Int>()
    map[one] = 1
    expectNil(map[two])
    map[two] = 2
    expectEqual(map[one], 1)
    expectEqual(map[two], 2)
  }

  @Test(arguments: [true, false])
  func `All values are removed`(keepingCapacity: Bool) {
    let entities = context.createEntities(3, with: Tag())
    var map = EntityMap<Int>()
    for entity in entities { map[entity] = 1 }
    let copy = map
    map.removeAll(keepingCapacity: keepingCapacity)
    expectTrue(map.isEmpty)
    expectTrue(entities.allSatisfy { map[$0] == nil })
    map[entities[2]] = 2
    expectEqual(map[entities[2]], 2)
    expectEqual(copy.count, 3)
    expectEqual(copy[entities[2]], 1)
  }

  @Test func `Values end when they are removed`() {
    let entities = context.createEntities(3, with: Tag())
    weak var value: Reference?
    var map = EntityMap<Reference>()
    do {
      let made = Reference()
      value = made
      map[entities[1]] = made
      map[entities[2]] = Reference()
    }
    expectNotNil(value)
    map[entities[1]] = nil
    expectNil(value)
  }

  @Test func `It is described by its entities and values`() {
    var map = EntityMap<Int>()
    expectEqual("\(map)", "[:]")
    let entity = context.createEntity()
    map[entity] = 1
    expectEqual("\(map)", "[\(entity): 1]")
  }

  @Test(arguments: 0..<20)
  func `Random programs leave the same as in a dictionary`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let contexts = [Context(), Context()]
    var entities = contexts.flatMap { $0.createEntities(400, with: Tag()) }
    var map = EntityMap<Int>()
    var reference: [Entity: Int] = [:]
    for step in 0..<3000 {
      let number = Int.random(in: entities.indices, using: &random)
      let entity = entities[number]
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<60:
        map[entity] = step
        reference[entity] = step
      case 60..<80:
        expectEqual(map.removeValue(for: entity), reference.removeValue(forKey: entity))
      case 80..<98:
        // Its slot is used again at once; the dead one stays known.
        entity.destroy()
        entities.append(contexts[number % 2].createEntity())
      default:
        if step % 10 == 0 {
          map.removeAll(keepingCapacity: step % 20 == 0)
          reference = [:]
        }
      }
      expectEqual(map[entity], reference[entity], "seed \(seed), step \(step)")
      expectEqual(map.count, reference.count)
    }
    for entity in entities { expectEqual(map[entity], reference[entity], "seed \(seed)") }
    expectEqual(Dictionary(uniqueKeysWithValues: map.map { ($0.entity, $0.value) }), reference)
  }

  @Test func `Entities that come in the reverse order of their slots are found`() {
    let entities = context.createEntities(5000, with: Tag())
    var map = EntityMap<Int>()
    map.reserveCapacity(5000)
    for (number, entity) in entities.enumerated().reversed() { map[entity] = number }
    expectTrue(entities.enumerated().allSatisfy { map[$1] == $0 })
  }
}

private final class Reference {}
