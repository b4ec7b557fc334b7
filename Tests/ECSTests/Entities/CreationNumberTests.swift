import ECS
import ECSTestSupport
import Testing

/// Numbers of creation stay what they are, whatever happens to the entities and to others.
@Suite(.longRunning) struct CreationNumberTests {
  let context = Context()

  @Test func `The number says how many were created before`() {
    let first = context.createEntity()
    let more = context.createEntities(3, with: Tag())
    more[1].destroy()
    let last = context.createEntity(with: Tag())
    expectEqual(first.creationNumber, 0)
    expectEqual(more.map(\.creationNumber), [1, nil, 3])
    expectEqual(last.creationNumber, 4, "it has the place of the one that was destroyed")
    last.set(Health(points: 1)).remove(Tag.self)
    context.compact()
    expectEqual(last.creationNumber, 4)
  }

  @Test func `Each context counts for itself, a new one from nothing`() {
    var early: Context? = Context()
    let gone = early?.createEntity()
    early = nil
    expectNil(gone?.creationNumber)
    for _ in 0..<3 {
      let context = Context()
      expectEqual(context.createEntity().creationNumber, 0)
    }
  }

  @Test func `Sorting by creation puts dead ones last, as they come`() {
    let entities = (0..<6).map { _ in context.createEntity() }
    entities[1].destroy()
    entities[4].destroy()
    let late = context.createEntity()
    let mixed = [late, entities[4], entities[5], entities[1], entities[0]]
    expectEqual(
      mixed.sortedByCreation(), [entities[0], entities[5], late, entities[4], entities[1]])
    expectEqual(EntitySet(mixed.dropFirst(2)).sortedByCreation().first, entities[0])
  }

  @Test(arguments: Effort.seeds(Effort.full(20, debug: 5)))
  func `Numbers never change or repeat, even when storage runs out of its own`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    var (numbers, dead): ([Entity: UInt64], Int) = ([:], 0)
    var last: UInt64?
    var skipped = false
    for _ in 0..<300 {
      switch random.below(10) {
      case 0:
        context.skipCreations(leaving: UInt32(random.below(4)))
        skipped = true
      case 1..<5:
        for entity in context.createEntities(1 + random.below(3), with: Tag()) {
          let number = entity.creationNumber
          if let last, let number, skipped { expectGreaterThan(number, last) }
          if let last, !skipped { expectEqual(number, last + 1) }
          last = number
          numbers[entity] = number
        }
        skipped = false
      default:
        guard let entity = context.entities().randomElement(using: &random) else { break }
        entity.destroy()
        expectNil(entity.creationNumber)
        dead += 1
      }
      let living = context.entities()
      expectTrue(living.allSatisfy { $0.creationNumber == numbers[$0] })
      expectEqual(living.reversed().sortedByCreation(), Array(living))
    }
    expectEqual(Set(numbers.values).count, numbers.count)
    expectGreaterThan(dead, 0)
  }
}
