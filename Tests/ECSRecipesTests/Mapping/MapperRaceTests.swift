import ECS
import ECSRecipes
import ECSTestSupport
import Synchronization
import Testing

/// Eight threads on one mapper.
@Suite(.optimizedOrSanitized, .longRunning, .noHangs) struct MapperRaceTests {
  static let threads = 8
  static let steps = Effort.raceSteps
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

  /// In one of so many steps data is mapped, in the others an entity is read: a mapper takes a
  /// hundred times as long, most of it in code that only its own thread is concerned with.
  private static let stepsPerMapping = 128

  @Test func `Each key is created once, and each change is reported once`() throws {
    let (context, points) = (Context(), try points())
    let mapper = Mapper(context)
    let index = context.primaryIndex { (point: Point) in point.x }
    mapper.use(index, for: \Point.x)
    let (events, wrong) = (Tally(), Tally())
    let token = context.group(Point.matcher).observeChanges { _ in events.add() }
    let (made, updated, sent, counted) = (Tally(), Tally(), Tally(), Tally())
    // Made beforehand, since that is not what is raced.
    let records = (0..<Self.keys).map { x in (0..<3).map { data(x, $0) } }
    Threads.run(Self.threads) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      for step in 0..<Self.steps {
        // At once all threads make what is not there yet.
        let x = step < Self.keys ? step : random.below(Self.keys)
        guard random.below(Self.stepsPerMapping) == 0 || step < Self.keys else {
          guard let point = index[x]?.get(Point.self) else { continue }
          guard point.x == x, (0..<3).contains(point.y) else { return wrong.add() }
          continue
        }
        let list = [records[x][random.below(3)], records[random.below(Self.keys)][random.below(3)]]
        guard let report = try? mapper.importList(list, with: points), report.refused == 0
        else { return wrong.add() }
        sent.add(list.count)
        made.add(report.made)
        updated.add(report.updated)
        counted.add(report.made + report.updated + report.unchanged)
      }
    }
    expectEqual(wrong.value, 0)
    expectEqual(made.value, Self.keys)
    expectEqual(counted.value, sent.value)
    expectEqual(events.value, made.value + updated.value)
    expectEqual(context.count, Self.keys)
    expectEqual(context.statistics.indexes, 1)
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
        guard random.below(Self.stepsPerMapping) == 0 else {
          guard let point = entities[x].get(Point.self), point.y % Self.keys == point.x
          else { return wrong.add() }
          continue
        }
        let record = records[x][random.below(2)]
        do throws(RecipeError) {
          switch random.below(4) {
          case 0:
            guard try mapper.make(points, from: record) == entities[x] else { return wrong.add() }
          case 1: try mapper.update(entities[x], with: points, from: record)
          case 2: _ = try mapper.wouldChange(entities[x], with: points, from: record)
          default:
            guard let y = try mapper.decompose(entities[x], with: points)["y"]?.number?.int,
              y % Self.keys == x
            else { return wrong.add() }
          }
        } catch {
          return wrong.add()
        }
      }
    }
    expectEqual(wrong.value, 0)
    expectEqual(context.count, Self.keys)
  }
}
