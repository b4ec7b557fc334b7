import ECS
import ECSSnapshots

// Events and systems, inside of the transaction of a batch.
extension WorkerEngine {
  /// Applies events; those that can't be are left out, and given.
  func apply(_ events: [ClusterEvent<Event>], _ partition: Int) -> AppliedEvents<C> {
    var applied = AppliedEvents<C>()
    apply(events[...], partition, &applied)
    // An event that comes alone is tried again as well.
    if events.count == 1, !applied.dead.isEmpty || applied.stop != nil {
      applied = AppliedEvents()
      apply(events[...], partition, &applied)
    }
    return applied
  }

  /// Applies events together or, if that fails, one half after the other, down to single ones.
  private func apply(
    _ events: ArraySlice<ClusterEvent<Event>>, _ partition: Int,
    _ applied: inout AppliedEvents<C>
  ) {
    switch attempt(events, partition) {
    case .success(let changes): applied.changes = changes
    case .failure(let reason):
      if events.isEmpty { return }
      guard events.count == 1, let event = events.first else {
        let half = events.count / 2
        apply(events.prefix(half), partition, &applied)
        if applied.stop == nil { apply(events.dropFirst(half), partition, &applied) }
        return
      }
      if options.poison == .stop {
        applied.stop = (event.id, reason.text)
      } else {
        let bytes = (try? cluster.encode([event.value])) ?? []
        applied.dead.append(
          DeadEvent(number: event.id.number, reason: reason.text, bytes: bytes))
      }
    }
  }

  /// Applies events, of which nothing stays if that fails; gives all that the present batch has
  /// changed.
  private func attempt(
    _ events: ArraySlice<ClusterEvent<Event>>, _ partition: Int
  ) -> Result<ChangedEntities<C>, Unapplied> {
    let index = contents.index
    let count = options.partitions
    // Systems see what these events change, and not what came of other partitions, or was taken
    // back.
    for trigger in loop?.triggers ?? [] where !trigger.isEmpty { _ = trigger.drain() }
    do {
      let changes = try context.transaction {
        for event in events {
          let key = cluster.key(event.value)
          try applying(event, index[key] ?? index.getOrCreate(creating(key)))
        }
        try settle()
        return try ChangedEntities<C>(in: context, index, cluster.schema) {
          $0.partition(of: count) == partition
        }
      }
      return .success(changes)
    } catch {
      return .failure(Unapplied(text: "\(error)"))
    }
  }

  /// Lets systems run until they have nothing more to do.
  private func settle() throws {
    guard let loop else { return }
    let before = loop.statistics.reduce(0) { $0 + $1.errors }
    var passes = 0
    repeat {
      loop.execute()
      loop.cleanup()
      passes += 1
      if loop.statistics.reduce(0, { $0 + $1.errors }) > before { throw SystemFailure() }
      if passes == 100 { throw SystemFailure(isEndless: true) }
    } while loop.triggers.contains { !$0.isEmpty }
  }
}

/// The outcome of the events of a batch.
struct AppliedEvents<C: Component> {
  /// All that has changed.
  var changes = ChangedEntities<C>()
  var dead: [DeadEvent] = []

  /// The event at which the partition is to stand still; those behind it are not applied.
  var stop: (id: EventID, reason: String)?
}

/// Why events could not be applied.
private struct Unapplied: Error {
  let text: String
}

private struct SystemFailure: Error, CustomStringConvertible {
  var isEndless = false

  var description: String {
    isEndless ? "Systems keep each other awake" : "A system has thrown an error"
  }
}
