import ECS
import ECSTestSupport
import Testing

/// Watchers that come and go while other threads change what they watch.
@Suite(.optimizedOrSanitized, .longRunning, .noHangs) struct WatcherRaceTests {
  static let steps = Effort.raceSteps

  struct Item: Component {
    var number: Int
  }

  /// Runs bodies of watchers on four threads and changes on four others, and waits for all.
  static func run(
    _ context: Context, watching: @escaping @Sendable (_ step: Int) -> Void
  ) {
    let entities = (0..<32).map { context.createEntity(with: Item(number: $0)) }
    Threads.run { thread in
      var random = SplitMix64(seed: UInt64(thread))
      for step in 0..<steps {
        if thread < 4 {
          if step % 8 == 0 { watching(step) }
          continue
        }
        let entity = entities[random.below(32)]
        switch random.below(3) {
        case 0: entity.set(Item(number: step % 8))
        case 1: entity.remove(Item.self)
        default: context.createEntity(with: Item(number: step % 8)).destroy()
        }
      }
    }
  }

  @Test func `Observers may come and go while others change entities`() {
    let (context, wrong) = (Context(), Tally())
    let group = context.group(Item.matcher)
    Self.run(context) { step in
      let calls = Tally()
      let subscription = group.observeChanges { _ in calls.add() }
      subscription.cancel()
      let count = calls.value
      if subscription.isActive || calls.value != count { wrong.add() }
      let other = context.observeEvents { _ in calls.add() }
      withExtendedLifetime(other) {}
    }
    expectEqual(wrong.value, 0)
  }

  @Test func `Collectors may come and go while others change entities`() {
    let context = Context()
    let group = context.group(Item.matcher)
    let kept = Collector(group: group, type: .addedUpdatedOrRemoved)
    Self.run(context) { step in
      let collector = Collector(group: group, type: .addedOrUpdated, paused: step % 3 == 0)
      if step % 2 == 0 { collector.pause() } else { collector.resume() }
      _ = collector.drainMatching()
      _ = kept.popFirst()
    }
    expectEqual(context.statistics.collectors, 1)
  }

  @Test func `Indexes may come and go while others change entities`() {
    let (context, wrong) = (Context(), Tally())
    Self.run(context) { step in
      let index = context.index { (item: Item) in item.number }
      let group = context.group(Item.matcher)
      context.perform {
        let count = (0..<32).reduce(0) { $0 + index.count(for: $1) }
        if count != group.count { wrong.add() }
      }
      if step % 16 == 0 { index.pause() }
    }
    expectEqual(context.statistics.indexes, 0)
    expectEqual(wrong.value, 0)
  }

  @Test func `The same matcher gives the same group on all threads`() {
    for _ in 0..<200 {
      let context = Context()
      let groups = Recorder<Group>()
      Threads.run { thread in
        let matcher =
          thread % 2 == 0 ? Item.matcher : Matcher(any: [Item.cid])
        groups.append(context.group(matcher))
      }
      expectEqual(Set(groups.items).count, 1)
      expectEqual(context.statistics.groups, 1)
    }
  }
}
