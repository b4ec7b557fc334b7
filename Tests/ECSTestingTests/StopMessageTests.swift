import ECSTestSupport
import Testing

/// What tells the stops that all builds have from those of builds for debugging.
@Suite(.noHangs) struct StopMessageTests {
  @Test func `A stop of all builds is one that says the words`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      fatalError("The entity was dead.")
    }
    expectTrue(stopped(result, saying: "entity", "dead"))
    expectFalse(stopped(result, saying: "entity", "alive"))
    expectFalse(failedAssertion(result, saying: "dead"))
    expectFalse(stopped(nil))
  }

  #if DEBUG
    @Test func `An assertion is no stop`() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        assert(Int.random(in: 0...0) == 1, "The entity was dead.")
      }
      expectTrue(failedAssertion(result, saying: "dead"))
      expectFalse(failedAssertion(result, saying: "alive"))
      expectFalse(stopped(result, saying: "dead"))
    }
  #endif
}
