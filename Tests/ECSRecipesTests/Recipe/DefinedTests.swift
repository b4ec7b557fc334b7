import ECS
import ECSRecipes
import ECSTestSupport
import Testing

@Suite struct DefinedTests {
  private static let points = defined {
    try Recipe("point") { Fields(of: Point()) { Field(\.x, at: "x") } }
  }

  @Test func `A right definition is a constant without try`() throws {
    let context = Context()
    let point = try Mapper(context).make(Self.points, from: ["x": 3])
    expectEqual(point.get(Point.self)?.x, 3)
  }

  @Test func `A wrong definition stops with its error and its place`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = defined { try Recipe("point") { Fields(of: Point()) { Field(\.x, at: "a[") } } }
    }
    expectTrue(stopped(result, saying: "DefinedTests.swift", "Recipe point"))
  }
}
