import ECS
import ECSTestSupport
import Testing

/// Totals by what entities are linked to, and views of these, in sections that only read beside
/// changes of values and links.
@Suite(.optimizedOrSanitized, .longRunning, .noHangs) struct ReadingTotalsRaceTests {
  enum HeldBy: ToOneRelation {}

  struct Account: Component {
    var cents: Int
  }

  struct Branch: Component {}

  /// Accounts between which money is moved, and which move between branches: the sum stays.
  private final class Bank: Sendable {
    static let (branchCount, accountCount, cents) = (24, 96, 100)

    let context = Context()
    let group: Group
    let branches: [Entity]
    let accounts: [Entity]
    let totals: Aggregate<Entity, Int>
    let numbers: Aggregate<Entity, Int>

    /// The same view, kept and not.
    let ranking: LiveView
    let asked: LiveView
    let rich: LiveView

    init() {
      branches = context.createEntities(Bank.branchCount, with: Branch())
      accounts = context.createEntities(Bank.accountCount, with: Account(cents: Bank.cents))
      group = context.group(Branch.matcher)
      for (number, account) in accounts.enumerated() {
        account.relate(HeldBy.self, to: branches[number % Bank.branchCount])
      }
      totals = context.sum(of: \Account.cents, byTarget: HeldBy.self)
      numbers = context.count(of: Account.self, byTarget: HeldBy.self)
      asked = group.sorted(by: totals, .descending).then(by: numbers)
      ranking = group.sorted(by: totals, .descending).then(by: numbers).start()
      rich = group.filtered(by: totals) { ($0 ?? 0) >= 4 * Bank.cents }.start()
    }

    /// Moves money and an account; all money now and then, so that views are made anew.
    func change(_ step: Int) {
      let first = accounts[step % Bank.accountCount]
      let second = accounts[(step * 7 + 1) % Bank.accountCount]
      if first != second {
        first.update(Account.self) { $0.cents -= 3 }
        second.update(Account.self) { $0.cents += 3 }
      }
      first.relate(HeldBy.self, to: branches[(step * 5) % Bank.branchCount])
      guard step % 16 == 0 else { return }
      for (number, account) in accounts.enumerated() {
        account.update(Account.self) { $0.cents += number % 2 == 0 ? 1 : -1 }
      }
    }

    /// The lines of what is not as it has to be.
    func faults() -> [Int] {
      var faults: [Int] = []
      func check(_ isRight: Bool, line: Int = #line) { if !isRight { faults.append(line) } }
      var sums: [Entity: Int] = [:]
      var counts: [Entity: Int] = [:]
      for branch in branches {
        let held = branch.sources(HeldBy.self).entities()
        counts[branch] = held.count
        if held.isEmpty { continue }
        sums[branch] = held.reduce(0) { $0 + ($1.get(Account.self)?.cents ?? 0) }
      }
      let sum = Bank.accountCount * Bank.cents
      check(sums.values.reduce(0, +) == sum && totals.total == sum)
      check(branches.allSatisfy { totals[$0] == sums[$0] })
      check(branches.allSatisfy { numbers.count(for: $0) == counts[$0] })
      check(totals.count == Bank.accountCount && totals.keyCount == sums.count)
      // Sorting is stable, and branches are in the order of their creation.
      let expected = branches.sorted { one, other in
        guard let first = sums[one] else { return false }
        guard let second = sums[other] else { return true }
        return first == second ? (counts[one] ?? 0) < (counts[other] ?? 0) : first > second
      }
      check(Array(ranking.entities()) == expected)
      check(Array(asked.entities()) == expected)
      check(ranking.first == expected.first && asked[1] == expected[1])
      check(branches.allSatisfy { rich.contains($0) == ((sums[$0] ?? 0) >= 4 * Bank.cents) })
      check(rich.count == sums.values.count { $0 >= 4 * Bank.cents })
      return faults
    }
  }

  @Test func `Readers see no half of what totals come to, nor views in another order`() {
    struct Failure: Error {}
    let bank = Bank()
    let (wrong, done) = (Recorder<Int>(), Tally())
    Threads.run(5) { thread in
      guard thread < 2 else {
        while done.value < 2 {
          for line in bank.context.reading({ bank.faults() }) { wrong.append(line) }
        }
        return
      }
      for step in 0..<Effort.raceSteps / 40 {
        let number = step &* 31 &+ thread
        switch step % 4 {
        case 0, 1: bank.context.perform { bank.change(number) }
        case 2: bank.context.transaction { bank.change(number) }
        default:
          try? bank.context.transaction {
            bank.change(number)
            throw Failure()
          }
        }
      }
      done.add()
    }
    expectEqual(Set(wrong.items), [])
    expectEqual(bank.faults(), [])
  }

  @Test func `Totals and views of them may end in sections that only read`() {
    let wrong = Tally()
    for _ in 0..<Effort.raceSteps / 1000 {
      let bank = Bank()
      let left = Recorder<LiveView>()
      for _ in 0..<3 {
        let counts = bank.context.count(of: Account.self, byTarget: HeldBy.self)
        left.append(bank.group.sorted(by: counts).start())
      }
      Threads.run(4) { thread in
        if thread == 0 {
          for step in 0..<20 { bank.context.perform { bank.change(step) } }
          return
        }
        bank.context.reading {
          for view in left.take() where view.count != Bank.branchCount { wrong.add() }
          wrong.add(bank.faults().count)
        }
      }
      wrong.add(bank.faults().count)
      if bank.context.statistics.views != 2 { wrong.add() }
    }
    expectEqual(wrong.value, 0)
  }
}
