import Dispatch
import ECS
import ECSTestSupport
import Synchronization
import Testing

/// Four threads that change a context, while others read its commits.
@Suite(.noHangs) struct JournalRaceTests {
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

  @Test func `Commits that are read elsewhere are whole, in order, and add up`() {
    let context = Context()
    let queue = DispatchQueue(label: "journal")
    let (here, there) = (Reader(), Reader())
    let subscriptions = [
      context.journal().observe { here.read($0) },
      context.journal(of: Balance.self).observe(on: queue) { there.read($0) },
    ]
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
    queue.sync {}
    #expect(here.total == sum && there.total == sum)
    #expect(here.disorders + there.disorders == 0)
    withExtendedLifetime(subscriptions) {}
  }
}
