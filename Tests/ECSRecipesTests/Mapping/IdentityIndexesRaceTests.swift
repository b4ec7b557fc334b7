import ECS
import ECSRecipes
import ECSTestSupport
import Testing

/// Eight threads whose mappers of the same contexts come and go.
@Suite(.optimizedOrSanitized, .longRunning, .noHangs) struct IdentityIndexesRaceTests {
  static let threads = 8
  static let steps = Effort.raceSteps

  @Test func `Mappers that come and go agree on the holder of a key, and leave nothing behind`()
    throws
  {
    let points = try Recipe("point") {
      Identity(\Point.x)
      Fields(of: Point()) { Field(\.x, at: "x") }
    }
    let (contexts, wrong) = ([Context(), Context()], Tally())
    let records = (0..<4).map { ["x": .number(JSONNumber($0))] as JSONValue }
    // One context has a mapper all the time, the other one has not.
    let first = Mapper(contexts[0])
    Threads.run(Self.threads) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      var mapper = Mapper(contexts[0])
      for _ in 0..<Self.steps {
        switch random.below(64) {
        case 0:
          if (try? mapper.make(points, from: records[random.below(4)])) == nil { wrong.add() }
        case 1..<8: mapper = Mapper(contexts[random.below(2)])
        default: if mapper.context.count > 4 { wrong.add() }
        }
      }
    }
    expectEqual(wrong.value, 0)
    expectEqual(contexts.map(\.count), [4, 4])
    expectEqual(contexts.map(\.statistics.indexes), [1, 0])
    withExtendedLifetime(first) {}
  }
}
