@usableFromInline
typealias ReactionListPointer = UnsafeMutablePointer<ReactionList>

/// One thing to do after a change, worked out in advance for a table and a component type.
struct Reaction {
  // INVARIANT: a list is out of date before a target goes, and a target that goes while a list is
  // walked is retired, which is what makes references good that retain nothing.
  @safe
  enum Target {
    /// Put the entity into a log.
    case log(UnsafeMutablePointer<EntitySparseSet>)

    /// Bring an index up to date with the value in a column of the table.
    case index(Unmanaged<IndexSink>, column: Int)

    /// Tell something above storage at once.
    case sink(Unmanaged<EntitySink>)
  }

  let kind: ReactionKind
  let target: Target

  /// Whether carrying it out makes changes, in the course of which reaction lists may be freed.
  var changesContext: Bool {
    guard case .sink(let sink) = target else { return false }
    // SAFETY: the invariant of `Target`.
    return unsafe sink._withUnsafeGuaranteedRef { $0.changesContext }
  }
}

/// The reactions to one kind of change, in order.
///
/// A list is walked while it is carried out, and freed when it is found out of date by a change.
// INVARIANT: only the last reaction of a list may make changes. It is the one of the destruction
// sink, if there is one: so a list that changes may have freed is not looked at any more.
@safe
@usableFromInline
struct ReactionList {
  /// The observers to be notified afterwards.
  // INVARIANT: the first field: see `Edge.replaceReactions`.
  @usableFromInline let notices: NoticeList

  let reactions: UnsafeMutablePointer<Reaction>
  @usableFromInline let count: Int

  // PERFORMANCE: E1, R1, R2, X1: mostly there is one log, or one index, which is found without
  // walking the list.
  /// The log of the only reaction, if that is to put the entity into a log and nothing is notified.
  let singleLog: UnsafeMutablePointer<EntitySparseSet>?

  /// The index of the only reaction, if that is to bring it up to date with a column and nothing is
  /// notified.
  let singleIndex: (sink: Unmanaged<IndexSink>, column: Int)?

  @inlinable var hasNotices: Bool { notices.count > 0 }

  /// Whether a reaction before the last one is being carried out; in builds for debugging.
  var isWalked = false

  /// A list on the heap, or nil if there is nothing to do.
  static func make(
    _ reactions: [Reaction], _ notices: [ChangeEvent.Target] = [],
    makePrototype: (_ wantsValues: Bool) -> EventPrototype? = { _ in nil }
  ) -> ReactionListPointer? {
    guard !reactions.isEmpty || !notices.isEmpty else { return nil }
    assert(
      !reactions.dropLast().contains(where: \.changesContext),
      "A reaction that makes changes is not the last one of its list.")
    let copies = UnsafeMutablePointer<Reaction>.allocate(capacity: reactions.count)
    // SAFETY: the capacity is the array's count. Reactions are trivial: they refer to their
    // targets without retaining them. INVARIANT: a list is out of date before a target goes, and a
    // target that goes while a list is walked is retired.
    for (index, reaction) in reactions.enumerated() {
      unsafe (copies + index).initialize(to: reaction)
    }
    let list = ReactionListPointer.allocate(capacity: 1)
    var singleLog: UnsafeMutablePointer<EntitySparseSet>?
    var singleIndex: (Unmanaged<IndexSink>, Int)?
    if notices.isEmpty, reactions.count == 1 {
      switch reactions[0].target {
      case .log(let log): unsafe singleLog = log
      case .index(let sink, let column) where column >= 0: unsafe singleIndex = (sink, column)
      case .index, .sink: break
      }
    }
    unsafe list.initialize(
      to: ReactionList(
        notices: NoticeList(notices, makePrototype: makePrototype), reactions: copies,
        count: reactions.count, singleLog: singleLog, singleIndex: singleIndex))
    return unsafe list
  }

  static func free(_ list: ReactionListPointer?) {
    guard let list = unsafe list else { return }
    unsafe assert(
      !list.pointee.isWalked,
      "A reaction list was freed while it is carried out, and not at its end."
    )
    unsafe list.pointee.reactions.deallocate()
    unsafe list.pointee.notices.deallocate()
    unsafe list.deallocate()
  }
}

extension ReactionListPointer {
  /// The observers to be notified.
  @inlinable
  @inline(__always)
  var notices: NoticeListPointer {
    // SAFETY: they are the first field.
    unsafe UnsafeRawPointer(self).assumingMemoryBound(to: NoticeList.self)
  }

  /// Notes which reaction is about to be carried out; the result is for `assert`.
  ///
  /// A list of one reaction is never freed before it.
  func noteWalk(at index: Int) -> Bool {
    unsafe pointee.isWalked = index < pointee.count - 1
    return true
  }
}

extension Edge {
  /// The reactions to a new value of the component; nil if there are none.
  @inlinable
  @inline(__always)
  var replace: ReactionListPointer? {
    // SAFETY: here and below, nothing else is put there.
    get { unsafe replaceReactions?.assumingMemoryBound(to: ReactionList.self) }
    set { unsafe replaceReactions = UnsafeMutableRawPointer(newValue) }
  }

  /// The reactions when the component is added or removed; nil if there are none.
  @inlinable
  @inline(__always)
  var transition: ReactionListPointer? {
    get { unsafe transitionReactions?.assumingMemoryBound(to: ReactionList.self) }
    set { unsafe transitionReactions = UnsafeMutableRawPointer(newValue) }
  }
}

extension Table {
  /// The reactions when an entity is created in the table; nil if there are none.
  @inlinable
  @inline(__always)
  var enter: ReactionListPointer? {
    get { unsafe entryReactions?.assumingMemoryBound(to: ReactionList.self) }
    set { unsafe entryReactions = UnsafeMutableRawPointer(newValue) }
  }

  /// The reactions when an entity in the table is destroyed; nil if there are none.
  @inline(__always)
  var leave: ReactionListPointer? {
    get { unsafe exitReactions?.assumingMemoryBound(to: ReactionList.self) }
    set { unsafe exitReactions = UnsafeMutableRawPointer(newValue) }
  }

  /// Frees the reactions of the table and of its edges, which are not used any more.
  func freeReactions() {
    for index in 0..<edgeCapacity {
      unsafe ReactionList.free(edges[index].replace)
      unsafe ReactionList.free(edges[index].transition)
    }
    unsafe ReactionList.free(enter)
    unsafe ReactionList.free(leave)
  }
}
