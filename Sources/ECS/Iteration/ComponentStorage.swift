/// The components of one type in a context, at hand: found faster than through each entity.
///
/// ``Context/withStorage(_:_:)`` lends it to a closure. Reading and setting through it means what
/// ``Entity/get(_:)`` and ``Entity/set(_:)`` mean, and every change is allowed meanwhile; it only
/// remembers where it found the last component, and looks there first.
@safe
public struct ComponentStorage<C: Component>: ~Copyable, ~Escapable {
  @usableFromInline let core: Core

  // SAFETY: it is initialized as long as the storage is lent.
  @safe @usableFromInline let cached: UnsafeMutablePointer<CachedColumn>

  @inlinable
  @_lifetime(borrow cached)
  init(_ core: Core, _ cached: borrowing UnsafeMutablePointer<CachedColumn>) {
    self.core = core
    self.cached = unsafe copy cached
  }

  /// The component of an entity; nil if the entity is dead or does not have it.
  ///
  /// Setting a value is ``Entity/set(_:)``, setting nil is ``Entity/remove(_:)-(CID)``, with what
  /// these fire. To change what a component holds, such as the elements of an array, use
  /// ``update(_:_:)``, which makes no copy.
  ///
  /// - Complexity: O(1) to read and to replace, O(*c*) to add and to remove, where *c* is the
  ///   number of components of the entity. Fastest if few combinations of component types take
  ///   turns.
  @inlinable
  public subscript(entity: Entity) -> C? {
    @inline(__always)
    get {
      guard entity.core == core, let record = unsafe core.record(of: entity.handle),
        unsafe cached.pointee.isOf(record.pointee.table)
      else { return find(entity) }
      // SAFETY: the column is that of values of this very type in the table, and the row is below
      // its count.
      let address = unsafe cached.pointee.values(of: C.self) + Int(record.pointee.row)
      if !_isPOD(C.self) && core.pointer.pointee.iterations.exclusiveColumns > 0 {
        unsafe core.exclusivity.checkRead(C.self, address)
      }
      return unsafe address.pointee
    }
    @inline(__always)
    nonmutating set {
      guard let newValue else { return remove(from: entity) }
      guard entity.core == core, let record = unsafe core.record(of: entity.handle),
        unsafe cached.pointee.isSilent(record.pointee.table),
        core.pointer.pointee.section.fastPath == .plain
      else { return add(newValue, to: entity) }
      // SAFETY: as above.
      let address = unsafe cached.pointee.values(of: C.self) + Int(record.pointee.row)
      let displaced = unsafe core.replace(newValue, at: address)
      // That may run code of the user's: the change is complete.
      withExtendedLifetime(displaced) {}
    }
  }

  /// Changes a component in place, as ``Entity/update(_:_:)`` does.
  ///
  /// - Returns: What the closure returns; nil, without calling it, if the entity does not have the
  ///   component.
  @inlinable
  @discardableResult
  public func update<Result, Failure: Error>(
    _ entity: Entity, _ body: (inout C) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard _isPOD(C.self) else { return try entity.update(C.self, body) }
    guard var value = self[entity] else { return try entity.update(C.self, body) }
    let result = try body(&value)
    // The closure may have taken it away.
    if entity.has(C.self) { self[entity] = value }
    return result
  }

  /// Adds a component to an entity of the table that the last one was added to or removed from.
  // PERFORMANCE: A1.storage, A2.storage: the table, its edge and what is at the end of that are
  // known; S1.storage: a function of its own, so that replacing is small.
  @inlinable
  @inline(never)
  func add(_ value: C, to entity: Entity) {
    guard entity.core == core, let record = unsafe core.record(of: entity.handle),
      let edge = unsafe cached.pointee.adding(in: record.pointee.table),
      unsafe core.addAtOnce(value, to: entity.handle, record, edge)
    else { return replace(value, on: entity) }
  }

