/// A table's entry for one component type: where its column is, where an entity goes when the
/// component is added or removed, and what reacts.
@safe
@usableFromInline
struct Edge {
  /// The key in the table's map; empty in free ones.
  @usableFromInline var key: ComponentKey

  /// The first row of the column, nil if the table does not have the component.
  @usableFromInline var column: UnsafeMutableRawPointer?

  /// Equals the core's fast path if a new value needs nothing but being stored and logged;
  /// ``FastPath/notifying`` if observers are to be notified of it, and that is all.
  @usableFromInline var replaceFastPath: FastPath

  /// Equals the core's fast path if the table lacks the component, and adding it needs nothing but
  /// moving the row by the simple steps of its plan, and logging.
  ///
  /// INVARIANT: there are a target and a plan unless it is ``FastPath/unavailable``.
  @usableFromInline private(set) var additionFastPath: FastPath

  /// The same if the table has the component, for removing it.
  @usableFromInline private(set) var removalFastPath: FastPath

  /// The shape of `plan` if nothing reacts when the component is added or removed.
  // INVARIANT: so whenever one of the two fast paths is not ``FastPath/unavailable``.
  @usableFromInline private(set) var silentShape: RowPlan.Shape

  /// Whether `replaceReactions` is up to date.
  @usableFromInline var isReplaceListed: Bool

  /// Whether `transitionReactions` is up to date.
  var isTransitionListed: Bool

  /// The list of reactions to a new value of the component, as the folder of reactions makes it,
  /// which begins with a list of notices; nil if there are none.
  @usableFromInline var replaceReactions: UnsafeMutableRawPointer?

  /// The same for adding or removing the component.
  @usableFromInline var transitionReactions: UnsafeMutableRawPointer?

  /// Where entities go: the table with the component added or removed; nil until needed.
  ///
  /// INVARIANT: the target's edge of the same component leads back.
  @usableFromInline var target: TablePointer?

  /// How rows move there; nil until needed.
  @usableFromInline var plan: UnsafeMutablePointer<RowPlan>?

  var cid: CID?

  init() {
    key = ComponentKey()
    replaceFastPath = .unavailable
    additionFastPath = .unavailable
    removalFastPath = .unavailable
    silentShape = .any
    isReplaceListed = false
    isTransitionListed = false
  }

  /// Notes whether adding or removing the component is simple.
  mutating func setTransitionFastPath(_ fastPath: FastPath) {
    additionFastPath = unsafe column == nil ? fastPath : .unavailable
    removalFastPath = unsafe column == nil ? .unavailable : fastPath
    silentShape = unsafe transitionReactions == nil ? plan?.pointee.shape ?? .any : .any
  }

  /// Forgets that the reactions to adding or removing the component are known.
  mutating func unlistTransition() {
    isTransitionListed = false
    setTransitionFastPath(.unavailable)
  }

  /// Forgets where entities go: the table is about to be freed.
  mutating func forgetTarget() {
    unsafe RowPlan.free(plan)
    unsafe plan = nil
    unsafe target = nil
    unlistTransition()
  }

  /// Forgets that the reactions are known.
  mutating func unlist() {
    isReplaceListed = false
    replaceFastPath = .unavailable
    unlistTransition()
  }
}

/// A state that tells in one comparison, of a core's with that of an edge or a table, that a change
/// has nothing special about it.
@usableFromInline
struct FastPath: Equatable {
  @usableFromInline let value: UInt8

  /// Of edges and tables: the change is simple; of cores: nothing stands in the way of that.
  @inlinable static var plain: FastPath { FastPath(value: 1) }

  /// Of edges and tables: the change is simple, except that observers are notified.
  static var notifying: FastPath { FastPath(value: 5) }

  /// Of edges and tables: the change is not simple, or that is unknown as yet.
  static var unavailable: FastPath { FastPath(value: 0) }

  /// Of cores: nothing stands in the way, except that single entities are observed.
  ///
  /// No edge and no table has it.
  static var observing: FastPath { FastPath(value: 3) }

  /// Of cores: changes wait, are refused or noted, values are out of their places, or slots are
  /// kept for holders.
  ///
  /// No edge and no table has it.
  static var closed: FastPath { FastPath(value: 2) }

  /// Of edges and tables: whether a change is simple, except that observers may have to be
  /// notified.
  @inlinable
  @inline(__always)
  func isNearlyOpen(in core: FastPath) -> Bool { value & core.value & 1 != 0 }

  @inlinable
  init(value: UInt8) { self.value = value }

  @inlinable
  @inline(__always)
  static func == (left: FastPath, right: FastPath) -> Bool { left.value == right.value }
}
