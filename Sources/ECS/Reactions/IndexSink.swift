/// The address of a value that an index is given.
@safe
@usableFromInline
struct ValueAddress {
  @usableFromInline let address: UnsafeMutableRawPointer

  init(_ address: UnsafeMutableRawPointer) { unsafe self.address = address }

  /// The value, of the component that the index is of.
  // SAFETY: storage passes addresses in columns of that component only.
  @inlinable
  @inline(__always)
  func value<C: Component>(of type: C.Type) -> C {
    unsafe address.assumingMemoryBound(to: type).pointee
  }
}

/// An index as storage keeps it up to date, without knowing its key type.
///
/// The closures are made where the types are known, so that they are specialized.
// PERFORMANCE: X1: they read the value themselves, so that nothing has to be called in between.
@safe
@usableFromInline
// Guarded by the lock of the core that it is registered with.
final class IndexSink: StableListMember, @unchecked Sendable {
  @usableFromInline let cid: CID

  /// The tables whose entities it holds; nil if these are all with the component.
  @usableFromInline let tables: TableSet?

  var listIndex = 0

  /// The ordinal of its registration in the core.
  var registration: UInt64 = 0

  /// Whether it is kept up to date.
  var isRegistered = false

  /// An entity got the component, or its value changed.
  @usableFromInline let update: (Handle, ValueAddress) -> Void

  /// An entity lost the component, or left the tables.
  @usableFromInline let remove: (Handle) -> Void

  /// The index is paused or its core ends: forget everything.
  @usableFromInline let clear: () -> Void

  /// What takes changes of the index back.
  @usableFromInline let history: any IndexHistory

  /// The key that a component has, and the entity that has it; nil if several entities may have
  /// one.
  @usableFromInline let identify: ((any Component) -> (key: AnyHashable, holder: Handle?)?)?

  /// The last transaction that noted the index.
  var savepoint: UInt64 = 0

  @inlinable
  init<C: Component>(
    _ type: C.Type,
    in tables: TableSet? = nil,
    history: any IndexHistory,
    update: @escaping (Handle, ValueAddress) -> Void,
    remove: @escaping (Handle) -> Void,
    clear: @escaping () -> Void,
    identify: ((C) -> (key: AnyHashable, holder: Handle?))? = nil
  ) {
    cid = ComponentRegistry.cid(of: type)
    self.tables = tables
    self.update = update
    self.remove = remove
    self.clear = clear
    self.history = history
    self.identify = identify.map { identify in { ($0 as? C).map(identify) } }
  }
}

/// A key that a component has in a primary index.
package struct Identity {
  package struct Key: Hashable {
    /// The registration of the index.
    let index: UInt64
    let key: AnyHashable
  }

  package let key: Key

  /// The entity that has the key; nil if none has.
  package let holder: Entity?
}

extension IndexSink {
  /// Takes in all entities that have the component.
  ///
  /// Inside an iteration, one in which keys identify entities does not get those whose component is
  /// about to change: they come to it with the keys that they will have. Nor does any index get
  /// those whose values a closure has: they come to it when the iteration ends.
  func fill(from core: Core) {
    if identify == nil {
      core.exclusivity.checkNotTaken(cid.key, "An index")
    } else {
      core.exclusivity.checkNoneTaken(cid, "A primary index")
    }
    let before = core.beginRefusingChanges(.buildingKeys)
    defer { core.endRefusingChanges(before) }
    core.forEachValue(of: cid, in: tables ?? core.setOfTables(with: cid)) { handle, value in
      if identify != nil, core.commands.isAboutToChange(cid.key, of: handle) { return }
      update(handle, value)
    }
  }
}
