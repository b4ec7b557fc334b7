@usableFromInline
typealias ReactionListPointer = UnsafeMutablePointer<ReactionList>

/// What happened to an entity from the point of view of who watches.
enum ReactionKind: UInt8 {
  case added, updated, removed
}

/// One thing to do after a change, worked out in advance for a table and a component type.
struct Reaction {
  enum Target {
    /// Put the entity into a log.
    case log(UnsafeMutablePointer<EntityLog>)

    /// Bring an index up to date with the value in a column of the table.
    case index(Unmanaged<IndexSink>, column: Int)

    /// Tell something above storage at once.
    case sink(Unmanaged<EntitySink>)

    /// Queue a notification.
    case observers(Unmanaged<ReactionTarget>)
  }

  let kind: ReactionKind
  let target: Target
}

/// The reactions to one kind of change, in order.
@usableFromInline
struct ReactionList {
  let reactions: UnsafeMutablePointer<Reaction>
  let count: Int

  /// Whether a reaction needs copies of old and new values.
  let wantsValues: Bool

  /// A list on the heap, or nil if there is nothing to do.
  static func make(_ reactions: [Reaction]) -> ReactionListPointer? {
    guard !reactions.isEmpty else { return nil }
    let places = UnsafeMutablePointer<Reaction>.allocate(capacity: reactions.count)
    // SAFETY: the capacity is the array's count. Reactions are trivial: they refer to their
    // targets without retaining them. INVARIANT: a target outlives the lists of its epoch.
    for (number, reaction) in reactions.enumerated() {
      (places + number).initialize(to: reaction)
    }
    let wantsValues = reactions.contains {
      if case .observers = $0.target { true } else { false }
    }
    let list = ReactionListPointer.allocate(capacity: 1)
    list.initialize(
      to: ReactionList(reactions: places, count: reactions.count, wantsValues: wantsValues))
    return list
  }

  static func free(_ list: ReactionListPointer?) {
    guard let list else { return }
    list.pointee.reactions.deallocate()
    list.deallocate()
  }
}
