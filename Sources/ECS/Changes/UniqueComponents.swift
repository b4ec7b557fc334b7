/// The unique components, each of which one entity holds at most.
@frozen
@usableFromInline
struct UniqueComponents {
  @usableFromInline let core: Core

  @inlinable
  @inline(__always)
  init(_ core: Core) { self.core = core }
}

extension Core {
  /// The unique components, and their holders.
  @inlinable
  @inline(__always)
  var unique: UniqueComponents { UniqueComponents(self) }
}

extension UniqueComponents {
  /// A copy of a unique component's value.
  @inlinable
  @inline(__always)
  func value<C: UniqueComponent>(_ type: C.Type) -> C? {
    guard let place = unsafe core.pointer.pointee.slots.unique.value(of: ComponentKey(type)) else {
      return queuedValue(type)
    }
    // SAFETY: the place of a held unique component is its row in a column of this very type.
    let typed = unsafe place.assumingMemoryBound(to: type)
    if !_isPOD(type) && core.pointer.pointee.iterations.exclusiveColumns > 0 {
      unsafe core.exclusivity.checkRead(type, typed)
    }
    return unsafe typed.pointee
  }

  @inlinable
  @inline(never)
  func queuedValue<C: UniqueComponent>(_ type: C.Type) -> C? {
    core.commands.uniqueComponent(ComponentKey(type))?.value(of: type)
  }

  /// The entity that holds a unique component.
  @usableFromInline
  func holder(of key: ComponentKey) -> Handle? {
    guard let slot = unsafe core.pointer.pointee.slots.unique.find(key),
      unsafe slot.pointee.value != nil
    else {
      return core.commands.comingHolder(of: key)
    }
    return unsafe slot.pointee.holder
  }

  /// Takes a unique component away from its holder; destroys the holder if it was made for
  /// the component and is empty now.
  func evictHolder(of cid: CID) {
    guard let handle = holder(of: cid.key) else { return }
    let isOurs = holderIsOurs(cid.key)
    core.remove(cid.key, from: handle, isForced: true)
    guard isOurs, unsafe core.record(of: handle)?.pointee.table == core.pointer.pointee.tables.root
    else {
      return
    }
    core.retention.keepHolderAsOurs(cid.key, handle)
    core.destroy(handle)
  }

  /// Takes all unique components of a table away from their holders, before a row is made.
  ///
  /// A holder that is empty without all of them goes, if it was made for one: whatever the order of
  /// the types.
  @usableFromInline
  func evictHolders(for table: TablePointer) {
    unsafe core.pointer.pointee.tables.pinned = table
    var made: [(handle: Handle, key: ComponentKey)] = []
    for cid in unsafe table.pointee.signature where cid.isUnique {
      guard let handle = holder(of: cid.key) else { continue }
      if holderIsOurs(cid.key) { made.append((handle, cid.key)) }
      core.remove(cid.key, from: handle, isForced: true)
    }
    for (handle, key) in made
    where unsafe core.record(of: handle)?.pointee.table == core.pointer.pointee.tables.root {
      core.retention.keepHolderAsOurs(key, handle)
      core.destroy(handle)
    }
    unsafe core.pointer.pointee.tables.pinned = nil
  }

  /// Makes an entity that was created with unique components their holder.
  func claim(of table: TablePointer, for handle: Handle) {
    core.pointer.pointee.retainedSlots?.made[handle.index] = nil
    for cid in unsafe table.pointee.signature where cid.isUnique {
      if core.isRecording { core.recorder.noteHolder(of: cid) }
      unsafe core.pointer.pointee.slots.unique.ensure(cid.key).pointee.holder = handle
      unsafe core.pointer.pointee.slots.unique.ensure(cid.key).pointee.holderIsOurs = false
    }
    unsafe refresh(table)
  }

  /// Remembers that the holder of a component was made to hold it.
  @usableFromInline
  func markHolderAsOurs(_ key: ComponentKey) {
    guard let slot = unsafe core.pointer.pointee.slots.unique.find(key),
      unsafe !slot.pointee.holderIsOurs
    else { return }
    if core.isRecording, let table = unsafe core.record(of: slot.pointee.holder)?.pointee.table,
      let cid = unsafe table.pointee.edge(key)?.pointee.cid
    {
      core.recorder.noteHolder(of: cid)
    }
    unsafe slot.pointee.holderIsOurs = true
  }

  /// Notes where the unique components of a table are, after its only row came or moved.
  ///
  /// INVARIANT: a table with a unique component has at most one row.
  func refresh(_ table: TablePointer) {
    guard unsafe table.pointee.hasUnique, unsafe table.pointee.count > 0 else { return }
    unsafe assert(table.pointee.count == 1, "Two entities hold the same unique component.")
    for number in unsafe 0..<table.pointee.columnCount
    where unsafe table.pointee.columns[number].cid.isUnique {
      let column = unsafe table.pointee.columns + number
      unsafe core.pointer.pointee.slots.unique.ensure(column.pointee.cid.key).pointee.value = column
        .pointee
        .place(0)
    }
  }

  func holderIsOurs(_ key: ComponentKey) -> Bool {
    unsafe core.pointer.pointee.slots.unique.find(key)?.pointee.holderIsOurs == true
  }

  /// Replaces a unique component's value on its holder, or creates a holder.
  @inlinable
  func set<C: UniqueComponent>(_ component: C) {
    if let handle = holder(of: ComponentKey(C.self)) {
      let displaced = core.write(component, to: handle)
      if let displaced { core.discard(displaced) }
    } else {
      _ = core.createGenerally(component, as: nil)
      markHolderAsOurs(ComponentKey(C.self))
    }
  }
}
