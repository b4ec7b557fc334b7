import Dispatch
import ECS
import ECSTestSupport
import Synchronization
import Testing

/// Four threads that change a context, while others read its commits.
@Suite(.optimizedOrSanitized, .longRunning, .noHangs) struct JournalRaceTests {
  private struct Refused: Error {}
  private struct Balance: Component { var amount: Int }

  /// What is known of the sum of all balances from commits alone.
  private final class Reader: Sendable {
    private let sum = Atomic<Int>(0)
    private let last = Atomic<Int>(0)
    private let disorder = Atomic<Int>(0)

    var total: Int { sum.load(ordering: .relaxed) }
    var disorders: Int { disorder.load(ordering: .relaxed) }

    func read(_ commit: Commit) {
      if last.exchange(commit.number, ordering: .relaxed) >= commit.number {
        disorder.add(1, ordering: .relaxed)
      }
      for change in commit {
        let (old, new) = (change.old(Balance.self), change.new(Balance.self))
        sum.add((new?.amount ?? 0) - (old?.amount ?? 0), ordering: .relaxed)
      }
    }
  }

  @Test func `Commits that are read elsewhere are whole, in order, and add up`() async {
    let context = Context()
    let queue = DispatchQueue(label: "journal")
    let (here, there) = (Reader(), Reader())
    let commits = context.journal().commits()
    let elsewhere = Reader()
    let subscriptions = [
      context.journal().observe { here.read($0) },
      context.journal(of: Balance.self).observe(on: queue) { there.read($0) },
    ]
    let task = Task {
      for await commit in commits {
        elsewhere.read(commit)
        if commit.causes.contains(where: { $0.name == "end" }) { break }
      }
    }
    let accounts = context.createEntities(16, with: Balance(amount: 100))
    Threads.run { thread in
      var random = SplitMix64(seed: UInt64(thread))
      for _ in 0..<Effort.raceSteps {
        let (from, to) = (accounts[random.below(16)], accounts[random.below(16)])
        switch thread % 4 {
        case 0: from.update(Balance.self) { $0.amount += 1 }
        case 1:
          _ = try? context.transaction {
            from.update(Balance.self) { $0.amount -= 5 }
            if random.oneIn(2) { throw Refused() }
            to.update(Balance.self) { $0.amount += 5 }
          }
        case 2:
          let journal = context.journal().observe { _ = $0.causes }
          from.set(Tag())
          journal.cancel()
        default: context.createEntity(with: Balance(amount: 1)).destroy()
        }
      }
    }
    let sum = accounts.reduce(0) { $0 + ($1.get(Balance.self)?.amount ?? 0) }
    context.perform("end") { context.createEntity() }
    await task.value
    queue.sync {}
    expectTrue(here.total == sum && there.total == sum && elsewhere.total == sum)
    expectEqual(here.disorders + there.disorders + elsewhere.disorders, 0)
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `Values of commits that another thread releases end without the lock`() {
    let context = Context()
    let (counter, refusals) = (LifeCounter(), Tally())
    let (handover, helper) = (Handover(), DispatchQueue(label: "helper"))
    let askSomebody: @Sendable () -> Void = { [weak context] in
      guard refusals.value == 0 else { return }
      let answered = DispatchSemaphore(value: 0)
      helper.async { [weak context] in
        context?.perform {}
        answered.signal()
      }
      if answered.wait(timeout: .now() + 10) == .timedOut { refusals.add() }
    }
    let subscription = context.journal().observe { handover.put($0) }
    let reader = DispatchQueue(label: "reader")
    reader.async { handover.letGoOfAll() }
    let entity = context.createEntity(with: Tracked(counter))
    let group = context.group(Tracked.matcher)
    for _ in 0..<Effort.full(100_000, debug: 1_000) {
      // Nothing but the commit has the value from before.
      group.withEach { (_, tracked: inout Tracked) in
        tracked = Tracked(counter, atEnd: askSomebody)
      }
    }
    entity.destroy()
    subscription.cancel()
    handover.close()
    reader.sync {}
    expectEqual(refusals.value, 0)
    expectEqual(counter.living, 0)
  }

  /// A commit that one thread keeps, and another releases some moments later.
  // `state` says whose turn it is: 0 to put one in, 1 to release it; 2 is the end.
  private final class Handover: @unchecked Sendable {
    private var commit: Commit?
    private let state = Atomic<Int>(0)

    /// Puts one in, if it is time: the thread that waits here has the lock, for which the other may
    /// wait.
    func put(_ commit: Commit) {
      guard state.load(ordering: .acquiring) == 0 else { return }
      self.commit = commit
      state.store(1, ordering: .releasing)
    }

    func close() {
      while state.load(ordering: .acquiring) != 0 {}
      state.store(2, ordering: .releasing)
    }

    func letGoOfAll() {
      var random = SplitMix64(seed: 1)
      while true {
        switch state.load(ordering: .acquiring) {
        case 1:
          for _ in 0..<random.below(400) { _ = state.load(ordering: .relaxed) }
          commit = nil
          state.store(0, ordering: .releasing)
        case 2: return
        default: continue
        }
      }
    }
  }
}
