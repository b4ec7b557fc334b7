import ECS
import ECSTestSupport
import Foundation
import Testing

/// Several threads read a context at once, while others change it.
@Suite(.optimizedOrSanitized, .noHangs, .longRunning) struct SharedReadingRaceTests {
  struct Pair: UniqueComponent {
    var first: Int
    var second: Int
  }

  final class Service: Sendable {
    let first: Int
    let second: Int

    init(_ number: Int) { (first, second) = (number, number) }
  }

  struct Services: UniqueComponent {
    var current: Service
  }

  struct Name: Component {
    var text: String
  }

  struct Identity: Component {
    var text: String
  }

  struct Balance: Component {
    var amount: Int
  }

  /// A key that looks at its context while it is compared.
  struct CuriousKey: Hashable {
    let number: Int
    let context: Context

    static func == (left: CuriousKey, right: CuriousKey) -> Bool {
      _ = left.context.uniqueComponent(Pair.self)
      return left.number == right.number && left.context.count >= 0
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  struct Curious: Component {
    var number: Int
  }

  @Test func `Readers never see half of a change`() {
    let context = Context()
    let entity = context.createEntity(with: Name(text: "0"), Identity(text: "the only one"))
    context.setUniqueComponent(Pair(first: 0, second: 0))
    context.setUniqueComponent(Services(current: Service(0)))
    let byName = context.index { (name: Name) in name.text }
    let byIdentity = context.primaryIndex { (identity: Identity) in identity.text }
    let group = context.group(Name.matcher)
    let wrong = Tally()
    Threads.run { thread in
      for step in 0..<Effort.raceSteps {
        if thread < 2, step % 16 == 0 {
          context.perform {
            context.setUniqueComponent(Pair(first: step, second: step))
            context.setUniqueComponent(Services(current: Service(step)))
            entity.set(Name(text: "a name that is not stored in place, \(step)"))
          }
          continue
        }
        let pair = context.uniqueComponent(Pair.self)
        if pair == nil || pair?.first != pair?.second { wrong.add() }
        let service = context.uniqueComponent(Services.self)?.current
        if service == nil || service?.first != service?.second { wrong.add() }
        guard let name = entity.get(Name.self) else {
          wrong.add()
          continue
        }
        if !entity.has(Name.self) || !entity.isAlive || group.count != 1 { wrong.add() }
        // By then, it may have another one.
        if byName.count(for: name.text) > 1 || byName[name.text].count > 1 { wrong.add() }
        if byIdentity["the only one"] != entity { wrong.add() }
      }
    }
    expectEqual(wrong.value, 0)
  }

  @Test func `What was read before stays true while only one thread writes`() {
    let context = Context()
    context.setUniqueComponent(Pair(first: 0, second: 0))
    let entities = (0..<64).map { _ in context.createEntity(with: Balance(amount: 0)) }
    let wrong = Tally()
    let steps = Effort.raceSteps
    Threads.run { thread in
      guard thread > 0 else {
        for step in 1...steps {
          entities[step & 63].set(Balance(amount: step))
          context.setUniqueComponent(Pair(first: step, second: step))
        }
        return
      }
      var last = 0
      for step in 0..<steps {
        let now = context.uniqueComponent(Pair.self)?.first ?? -1
        if now < last { wrong.add() }
        last = now
        // It was written before the number was.
        let amount = entities[now & 63].get(Balance.self)?.amount ?? -1
        if now > 0, amount < now { wrong.add() }
        if step & 1023 == 0 { context.perform { _ = entities[0].get(Balance.self) } }
      }
    }
    expectEqual(wrong.value, 0)
  }

  @Test func `Changes of all threads are made although others read without a break`() {
    let context = Context()
    let entity = context.createEntity(with: Balance(amount: 0))
    let (writers, changes) = (2, Effort.raceSteps)
    let done = Tally()
    Threads.run(6) { thread in
      if thread < writers {
        for _ in 0..<changes { entity.update(Balance.self) { $0.amount += 1 } }
        done.add()
      } else {
        while done.value < writers { _ = entity.get(Balance.self) }
      }
    }
    expectEqual(entity.get(Balance.self)?.amount, writers * changes)
  }

  @Test func `Long sections of more threads than processors and readers all get their turn`() {
    let context = Context()
    let entity = context.createEntity(with: Balance(amount: 0))
    let (writers, rounds) = (12, Effort.raceSteps / 2_000)
    let done = Tally()
    Threads.run(36) { thread in
      guard thread < writers else {
        while done.value < writers { _ = entity.get(Balance.self) }
        return
      }
      for _ in 0..<rounds {
        context.perform {
          let amount = entity.get(Balance.self)?.amount ?? 0
          work(for: .microseconds(thread * 20))
          entity.set(Balance(amount: amount + 1))
        }
      }
      done.add()
    }
    expectEqual(entity.get(Balance.self)?.amount, writers * rounds)
  }

  @Test func `Components that readers hold end when the last of them releases them`() {
    let counter = LifeCounter()
    do {
      let context = Context()
      let entity = context.createEntity(with: Tracked(counter))
      Threads.run { thread in
        for step in 0..<Effort.raceSteps {
          if thread == 0 || step & 255 == 0 {
            entity.set(Tracked(counter))
          } else {
            _ = entity.get(Tracked.self)
          }
          if step & 15 == 0 { context.perform { _ = entity.get(Tracked.self) } }
        }
      }
      expectEqual(counter.living, 1)
    }
    expectEqual(counter.living, 0)
  }

  @Test func `Keys that look at their context while they are compared stop no thread`() {
    let context = Context()
    context.setUniqueComponent(Pair(first: 0, second: 0))
    // Its context keeps it no longer than this test does.
    let index = context.index { (curious: Curious) in
      CuriousKey(number: curious.number, context: context)
    }
    for number in 0..<100 { context.createEntity(with: Curious(number: number % 10)) }
    let wrong = Tally()
    Threads.run { thread in
      for step in 0..<Effort.raceSteps {
        if thread == 0 {
          context.setUniqueComponent(Pair(first: step, second: step))
        } else if index.count(for: CuriousKey(number: step % 10, context: context)) != 10 {
          wrong.add()
        }
        _ = context.uniqueComponent(Pair.self)
      }
    }
    expectEqual(wrong.value, 0)
  }

  @Test func `Parallel sections begin and end beside readers`() {
    let context = Context()
    let entities = context.createEntities(2_000, with: Balance(amount: 0))
    let group = context.group(Balance.matcher)
    let wrong = Tally()
    let rounds = Effort.raceSteps / 100
    let done = Tally()
    Threads.run(4) { thread in
      guard thread > 0 else {
        for _ in 0..<rounds {
          group.withChunksInParallel { (chunk, balances: inout MutableSpan<Balance>) in
            for row in balances.indices { balances[row].amount += 1 }
          }
        }
        return done.add()
      }
      var last = 0
      while done.value == 0 {
        let amount = entities[thread].get(Balance.self)?.amount ?? -1
        if amount < last || amount > rounds { wrong.add() }
        last = amount
      }
    }
    expectEqual(wrong.value, 0)
    expectTrue(entities.allSatisfy { $0.get(Balance.self)?.amount == rounds })
  }

  @Test func `Handles stay safe to read while their contexts end and others begin`() {
    let wrong = Tally()
    for _ in 0..<Effort.raceSteps / 500 {
      let started = Tally()
      let box = Recorder<Context>()
      let entity = {
        let context = Context()
        box.append(context)
        return context.createEntity(with: Name(text: "a name that is not stored in place"))
      }()
      Threads.run(3) { thread in
        started.add()
        while started.value < 3 { _ = sched_yield() }
        guard thread > 0 else {
          _ = box.take()
          return
        }
        for _ in 0..<200 {
          if let name = entity.get(Name.self), name.text.count != 34 { wrong.add() }
        }
      }
      expectFalse(entity.isAlive)
    }
    expectEqual(wrong.value, 0)
  }
}