  /// Replaces a component for which collectors or indexes may care.
  @inlinable
  @inline(never)
  func replace(_ value: C, on entity: Entity) {
    guard entity.core == core, let record = unsafe core.record(of: entity.handle),
      unsafe cached.pointee.isOf(record.pointee.table)
    else { return setGenerally(value, on: entity) }
    // SAFETY: where there is a column, there is its edge.
    let edge = unsafe cached.pointee.edge.unsafelyUnwrapped
    guard unsafe edge.pointee.replaceFastPath == core.pointer.pointee.section.fastPath else {
      return setGenerally(value, on: entity)
    }
    // SAFETY: the column is that of values of this very type in the table, and the row is below its
    // count.
    let address = unsafe cached.pointee.values(of: C.self) + Int(record.pointee.row)
    let displaced = unsafe core.replace(value, at: address)
    if let list = unsafe edge.pointee.replace { unsafe core.finishFastPath(list, entity.handle) }
    // As in the subscript.
    withExtendedLifetime(displaced) {}
  }

  /// Removes the component from an entity.
  @inlinable
  @inline(__always)
  func remove(from entity: Entity) {
    guard entity.core == core, let record = unsafe core.record(of: entity.handle),
      unsafe cached.pointee.isOf(record.pointee.table),
      unsafe core.removeFastPath(entity.handle, record, cached.pointee.edge.unsafelyUnwrapped)
    else { return removeGenerally(from: entity) }
  }

  @inlinable
  @inline(never)
  func find(_ entity: Entity) -> C? {
    if entity.core == core { cached.pointee.find(ComponentKey(C.self), entity.handle, core) }
    return entity.get(C.self)
  }

  @inlinable
  @inline(never)
  func setGenerally(_ value: C, on entity: Entity) {
    entity.set(value)
    if entity.core == core { cached.pointee.find(ComponentKey(C.self), entity.handle, core) }
  }

  @inlinable
  @inline(never)
  func removeGenerally(from entity: Entity) {
    if entity.core == core { cached.pointee.find(ComponentKey(C.self), entity.handle, core) }
    entity.remove(C.self)
  }
}

/// The column in which values of one component type were found the last time.
@safe
@usableFromInline
struct CachedColumn {
  /// The bits of the table where it was the last time; 1 if that is forgotten, which no table has.
  // PERFORMANCE: G1.storage, S1.storage: one comparison, of bits that are no optional's, tells that
  // a column is known and has not moved.
  // INVARIANT: not 1 only while linked from the core, which makes it forget at each structural
  // change.
  @usableFromInline var table = CachedColumn.forgotten

  /// The same if nothing reacts when a component is replaced there; forgotten as `table` is, and
  /// when anything begins or ceases to listen.
  // PERFORMANCE: S1.storage: so replacing doesn't ask the edge.
  @usableFromInline var silentTable = CachedColumn.forgotten

  /// What is there of the type.
  // INVARIANT: not nil if the table is known.
  @usableFromInline var edge: UnsafeMutablePointer<Edge>?
  @usableFromInline var column: UnsafeMutableRawPointer?

  /// The bits of the table where entities of that table are without the component, and its edge
  /// that leads back; forgotten as `table` is.
  @usableFromInline var tableWithout = CachedColumn.forgotten
  @usableFromInline var edgeWithout: UnsafeMutablePointer<Edge>?

  /// That of the storage that was lent before.
  var next: UnsafeMutablePointer<CachedColumn>?

  @usableFromInline
  init() {}

  static var forgotten: UInt { 1 }

  /// Whether the values of an entity in a table are in the column.
  @inlinable
  @inline(__always)
  func isOf(_ table: TablePointer?) -> Bool {
    // SAFETY: an optional pointer is a word, as an integer is.
    unsafe unsafeBitCast(table, to: UInt.self) == self.table
  }

  /// Whether the values of an entity in a table are in the column, and nothing reacts when they are
  /// replaced.
  @inlinable
  @inline(__always)
  func isSilent(_ table: TablePointer?) -> Bool {
    // SAFETY: as above.
    unsafe unsafeBitCast(table, to: UInt.self) == silentTable
  }

