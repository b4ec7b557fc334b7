import ECS
import ECSTestSupport
import Foundation
import Testing

/// Sections that only read, beside each other and beside changes.
@Suite(.optimizedOrSanitized, .longRunning, .noHangs) struct ReadingRaceTests {
  struct Account: Component {
    var cents: Int
  }

  struct Owner: Component {
    var name: String
  }

  struct Branch: Hashable, Comparable {
    let number: Int

    static func < (left: Branch, right: Branch) -> Bool { left.number < right.number }
  }

  struct Rich: Component {}

  /// Accounts between which money is moved: the sum stays.
  final class Bank: Sendable {
    static let (accounts, cents) = (24, 100)

    let context = Context()
    let group: Group
    let entities: [Entity]
    let byOwner: Index<String>
    let byBranch: Index<Branch>
    let byCents: OrderedIndex<Int>
    let total: Aggregate<Int, Int>
    let rich: LiveView

    init() {
      entities = (0..<Bank.accounts).map {
        [context] number in
        context.createEntity(
          with: Account(cents: Bank.cents), Owner(name: "owner number \(number % 4), of some"))
      }
      group = context.group(Account.matcher)
      byOwner = context.index { (owner: Owner) in owner.name }
      // Accounts may be overdrawn: a remainder would be negative.
      byBranch = context.index { (account: Account) in Branch(number: account.cents & 3) }
      byCents = context.orderedIndex { (account: Account) in account.cents }
      total = context.sum(of: { (account: Account) in account.cents }, by: { _ in 0 })
      rich = group.filtered { (account: Account) in account.cents >= Bank.cents }
        .sorted(by: \Account.cents, .descending).start()
    }

    /// Moves money, owners and components, so that all that is checked stays.
    func change(_ step: Int) {
      let first = entities[step % Bank.accounts]
      let second = entities[(step * 7 + 1) % Bank.accounts]
      guard first != second else { return }
      first.update(Account.self) { $0.cents -= 1 }
      second.update(Account.self) { $0.cents += 1 }
      let owners = (first.get(Owner.self), second.get(Owner.self))
      guard let one = owners.0, let other = owners.1 else { return }
      first.set(other)
      second.set(one)
      if first.has(Rich.self) {
        first.remove(Rich.self)
      } else {
        first.set(Rich())
      }
    }

    /// The lines of what is not as it has to be.
    func faults() -> [Int] {
      var (sum, count) = (0, 0)
      var faults: [Int] = []
      func check(_ isRight: Bool, line: Int = #line) { if !isRight { faults.append(line) } }
      group.withEach { (entity, account: Account, owner: Owner, rich: Rich?) in
        sum += account.cents
        count += 1
        check(entity.get(Account.self)?.cents == account.cents)
        check(entity.get(Owner.self)?.name == owner.name)
        check(entity.has(Rich.self) == (rich != nil))
      }
      check(sum == Bank.accounts * Bank.cents && count == Bank.accounts)
      var spanned = 0
      group.withChunks { (chunk, accounts: Span<Account>) in
        for row in 0..<chunk.count { spanned += accounts[row].cents }
      }
      check(spanned == sum)
      check(total.total == sum && total[0] == sum)
      check((0..<4).allSatisfy { byOwner.count(for: "owner number \($0), of some") == 6 })
      check((0..<4).allSatisfy { byOwner["owner number \($0), of some"].count == 6 })
      check((0..<4).reduce(0) { $0 + byBranch.count(for: Branch(number: $1)) } == count)
      check((0..<4).reduce(0) { $0 + byBranch[Branch(number: $1)].count } == count)
      check(byCents.count == count)
      check(byCents.keys.reduce(0) { $0 + $1 * byCents[$1].count } == sum)
      let isRich = group.filter { ($0.get(Account.self)?.cents ?? 0) >= Bank.cents }
      check(Set(isRich) == Set(rich) && rich.count == isRich.count)
      let shown = rich.compactMap { $0.get(Account.self)?.cents }
      check(shown == shown.sorted(by: >))
      check(group.sorted() == entities && group.count == count)
      return faults
    }
  }

