// Asking for changes that wait for the end of an iteration.
extension Core {
  /// Sets a component while an iteration runs: at once if no row has to move for it and nothing
  /// works on its column, otherwise when the iteration ends.
  ///
  /// Returns what it replaced, as `write` does.
  @inlinable
  @inline(never)
  func setWhileIterating<C: Component>(_ value: C, on handle: Handle) -> C? {
    checkMode()
    guard let record = unsafe record(of: handle), let table = unsafe record.pointee.table,
      let edge = unsafe table.pointee.edge(ComponentKey(C.self)),
      let column = unsafe edge.pointee.column,
      !isBorrowed(ComponentKey(C.self))
    else {
      queueSet(value, on: handle)
      return nil
    }
    // SAFETY: as in `place(of:_:)`; no iteration has given out the column.
    let address = unsafe column.assumingMemoryBound(to: C.self) + Int(record.pointee.row)
    if unsafe !edge.pointee.isReplaceListed { unsafe refreshReplace(table, edge) }
    if isNoting { unsafe noteReplacement(handle, edge, address) }
    if pointer.pointee.taken.count > 0, noteInitialized(ComponentKey(C.self), of: handle) {
      unsafe address.initialize(to: value)
      if isJournaling { unsafe noteReplaced(edge, address) }
      tellAfterwards(C.cid, handle, old: nil, new: nil, [])
      return nil
    }
    let isWanted = unsafe wantsValues(edge.pointee.replaceNotices, handle)
    if unsafe edge.pointee.replace != nil || isWanted {
      unsafe tellAfterwards(
        C.cid, handle, old: isWanted ? address.pointee : nil, new: isWanted ? value : nil, [])
    }
    let displaced = unsafe replace(value, at: address)
    if isJournaling { unsafe noteReplaced(edge, address) }
    return displaced
  }

  /// Whether a running iteration asks for a column.
  @usableFromInline
  func isBorrowed(_ key: ComponentKey) -> Bool {
    anyIteration { $0.request.asks(for: key) }
  }

  /// Lets reactions to a component that was written be carried out, when the iteration ends.
  @usableFromInline
  func tellAfterwards(
    _ cid: CID, _ handle: Handle, old: (any Component)?, new: (any Component)?,
    _ flags: ChangeEvent.Flags = []
  ) {
    pointer.pointee.iterations.queued.noteWrite(cid, of: handle)
    pointer.pointee.iterations.deferred.append { tell(cid, handle, old: old, new: new, flags) }
  }

  private func tell(
    _ cid: CID, _ handle: Handle, old: (any Component)?, new: (any Component)?,
    _ flags: ChangeEvent.Flags
  ) {
    guard let record = unsafe record(of: handle), let table = unsafe record.pointee.table,
      let edge = unsafe table.pointee.edge(cid.key),
      let column = unsafe table.pointee.column(of: cid)
    else { return }
    if unsafe !edge.pointee.isReplaceListed { unsafe refreshReplace(table, edge) }
    let list = unsafe edge.pointee.replace
    let known: ChangeEvent.Flags = old == nil ? .hasNew : [.hasOld, .hasNew]
    if unsafe wantsValues(list?.notices, handle),
      let addresses = unsafe queueChange(.updated, handle, cid, list?.notices, flags.union(known))
    {
      // Observers that began since then do not get the value before.
      if let old { unsafe cid.pointer.pointee.unbox(old, addresses.old) }
      if let new {
        unsafe cid.pointer.pointee.unbox(new, addresses.new)
      } else {
        // SAFETY: the value is in its column; that in the queue is not there yet.
        unsafe cid.copyValue(
          to: addresses.new, from: column.pointee.place(Int(record.pointee.row)))
      }
    }
    unsafe reactGenerally(list, handle)
  }

  @usableFromInline
  func queueSet<C: Component>(_ value: C, on handle: Handle) {
    checkMode()
    guard mask(handle) else { return noteStaleWrite(handle) }
    let required = SeenRequirements(self, by: [C.cid], for: handle)
    note(value, C.cid, for: handle)
    pointer.pointee.iterations.deferred.append {
      // What it replaces ends when the iteration has ended.
      if _isPOD(C.self), required.isEmpty { return set(value, on: handle) }
      enter()
      required.use {
        if let displaced = exchange(value, on: handle) { discard(displaced) }
      }
      leave()
    }
  }

