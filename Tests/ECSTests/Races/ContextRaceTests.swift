import ECS
import ECSTestSupport
import Testing

/// Eight threads on one context.
@Suite(.optimizedOrSanitized, .longRunning, .noHangs) struct ContextRaceTests {
  static let threads = 8
  static let steps = Effort.raceSteps

  struct Balance: Component {
    var amount: Int
  }

  struct Total: UniqueComponent {
    var count: Int
  }

  @Test func `No update of a component that threads share is lost`() {
    let context = Context()
    let entities = (0..<16).map { _ in context.createEntity(with: Balance(amount: 0)) }
    Threads.run(Self.threads) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      for _ in 0..<Self.steps {
        entities[random.below(16)].update(Balance.self) { $0.amount += 1 }
      }
    }
    let sum = entities.reduce(0) { $0 + ($1.get(Balance.self)?.amount ?? 0) }
    expectEqual(sum, Self.threads * Self.steps)
  }

  @Test func `No update of a unique component is lost, whatever holds it`() {
    let context = Context()
    context.setUniqueComponent(Total(count: 0))
    let holders = (0..<4).map { _ in context.createEntity() }
    let wrong = Tally()
    Threads.run(Self.threads) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      for _ in 0..<Self.steps {
        if random.oneIn(8) {
          context.perform {
            guard let total = context.uniqueComponent(Total.self) else { return wrong.add() }
            holders[random.below(4)].set(Total(count: total.count + 1))
          }
        } else {
          context.updateUniqueComponent(Total.self) { $0.count += 1 }
        }
        if !context.hasUniqueComponent(Total.self) { wrong.add() }
      }
    }
    expectEqual(context.uniqueComponent(Total.self)?.count, Self.threads * Self.steps)
    expectEqual(context.group(Total.matcher).count, 1)
    expectEqual(wrong.value, 0)
  }

  @Test func `Others see all that a thread performs, or nothing`() {
    let context = Context()
    let accounts = (0..<8).map { _ in context.createEntity(with: Balance(amount: 100)) }
    let group = context.group(Balance.matcher)
    let wrong = Tally()
    Threads.run(Self.threads) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      for step in 0..<Self.steps {
        if step % 64 == thread {
          var sum = 0
          group.withEach { (_, balance: Balance) in sum += balance.amount }
          if sum != 800 { wrong.add() }
        } else {
          let (from, to) = (accounts[random.below(8)], accounts[random.below(8)])
          context.perform {
            from.update(Balance.self) { $0.amount -= 1 }
            to.update(Balance.self) { $0.amount += 1 }
          }
        }
      }
    }
    expectEqual(wrong.value, 0)
  }

  @Test func `An observer is called by one thread at a time, forevery change`() {
    // Counted by the observer alone, in the critical section of the context.
    final class Seen: @unchecked Sendable {
      var added = 0
      var updated = 0
      var removed = 0
    }
    let (context, seen) = (Context(), Seen())
    let subscription = context.group(Balance.matcher).observeChanges { change in
      switch change.kind {
      case .added: seen.added += 1
      case .updated: seen.updated += 1
      case .removed, .destroyed: seen.removed += 1
      }
    }
    Threads.run(Self.threads) { _ in
      for step in 0..<Self.steps / 4 {
        let entity = context.createEntity(with: Balance(amount: step))
        entity.set(Balance(amount: -step))
        if step % 2 == 0 { entity.remove(Balance.self) }
        entity.destroy()
      }
    }
    let expected = Self.threads * Self.steps / 4
    expectEqual(
      context.perform { [seen.added, seen.updated, seen.removed] },
      [
        expected, expected, expected,
      ])
    expectEqual(context.count, 0)
    subscription.cancel()
  }
}
