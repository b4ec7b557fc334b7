import ECS
import ECSRecipes
import ECSTestSupport
import Synchronization
import Testing

/// Eight threads on one mapper.
@Suite(.noHangs) struct MapperRaceTests {
  static let threads = 8
  static let steps = 100_000
  static let keys = 64

  private func points() throws -> Recipe {
    try Recipe("point") {
      Identity(\Point.x)
      Fields(of: Point()) {
        Field(\.x, at: "x")
        Field(\.y, at: "y")
      }
    }
  }

  private func data(_ x: Int, _ y: Int) -> JSONValue {
    ["x": .number(JSONNumber(x)), "y": .number(JSONNumber(y))]
  }

  @Test func `Each key is made once, and each change is told once`() throws {
    let (context, points) = (Context(), try points())
    let mapper = Mapper(context)
    let (events, failures) = (Tally(), Tally())
    let token = context.group(Point.matcher).observe { _ in events.add() }
    let (made, updated, unchanged) = (Tally(), Tally(), Tally())
    // Made beforehand, since that is not what is raced.
    let records = (0..<Self.keys).map { x in (0..<3).map { data(x, $0) } }
    Threads.run(Self.threads) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      var list: [JSONValue] = []
      for step in 1...Self.steps {
        list.append(records[random.below(Self.keys)][random.below(3)])
        guard list.count == 10 || step == Self.steps else { continue }
        guard let report = try? mapper.importList(list, with: points) else { return failures.add() }
        made.add(report.made)
        updated.add(report.updated)
        unchanged.add(report.unchanged)
        failures.add(report.refused)
        list = []
      }
    }
    #expect(failures.value == 0)
    #expect(made.value == Self.keys)
    #expect(made.value + updated.value + unchanged.value == Self.threads * Self.steps)
    #expect(events.value == made.value + updated.value)
    #expect(context.count == Self.keys)
    #expect(context.statistics.indexes == 1)
    token.cancel()
  }

  @Test func `What is made, updated, compared and decomposed is always whole`() throws {
    let (context, points) = (Context(), try points())
    let mapper = Mapper(context)
    let entities = try (0..<Self.keys).map { try mapper.make(points, from: data($0, $0)) }
    let wrong = Tally()
    // The data of a key has one of two remainders: nothing else may ever be seen.
    let records = (0..<Self.keys).map { x in [data(x, x), data(x, x + Self.keys)] }
    Threads.run(Self.threads) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      for _ in 0..<Self.steps {
        let x = random.below(Self.keys)
        let record = records[x][random.below(2)]
        do throws(RecipeError) {
          switch random.below(8) {
          case 0:
            guard try mapper.make(points, from: record) == entities[x] else { return wrong.add() }
          case 1: try mapper.update(entities[x], with: points, from: record)
          case 2: _ = try mapper.wouldChange(entities[x], with: points, from: record)
          case 3:
            guard let y = try mapper.decompose(entities[x], with: points)["y"]?.number?.int,
              y % Self.keys == x
            else { return wrong.add() }
          default:
            guard let point = entities[x].get(Point.self), point.y % Self.keys == point.x
            else { return wrong.add() }
          }
        } catch {
          return wrong.add()
        }
      }
    }
    #expect(wrong.value == 0)
    #expect(context.count == Self.keys)
  }
}