  func queueRemoval(_ key: ComponentKey, from handle: Handle) {
    checkMode()
    guard isSeenAlive(handle) else { return noteStaleWrite(handle) }
    guard let cid = has(key, handle) ? cid(of: key, handle) : nil, mask(handle) else { return }
    if !pointer.pointee.tables.ignoresRequirements {
      let others = ComponentRequirements.dependents(on: key, among: signature(of: handle) ?? [])
      guard let others else { return }
      for other in others { queueRemoval(other.key, from: handle) }
    }
    pointer.pointee.iterations.queued.note(nil, cid, of: handle)
    pointer.pointee.iterations.deferred.append { removeComponent(key, from: handle) }
  }

  private func cid(of key: ComponentKey, _ handle: Handle) -> CID? {
    signature(of: handle)?.first { $0.key == key }
  }

  func queueDestruction(of handle: Handle) {
    checkMode()
    guard mask(handle) else { return noteStaleWrite(handle) }
    pointer.pointee.iterations.queued.noteDestruction(of: handle)
    pointer.pointee.iterations.deferred.append { destroyEntity(handle) }
  }

  func queueDestructionOfAll() {
    checkMode()
    for handle in livingHandles() { _ = mask(handle) }
    for entry in pointer.pointee.iterations.queued.entries {
      pointer.pointee.iterations.queued.noteDestruction(of: entry.handle)
    }
    pointer.pointee.iterations.deferred.append { destroyAll() }
  }

  /// Creates an entity with components: now, or when the running iteration ends.
  @inlinable
  @inline(__always)
  func createOrReserve<each C: Component>(_ components: repeat each C) -> Handle {
    if pointer.pointee.section.mode.isEmpty { return create(repeat each components, as: nil) }
    return reserve(repeat each components)
  }

  /// Gives out a handle now, and creates its entity when the running iteration ends.
  ///
  /// Where changes are noted, without an iteration, creates it now.
  @usableFromInline
  @inline(never)
  func reserve<each C: Component>(_ components: repeat each C) -> Handle {
    // Not in what calls it, where it would cost registers. One closure makes the entity either way,
    // so that the caller hands the components over as it would if nothing were noted.
    let isDeferred = !pointer.pointee.section.mode.accepts
    if isDeferred { checkMode() }
    let handle = isDeferred ? noteCreation() : pointer.pointee.slots.reserve()
    if isDeferred {
      var made: [Handle] = []
      repeat noteMade((each C).cid, in: &made)
      repeat note(each components, (each C).cid, for: handle)
      for holder in made { noteEndIfEmpty(holder) }
    }
    var cids: [CID] = []
    if isDeferred { repeat cids.append((each C).cid) }
    let required = SeenRequirements(self, by: cids, for: handle, isNew: true)
    let create = {
      enter()
      required.use { _ = createGenerally(repeat each components, as: handle) }
      leave()
    }
    if isDeferred { pointer.pointee.iterations.deferred.append(create) } else { create() }
    return handle
  }

  private func noteCreation() -> Handle {
    let handle = pointer.pointee.slots.reserve()
    pointer.pointee.iterations.queued.noteCreation(of: handle)
    return handle
  }

  // MARK: Unique components

  /// Sets a unique component while an iteration runs.
  @usableFromInline
  @inline(never)
  func setUniqueWhileIterating<C: UniqueComponent>(_ value: C) {
    checkMode()
    guard let handle = holder(of: ComponentKey(C.self)) else {
      let handle = noteCreation()
      let required = SeenRequirements(self, by: [C.cid], for: handle)
      note(value, C.cid, for: handle)
      pointer.pointee.iterations.queued.holders[ComponentKey(C.self)]?.isOurs = true
      return pointer.pointee.iterations.deferred.append {
        enter()
        required.use { _ = createGenerally(value, as: handle) }
        markHolderAsOurs(ComponentKey(C.self))
        leave()
      }
    }
    guard pointer.pointee.iterations.queued.hasDestructions else {
      if let displaced = setWhileIterating(value, on: handle) { discard(displaced) }
      return
    }
    // What is to be destroyed may take the holder along; then there is a new one.
    if mask(handle) { note(value, C.cid, for: handle) }
    pointer.pointee.iterations.deferred.append {
      enter()
      setUnique(value)
      leave()
    }
  }

