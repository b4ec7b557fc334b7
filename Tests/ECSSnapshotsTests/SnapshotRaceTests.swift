import ECS
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Testing

/// Threads that change a context while others save it, and restore what was saved.
@Suite(.optimizedOrSanitized, .longRunning, .noHangs) struct SnapshotRaceTests {
  private struct Balance: Component { var amount = 0 }
  private struct Owner: Component { var name = "" }
  private struct Friend: Component { var entity: Entity? }

  private func bank() throws -> Schema {
    try Schema("bank") {
      Stored(of: Balance(), as: "balance") { Field(\.amount, at: "amount") }
      Stored(of: Owner(), as: "owner") { Field(\.name, at: "name") }
      Stored(of: Friend(), as: "friend") { Field(\.entity, at: "entity") }
      Links(Near.self, as: "near")
    }
  }

  @Test func `a snapshot is of one moment, whoever changes what meanwhile`() throws {
    let schema = try bank()
    let context = Context()
    let accounts = context.createEntities(16, with: Balance(amount: 100))
    let (taken, wrong) = (Tally(), Tally())
    Threads.run { thread in
      var random = SplitMix64(seed: UInt64(thread))
      var mine: [Entity] = []
      for step in 0..<Effort.raceSteps {
        let (from, to) = (accounts[random.below(16)], accounts[random.below(16)])
        switch thread {
        case 0, 1:
          guard step % 64 == 0 else { continue }
          // Shared by both threads, and restored by each.
          guard let snapshot = try? context.snapshot(schema) else { return wrong.add() }
          let copy = Context()
          guard (try? snapshot.restore(into: copy, schema)) != nil else { return wrong.add() }
          let balances = copy.group(Balance.matcher).compactMap { $0.get(Balance.self)?.amount }
          if balances.count != 16 || balances.reduce(0, +) != 1600 { wrong.add() }
          taken.add()
        case 2, 3:
          mine.append(
            context.createEntity(with: Owner(name: "owner \(step)"), Friend(entity: from)))
          if mine.count > 8 { mine.removeFirst().destroy() }
        case 4:
          if random.oneIn(2) {
            from.relate(Near.self, to: to)
          } else {
            from.unrelate(Near.self, from: to)
          }
        default:
          context.perform {
            from.update(Balance.self) { $0.amount -= 1 }
            to.update(Balance.self) { $0.amount += 1 }
          }
        }
      }
    }
    expectEqual(wrong.value, 0)
    expectGreaterThan(taken.value, 0)
  }

  @Test func `a snapshot of many pages is that of its commit, whatever threads change meanwhile`()
    throws
  {
    let schema = try bank()
    let context = Context()
    let accounts = context.createEntities(3000, with: Balance(amount: 100))
    context.perform {
      for account in accounts[1000...] { account.set(Owner(name: "nobody")) }
    }
    let (taken, wrong, over) = (Tally(), Tally(), Tally())
    Threads.run { thread in
      var random = SplitMix64(seed: UInt64(thread))
      if thread < 2 {
        defer { over.add() }
        for _ in 0..<max(6, Effort.raceSteps / 1000) {
          var expected: Snapshot?
          let found = try? context.snapshot(schema) { expected = try? context.snapshot(schema) }
          if found == nil || found?.0.data != expected?.data { wrong.add() }
          taken.add()
        }
        return
      }
      var steps = 0
      while steps < Effort.raceSteps || over.value < 2 {
        steps += 1
        let (from, to) = (accounts[random.below(3000)], accounts[random.below(3000)])
        switch random.below(400) {
        case 0:
          context.group(Balance.matcher).withEach { (_, balance: inout Balance) in
            balance.amount += 1
          }
        case 1:
          try? context.transaction {
            from.set(Friend(entity: to))
            to.remove(Owner.self)
            if random.oneIn(2) { throw CancellationError() }
          }
        case 2..<40: from.set(Owner(name: "owner \(steps)"))
        case 40..<80: from.remove(Owner.self)
        case 80..<90: from.relate(Near.self, to: to)
        case 90..<100: from.unrelate(Near.self)
        case 100..<110: context.createEntity(with: Friend(entity: from))
        case 110..<120:
          context.group(Matcher(all: [Friend.cid], none: [Balance.cid])).first?.destroy()
        case 120..<200: _ = from.get(Balance.self)
        default: from.update(Balance.self) { $0.amount -= 1 }
        }
      }
    }
    expectEqual(wrong.value, 0)
    expectTrue(taken.value > 0 && !context.hasPicturesToCopy)
  }

  @Test func `what several threads merge is there once`() throws {
    let schema = try Schema("bank") {
      Stored(of: Balance(), as: "balance") { Field(\.amount, at: "amount") }
      Stored(of: Owner(), as: "owner") { Field(\.name, at: "name") }
      Stored(of: Friend(), as: "friend") { Field(\.entity, at: "entity") }
    }
    let (context, source) = (Context(), Context())
    let owners = context.primaryIndex { (owner: Owner) in owner.name }
    var last: Entity?
    for number in 0..<8 {
      let entity = source.createEntity(
        with: Owner(name: "\(number)"), Balance(amount: number), Friend(entity: last))
      last = entity
    }
    let snapshot = try source.snapshot(schema)
    let wrong = Tally()
    Threads.run { thread in
      var random = SplitMix64(seed: UInt64(thread))
      for step in 0..<Effort.raceSteps {
        switch thread {
        case 0...3:
          guard step % 64 == 0 else { continue }
          let report = try? snapshot.merge(into: context, schema, by: owners)
          if report.map({ $0.created + $0.merged }) != 8 { wrong.add() }
        default:
          let owner = owners["\(random.below(8))"]
          if random.oneIn(16) { owner?.destroy() } else { owner?.set(Balance(amount: step)) }
        }
      }
    }
    try snapshot.merge(into: context, schema, by: owners)
    expectEqual(wrong.value, 0)
    expectTrue(context.count == 8 && owners.count == 8)
    expectEqual(owners["1"]?.get(Friend.self)?.entity, owners["0"])
  }
}
