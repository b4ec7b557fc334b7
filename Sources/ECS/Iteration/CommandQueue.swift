/// The queue of changes that wait for the end of the iterations that run in a core.
@frozen
@usableFromInline
struct CommandQueue {
  @usableFromInline let core: Core

  @inlinable
  @inline(__always)
  init(_ core: Core) { self.core = core }
}

extension Core {
  /// The changes that wait for the end of an iteration.
  @inlinable
  @inline(__always)
  var commands: CommandQueue { CommandQueue(self) }
}

// Asking for changes that wait for the end of an iteration.
extension CommandQueue {
  /// Sets a component while an iteration runs: at once if no row has to move for it and nothing
  /// works on its column, otherwise when the iteration ends.
  ///
  /// Returns what it replaced, as `write` does.
  @inlinable
  @inline(never)
  func set<C: Component>(_ value: C, on handle: Handle) -> C? {
    core.checkMode()
    guard let record = unsafe core.record(of: handle), let table = unsafe record.pointee.table,
      let edge = unsafe table.pointee.edge(ComponentKey(C.self)),
      let column = unsafe edge.pointee.column,
      !isBorrowed(ComponentKey(C.self))
    else {
      setLater(value, on: handle)
      return nil
    }
    // SAFETY: as in `place(of:_:)`; no iteration has given out the column.
    let address = unsafe column.assumingMemoryBound(to: C.self) + Int(record.pointee.row)
    if unsafe !edge.pointee.isReplaceListed {
      unsafe core.reactionLists.refreshReplace(table, edge)
    }
    if core.isNoting { unsafe core.recorder.noteReplacement(handle, edge, address) }
    if core.pointer.pointee.taken.count > 0,
      core.exclusivity.noteInitialized(ComponentKey(C.self), of: handle)
    {
      unsafe address.initialize(to: value)
      if core.isJournaling { unsafe core.recorder.noteReplaced(edge, address) }
      tellAfterwards(C.cid, handle, old: nil, new: nil, [])
      return nil
    }
    let isWanted = unsafe core.notifications.wantsValues(edge.pointee.replaceNotices, handle)
    if unsafe edge.pointee.replace != nil || isWanted {
      unsafe tellAfterwards(
        C.cid, handle, old: isWanted ? address.pointee : nil, new: isWanted ? value : nil, [])
    }
    let displaced = unsafe core.replace(value, at: address)
    if core.isJournaling { unsafe core.recorder.noteReplaced(edge, address) }
    return displaced
  }

  /// Whether a running iteration asks for a column.
  @usableFromInline
  func isBorrowed(_ key: ComponentKey) -> Bool {
    core.exclusivity.anyIteration { $0.request.asks(for: key) }
  }

  /// Lets reactions to a component that was written be carried out, when the iteration ends.
  @usableFromInline
  func tellAfterwards(
    _ cid: CID, _ handle: Handle, old: (any Component)?, new: (any Component)?,
    _ flags: ChangeEvent.Flags = []
  ) {
    core.pointer.pointee.iterations.queued.noteWrite(cid, of: handle)
    core.pointer.pointee.iterations.deferred.append { tell(cid, handle, old: old, new: new, flags) }
  }

  private func tell(
    _ cid: CID, _ handle: Handle, old: (any Component)?, new: (any Component)?,
    _ flags: ChangeEvent.Flags
  ) {
    guard let record = unsafe core.record(of: handle), let table = unsafe record.pointee.table,
      let edge = unsafe table.pointee.edge(cid.key),
      let column = unsafe table.pointee.column(of: cid)
    else { return }
    if unsafe !edge.pointee.isReplaceListed {
      unsafe core.reactionLists.refreshReplace(table, edge)
    }
    let list = unsafe edge.pointee.replace
    let known: ChangeEvent.Flags = old == nil ? .hasNew : [.hasOld, .hasNew]
    if unsafe core.notifications.wantsValues(list?.notices, handle),
      let addresses = unsafe core.notifications.queue(
        .updated, handle, cid, list?.notices, flags.union(known))
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
    unsafe core.reactGenerally(list, handle)
  }

