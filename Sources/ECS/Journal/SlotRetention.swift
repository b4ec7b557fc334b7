/// The retention of slots of entities that ended and may live again.
struct SlotRetention {
  let core: Core
}

extension Core {
  /// The slots of entities that ended and may live again.
  var retention: SlotRetention { SlotRetention(core: self) }
}

extension SlotRetention {
  /// Ends the entity of a slot; its row must be gone already.
  func endSlot(_ handle: Handle) {
    guard core.pointer.pointee.retainedSlots != nil else {
      return core.pointer.pointee.slots.release(handle)
    }
    // SAFETY: the handle was alive.
    let record = unsafe core.pointer.pointee.slots.records + Int(handle.index)
    unsafe record.pointee.generation = handle.generation &+ 1
    unsafe record.pointee.table = nil
    core.pointer.pointee.slots.liveCount &-= 1
    park(handle.index)
  }

  /// Sees to it that an entity that never was, and has just ended, does not live again, whatever
  /// keeps its slot.
  ///
  /// One that had lived again, which is what is taken back, may do so later.
  func endForGood(_ handle: Handle) {
    if let held = core.pointer.pointee.retainedSlots, let count = held.revived[handle] {
      held.revived[handle] = count > 1 ? count - 1 : nil
      return
    }
    // SAFETY: the handle was alive.
    let record = unsafe core.pointer.pointee.slots.records + Int(handle.index)
    let generation = Record.generation(above: handle.generation)
    // One that is used up is not to be mistaken for one that waits.
    if unsafe record.pointee.generation == generation { unsafe record.pointee.row = Record.none }
    unsafe record.pointee.generation = generation
  }

  /// Releases a slot that a transaction has held back.
  func releaseSlot(_ index: UInt32) {
    if core.pointer.pointee.retainedSlots == nil {
      core.pointer.pointee.slots.giveBack(index)
    } else {
      park(index)
    }
  }

  private func park(_ index: UInt32) {
    // SAFETY: callers pass slots that had entities.
    unsafe (core.pointer.pointee.slots.records + Int(index)).pointee.row = index
    core.pointer.pointee.retainedSlots?.parked.append(index)
    core.pointer.pointee.section.pending.insert(.noted)
  }

  /// Lets parked slots be used again that are not kept, when the outermost change has been
  /// delivered.
  func giveBackParkedSlots() {
    // PERFORMANCE: UN3: mostly there are none, and nothing is retained to learn that.
    guard core.pointer.pointee.retainedReference?.visit({ $0.endChange() }) == true,
      let held = core.pointer.pointee.retainedSlots
    else { return }
    let parked = held.parked
    held.parked = []
    for slot in parked where held.counts[slot] == nil { giveBackIfParked(slot) }
  }

  /// Lets a slot be used again, unless it has been already.
  private func giveBackIfParked(_ index: UInt32) {
    // SAFETY: callers pass slots that had entities.
    let record = unsafe core.pointer.pointee.slots.records[Int(index)]
    guard record.generation % 2 == 0, record.row == index else { return }
    core.pointer.pointee.retainedSlots?.made[index] = nil
    core.pointer.pointee.slots.giveBack(index)
  }

  /// The slots of entities that may live again because of holders.
  var slotsOfHolders: [UInt32] {
    guard let held = core.pointer.pointee.retainedSlots else { return [] }
    return held.parked + held.counts.keys
  }

  /// Ends the entity of a slot, which no other gets before it is certain that it does not live
  /// again.
  func holdSlot(_ handle: Handle) {
    // SAFETY: the handle was alive.
    let record = unsafe core.pointer.pointee.slots.records + Int(handle.index)
    unsafe record.pointee.generation = handle.generation &+ 1
    unsafe record.pointee.table = nil
    unsafe record.pointee.row = Record.none
    core.pointer.pointee.slots.liveCount &-= 1
    unsafe core.recording.pointee.hold(handle.index)
  }

  /// The slots of entities that may live again.
  var retainedSlots: [UInt32] {
    unsafe core.pointer.pointee.journaling.recording?.pointee.held ?? []
  }

