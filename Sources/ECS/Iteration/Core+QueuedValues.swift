// Reading back what waits for the end of an iteration.
extension Core {
  // MARK: Reading

  private func entry(of handle: Handle) -> CommandBuffer.Entry? {
    // Dead handles, too, are looked for.
    guard !pointer.pointee.iterations.queued.entries.isEmpty else { return nil }
    return pointer.pointee.iterations.queued[handle]
  }

  /// Where the row of a living entity is, changes that wait left aside.
  func storedTable(of handle: Handle) -> TablePointer? {
    guard let record = unsafe record(of: handle) else { return nil }
    return unsafe record.pointee.table ?? entry(of: handle)?.table
  }

  /// Whether an entity is alive once all that waits has been done, as far as that names it.
  @usableFromInline
  func isSeenAlive(_ handle: Handle) -> Bool {
    if let record = unsafe record(of: handle), unsafe record.pointee.table != nil { return true }
    guard let entry = entry(of: handle) else { return false }
    return !entry.isDestroyed
  }

  /// Whether an entity is seen alive, as far as that can be seen at once: in a section of this
  /// thread.
  // PERFORMANCE: E1, V2: loops over snapshots ask for each entity.
  @inlinable
  @inline(__always)
  func knowsAlive(_ handle: Handle) -> Bool {
    guard pointer.pointee.lock.isHeldByCurrentThread, let record = unsafe record(of: handle) else {
      return false
    }
    return unsafe record.pointee.table != nil
  }

  @usableFromInline
  @inline(never)
  func hasQueued(_ key: ComponentKey, _ handle: Handle) -> Bool {
    entry(of: handle)?.has(key) ?? false
  }

  @inlinable
  @inline(never)
  func queuedValue<C: Component>(of type: C.Type, _ handle: Handle) -> C? {
    queuedComponent(ComponentKey(type), handle)?.value(of: type)
  }

  @usableFromInline
  func queuedComponent(_ key: ComponentKey, _ handle: Handle) -> (any Component)? {
    guard let entry = entry(of: handle), !entry.isDestroyed else { return nil }
    if let change = entry.component(key) { return change }
    guard let table = unsafe entry.table, let record = unsafe record(of: handle),
      let cid = unsafe table.pointee.edge(key)?.pointee.cid,
      let column = unsafe table.pointee.column(of: cid)
    else { return nil }
    return unsafe copy(of: cid, at: column.pointee.place(Int(record.pointee.row)))
  }

  /// The values of a component that wait for the end of an iteration, in the order of slots.
  func queuedValues<C: Component>(of type: C.Type) -> [(handle: Handle, value: C)] {
    let handles = pointer.pointee.iterations.queued.entries.map(\.handle)
      .sorted { $0.index < $1.index }
    return handles.compactMap { handle in
      queuedComponent(ComponentKey(type), handle)?.value(of: type).map { (handle, $0) }
    }
  }

  /// Whether any change waits for the end of an iteration.
  var hasQueuedChanges: Bool { !pointer.pointee.iterations.queued.entries.isEmpty }

  /// Whether a change of a stored component waits, or the end of its entity.
  func isAboutToChange(_ key: ComponentKey, of handle: Handle) -> Bool {
    guard let entry = entry(of: handle) else { return false }
    return entry.isDestroyed || entry.component(key) != nil
  }

  /// A copy of a value, unless a closure has it to itself.
  func copy(of cid: CID, at address: UnsafeMutableRawPointer) -> any Component {
    if !cid.pointer.pointee.isTrivial && pointer.pointee.iterations.exclusiveColumns > 0 {
      unsafe checkNotExclusive(cid, address)
    }
    return unsafe cid.pointer.pointee.copy(address)
  }

  /// The component types of an entity, ascending; nil if it is dead.
  func signature(of handle: Handle) -> [CID]? {
    if let table = unsafe record(of: handle)?.pointee.table {
      return unsafe table.pointee.signature
    }
    guard let entry = entry(of: handle), !entry.isDestroyed else { return nil }
    return entry.signature
  }

  @usableFromInline
  @inline(never)
  func queuedUniqueComponent(_ key: ComponentKey) -> (any Component)? {
    queuedHolder(of: key).flatMap { queuedComponent(key, $0) }
  }

  /// The entity that will hold a unique component that changes wait for.
  func queuedHolder(of key: ComponentKey) -> Handle? {
    guard !pointer.pointee.iterations.queued.entries.isEmpty else { return nil }
    if let holder = pointer.pointee.iterations.queued.holders[key], hasQueued(key, holder.handle) {
      return holder.handle
    }
    guard unsafe pointer.pointee.iterations.queued.uniqueValues[key] != nil,
      let holder = unsafe pointer.pointee.slots.unique.find(key)?.pointee.holder,
      hasQueued(key, holder)
    else { return nil }
    return holder
  }
}