  func queueEviction(of cid: CID) {
    checkMode()
    noteLoss(of: cid)
    pointer.pointee.iterations.deferred.append {
      enter()
      evictHolder(of: cid)
      leave()
    }
  }

  // MARK: Entries

  /// Makes an entity one of which changes wait; false if it is dead or is to be destroyed.
  private func mask(_ handle: Handle) -> Bool {
    if let isDestroyed = pointer.pointee.iterations.queued.isDestroyed(handle) {
      return !isDestroyed
    }
    guard let record = unsafe record(of: handle), let table = unsafe record.pointee.table else {
      return false
    }
    unsafe pointer.pointee.iterations.queued.begin(handle, in: table)
    unsafe record.pointee.table = nil
    guard unsafe table.pointee.hasUnique else { return true }
    for cid in unsafe table.pointee.signature where cid.isUnique {
      guard let slot = unsafe pointer.pointee.slots.unique.find(cid.key) else { continue }
      unsafe pointer.pointee.iterations.queued.uniqueValues[cid.key] = slot.pointee.value
      unsafe slot.pointee.value = nil
    }
    return true
  }

  /// Notes what a component of an entity with an entry is to be.
  func note(_ value: any Component, _ cid: CID, for handle: Handle) {
    if cid.isUnique { noteHolder(handle, of: cid) }
    pointer.pointee.iterations.queued.note(value, cid, of: handle)
  }

  private func noteHolder(_ handle: Handle, of cid: CID) {
    if holder(of: cid.key) == handle { return }
    noteLoss(of: cid)
    pointer.pointee.iterations.queued.holders[cid.key] = (handle, false)
  }

  /// Notes that the holder of a unique component loses it.
  private func noteLoss(of cid: CID) {
    guard let handle = holder(of: cid.key), mask(handle) else { return }
    let isOurs = isMade(handle, for: cid)
    pointer.pointee.iterations.queued.note(nil, cid, of: handle)
    if isOurs { noteEndIfEmpty(handle) }
  }

  /// Whether the holder of a unique component was made for it.
  private func isMade(_ handle: Handle, for cid: CID) -> Bool {
    pointer.pointee.iterations.queued.holders[cid.key].map { $0.handle == handle && $0.isOurs }
      ?? holderIsOurs(cid.key)
  }

  func noteMade(_ cid: CID, in made: inout [Handle]) {
    guard cid.isUnique, let holder = holder(of: cid.key), isMade(holder, for: cid) else {
      return
    }
    made.append(holder)
  }

  /// Notes that an entity goes if nothing is left on it.
  func noteEndIfEmpty(_ handle: Handle) {
    guard pointer.pointee.iterations.queued[handle]?.signature.isEmpty == true else {
      return
    }
    pointer.pointee.iterations.queued.noteDestruction(of: handle)
  }

  /// Puts storage back for what was read from the queue, before that is worked off.
  @inline(__always)
  func endQueue() {
    if !pointer.pointee.iterations.queued.isEmpty { takeBackQueued() }
  }

  @inline(never)
  private func takeBackQueued() {
    for entry in pointer.pointee.iterations.queued.entries {
      guard let table = unsafe entry.table else { continue }
      unsafe record(of: entry.handle)?.pointee.table = unsafe table
    }
    for unsafe(key, value) in unsafe pointer.pointee.iterations.queued.uniqueValues {
      unsafe pointer.pointee.slots.unique.find(key)?.pointee.value = value
    }
    unsafe pointer.pointee.iterations.queued.deallocate()
    pointer.pointee.iterations.queued = CommandBuffer(
      id: pointer.pointee.iterations.queued.id &+ 1)
  }
}
