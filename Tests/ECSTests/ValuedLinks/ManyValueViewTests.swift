import ECS
import ECSTestSupport
import Testing

private struct Seat: Component { var rank: Int }
private enum Sits: Relation { typealias Value = Seat }

/// Views that read the values of many links.
@Suite struct ManyValueViewTests {
  let context = Context()
  let team: Entity

  init() { team = context.createEntity() }

  @Test func `many new values at once are put into their places together`() {
    let many = (0..<300).map { number in
      context.createEntity().relate(Sits.self, to: team, Seat(rank: number))
    }
    let view = team.sources(Sits.self).filtered(byValue: Sits.self) { $0.rank >= 0 }.sorted(
      by: \.rank, ofValue: Sits.self
    ).start()
    context.perform {
      for (number, entity) in many.enumerated() {
        entity.relate(Sits.self, to: team, Seat(rank: number % 3 == 0 ? -1 : 1000 - number))
      }
    }
    let expected = many.enumerated().filter { $0.offset % 3 != 0 }.map(\.element).reversed()
    expectEqual(Array(view), Array(expected))
  }

  @Test func `entities with many links are found by them`() {
    let teams = (0..<40).map { _ in context.createEntity() }
    let many = (0..<60).map { _ in context.createEntity() }
    for (number, one) in many.enumerated() {
      for team in teams { one.relate(Sits.self, to: team, Seat(rank: number)) }
    }
    let view = teams[7].sources(Sits.self).filtered(byValue: Sits.self) { $0.rank > 40 }.start()
    expectEqual(view.count, 19)
    for team in teams { many[50].relate(Sits.self, to: team, Seat(rank: 1)) }
    expectTrue(view.count == 18 && !view.contains(many[50]))
  }
}
