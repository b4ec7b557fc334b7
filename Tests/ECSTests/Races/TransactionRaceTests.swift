import ECS
import ECSTestSupport
import Testing

/// Eight threads that change a context, half of them in transactions, of which many throw.
@Suite(.optimizedOrSanitized, .longRunning, .noHangs) struct TransactionRaceTests {
  private struct Refused: Error {}

  /// What is moved between accounts; the sum of all is always the same.
  private struct Balance: Component { var amount: Int }

  @Test func `Transfers that fail halfway never change the sum`() {
    let context = Context()
    let accounts = context.createEntities(16, with: Balance(amount: 100))
    let collector = Collector(group: context.group(Balance.matcher), type: .addedOrUpdated)
    let byAmount = context.index { (balance: Balance) in balance.amount % 3 }
    let view = context.group(Balance.matcher).sorted(by: \Balance.amount).start()
    let (notices, failures) = (Tally(), Tally())
    let subscription = context.group(Balance.matcher).observeChanges { _ in notices.add() }
    let sum: @Sendable () -> Int = {
      context.perform { accounts.reduce(0) { $0 + ($1.get(Balance.self)?.amount ?? 0) } }
    }
    Threads.run { thread in
      var random = SplitMix64(seed: UInt64(thread))
      for step in 0..<Effort.raceSteps {
        let (from, to) = (accounts[random.below(16)], accounts[random.below(16)])
        switch thread % 4 {
        case 0, 1:
          do {
            try context.transaction {
              from.update(Balance.self) { $0.amount -= 1 }
              let helper = context.createEntity(with: Tag())
              if random.oneIn(3) { throw Refused() }
              to.update(Balance.self) { $0.amount += 1 }
              helper.destroy()
              if random.oneIn(3) {
                to.destroy()
                throw Refused()
              }
            }
          } catch {
            failures.add()
          }
        case 2:
          context.perform {
            from.update(Balance.self) { $0.amount -= 1 }
            to.update(Balance.self) { $0.amount += 1 }
          }
        default:
          if step % 16 == 0 {
            expectEqual(sum(), 1600)
            _ = collector.drain()
          } else {
            from.set(Tag())
            context.createEntity(with: Tag()).destroy()
          }
        }
      }
    }
    expectEqual(sum(), 1600)
    expectTrue(accounts.allSatisfy { $0.isAlive })
    expectEqual(context.count, 16)
    expectEqual(
      (0..<3).reduce(0) { $0 + byAmount.count(for: $1) } + byAmount.count(for: -1)
        + byAmount.count(for: -2), 16)
    expectEqual(
      Array(view).map { $0.get(Balance.self)?.amount ?? 0 },
      view.map { $0.get(Balance.self)?.amount ?? 0 }.sorted())
    expectTrue(notices.value > 0 && failures.value > 0)
    withExtendedLifetime(subscription) {}
  }
}
