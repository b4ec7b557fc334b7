import ECS
import ECSTestSupport
import Foundation
import Testing

/// Reads of several threads where something is kept that was found out, made at its first use, or
/// moved between what is read: sections that only read, passes, and single calls.
@Suite(.optimizedOrSanitized, .longRunning, .noHangs) struct ReadingKeptRaceTests {
  enum Likes: Relation {}

  enum Unused: Relation {}

  struct Account: Component {
    var cents: Int
  }

  /// A key that the standard library doesn't compare.
  struct Branch: Hashable {
    let number: Int
  }

  @Test func `Links between entities that have many are looked for by readers beside writers`() {
    let context = Context()
    // More than are searched one by one, so that pairs are kept.
    let entities = context.createEntities(80, with: Account(cents: 0))
    context.perform {
      for source in entities { for target in entities { source.relate(Likes.self, to: target) } }
    }
    let (wrong, done) = (Tally(), Tally())
    Threads.run(5) { thread in
      if thread == 0 {
        for step in 0..<Effort.raceSteps / 20 {
          // Making all links again forgets the pairs.
          let pair = (entities[step % 80], entities[(step * 7 + 1) % 80])
          context.perform {
            pair.0.unrelate(Likes.self, from: pair.1)
            pair.0.relate(Likes.self, to: pair.1)
          }
        }
        done.add()
        return
      }
      var step = thread
      while done.value == 0 {
        step += 1
        let (source, target) = (entities[step % 80], entities[(step * 3) % 80])
        let isRelated =
          thread < 3
          ? context.reading { source.isRelated(Likes.self, to: target) }
          : source.isRelated(Likes.self, to: target)
        if !isRelated { wrong.add() }
      }
    }
    expectEqual(wrong.value, 0)
  }

  @Test func `Links are first looked for by several readers at once`() {
    let wrong = Tally()
    for _ in 0..<Effort.raceSteps / 400 {
      let context = Context()
      let entities = context.createEntities(40, with: Account(cents: 0))
      context.perform {
        for source in entities { for target in entities { source.relate(Likes.self, to: target) } }
      }
      Threads.run(4) { thread in
        let find = { entities[thread].isRelated(Likes.self, to: entities[39]) }
        if !(thread % 2 == 0 ? context.reading(find) : find()) { wrong.add() }
      }
    }
    expectEqual(wrong.value, 0)
  }

  @Test func `Views of a relation that nothing has used are read beside all links`() {
    let wrong = Tally()
    for _ in 0..<Effort.raceSteps / 200 {
      let context = Context()
      let (parent, child) = (context.createEntity(), context.createEntity())
      parent.children.insert(child)
      let view = parent.sources(Unused.self).filtered { (_: Account) in true }
      Threads.run(3) { thread in
        for _ in 0..<10 {
          if thread == 0 {
            if context.reading({ view.count }) != 0 { wrong.add() }
          } else if context.reading({ child.links().count }) != 1 || child.links().count != 1 {
            wrong.add()
          }
        }
      }
    }
    expectEqual(wrong.value, 0)
  }

  @Test func `A walk keeps out no reader that asks for what is kept`() {
    let context = Context()
    let parent = context.createEntity()
    for entity in context.createEntities(3, with: Account(cents: 1)) {
      parent.children.insert(entity)
    }
    let group = context.group(Account.matcher)
    let (inside, done, missed) = (Tally(), Tally(), Tally())
    Threads.run(2) { thread in
      context.reading {
        guard thread == 0 else {
          while inside.value == 0 { _ = sched_yield() }
          if group.sorted().count != 3 || context.group(Tag.matcher).count != 0 { missed.add() }
          done.add()
          return
        }
        parent.walk { _, _ in
          inside.add()
          let end = ContinuousClock.now + .seconds(20)
          while done.value == 0, ContinuousClock.now < end { _ = sched_yield() }
          if done.value == 0 { missed.add() }
        }
      }
    }
    expectEqual(missed.value, 0)
  }

