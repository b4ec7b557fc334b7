import Dispatch
import ECS
import ECSTestSupport
import ECSTesting
import Testing

/// Eight threads that record, take, observe and stop.
@Suite(.optimizedOrSanitized, .longRunning, .noHangs) struct RecorderRaceTests {
  /// One lock guards all, so that threads meet in few steps.
  private let steps = Effort.raceSteps(orElse: 10_000)

  @Test func `Nothing is lost and nothing comes twice while eight threads record`() {
    let recorder = Recorder<Int>()
    let (taken, sum) = (Tally(), Tally())
    Threads.run { thread in
      for step in 0..<steps {
        if step % 64 == thread {
          for number in recorder.take() {
            taken.add()
            sum.add(number)
          }
        } else {
          recorder.append(step)
          if step % 16 == 0 { _ = (recorder.count, recorder.items.first) }
        }
      }
    }
    let rest = recorder.take()
    let all = (0..<8).map { thread in (0..<steps).filter { $0 % 64 != thread } }
    expectEqual(taken.value + rest.count, all.reduce(0) { $0 + $1.count })
    expectEqual(sum.value + rest.reduce(0, +), all.reduce(0) { $0 + $1.reduce(0, +) })
  }

  @Test func `A clock is advanced while others set timers and read it`() {
    let time = ManualClock()
    let ran = Tally()
    let queue = DispatchQueue(label: "timers")
    Threads.run { thread in
      for step in 0..<steps {
        switch (step + thread) % 4 {
        case 0: time.clock.run(.nanoseconds(step % 8), queue) { ran.add() }
        case 1: time.advance(by: .nanoseconds(1))
        default: if time.now < .zero { ran.add(1_000_000) }
        }
      }
    }
    time.advance(by: .seconds(1))
    queue.sync {}
    expectEqual(ran.value, 2 * steps)
    expectEqual(time.timerCount, 0)
  }
}
