import Dispatch
import ECS
import ECSTestSupport
import ECSTesting
import Testing

private struct Mark: Component {}

@Suite(.noHangs) struct ManualClockTests {
  private let queue = DispatchQueue(label: "queue")
  private let time = ManualClock()
  private let ran = Recorder<String>()

  private func set(_ name: String, after delay: Duration) {
    time.clock.run(delay, queue) { [ran] in ran.append(name) }
  }

  private func advance(by duration: Duration) -> [String] {
    time.advance(by: duration)
    queue.sync {}
    return ran.take()
  }

  @Test func `Time stands still until it is advanced`() {
    expectEqual(time.now, .zero)
    expectEqual(time.clock.now(), .zero)
    time.advance(by: .seconds(2))
    time.advance(by: .milliseconds(500))
    expectEqual(time.now, .milliseconds(2500))
    expectEqual(time.clock.now(), .milliseconds(2500))
  }

  @Test func `Timers run when they are due, the earliest first`() {
    set("late", after: .seconds(3))
    set("early", after: .seconds(1))
    set("second", after: .seconds(2))
    set("second, too", after: .seconds(2))
    expectEqual(time.timerCount, 4)
    expectEqual(advance(by: .milliseconds(999)), [])
    expectEqual(advance(by: .milliseconds(1)), ["early"])
    expectEqual(advance(by: .seconds(5)), ["second", "second, too", "late"])
    expectEqual(time.timerCount, 0)
  }

  @Test func `What is due at once does not wait until the clock is advanced`() {
    set("now", after: .zero)
    set("late", after: .seconds(-1))
    expectEqual(time.timerCount, 0)
    queue.sync {}
    expectEqual(ran.take(), ["now", "late"])
  }

  @Test func `A timer that is set later counts from then`() {
    time.advance(by: .seconds(10))
    set("later", after: .seconds(1))
    expectEqual(advance(by: .milliseconds(999)), [])
    expectEqual(advance(by: .milliseconds(1)), ["later"])
  }

  @Test func `A loop waits until the clock is advanced`() async {
    let context = Context()
    let loop = ReactiveLoop(
      ctx: context, queue: queue, delay: .seconds(5), systems: [], clock: time.clock)
    loop.on(Mark.matcher, name: "count") { [ran] in ran.append("\($0.count)") }
    context.createEntities(3, with: Mark())
    expectEqual(advance(by: .milliseconds(4999)), [])
    time.advance(by: .milliseconds(1))
    await loop.settled()
    expectEqual(ran.take(), ["3"])
  }
}
