import Dispatch
import ECS
import ECSTestSupport
import Synchronization
import Testing

/// Handles, groups, indexes and collectors in use while their context goes.
@Suite(.optimizedOrSanitized, .longRunning, .noHangs) struct HandleRaceTests {
  struct Item: Component, Equatable {
    var number: Int
  }

  struct Other: Component {
    let text: String
  }

  /// A context that one thread releases while others use its entities.
  // The context is set before the threads begin, and taken by one of them only.
  final class Shared: @unchecked Sendable {
    private var context: Context?
    let entities: [Entity]
    let group: Group
    let index: Index<Int>
    let collector: Collector

    private let ready = Atomic<Int>(0)
    private let start = DispatchSemaphore(value: 0)

    init(number: Int) {
      let context = Context()
      entities = (0..<32).map { _ in
        context.createEntity(with: Item(number: number), Other(text: "text \(number)"))
      }
      group = context.group(Item.matcher)
      index = context.index { (item: Item) in item.number }
      collector = Collector(group: group, type: .addedUpdatedOrRemoved)
      self.context = context
    }

    func release() { context = nil }

    /// Waits until so many threads are ready: then all begin at once.
    func waitForAll(_ count: Int) {
      let isLast = ready.add(1, ordering: .acquiringAndReleasing).newValue == count
      if isLast { for _ in 1..<count { start.signal() } } else { start.wait() }
    }
  }

  @Test func `Handles are safe while another thread deallocates their context`() {
    let wrong = Tally()
    for round in 0..<Effort.full(1_000, debug: 200) {
      let shared = Shared(number: round)
      Threads.run(4) { thread in
        shared.waitForAll(4)
        if thread == 0 { return shared.release() }
        for entity in shared.entities {
          use(entity, round, wrong)
          if let context = entity.context, context.count > 32 { wrong.add() }
        }
      }
      for entity in shared.entities where entity.isAlive { wrong.add() }
    }
    expectEqual(wrong.value, 0)
  }

  private func use(_ entity: Entity, _ number: Int, _ wrong: Tally) {
    // Contexts to come may use the same storage, never under the same handles.
    if let item = entity.get(Item.self), item.number != number { wrong.add() }
    entity.set(Item(number: number))
    entity.update(Other.self) { other in
      if other.text != "text \(number)" { wrong.add() }
    }
    if entity.has(Other.cid) { entity.remove(Other.self) }
    _ = entity.components()
    _ = entity.description
  }

  @Test func `Objects that outlive a context are safe while another thread deallocates it`() {
    let wrong = Tally()
    for round in 0..<Effort.full(1_000, debug: 200) {
      let shared = Shared(number: round)
      Threads.run(4) { thread in
        shared.waitForAll(4)
        switch thread {
        case 0:
          shared.release()
        case 1:
          for entity in shared.group where entity.get(Item.self)?.number ?? round != round {
            wrong.add()
          }
          if shared.group.count > 32 || shared.group.sorted().count > 32 { wrong.add() }
        case 2:
          if shared.index[round].count > 32 { wrong.add() }
        default:
          shared.entities[0].set(Item(number: round))
          if shared.collector.drain().count > 1 { wrong.add() }
        }
      }
      if !shared.group.isEmpty || shared.index.keyCount != 0 || !shared.collector.isEmpty {
        wrong.add()
      }
    }
    expectEqual(wrong.value, 0)
  }

  @Test func `Contexts on eight threads take over storage and never see each other's entities`() {
    let wrong = Tally()
    let old = Recorder<Entity>()
    Threads.run { thread in
      var handles: [Entity] = []
      for round in 0..<Effort.full(2_000, debug: 250) {
        let context = Context()
        let number = thread * 2_000 + round
        let entities = (0..<8).map { _ in context.createEntity(with: Item(number: number)) }
        for entity in handles {
          if entity.isAlive || entity.get(Item.self) != nil { wrong.add() }
          entity.set(Item(number: -1))
          entity.destroy()
        }
        for entity in entities where entity.get(Item.self) != Item(number: number) { wrong.add() }
        if context.count != 8 || context.statistics.staleWrites != 0 { wrong.add() }
        handles = entities
      }
      for entity in handles { old.append(entity) }
    }
    expectTrue(old.items.allSatisfy { !$0.isAlive })
    expectEqual(wrong.value, 0)
  }
}
