import ECS

extension Benchmark {
  /// Views by key, all of which are observed.
  static var keyedViews: [Benchmark] {
    [
      Benchmark(
        "V3", "N/10 observed views by key: change a sort key of all in random order",
        ecs: Workload(
          plain: .kept, setUp: KeyedViewsWorld.init, run: { $0.changeTimes() },
          check: { world, count in Checksum(count, expected: Double(world.n)) })),
      Benchmark(
        "V3.moves", "the same: change the key of all",
        ecs: Workload(
          plain: .kept, setUp: KeyedViewsWorld.init, run: { $0.changeRooms() },
          check: { world, count in Checksum(count, expected: Double(2 * world.n)) })),
    ]
  }
}

private struct Message: Component {
  var room: Int
  var time: Int
}

/// A context with ten messages in each room, and an observed view of each.
final class KeyedViewsWorld {
  let n: Int
  private let context = Context()
  private let entities: [Entity]
  private let calls = Calls()
  private var subscriptions: [Subscription] = []
  private let rooms: Int
  private var time = 0

  /// How often observers were called.
  // Used in the context's critical section.
  private final class Calls: @unchecked Sendable {
    var count = 0
  }

  init(_ n: Int) {
    self.n = n
    rooms = max(2, n / 10)
    let (context, rooms, calls) = (context, rooms, calls)
    var generator = Seed.Generator()
    entities = (0..<n).map {
      context.createEntity(with: Message(room: $0 % rooms, time: $0))
    }.shuffled(using: &generator)
    let views = context.group(Message.matcher).sorted(by: \Message.time).views(by: \Message.room)
    subscriptions = (0..<rooms).map { room in
      views[room].observe(initial: false) { _ in calls.count += 1 }
    }
  }

  func changeTimes() -> Double {
    calls.count = 0
    time += 1
    for (number, entity) in entities.enumerated() {
      entity.update(Message.self) { $0.time = (number &* 7919 &+ time) % 1_000_003 }
    }
    return Double(calls.count)
  }

  func changeRooms() -> Double {
    calls.count = 0
    for entity in entities {
      entity.update(Message.self) { $0.room = ($0.room + 1) % rooms }
    }
    return Double(calls.count)
  }
}
