import ECS
import ECSTestSupport
import Testing

/// Pictures that threads make and read while others change their context.
@Suite(.optimizedOrSanitized, .noHangs) struct FrozenRaceTests {
  private struct Account: Component { var cents: Int }
  private struct Holder: Component { var names: [String] }
  private struct Closed: Component {}

  private static let accounts = 2000
  private static let cents = 100

  @Test func `Pictures have no half of a change, however long they are read`() {
    let context = Context()
    let entities = context.createEntities(Self.accounts, with: Account(cents: Self.cents))
    context.perform {
      for entity in entities { entity.set(Holder(names: ["\(Self.cents)"])) }
    }
    let faults = Tally()
    Threads.run(6) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      if thread < 3 {
        for _ in 0..<Effort.raceSteps { transfer(among: entities, in: context, &random) }
      } else {
        for _ in 0..<max(20, Effort.raceSteps / 200) {
          let frozen = context.frozen(of: Account.self, Holder.self)
          if !isWhole(frozen, entities, &random) { faults.add() }
        }
      }
    }
    expectEqual(faults.value, 0)
    var random = SplitMix64(seed: 9)
    expectTrue(isWhole(context.frozen(of: Account.self, Holder.self), entities, &random))
  }

  /// Moves money, with or without a transaction that is taken back now and then, and opens or closes
  /// an account.
  private func transfer(
    among entities: [Entity], in context: Context, _ random: inout SplitMix64
  ) {
    let (from, to) = (
      entities[random.below(entities.count)], entities[random.below(entities.count)]
    )
    let amount = random.below(50)
    func move() {
      add(-amount, to: from)
      add(amount, to: to)
    }
    switch random.below(8) {
    case 0:
      _ = try? context.transaction { () throws(Refused) in
        move()
        throw Refused()
      }
    case 1: context.transaction(move)
    case 2: from.set(Closed())
    case 3: from.remove(Closed.self)
    case 4 where amount == 0:
      context.group(Account.matcher).withEach {
        (_, account: inout Account, holder: inout Holder) in
        account.cents += 0
        holder.names = ["\(account.cents)"]
      }
    default: context.perform(move)
    }
  }

  private struct Refused: Error {}

  private func add(_ cents: Int, to entity: Entity) {
    entity.update(Account.self) { $0.cents += cents }
    entity.update(Holder.self) { $0.names = ["\(entity.get(Account.self)?.cents ?? 0)"] }
  }

  /// Whether a picture has all of the money, and names that fit the sums.
  private func isWhole(
    _ frozen: FrozenContext, _ entities: [Entity], _ random: inout SplitMix64
  ) -> Bool {
    var seen: [Entity: Int] = [:]
    // Some before, while most pages are those of the context, and some afterwards.
    var (sum, count, isRight) = (0, 0, true)
    for entity in entities.prefix(40) {
      seen[entity] = frozen.get(Account.self, of: entity)?.cents
      if seen[entity] == nil || !frozen.contains(entity) { isRight = false }
    }
    frozen.withEach { (entity, account: Account, holder: Holder) in
      sum += account.cents
      count += 1
      isRight = isRight && holder.names == ["\(account.cents)"]
      if let cents = seen[entity], cents != account.cents { isRight = false }
      seen[entity] = account.cents
    }
    for _ in 0..<40 {
      let entity = entities[random.below(entities.count)]
      if frozen.get(Account.self, of: entity)?.cents != seen[entity] { isRight = false }
    }
    return isRight && count == entities.count && sum == Self.accounts * Self.cents
  }

  @Test func `Many threads read one picture, while others change what it has, and let it go`() {
    let context = Context()
    let entities = context.createEntities(Self.accounts, with: Account(cents: Self.cents))
    context.perform {
      for entity in entities { entity.set(Holder(names: ["\(Self.cents)"])) }
    }
    let faults = Tally()
    for round in 0..<max(4, Effort.raceSteps / 1000) {
      let box = Recorder<FrozenContext>()
      box.append(context.frozen(of: Account.self, Holder.self))
      Threads.run(7) { thread in
        var random = SplitMix64(seed: UInt64(round * 7 + thread))
        guard thread < 5, let frozen = box.items.first else {
          if thread == 6 { _ = box.take() }
          for _ in 0..<200 { transfer(among: entities, in: context, &random) }
          return
        }
        if thread == 4 {
          context.reading { if !isWhole(frozen, entities, &random) { faults.add() } }
        } else if !isWhole(frozen, entities, &random) {
          faults.add()
        }
      }
    }
    expectEqual(faults.value, 0)
  }

  @Test func `Pictures outlive their contexts, which end while they are read`() {
    for _ in 0..<max(4, Effort.raceSteps / 1000) {
      let counter = LifeCounter()
      do {
        let box = Recorder<FrozenContext>()
        do {
          let context = Context()
          context.createEntities(from: 0..<3000) { _ in Owner(instance: TrackedInstance(counter)) }
          box.append(context.frozen(of: Owner.self))
          box.append(context.frozen(of: Owner.self))
          let sums = Tally()
          Threads.run(3) { thread in
            if thread == 0 { context.group(Owner.matcher).destroyAll() }
            if thread > 0 { box.items[thread - 1].withEach { (_, _: Owner) in sums.add() } }
          }
          expectEqual(sums.value, 6000)
          box.append(context.frozen(of: Owner.self))
        }
        let frozen = box.take()
        expectEqual(frozen.map { $0.entities().count }, [3000, 3000, 0])
        expectEqual(counter.living, 3000)
        withExtendedLifetime(frozen) {}
      }
      expectEqual(counter.living, 0)
    }
  }

  private struct Owner: Component { let instance: TrackedInstance }
}