  @Test func `Readers see no half of a section or a transaction, whatever they read`() {
    struct Failure: Error {}
    let bank = Bank()
    let (wrong, done) = (Recorder<Int>(), Tally())
    let rounds = Effort.raceSteps / 20
    Threads.run(6) { thread in
      guard thread < 2 else {
        while done.value < 2 {
          for line in bank.context.reading({ bank.faults() }) { wrong.append(line) }
        }
        return
      }
      for step in 0..<rounds {
        let number = step &* 31 &+ thread
        switch step % 3 {
        case 0: bank.context.perform { bank.change(number) }
        case 1: bank.context.transaction { bank.change(number) }
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

  @Test func `Several threads are in at once, in passes, and others make single reads`() {
    let bank = Bank()
    let (meeting, missed) = (Meeting(of: 4), Tally())
    Threads.run(4) { thread in
      bank.context.reading {
        var hasMet = false
        bank.group.withEach { (entity, account: Account) in
          if hasMet { return }
          hasMet = true
          if !meeting.arrive() { missed.add() }
          if entity.get(Account.self)?.cents != Bank.cents { missed.add() }
        }
      }
    }
    expectEqual(missed.value, 0)
    bank.context.reading {
      Threads.run(2) { _ in
        for entity in bank.entities where entity.get(Account.self)?.cents != Bank.cents {
          missed.add()
        }
        if bank.group.count != Bank.accounts || bank.byOwner.keyCount != 4 { missed.add() }
      }
    }
    expectEqual(missed.value, 0)
  }

  @Test func `More threads are in at once than there are slots for short reads`() {
    let bank = Bank()
    let threads = 300
    let (meeting, missed) = (Meeting(of: threads), Tally())
    Threads.run(threads) { _ in
      bank.context.reading {
        if !meeting.arrive() { missed.add() }
        if bank.entities[0].get(Account.self)?.cents != Bank.cents { missed.add() }
      }
    }
    expectEqual(missed.value, 0)
  }

  @Test func `Look-ups by keys of the program's own share inside`() {
    let bank = Bank()
    let wrong = Tally()
    bank.context.reading {
      Threads.run(3) { _ in
        for step in 0..<Effort.raceSteps / 10 {
          let number = step % 4
          let count = bank.context.reading { bank.byBranch.count(for: Branch(number: number)) }
          if count != (number == 0 ? 24 : 0) { wrong.add() }
        }
      }
    }
    expectEqual(wrong.value, 0)
  }

  @Test func `A reader goes on reading while a thread waits to change something`() {
    let bank = Bank()
    let (waiting, wrong) = (Tally(), Tally())
    Threads.run(3) { thread in
      switch thread {
      case 0:
        bank.context.reading {
          waiting.add()
          let end = ContinuousClock.now + .seconds(60)
          while !bank.context.isAwaited, ContinuousClock.now < end {}
          if !bank.context.isAwaited { wrong.add() }
          wrong.add(bank.faults().count)
          bank.context.reading { wrong.add(bank.faults().count) }
          if bank.entities[0].get(Account.self)?.cents != Bank.cents { wrong.add() }
        }
      case 1:
        while waiting.value == 0 {}
        bank.entities[0].set(Account(cents: 0))
        bank.entities[0].set(Account(cents: Bank.cents))
      default:
        while waiting.value == 0 {}
        // It comes while one reads and one waits, or later.
        if bank.group.count != Bank.accounts { wrong.add() }
      }
    }
    expectEqual(wrong.value, 0)
  }

  @Test func `A change waits for the readers that are in, not for those that come`() {
    let bank = Bank()
    let (readings, changes) = (Tally(), Tally())
    let rounds = 30
    let waited = Tally()
    Threads.run(4) { thread in
      guard thread == 0 else {
        // There is always one in.
        while changes.value < rounds {
          bank.context.reading { work(for: .milliseconds(1)) }
          readings.add()
        }
        return
      }
      for _ in 0..<rounds {
        let start = readings.value
        while readings.value < start + 2 {}
        let before = readings.value
        bank.entities[0].update(Account.self) { $0.cents += 1 }
        waited.add(readings.value - before)
        changes.add()
      }
    }
    expectLessThanOrEqual(waited.value, rounds * 60)
    expectEqual(bank.entities[0].get(Account.self)?.cents, Bank.cents + rounds)
  }

  @Test func `Readers get their turn beside threads that change without a break`() {
    let bank = Bank()
    let done = Tally()
    Threads.run(5) { thread in
      if thread < 2 {
        for step in 0..<Effort.raceSteps / 50 {
          if bank.context.reading({ bank.group.count }) != Bank.accounts { done.add(100) }
          if step % 64 == 0 { _ = sched_yield() }
        }
        done.add()
      } else {
        while done.value < 2 { bank.entities[thread].update(Account.self) { $0.cents += 1 } }
      }
    }
    expectEqual(done.value, 2)
  }

  @Test func `Groups may be asked for first by several readers at once`() {
    let wrong = Tally()
    for _ in 0..<Effort.raceSteps / 200 {
      let bank = Bank()
      Threads.run(4) { thread in
        guard thread > 0 else {
          bank.context.createEntity(with: Account(cents: 0), Tag())
          return
        }
        bank.context.reading {
          let all = bank.context.group(Tag.self)
          let poor = Matcher(all: [Account.cid], none: [Tag.cid])
          var count = 0
          bank.context.withEach { (_, account: Account, owner: Owner) in count += 1 }
          if count != Bank.accounts || bank.context.group(poor).count != count { wrong.add() }
          if all.count > 1 || bank.context.entities().count != count + all.count { wrong.add() }
        }
      }
      if bank.context.group(Tag.self).count != 1 { wrong.add() }
      bank.entities[0].set(Tag())
      if bank.context.group(Tag.self).count != 2 { wrong.add() }
      let poor = bank.context.group(Matcher(all: [Account.cid], none: [Tag.cid]))
      if poor.count != Bank.accounts - 1 { wrong.add() }
    }
    expectEqual(wrong.value, 0)
  }

  @Test func `Passes on all cores inside may read, and beside each other`() {
    let bank = Bank()
    bank.context.createEntities(20_000, with: Account(cents: 0))
    let wrong = Tally()
    Threads.run(3) { thread in
      for _ in 0..<Effort.raceSteps / 400 {
        guard thread > 0 else {
          bank.entities[0].update(Account.self) { $0.cents += 0 }
          continue
        }
        let sum = Tally()
        bank.context.reading {
          bank.group.withChunksInParallel { (chunk, accounts: Span<Account>) in
            var cents = 0
            for row in 0..<chunk.count { cents += accounts[row].cents }
            sum.add(cents)
          }
        }
        if sum.value != Bank.accounts * Bank.cents { wrong.add() }
      }
    }
    expectEqual(wrong.value, 0)
  }

  @Test func `Handles are read in sections of contexts that come and go`() {
    let wrong = Tally()
    for _ in 0..<Effort.raceSteps / 500 {
      let box = Recorder<Context>()
      let entity = {
        let context = Context()
        box.append(context)
        return context.createEntity(with: Owner(name: "a name that is not stored in place"))
      }()
      Threads.run(3) { thread in
        guard thread > 0 else {
          _ = box.take()
          return
        }
        for _ in 0..<20 {
          entity.context?.reading {
            if let owner = entity.get(Owner.self), owner.name.count != 34 { wrong.add() }
          }
        }
      }
      expectFalse(entity.isAlive)
    }
    expectEqual(wrong.value, 0)
  }
}

/// Where threads wait for each other, and take no time that others need to get there.
// All of it is behind the condition.
private final class Meeting: @unchecked Sendable {
  private let condition = NSCondition()
  private let count: Int
  private var arrived = 0

  init(of count: Int) { self.count = count }

  /// Waits until all are here; false if that takes minutes.
  func arrive() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    arrived += 1
    if arrived == count { condition.broadcast() }
    let end = Date(timeIntervalSinceNow: 300)
    while arrived < count, condition.wait(until: end) {}
    return arrived >= count
  }
}