  /// Accounts between which money is moved: the sum stays, and so do the numbers that have an odd
  /// and an even number of cents.
  private final class Bank: Sendable {
    static let accounts = 3_000

    let context = Context()
    let group: Group
    let entities: [Entity]
    let byBranch: Index<Branch>
    let odd: LiveView
    let total: Aggregate<Int, Int>

    init() {
      entities = context.createEntities(Bank.accounts, with: Account(cents: 100))
      group = context.group(Account.matcher)
      byBranch = context.index { (account: Account) in Branch(number: account.cents & 1) }
      odd = group.filtered { (account: Account) in account.cents & 1 == 1 }.start()
      total = context.sum(of: { (account: Account) in account.cents }, by: { $0.cents & 1 })
      entities[0].set(Account(cents: 101))
      entities[1].set(Account(cents: 99))
    }

    func change(_ step: Int) {
      let (first, second) = (entities[step & 1], entities[2 + step % (Bank.accounts - 2)])
      // An even number of cents, so that both stay odd, or even.
      first.update(Account.self) { $0.cents -= 2 }
      second.update(Account.self) { $0.cents += 2 }
    }

    /// Makes one odd account even, and another one odd.
    func swap(_ step: Int) {
      guard let first = odd.first, let second = byBranch.first(for: Branch(number: 0)) else {
        return
      }
      first.update(Account.self) { $0.cents += 1 }
      second.update(Account.self) { $0.cents -= 1 }
    }
  }

  @Test func `Passes and single calls see no half of sections and transactions`() {
    struct Failure: Error {}
    let bank = Bank()
    let (wrong, done) = (Tally(), Tally())
    let sum = Bank.accounts * 100
    Threads.run(6) { thread in
      switch thread {
      case 0, 1:
        for step in 0..<Effort.raceSteps / 40 {
          let number = step &* 31 &+ thread
          switch step % 4 {
          case 0: bank.context.perform { bank.change(number) }
          case 1: bank.context.transaction { bank.swap(number) }
          case 2: bank.context.perform { bank.swap(number) }
          default:
            try? bank.context.transaction {
              bank.change(number)
              throw Failure()
            }
          }
        }
        done.add()
      case 2:
        while done.value < 2 {
          var (cents, count) = (0, 0)
          bank.group.withEach { (_, account: Account) in
            cents += account.cents
            count += account.cents & 1
          }
          if cents != sum || count != 2 { wrong.add() }
        }
      case 3:
        while done.value < 2 {
          var cents = 0
          bank.context.withChunks { (chunk, accounts: Span<Account>) in
            for row in 0..<chunk.count { cents += accounts[row].cents }
          }
          if cents != sum { wrong.add() }
          if Array(bank.group).count != Bank.accounts { wrong.add() }
        }
      case 4:
        while done.value < 2 {
          // Keys of the program's own: each call by itself.
          if bank.byBranch.count(for: Branch(number: 1)) != 2 { wrong.add() }
          if bank.byBranch[Branch(number: 1)].count != 2 { wrong.add() }
          if bank.odd.count != 2 || bank.odd.entities().count != 2 { wrong.add() }
          if bank.total.total != sum || bank.byBranch.keyCount != 2 { wrong.add() }
          if bank.group.count != Bank.accounts || bank.context.count != Bank.accounts {
            wrong.add()
          }
        }
      default:
        while done.value < 2 {
          bank.context.reading {
            let odd = bank.byBranch[Branch(number: 1)]
            if Set(odd) != Set(bank.odd.entities()) { wrong.add() }
            let cents = odd.reduce(0) { $0 + ($1.get(Account.self)?.cents ?? 0) }
            if bank.total[1] != cents { wrong.add() }
          }
        }
      }
    }
    expectEqual(wrong.value, 0)
  }
}
