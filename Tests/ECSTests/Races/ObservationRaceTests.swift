import Dispatch
import ECS
import ECSTestSupport
import Testing

/// Eight threads that change entities while observers, bound to owners and not, come and go.
@Suite(.optimizedOrSanitized, .noHangs) struct ObservationRaceTests {
  static let threads = 8
  static let steps = Effort.raceSteps

  struct Item: Component, Equatable {
    var number: Int
  }

  struct Mark: Component {}

  /// What an observer saw last.
  // Guarded by the context, or by the queue on which the observer runs.
  final class Seen: @unchecked Sendable {
    private var items: [Entity: Item] = [:]

    func note(_ entity: Entity) { items[entity] = entity.get(Item.self) }
    func last(of entity: Entity) -> Item? { items[entity] }
  }

  /// Something that shows an entity as long as it lives.
  final class Cell: Sendable {
    let calls = Tally()
  }

  private static func change(_ entity: Entity, _ random: inout SplitMix64) {
    switch random.below(6) {
    case 0..<3: entity.set(Item(number: random.below(1000)))
    case 3: entity.update(Item.self) { $0.number += 1 }
    case 4: entity.remove(Item.self)
    default: entity.set(Mark()).remove(Mark.self)
    }
  }

  @Test func `The last state that observers see is the final one, on queues, too`() {
    let context = Context()
    let entities = (0..<16).map { context.createEntity(with: Item(number: $0)) }
    let queue = DispatchQueue(label: "observers")
    let (direct, queued, owner) = (Seen(), Seen(), Cell())
    var subscriptions: [Subscription] = []
    for entity in entities {
      subscriptions.append(entity.observe(initial: true, direct.note))
      entity.observe(by: owner, on: queue) { owner, entity in
        queued.note(entity)
        owner.calls.add()
      }
    }
    Threads.run(Self.threads) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      for _ in 0..<Self.steps { Self.change(entities[random.below(16)], &random) }
    }
    // Whatever was sent to the queue is done after this.
    queue.sync {}
    for entity in entities {
      expectEqual(direct.last(of: entity), entity.get(Item.self))
      expectEqual(queue.sync { queued.last(of: entity) }, entity.get(Item.self))
    }
    expectGreaterThan(owner.calls.value, Self.threads * Self.steps / 2)
    withExtendedLifetime((subscriptions, owner)) {}
  }

  @Test func `Observers and their owners may come and go while others change entities`() {
    let (context, wrong) = (Context(), Tally())
    let entities = (0..<16).map { context.createEntity(with: Item(number: $0)) }
    let group = context.group(Item.matcher)
    let queue = DispatchQueue(label: "observers")
    Threads.run(Self.threads) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      var cell = Cell()
      var token: Subscription?
      for _ in 0..<Self.steps {
        let entity = entities[random.below(16)]
        switch random.below(13) {
        case 0:
          // A list's cell comes to show something else: what it showed before is forgotten.
          entity.observe(by: cell, name: "content") { cell, _ in cell.calls.add() }
          if context.observerCount(of: cell) > 6 { wrong.add() }
        case 1: entity.observe(by: cell, name: "queued", on: queue) { cell, _ in cell.calls.add() }
        case 2: group.observe(by: cell, name: "group") { cell, _ in cell.calls.add() }
        case 3: cell = Cell()
        case 10: entity.observeChanges(by: cell, name: "changes") { cell, _ in cell.calls.add() }
        case 11:
          group.observeChanges(of: Item.self, by: cell, name: "values", on: queue) {
            cell, _, _, _ in
            cell.calls.add()
          }
        case 12: context.observeEvents(by: cell, name: "events") { cell, _ in cell.calls.add() }
        case 4: token = entity.observe(initial: true) { [cell] _ in cell.calls.add() }
        case 5:
          token?.cancel()
          if token?.isActive == true { wrong.add() }
        case 6: context.stopObserving(by: cell, name: random.oneIn(2) ? "content" : nil)
        default: Self.change(entity, &random)
        }
      }
      context.stopObserving(by: cell)
      if context.observerCount(of: cell) != 0 { wrong.add() }
      token?.cancel()
    }
    queue.sync {}
    expectEqual(wrong.value, 0)
    expectEqual(group.observerCount, 0, "All owners are gone.")
    for entity in entities { expectEqual(entity.observerCount, 0) }
  }

  @Test func `A canceled observer is not called again, whichever thread cancels it`() {
    let context = Context()
    let entities = (0..<8).map { context.createEntity(with: Item(number: $0)) }
    let wrong = Tally()
    Threads.run(Self.threads) { thread in
      for step in 0..<Self.steps {
        if thread >= 4 {
          entities[step % 8].set(Item(number: step))
          continue
        }
        let calls = Tally()
        let token = entities[step % 8].observe(initial: true) { _ in calls.add() }
        token.cancel()
        let count = calls.value
        if count == 0 || token.isActive { wrong.add() }
        context.perform { if calls.value != count { wrong.add() } }
      }
    }
    expectEqual(wrong.value, 0)
    for entity in entities { expectEqual(entity.observerCount, 0) }
  }

  @Test func `Asynchronous sequences see the final state while they come and go`() async {
    let context = Context()
    let entities = (0..<8).map { context.createEntity(with: Item(number: $0)) }
    let changes = entities.map(\.observations)
    let last = await withTaskGroup(of: Bool.self) { tasks in
      for sequence in changes {
        tasks.addTask {
          var last: Entity?
          for await entity in sequence {
            last = entity
            if entity.get(Item.self) == Item(number: -1) { break }
          }
          return last?.get(Item.self) == Item(number: -1)
        }
      }
      tasks.addTask {
        Threads.run(Self.threads) { thread in
          var random = SplitMix64(seed: UInt64(thread))
          for step in 0..<Self.steps {
            let entity = entities[random.below(8)]
            // Made and dropped without being asked.
            if step % 64 == 0 { _ = entity.observations }
            Self.change(entity, &random)
          }
        }
        for entity in entities { entity.set(Item(number: -1)) }
        return true
      }
      return await tasks.reduce(true) { $0 && $1 }
    }
    expectTrue(last)
    expectTrue(entities.allSatisfy { $0.get(Item.self) == Item(number: -1) })
  }
}
