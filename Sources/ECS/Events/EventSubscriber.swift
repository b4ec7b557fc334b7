/// A target of events when the outermost change ends: of single changes, one at a time, and of the
/// notice that something changed.
@usableFromInline
// Guarded by the lock of the core.
class EventSubscriber: @unchecked Sendable {
  /// Whether it wants to be notified of a kind of change.
  ///
  /// Reactions are to be invalidated when the answer changes.
  func wants(_ kind: ReactionKind) -> Bool { true }

  /// Whether it wants the values that a kind of change ended and brought.
  func wantsValues(_ kind: ReactionKind) -> Bool { true }

  /// Tells of a change.
  func deliver(_ change: QueuedChange) {}

  /// Lets be fetched from memory what telling a kind of change takes beside the target.
  func prefetchHandler(of kind: ReactionKind) {}

  /// Gives up a change that is not going to be delivered.
  ///
  /// Returns the names of what changed and of those that were to be notified.
  func drop(_ change: QueuedChange) -> [String] { [] }

  /// Notes that something changed; asked for by ``ObservedEntity/wantsMarks``.
  func mark() {}

  /// Tells that something changed.
  func deliverMark() {}

  /// Gives up to tell that something changed, and returns names as `drop` does.
  func dropMark() -> [String] { [] }
}

/// The subscriber of one entity: a reference that is not counted, and how to notify it.
struct ObservedEntity: BitwiseCopyable, Equatable {
  // PERFORMANCE: O2: objects are aligned to 16 bytes, so two bits are free to say at once what else
  // would have to be asked of the object.
  private let bits: UInt

  private static var changesBit: UInt { 1 }
  private static var marksBit: UInt { 2 }

  /// No subscriber.
  static var none: ObservedEntity { ObservedEntity() }

  private init() { bits = 0 }

  init(_ target: EventSubscriber, wantsChanges: Bool, wantsMarks: Bool) {
    // SAFETY: as said at `target`; references have their lowest bits free.
    bits =
      unsafe UInt(bitPattern: Unmanaged.passUnretained(target).toOpaque())
      | (wantsChanges ? Self.changesBit : 0) | (wantsMarks ? Self.marksBit : 0)
  }

  /// Whether it is notified of each change.
  var wantsChanges: Bool { bits & Self.changesBit != 0 }

  /// Whether it wants a mark of each change.
  var wantsMarks: Bool { bits & Self.marksBit != 0 }

  var target: Unmanaged<EventSubscriber>? {
    // SAFETY: INVARIANT: the target of an entity is noted in the core for no longer than it
    // lives.
    unsafe UnsafeRawPointer(bitPattern: bits & ~3).map(Unmanaged.fromOpaque)
  }
}
