import ECS
import ECSTestSupport

/// Something that listens to a world.
// Guarded by the context of the world.
protocol Listener: AnyObject {
  /// What is wrong with it at a moment at which no iteration runs.
  func flaw(now world: BeginningWorld) -> String?

  /// What is wrong with it when the outermost change has ended; it need not have been notified of
  /// changes before.
  func flaw(afterwards world: BeginningWorld) -> String?

  /// A transaction with a number was taken back.
  func wasTakenBack(_ number: Int, _ world: BeginningWorld)

  /// Pauses or resumes it, if it can.
  func toggle(_ world: BeginningWorld)

  /// Whether there is nothing more to come.
  func isOver(_ world: BeginningWorld) -> Bool
}

extension Listener {
  func flaw(now world: BeginningWorld) -> String? { nil }
  func flaw(afterwards world: BeginningWorld) -> String? { nil }
  func wasTakenBack(_ number: Int, _ world: BeginningWorld) {}
  func toggle(_ world: BeginningWorld) {}
  func isOver(_ world: BeginningWorld) -> Bool { false }
}

/// Whatever listens to a world at this moment.
// Guarded by the context of the world.
final class Listeners: @unchecked Sendable {
  private var all: [any Listener] = []

  /// How often something began, paused, resumed or ended.
  private(set) var actCount = 0

  private var collectors: [CollectorListener] { all.compactMap { $0 as? CollectorListener } }
  var feeds: [FeedListener] { all.compactMap { $0 as? FeedListener } }

  var keepsKeysUnique: Bool {
    all.contains { ($0 as? PrimaryIndexListener)?.isPaused == false }
  }

  /// Lets something begin, pause, resume or end.
  func act(_ world: BeginningWorld, _ random: inout SplitMix64) {
    actCount += 1
    let choice = random.below(16)
    if choice < 8 || all.isEmpty { return begin(world, &random) }
    let number = random.below(all.count)
    if choice < 14, all.count <= 10 {
      world.note("toggle \(all[number])")
      all[number].toggle(world)
    } else if !(all[number] is FeedListener) {
      world.note("end \(all[number])")
      all.remove(at: number)
    }
  }

  private func begin(_ world: BeginningWorld, _ random: inout SplitMix64) {
    guard all.count < 14, let listener = make(world, &random) else { return }
    world.note("begin \(listener)")
    all.append(listener)
  }

  private func make(_ world: BeginningWorld, _ random: inout SplitMix64) -> (any Listener)? {
    let some =
      world.rows.living.isEmpty ? 0 : world.rows.living[random.below(world.rows.living.count)]
    switch random.below(14) {
    case 0, 1:
      // Of what an iteration has written before it began, it is notified only if something else is,
      // too.
      if world.hasWrittenInIteration { return nil }
      return CollectorListener(world, actCount, random.below(6) + 1, isPaused: random.oneIn(4))
    case 2, 3, 4:
      return ViewListener(
        world, ViewListener.Kind.allCases[random.below(ViewListener.Kind.allCases.count)], some,
        starts: random.oneIn(2))
    case 5: return IndexListener(world, isPaused: random.oneIn(4))
    case 6: return WordIndexListener(world, isPaused: random.oneIn(4))
    case 7: return PrimaryIndexListener(world, isPaused: random.oneIn(3))
    case 8: return AggregateListener(world)
    case 9: return WordAggregateListener(world)
    case 10: return GroupListener(world)
    case 11: return EntityListener(world, some)
    case 12: return ChangesListener(world)
    default:
      return feeds.count < 2 && random.oneIn(8) ? FeedListener(world) : JournalListener(world)
    }
  }

  // MARK: What the world tells

  func collect(_ event: NaiveRows.Event, _ entity: Int) {
    for collector in collectors { collector.collect(event, entity) }
  }

  /// What collectors hold, and how often each was paused.
  var marks: [Int: (held: [Int], pauses: Int)] {
    Dictionary(
      uniqueKeysWithValues: collectors.map { ($0.number, ($0.held, $0.pauses)) })
  }

  func wereTakenBack(
    to marks: [Int: (held: [Int], pauses: Int)], _ number: Int, _ world: BeginningWorld
  ) {
    for collector in collectors {
      // Dropping what was collected is part of pausing, which stays.
      if let (held, pauses) = marks[collector.number], pauses == collector.pauses {
        collector.held = held
      } else {
        collector.held = []
      }
    }
    for listener in all { listener.wasTakenBack(number, world) }
  }

  // MARK: Checks

  func checkNow(_ world: BeginningWorld) {
    for listener in all {
      if let flaw = listener.flaw(now: world) { world.fail("\(type(of: listener)): \(flaw)") }
    }
  }

  func checkAll(_ world: BeginningWorld) {
    checkNow(world)
    for listener in all {
      if let flaw = listener.flaw(afterwards: world) {
        world.fail("\(type(of: listener)): \(flaw), when all had ended")
      }
    }
    all.removeAll { $0.isOver(world) }
  }
}

extension Listener {
  /// A difference between what is expected and what is found.
  func difference<Value: Equatable>(
    _ what: @autoclosure () -> String, _ expected: Value, _ found: Value
  ) -> String? {
    expected == found ? nil : "\(what()) \(found), expected \(expected)"
  }
}
