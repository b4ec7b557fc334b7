/// The components of one type in a context, at hand: found faster than through each entity.
///
/// ``Context/withStorage(_:_:)`` lends it to a closure. Reading and setting through it means what
/// ``Entity/get(_:)`` and ``Entity/set(_:)`` mean, and every change is allowed meanwhile; it only remembers
/// where it found the last component, and looks there first.
@safe
public struct ComponentStorage<C: Component>: ~Copyable, ~Escapable {
  @usableFromInline let core: Core

  // SAFETY: it is initialized as long as the storage is lent.
  @safe @usableFromInline let finding: UnsafeMutablePointer<ColumnFinding>

  @inlinable
  @_lifetime(borrow finding)
  init(_ core: Core, _ finding: borrowing UnsafeMutablePointer<ColumnFinding>) {
    self.core = core
    self.finding = unsafe copy finding
  }

  /// The component of an entity; nil if the entity is dead or does not have it.
  ///
  /// Setting a value is ``Entity/set(_:)``, setting nil is ``Entity/remove(_:)-(CID)``, with what these
  /// fire. To change what a component holds, such as the elements of an array, use ``update(_:_:)``, which
  /// makes no copy.
  ///
  /// - Complexity: O(1) to read and to replace. Fastest if few combinations of component types take turns.
  @inlinable
  public subscript(entity: Entity) -> C? {
    @inline(__always)
    get {
      guard entity.core == core, let record = unsafe core.record(of: entity.handle),
        let column = unsafe finding.pointee.column(in: record.pointee.table, core)
      else { return find(entity) }
      // SAFETY: the column is that of values of this very type in the table, and the row is below its count.
      let place = unsafe column.assumingMemoryBound(to: C.self) + Int(record.pointee.row)
      if !_isPOD(C.self) && core.pointer.pointee.exclusiveColumns > 0 {
        unsafe core.checkNotExclusive(C.self, place)
      }
      return unsafe place.pointee
    }
    @inline(__always)
    nonmutating set {
      guard let newValue else { return remove(from: entity) }
      guard entity.core == core, let record = unsafe core.record(of: entity.handle),
        let column = unsafe finding.pointee.column(in: record.pointee.table, core),
        let edge = unsafe finding.pointee.edge,
        unsafe edge.pointee.replaceShortcut == core.pointer.pointee.shortcut
      else { return setGenerally(newValue, on: entity) }
      // SAFETY: as above.
      let place = unsafe column.assumingMemoryBound(to: C.self) + Int(record.pointee.row)
      unsafe edge.pointee.version &+= 1
      let displaced = unsafe core.replace(newValue, at: place)
      if let list = unsafe edge.pointee.replace { unsafe core.finishShortcut(list, entity.handle) }
      // That may run code of the user's: the change is complete.
      withExtendedLifetime(displaced) {}
    }
  }

  /// Changes a component in place, as ``Entity/update(_:_:)`` does.
  ///
  /// - Returns: What the closure returns; nil, without calling it, if the entity does not have the component.
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

  @inlinable
  @inline(never)
  func find(_ entity: Entity) -> C? {
    if entity.core == core { finding.pointee.find(ComponentKey(C.self), entity.handle, core) }
    return entity.get(C.self)
  }

  @inlinable
  @inline(never)
  func setGenerally(_ value: C, on entity: Entity) {
    entity.set(value)
    if entity.core == core { finding.pointee.find(ComponentKey(C.self), entity.handle, core) }
  }

  @inlinable
  @inline(never)
  func remove(from entity: Entity) { entity.remove(C.self) }
}

/// Where the values of one component type were found the last times.
@safe
@usableFromInline
struct ColumnFinding {
  /// The table where it was the last time, and what is there of the type.
  // INVARIANT: good as long as there is no upheaval.
  @usableFromInline var table: TablePointer?
  @usableFromInline var edge: UnsafeMutablePointer<Edge>?
  @usableFromInline var column: UnsafeMutableRawPointer?
  @usableFromInline var upheavals = UInt64.max

  @inlinable
  init() {}

  /// The column in a table; nil if that is to be found.
  @inlinable
  @inline(__always)
  func column(in table: TablePointer?, _ core: Core) -> UnsafeMutableRawPointer? {
    guard unsafe table == self.table, core.pointer.pointee.upheavals == upheavals else {
      return nil
    }
    return unsafe column
  }

  /// Finds the column of an entity's table.
  @usableFromInline
  mutating func find(_ key: ComponentKey, _ handle: Handle, _ core: Core) {
    guard let record = unsafe core.record(of: handle), let table = unsafe record.pointee.table,
      let edge = unsafe table.pointee.edge(key), let column = unsafe edge.pointee.column
    else { return }
    unsafe (self.table, self.edge, self.column) = unsafe (table, edge, column)
    upheavals = core.pointer.pointee.upheavals
  }
}

extension Core {
  /// Lends the components of a type, in a section.
  @inlinable
  func withStorage<C: Component, Result, Failure: Error>(
    _ type: C.Type, _ body: (borrowing ComponentStorage<C>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var finding = ColumnFinding()
    return try unsafe withUnsafeMutablePointer(to: &finding) { (finding) throws(Failure) in
      try unsafe body(ComponentStorage<C>(self, finding))
    }
  }
}
