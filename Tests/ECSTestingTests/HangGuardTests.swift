import Dispatch
import ECSTestSupport
import Testing

/// What stops the tests of this package when they hang.
@Suite(.noHangs) struct HangGuardTests {
  @Test func `A process that stands still is stopped, and the tests that wait are named`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let watch = HangWatch(limit: 2)
      watch.end(watch.begin("over"))
      _ = watch.begin("waiting")
      DispatchSemaphore(value: 0).wait()
    }
    expectTrue(stopped(result, saying: #"these tests: ["waiting"]"#))
  }

  @Test func `A process that makes progress is left alone, however long it takes`() async {
    await #expect(processExitsWith: .success) {
      let watch = HangWatch(limit: 1)
      let number = watch.begin("working")
      let start = ContinuousClock.now
      var sum = 0
      while start.duration(to: .now) < .seconds(3) { sum &+= 1 }
      watch.end(number)
      withExtendedLifetime(sum) {}
    }
  }
}