  /// The edge by which entities of a table get the component, if that is known.
  @inlinable
  @inline(__always)
  func adding(in table: TablePointer?) -> UnsafeMutablePointer<Edge>? {
    // SAFETY: as above.
    guard unsafe unsafeBitCast(table, to: UInt.self) == tableWithout else { return nil }
    return unsafe edgeWithout
  }

  /// The values of the column, which is known.
  @inlinable
  @inline(__always)
  func values<C: Component>(of type: C.Type) -> UnsafeMutablePointer<C> {
    // SAFETY: callers have the table, so there is a column, and it is that of this type.
    unsafe column.unsafelyUnwrapped.assumingMemoryBound(to: type)
  }

  /// Finds the column of an entity's table, and where the entity would be without the component.
  @usableFromInline
  mutating func find(_ key: ComponentKey, _ handle: Handle, _ core: Core) {
    guard let record = unsafe core.record(of: handle), let table = unsafe record.pointee.table,
      let edge = unsafe table.pointee.edge(key), let column = unsafe edge.pointee.column
    else { return }
    unsafe (self.edge, self.column) = unsafe (edge, column)
    self.table = UInt(bitPattern: table)
    let isSilent = unsafe edge.pointee.replaceFastPath == .plain && edge.pointee.replace == nil
    silentTable = isSilent ? self.table : CachedColumn.forgotten
    // Looking in a loop, which no entity leaves or enters, asks for no more.
    guard let without = unsafe edge.pointee.target, UInt(bitPattern: without) != tableWithout
    else { return }
    unsafe edgeWithout = without.pointee.edge(key)
    tableWithout = UInt(bitPattern: without)
  }

  /// Forgets where values were found.
  mutating func forget() {
    (table, tableWithout) = (CachedColumn.forgotten, CachedColumn.forgotten)
    forgetSilence()
  }

  /// Forgets that nothing reacts.
  mutating func forgetSilence() { silentTable = CachedColumn.forgotten }
}

extension Core {
  /// Lends the components of a type, in a section.
  @inlinable
  func withStorage<C: Component, Result, Failure: Error>(
    _ type: C.Type, _ body: (borrowing ComponentStorage<C>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var cached = CachedColumn()
    return try unsafe withUnsafeMutablePointer(to: &cached) { (cached) throws(Failure) in
      unsafe begin(cached)
      defer { unsafe end(cached) }
      return try unsafe body(ComponentStorage<C>(self, cached))
    }
  }

  /// Notifies a storage that is lent of structural changes.
  @usableFromInline
  func begin(_ cached: UnsafeMutablePointer<CachedColumn>) {
    unsafe cached.pointee.next = pointer.pointee.iterations.borrowedColumns
    unsafe pointer.pointee.iterations.borrowedColumns = cached
  }

  /// Ends what `begin` did, for the storage that was lent last.
  @usableFromInline
  func end(_ cached: UnsafeMutablePointer<CachedColumn>) {
    unsafe assert(
      pointer.pointee.iterations.borrowedColumns == cached, "Storages do not end in turn.")
    unsafe pointer.pointee.iterations.borrowedColumns = cached.pointee.next
  }

  /// Lets storages that are lent find columns anew.
  @inline(never)
  func forgetCachedColumns() { forEachCachedColumn { $0.forget() } }

  /// Lets storages that are lent find out anew what reacts.
  func forgetSilence() { forEachCachedColumn { $0.forgetSilence() } }

  private func forEachCachedColumn(_ body: (inout CachedColumn) -> Void) {
    var next = unsafe pointer.pointee.iterations.borrowedColumns
    // SAFETY: storages that are lent are linked, and others are not.
    while let cached = unsafe next {
      unsafe body(&cached.pointee)
      unsafe next = cached.pointee.next
    }
  }
}
