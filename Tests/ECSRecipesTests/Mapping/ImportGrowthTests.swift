import ECS
import ECSRecipes
import ECSTestSupport
import Testing

private struct Writer: Component, Hashable { var id = 0 }
private struct Story: Component, Hashable { var id = 0 }
private enum WrittenBy: ToOneRelation {}

/// How the time of imports grows with what they bring.
@Suite(.optimizedOrSanitized, .longRunning) struct ImportGrowthTests {
  /// The time to import stories of authors that are there, half of them of one, then of another.
  private func time(_ count: Int) throws -> Double {
    let authors = try Recipe("author") { Identity(\Writer.id, at: "id", of: Writer()) }
    let stories = try Recipe("story") {
      Identity(\Story.id, at: "id", of: Story())
      Nested(one: authors, at: "by", as: .key, through: .targets(of: WrittenBy.self))
    }
    let context = Context()
    let mapper = Mapper(context)
    for id in 1...2 { context.createEntity(with: Writer(id: id)) }
    let data = (0..<count).map { number in
      ["id": .number(JSONNumber(number)), "by": number < count / 2 ? 1 : 2] as JSONValue
    }
    let start = ThreadTime.now
    let report = try mapper.importList(data, with: stories, policy: .allOrNothing)
    let time = ThreadTime.now - start
    expectEqual(report.made, count)
    return time
  }

  @Test func `A list that names few who are there, and late, takes linear time`() {
    let exponents = Growth.exponents(from: 8000, rounds: 3) { count in
      do {
        return [try time(count)]
      } catch {
        Issue.record("\(error)")
        return [0]
      }
    }
    expectTrue(exponents.allSatisfy { $0 < 1.45 }, "\(exponents)")
  }
}
