import ECS
import ECSTestSupport
import Testing

private struct Rank: Component { var value: Int }

/// The order of creation outlasts the numbers that it is kept by.
@Suite(.longRunning) struct CreationOrderTests {
  let context = Context()

  @Test func `Groups and views keep their order when creation numbers run out`() {
    let group = context.group(Rank.matcher)
    let view = group.sorted(by: \Rank.value).start()
    var entities = (0..<5).map { _ in context.createEntity(with: Rank(value: 1)) }
    expectEqual(Array(view), entities)
    context.skipCreations(leaving: 2)
    for _ in 0..<5 { entities.append(context.createEntity(with: Rank(value: 1))) }
    entities.append(contentsOf: context.createEntities(5, with: Rank(value: 1)))
    context.skipCreations(leaving: 3)
    entities.append(contentsOf: context.createEntities(5, with: Rank(value: 1)))
    expectEqual(group.sorted(), entities)
    expectEqual(entities.reversed().sortedByCreation(), entities)
    let numbers = entities.compactMap(\.creationNumber)
    expectTrue(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 } && numbers.count == 20)
    expectEqual(Array(view), entities)
    expectEqual(Array(group.view()), entities)
    expectTrue(entities.enumerated().allSatisfy { view.position(of: $1) == $0 })
  }

  @Test func `Relations and walks keep their order when creation numbers run out`() {
    let parent = context.createEntity()
    var children: [Entity] = []
    for number in 0..<8 {
      if number == 3 { context.skipCreations(leaving: 1) }
      let child = context.createEntity()
      child.relate(ChildOf.self, to: parent)
      children.append(child)
    }
    expectEqual(Array(parent.children), children)
    expectEqual(Array(parent.descendants()), children)
  }

  @Test(arguments: Effort.seeds(Effort.full(20, debug: 5)))
  func `Observed views are exact whenever creation numbers run out`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let view = context.group(Rank.matcher).sorted(by: \Rank.value)
    let differences = Recorder<LiveViewDifference>()
    let token = view.observe(initial: false) { differences.append($0.difference) }
    var (entities, mirror): ([Entity], [Entity]) = ([], [])
    for _ in 0..<100 {
      context.perform {
        for _ in 0...random.below(6) {
          switch random.below(8) {
          case 0: context.skipCreations(leaving: UInt32(random.below(4)))
          case 1..<4:
            entities.append(context.createEntity(with: Rank(value: random.below(3))))
          case 4:
            let made = context.createEntities(3, with: Rank(value: 1))
            entities.append(contentsOf: made)
          case 5 where !entities.isEmpty:
            entities.remove(at: random.below(entities.count)).destroy()
          default: entities.randomElement(using: &random)?.set(Rank(value: random.below(3)))
          }
        }
      }
      for difference in differences.take() { expectTrue(difference.apply(to: &mirror)) }
      // The standard library's sort is stable.
      let expected = entities.sorted {
        ($0.get(Rank.self)?.value ?? 0) < ($1.get(Rank.self)?.value ?? 0)
      }
      expectEqual(Array(view), expected)
      expectEqual(mirror, expected)
    }
    withExtendedLifetime(token) {}
  }
}
