// Reading back what waits for the end of an iteration.
extension CommandQueue {
  // MARK: Reading

  func entry(of handle: Handle) -> CommandBuffer.Entry? {
    // Dead handles, too, are looked for.
    guard !core.pointer.pointee.iterations.queued.entries.isEmpty else { return nil }
    return core.pointer.pointee.iterations.queued[handle]
  }

  @usableFromInline
  @inline(never)
  func has(_ key: ComponentKey, _ handle: Handle) -> Bool {
    entry(of: handle)?.has(key) ?? false
  }

  @inlinable
  @inline(never)
  func value<C: Component>(of type: C.Type, _ handle: Handle) -> C? {
    component(ComponentKey(type), handle)?.value(of: type)
  }

  @usableFromInline
  func component(_ key: ComponentKey, _ handle: Handle) -> (any Component)? {
    guard let entry = entry(of: handle), !entry.isDestroyed else { return nil }
    if let change = entry.component(key) { return change }
    guard let table = unsafe entry.table, let record = unsafe core.record(of: handle),
      let cid = unsafe table.pointee.edge(key)?.pointee.cid,
      let column = unsafe table.pointee.column(of: cid)
    else { return nil }
    return unsafe core.copy(of: cid, at: column.pointee.place(Int(record.pointee.row)))
  }

  /// The values of a component that wait for the end of an iteration, in the order of slots.
  func values<C: Component>(of type: C.Type) -> [(handle: Handle, value: C)] {
    let handles = core.pointer.pointee.iterations.queued.entries.map(\.handle)
      .sorted(byNumber: { UInt64($0.index) })
    return handles.compactMap { handle in
      component(ComponentKey(type), handle)?.value(of: type).map { (handle, $0) }
    }
  }

  /// Whether any change waits for the end of an iteration.
  var hasEntries: Bool { !core.pointer.pointee.iterations.queued.entries.isEmpty }

  /// Whether a change of a stored component waits, or the end of its entity.
  func isAboutToChange(_ key: ComponentKey, of handle: Handle) -> Bool {
    guard let entry = entry(of: handle) else { return false }
    return entry.isDestroyed || entry.component(key) != nil
  }

  @usableFromInline
  @inline(never)
  func uniqueComponent(_ key: ComponentKey) -> (any Component)? {
    comingHolder(of: key).flatMap { component(key, $0) }
  }

  /// The entity that will hold a unique component that changes wait for.
  func comingHolder(of key: ComponentKey) -> Handle? {
    guard !core.pointer.pointee.iterations.queued.entries.isEmpty else { return nil }
    if let holder = core.pointer.pointee.iterations.queued.holders[key], has(key, holder.handle) {
      return holder.handle
    }
    guard unsafe core.pointer.pointee.iterations.queued.uniqueValues[key] != nil,
      let holder = unsafe core.pointer.pointee.slots.unique.find(key)?.pointee.holder,
      has(key, holder)
    else { return nil }
    return holder
  }
}
