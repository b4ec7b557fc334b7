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
    #expect(first.creationNumber == 0)
    #expect(more.map(\.creationNumber) == [1, nil, 3])
    #expect(last.creationNumber == 4, "it has the place of the one that was destroyed")
    last.set(Health(points: 1)).remove(Tag.self)
    context.compact()
    #expect(last.creationNumber == 4)
  }

  @Test func `Each context counts for itself, a new one from nothing`() {
    var early: Context? = Context()
    let gone = early?.createEntity()
    early = nil
    #expect(gone?.creationNumber == nil)
    for _ in 0..<3 {
      let context = Context()
      #expect(context.createEntity().creationNumber == 0)
    }
  }

  @Test func `Sorting by creation puts dead ones last, as they come`() {
    let entities = (0..<6).map { _ in context.createEntity() }
    entities[1].destroy()
    entities[4].destroy()
    let late = context.createEntity()
    let mixed = [late, entities[4], entities[5], entities[1], entities[0]]
    #expect(
      mixed.sortedByCreation() == [entities[0], entities[5], late, entities[4], entities[1]])
    #expect(EntitySet(mixed.dropFirst(2)).sortedByCreation().first == entities[0])
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
          if let last, let number, skipped { #expect(number > last) }
          if let last, !skipped { #expect(number == last + 1) }
          last = number
          numbers[entity] = number
        }
        skipped = false
      default:
        guard let entity = context.entities().randomElement(using: &random) else { break }
        entity.destroy()
        #expect(entity.creationNumber == nil)
        dead += 1
      }
      let living = context.entities()
      #expect(living.allSatisfy { $0.creationNumber == numbers[$0] })
      #expect(living.reversed().sortedByCreation() == Array(living))
    }
    #expect(Set(numbers.values).count == numbers.count)
    #expect(dead > 0)
  }
}
