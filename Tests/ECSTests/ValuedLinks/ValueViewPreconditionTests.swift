import ECS
import ECSTestSupport
import Testing

private struct Seat: Component { var rank: Int }
private enum Sits: Relation { typealias Value = Seat }

@Suite(.noHangs) struct ValueViewPreconditionTests {
  @Test func `a view of a group that is to read values of links stops`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Context().group(Seat.matcher).sorted(by: \.rank, ofValue: Sits.self)
    }
    expectTrue(stopped(result, saying: "was to read values of links of Sits"))
  }

  @Test func `a view of another relation stops`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Context().createEntity().children.filtered(byValue: Sits.self) { $0.rank > 1 }
    }
    expectTrue(stopped(result, saying: "begin with sources(Sits.self)"))
  }

  @Test func `a test of values must not change the context`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      let team = context.createEntity()
      let one = context.createEntity().relate(Sits.self, to: team, Seat(rank: 1))
      let view = team.sources(Sits.self).filtered(byValue: Sits.self) { seat in
        one.set(seat)
        return true
      }
      view.start()
    }
    expectTrue(stopped(result, saying: "The filter of a live view called its context to change it"))
  }
}
