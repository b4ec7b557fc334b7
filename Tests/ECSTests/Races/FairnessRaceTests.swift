import ECS
import ECSTestSupport
import Foundation
import Synchronization
import Testing

/// No thread waits for long while another one takes the lock again and again.
@Suite(.optimizedOrSanitized, .longRunning) struct FairnessRaceTests {
  struct Balance: Component {
    var amount: Int
  }

  @Test func `A call beside sections back to back waits for a few of them`() {
    let context = Context()
    let entity = context.createEntity(with: Balance(amount: 0))
    let (sections, calls) = (Tally(), Tally())
    // A few where threads have the processors to themselves. Where many want them, this one is
    // suspended at times before it has asked; without successors it would wait for a thousand.
    let (rounds, few) = (100, 50)
    let waited = Tally()
    Threads.run(2) { thread in
      if thread == 0 {
        while calls.value < rounds {
          context.perform {
            work(for: .milliseconds(1))
            sections.add()
          }
        }
        return
      }
      for _ in 0..<rounds {
        // The other one is at it again, however quickly this one takes the lock a second time.
        let start = sections.value
        while sections.value < start + 2 {}
        let before = sections.value
        entity.update(Balance.self) { $0.amount += 1 }
        waited.add(sections.value - before)
        calls.add()
      }
    }
    expectLessThanOrEqual(waited.value, rounds * few)
    expectEqual(entity.get(Balance.self)?.amount, rounds)
  }

  @Test func `Nothing is lost when the lock goes to waiting threads`() {
    let context = Context()
    let entities = (0..<4).map { _ in context.createEntity(with: Balance(amount: 0)) }
    let (threads, steps) = (8, Effort.raceSteps)
    Threads.run(threads) { thread in
      for step in 0..<steps {
        entities[step & 3].update(Balance.self) { $0.amount += 1 }
        if step % (steps / 10) == thread * steps / 100 {
          context.perform {
            let before = entities[0].get(Balance.self)
            work(for: .milliseconds(3))
            entities[0].update(Balance.self) { $0.amount = (before?.amount ?? 0) + 1 }
          }
        }
      }
    }
    let sum = entities.reduce(0) { $0 + ($1.get(Balance.self)?.amount ?? 0) }
    expectEqual(sum, threads * (steps + 10))
  }

  @Test func `Signals to waiting threads don't gather while many read and one changes`() {
    let context = Context()
    let entity = context.createEntity(with: Balance(amount: 0))
    let (threads, rounds) = (8, Effort.raceSteps / 100)
    let done = Tally()
    Threads.run(threads) { thread in
      guard thread == 0 else {
        while done.value == 0 { _ = entity.get(Balance.self) }
        return
      }
      for _ in 0..<rounds {
        entity.update(Balance.self) { $0.amount += 1 }
        // Meanwhile the others share the lock.
        _ = usleep(100)
      }
      done.add()
    }
    expectEqual(entity.get(Balance.self)?.amount, rounds)
    // Each surplus one would let a thread look for the lock in vain, instead of those that have it.
    expectLessThanOrEqual(context.signalsUnderway, threads)
  }

  /// Sections that are suspended, by many threads: some wait for just as long as their patience,
  /// and some signals come just when the time of a wait is over.
  ///
  /// Short rounds, since a thread that has lost its signal gets the next one, of which there is none
  /// at the end.
  @Test func `No thread waits forever if a signal arrives just as its wait ends`() async {
    await #expect(processExitsWith: .success) {
      for _ in 0..<Effort.full(60, debug: 12) {
        let contexts = (0..<3).map { _ in Context() }
        let end = ContinuousClock.now + .milliseconds(100)
        let all = DispatchGroup()
        for thread in 0..<180 {
          let context = contexts[thread % contexts.count]
          DispatchQueue(label: "thread \(thread)").async(group: all) {
            var random = UInt32(thread)
            while ContinuousClock.now < end {
              random = random &* 1_664_525 &+ 1_013_904_223
              context.perform { _ = usleep(random >> 24) }
            }
          }
        }
        guard all.wait(timeout: .now() + .seconds(60)) == .success else { exit(EXIT_FAILURE) }
      }
    }
  }
}