  @usableFromInline
  func setLater<C: Component>(_ value: C, on handle: Handle) {
    core.checkMode()
    guard mask(handle) else { return core.noteStaleWrite(handle) }
    let required = SeenRequirements(core, by: [C.cid], for: handle)
    note(value, C.cid, for: handle)
    core.pointer.pointee.iterations.deferred.append {
      // What it replaces ends when the iteration has ended.
      if _isPOD(C.self), required.isEmpty { return core.set(value, on: handle) }
      core.enter()
      required.use {
        if let displaced = core.exchange(value, on: handle) { core.discard(displaced) }
      }
      core.leave()
    }
  }

  func remove(_ key: ComponentKey, from handle: Handle) {
    core.checkMode()
    guard core.isSeenAlive(handle) else { return core.noteStaleWrite(handle) }
    guard let cid = core.has(key, handle) ? cid(of: key, handle) : nil, mask(handle) else { return }
    if !core.pointer.pointee.tables.ignoresRequirements {
      let others = ComponentRequirements.dependents(
        on: key, among: core.signature(of: handle) ?? [])
      guard let others else { return }
      for other in others { remove(other.key, from: handle) }
    }
    core.pointer.pointee.iterations.queued.note(nil, cid, of: handle)
    core.pointer.pointee.iterations.deferred.append { core.removeComponent(key, from: handle) }
  }

  private func cid(of key: ComponentKey, _ handle: Handle) -> CID? {
    core.signature(of: handle)?.first { $0.key == key }
  }

  func destroy(_ handle: Handle) {
    core.checkMode()
    guard mask(handle) else { return core.noteStaleWrite(handle) }
    core.pointer.pointee.iterations.queued.noteDestruction(of: handle)
    core.pointer.pointee.iterations.deferred.append { core.destroyEntity(handle) }
  }

  func destroyAll() {
    core.checkMode()
    for handle in core.livingHandles() { _ = mask(handle) }
    for entry in core.pointer.pointee.iterations.queued.entries {
      core.pointer.pointee.iterations.queued.noteDestruction(of: entry.handle)
    }
    core.pointer.pointee.iterations.deferred.append { core.destroyAll() }
  }

  /// Gives out a handle now, and creates its entity when the running iteration ends.
  ///
  /// Where changes are noted, without an iteration, creates it now.
  @usableFromInline
  @inline(never)
  func create<each C: Component>(_ components: repeat each C) -> Handle {
    // Not in what calls it, where it would cost registers. One closure makes the entity either way,
    // so that the caller hands the components over as it would if nothing were noted.
    let isDeferred = !core.pointer.pointee.section.mode.accepts
    if isDeferred { core.checkMode() }
    let handle = isDeferred ? noteCreation() : core.pointer.pointee.slots.reserve()
    if isDeferred {
      var made: [Handle] = []
      repeat noteMade((each C).cid, in: &made)
      repeat note(each components, (each C).cid, for: handle)
      for holder in made { noteEndIfEmpty(holder) }
    }
    var cids: [CID] = []
    if isDeferred { repeat cids.append((each C).cid) }
    let required = SeenRequirements(core, by: cids, for: handle, isNew: true)
    let create = {
      core.enter()
      required.use { _ = core.createGenerally(repeat each components, as: handle) }
      core.leave()
    }
    if isDeferred { core.pointer.pointee.iterations.deferred.append(create) } else { create() }
    return handle
  }

  private func noteCreation() -> Handle {
    let handle = core.pointer.pointee.slots.reserve()
    core.pointer.pointee.iterations.queued.noteCreation(of: handle)
    return handle
  }

  // MARK: Unique components

  /// Sets a unique component while an iteration runs.
  @usableFromInline
  @inline(never)
  func setUnique<C: UniqueComponent>(_ value: C) {
    core.checkMode()
    guard let handle = core.unique.holder(of: ComponentKey(C.self)) else {
      let handle = noteCreation()
      let required = SeenRequirements(core, by: [C.cid], for: handle)
      note(value, C.cid, for: handle)
      core.pointer.pointee.iterations.queued.holders[ComponentKey(C.self)]?.isOurs = true
      return core.pointer.pointee.iterations.deferred.append {
        core.enter()
        required.use { _ = core.createGenerally(value, as: handle) }
        core.unique.markHolderAsOurs(ComponentKey(C.self))
        core.leave()
      }
    }
    guard core.pointer.pointee.iterations.queued.hasDestructions else {
      if let displaced = set(value, on: handle) { core.discard(displaced) }
      return
    }
    // What is to be destroyed may take the holder along; then there is a new one.
    if mask(handle) { note(value, C.cid, for: handle) }
    core.pointer.pointee.iterations.deferred.append {
      core.enter()
      core.unique.set(value)
      core.leave()
    }
  }