  // MARK: Holders

  func beginHolding() {
    let held = core.pointer.pointee.retainedSlots ?? RetainedSlots()
    held.holderCount += 1
    core.pointer.pointee.retainedSlots = held
  }

  func endHolding(_ slots: some Sequence<UInt32>) {
    guard let held = core.pointer.pointee.retainedSlots else { return }
    for slot in slots { releaseSlot(slot, held) }
    held.holderCount -= 1
    guard held.holderCount == 0 else { return }
    for slot in held.parked { giveBackIfParked(slot) }
    core.pointer.pointee.retainedSlots = nil
  }

  /// Keeps the slot of an entity that lives, or that has just ended; returns whether it does.
  func keepSlot(of handle: Handle) -> Bool {
    guard let held = core.pointer.pointee.retainedSlots,
      core.isAlive(handle) || mayLiveAgain(handle)
    else {
      return false
    }
    held.counts[handle.index, default: 0] += 1
    return true
  }

  /// Ends to keep a slot.
  func releaseSlot(_ index: UInt32, _ held: RetainedSlots) {
    guard let count = held.counts[index] else { return }
    held.counts[index] = count > 1 ? count - 1 : nil
    // Others may want to keep it that have not been notified yet that its entity ended.
    // SAFETY: kept slots had entities. What a transaction holds back is not ours to give.
    let record = unsafe core.pointer.pointee.slots.records[Int(index)]
    if count == 1, record.generation % 2 == 0, record.row != Record.none { park(index) }
  }

  /// Whether an entity has ended, and its slot has been kept since.
  func mayLiveAgain(_ handle: Handle) -> Bool {
    guard Int(handle.index) < core.pointer.pointee.slots.count else { return false }
    // SAFETY: slots below `recordCount` are initialized.
    let record = unsafe core.pointer.pointee.slots.records[Int(handle.index)]
    return record.generation == handle.generation &+ 1 && record.row == handle.index
  }

  // MARK: Living again

  /// Lets an entity live again whose slot was kept, with components.
  func revive(_ handle: Handle, with components: [any Component]) {
    var target = unsafe core.pointer.pointee.tables.root
    for component in components { unsafe extend(&target, for: component) }
    // First: it may destroy others.
    if unsafe target.pointee.hasUnique { unsafe core.unique.evictHolders(for: target) }
    if unsafe !target.pointee.isEntryListed { unsafe core.reactionLists.refreshTable(target) }
    let made = core.pointer.pointee.retainedSlots?.made.removeValue(forKey: handle.index) ?? []
    let row = unsafe target.pointee.appendRow(handle.index)
    for component in components { unsafe put(component, in: target, row: row) }
    // SAFETY: the slot was kept, so no other entity has it.
    let record = unsafe core.pointer.pointee.slots.records + Int(handle.index)
    unsafe record.pointee = Record(
      generation: handle.generation, row: UInt32(truncatingIfNeeded: row), table: target)
    core.pointer.pointee.slots.liveCount &+= 1
    if unsafe target.pointee.enter != nil || target.pointee.hasUnique {
      unsafe core.finishCreation(handle, in: target, row: row)
    }
    for cid in unsafe target.pointee.signature where cid.isUnique && made.contains(cid.key) {
      core.unique.markHolderAsOurs(cid.key)
    }
    if core.isRecording { core.pointer.pointee.retainedSlots?.revived[handle, default: 0] += 1 }
    if core.isNoting { core.recorder.noteCreation(handle) }
  }

  /// Remembers of an entity that is about to end that it was made to hold a unique component.
  func keepHolderAsOurs(_ key: ComponentKey, _ handle: Handle) {
    core.pointer.pointee.retainedSlots?.made[handle.index, default: []].append(key)
  }

  private func extend(_ table: inout TablePointer, for component: some Component) {
    unsafe core.extend(&table, with: type(of: component))
  }

  private func put(_ component: some Component, in table: TablePointer, row: Int) {
    unsafe core.initialize(component, in: table, row: row)
  }
}
