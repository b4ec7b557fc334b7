/// An observer of single changes, as storage sees it: how to call it, and whether it is still
/// there.
// Guarded by the lock of the core.
class ChangeObserver: @unchecked Sendable {
  // PERFORMANCE: O2: what telling a change takes comes first, so that it lies together.
  /// What it does with a change.
  final let changeHandler: ChangeHandler

  /// How the handler is called; not asked of that each time.
  final let call: ChangeHandler.Call

  /// The sequence number of the first change, or mark, that it is notified of: none from before
  /// it began.
  final let first: UInt64

  /// The bits of the kinds of single changes that it is notified of.
  fileprivate let kindBits: UInt8

  /// Whether it is notified of anything.
  final var isActive = true

  init(_ handler: ChangeHandler, _ kindBits: UInt8, from first: UInt64) {
    changeHandler = handler
    call = handler.call
    self.first = first
    self.kindBits = kindBits
  }

  final func wants(_ kind: ReactionKind) -> Bool { kindBits & kind.bit != 0 }

  /// Delivers a change to this observer alone, so that journals get the cause of the changes that
  /// it makes.
  func deliver(_ change: QueuedChange, observing subject: @autoclosure () -> String) {}
}

/// The closure of an observer of single changes, and how to call it.
///
/// Those of one kind, which follow each other, are called one after the other by the first of them:
/// so their values are found once.
///
/// That of an entity's only observer is notified without asking the list of observers.
@usableFromInline
// Guarded by the lock of the core.
class ChangeHandler: EventSubscriber, @unchecked Sendable {
  // PERFORMANCE: O2: all that is read of an entity with one observer lies together in here.
  /// Calls a handler, and those of its run that come behind it.
  @usableFromInline typealias Call =
    @Sendable (QueuedChange, ChangeHandler, HandlerRun) -> Void

  @usableFromInline final let call: Call

  /// The list of its observer, which was the only one in there; nil if that never was, or if it has
  /// left.
  // INVARIANT: the observer is in the list, which therefore is there or was retired.
  private final var list: UnmanagedReference<EventSubscriber>?

  /// The sequence number of the first change that it gets, and below it the bits of their kinds.
  private final var firstAndKinds = UInt64.max

  /// What all have that one call is good for; nil if there is just this one.
  var kind: Kind? { nil }

  /// The component whose values are delivered, and whether changes without any are, too.
  @usableFromInline
  struct Kind: Equatable {
    let key: ComponentKey
    let tellsAll: Bool

    @usableFromInline
    init(_ key: ComponentKey, tellsAll: Bool) {
      self.key = key
      self.tellsAll = tellsAll
    }
  }

  @usableFromInline
  init(_ call: @escaping Call) {
    self.call = call
  }

  /// Does nothing.
  static let idle = ChangeHandler { _, _, _ in }

  // MARK: Delivery without the list

  /// Lets changes of an entity be delivered to it, instead of the list in which its observer is
  /// alone.
  fileprivate final func beAlone(in list: EventSubscriber, from first: UInt64, _ kindBits: UInt8) {
    assert(self !== ChangeHandler.idle, "What does nothing was to be sent changes.")
    self.list = UnmanagedReference(list)
    firstAndKinds = first << 3 | UInt64(kindBits)
  }

  /// Its observer has left the list.
  fileprivate final func leave() {
    list = nil
    firstAndKinds = .max
  }

  override final func deliver(_ change: QueuedChange) {
    // Journals need the observer, and with the entity, observations end.
    if change.core.isJournaling || change.flags.contains(.isEnd) {
      list?.visit { $0.deliver(change) }
    } else if firstAndKinds & UInt64(change.kind.bit) != 0, firstAndKinds >> 3 <= change.sequence,
      change.isCurrent(for: .entity)
    {
      call(change, self, .none)
    }
  }

  override final func drop(_ change: QueuedChange) -> [String] {
    list?.visit { $0.drop(change) } ?? ["\(Entity(core: change.core, handle: change.handle))"]
  }
}

extension ChangeObserver {
  /// The target of changes of an entity while this is its only observer, instead of
  /// the list.
  func handlerAlone(in list: EventSubscriber) -> EventSubscriber {
    changeHandler.beAlone(in: list, from: first, kindBits)
    return changeHandler
  }

  /// The observer has left the list.
  func leaveList() { changeHandler.leave() }
}

/// A handler of changes as they are.
// What it has is guarded by the lock of the core, or does not change.
final class WholeChangeHandler: ChangeHandler, @unchecked Sendable {
  private let body: @Sendable (QueuedChange) -> Void

  init(_ body: @escaping @Sendable (QueuedChange) -> Void) {
    self.body = body
    super.init { change, handler, _ in
      // SAFETY: the caller gives the handler that it belongs to.
      unsafe unsafeDowncast(handler, to: WholeChangeHandler.self).body(change)
    }
  }
}

/// A handler of the values of a component that changes ended and brought.
@usableFromInline
// What it has is guarded by the lock of the core, or does not change.
final class ValueHandler<C: Component>: ChangeHandler, @unchecked Sendable {
  @usableFromInline typealias Body = @Sendable (Entity, _ old: C?, _ new: C?) -> Void

  @usableFromInline let body: Body
  @usableFromInline let tellsAll: Bool

  override var kind: Kind? { Kind(ComponentKey(C.self), tellsAll: tellsAll) }

  /// Makes one that is notified of changes without values of the component, too, or one that is
  /// not.
  @inlinable
  init(tellsAll: Bool, _ body: @escaping Body) {
    self.body = body
    self.tellsAll = tellsAll
    // PERFORMANCE: O1, O2: which one it is, is not asked for each change.
    let call: ChangeHandler.Call =
      if tellsAll {
        { change, handler, run in
          let (old, new) = change.values(of: C.self)
          ValueHandler<C>.tell(change, old, new, handler, run)
        }
      } else {
        { change, handler, run in
          let (old, new) = change.values(of: C.self)
          if old != nil || new != nil { ValueHandler<C>.tell(change, old, new, handler, run) }
        }
      }
    super.init(call)
  }

  @inlinable
  @inline(__always)
  static func tell(
    _ change: QueuedChange, _ old: C?, _ new: C?, _ handler: ChangeHandler, _ run: HandlerRun
  ) {
    // SAFETY: the caller gives the handler that it belongs to; those of a run have one kind,
    // and so one class, since no other has kinds.
    unsafe unsafeDowncast(handler, to: ValueHandler<C>.self).body(change.entity, old, new)
    run.walk(change) {
      unsafe unsafeDowncast($0, to: ValueHandler<C>.self).body(change.entity, old, new)
    }
  }
}