  func evictHolder(of cid: CID) {
    core.checkMode()
    noteLoss(of: cid)
    core.pointer.pointee.iterations.deferred.append {
      core.enter()
      core.unique.evictHolder(of: cid)
      core.leave()
    }
  }

  // MARK: Entries

  /// Makes an entity one of which changes wait; false if it is dead or is to be destroyed.
  private func mask(_ handle: Handle) -> Bool {
    if let isDestroyed = core.pointer.pointee.iterations.queued.isDestroyed(handle) {
      return !isDestroyed
    }
    guard let record = unsafe core.record(of: handle), let table = unsafe record.pointee.table
    else {
      return false
    }
    unsafe core.pointer.pointee.iterations.queued.begin(handle, in: table)
    unsafe record.pointee.table = nil
    guard unsafe table.pointee.hasUnique else { return true }
    for cid in unsafe table.pointee.signature where cid.isUnique {
      guard let slot = unsafe core.pointer.pointee.slots.unique.find(cid.key) else { continue }
      unsafe core.pointer.pointee.iterations.queued.uniqueValues[cid.key] = slot.pointee.value
      unsafe slot.pointee.value = nil
    }
    return true
  }

  /// Notes what a component of an entity with an entry is to be.
  func note(_ value: any Component, _ cid: CID, for handle: Handle) {
    if cid.isUnique { noteHolder(handle, of: cid) }
    core.pointer.pointee.iterations.queued.note(value, cid, of: handle)
  }

  private func noteHolder(_ handle: Handle, of cid: CID) {
    if core.unique.holder(of: cid.key) == handle { return }
    noteLoss(of: cid)
    core.pointer.pointee.iterations.queued.holders[cid.key] = (handle, false)
  }

  /// Notes that the holder of a unique component loses it.
  private func noteLoss(of cid: CID) {
    guard let handle = core.unique.holder(of: cid.key), mask(handle) else { return }
    let isOurs = isMade(handle, for: cid)
    core.pointer.pointee.iterations.queued.note(nil, cid, of: handle)
    if isOurs { noteEndIfEmpty(handle) }
  }

  /// Whether the holder of a unique component was made for it.
  private func isMade(_ handle: Handle, for cid: CID) -> Bool {
    core.pointer.pointee.iterations.queued.holders[cid.key].map { $0.handle == handle && $0.isOurs }
      ?? core.unique.holderIsOurs(cid.key)
  }

  func noteMade(_ cid: CID, in made: inout [Handle]) {
    guard cid.isUnique, let holder = core.unique.holder(of: cid.key), isMade(holder, for: cid)
    else {
      return
    }
    made.append(holder)
  }

  /// Notes that an entity goes if nothing is left on it.
  func noteEndIfEmpty(_ handle: Handle) {
    guard core.pointer.pointee.iterations.queued[handle]?.signature.isEmpty == true else {
      return
    }
    core.pointer.pointee.iterations.queued.noteDestruction(of: handle)
  }

  /// Puts storage back for what was read from the queue, before that is worked off.
  @inline(__always)
  func unmaskAll() {
    if !core.pointer.pointee.iterations.queued.isEmpty { unmaskEntries() }
  }

  @inline(never)
  private func unmaskEntries() {
    for entry in core.pointer.pointee.iterations.queued.entries {
      guard let table = unsafe entry.table else { continue }
      unsafe core.record(of: entry.handle)?.pointee.table = unsafe table
    }
    for unsafe(key, value) in unsafe core.pointer.pointee.iterations.queued.uniqueValues {
      unsafe core.pointer.pointee.slots.unique.find(key)?.pointee.value = value
    }
    unsafe core.pointer.pointee.iterations.queued.deallocate()
    core.pointer.pointee.iterations.queued = CommandBuffer(
      id: core.pointer.pointee.iterations.queued.id &+ 1)
  }
}
