package import ECS
@_exported public import ECSTesting

/// A change without its values.
package struct Event: Hashable, Sendable, CustomStringConvertible {
  package let kind: Change.Kind
  package let entity: Entity

  package static func added(_ entity: Entity) -> Event { Event(kind: .added, entity: entity) }
  package static func updated(_ entity: Entity) -> Event { Event(kind: .updated, entity: entity) }
  package static func removed(_ entity: Entity) -> Event { Event(kind: .removed, entity: entity) }
  package static func destroyed(_ entity: Entity) -> Event {
    Event(kind: .destroyed, entity: entity)
  }

  package var description: String { "\(kind) \(entity)" }
}

extension SingleChangeSource {
  /// Records changes of the source as long as the result is kept.
  package func record(
    _ kinds: ChangeKinds = .addedUpdatedOrRemoved, into recorder: Recorder<Event>
  ) -> Subscription {
    observeChanges(kinds) { recorder.append(Event(kind: $0.kind, entity: $0.entity)) }
  }
}
