/// The slots of entities that ended and may live again, and how many holders keep them.
// Guarded by the lock of the core.
final class RetainedSlots {
  /// How many holders there are.
  var holderCount = 0

  /// How many of them keep a slot, whose entity may live, too.
  var counts: [UInt32: Int] = [:]

  // PERFORMANCE: UN3: asked and counted in each outermost change, where checks of exclusive access
  // would take longer.

  /// The slots of entities that ended in the course of the present outermost change: an observer
  /// that is notified of it may want to keep them.
  @exclusivity(unchecked) @safe var parked: [UInt32] = []

  /// By slots of entities that ended, the unique components that these were made to hold.
  var made: [UInt32: [ComponentKey]] = [:]

  /// The number of the present outermost change, to which marks of retainers belong.
  @exclusivity(unchecked) @safe var change: UInt64 = 1

  /// How often entities have lived again in the present outermost change: if that is taken back,
  /// they may do so later.
  @exclusivity(unchecked) @safe var revived: [Handle: Int] = [:]

  /// Goes on to the next outermost change.
  ///
  /// Returns whether slots are parked.
  func endChange() -> Bool {
    change += 1
    if !revived.isEmpty { revived = [:] }
    return !parked.isEmpty
  }
}

// Slots that no other may have, since their entities may live again: while there are holders, these
// are parked until the outermost change has been delivered, and are given back unless a retainer
// keeps them.
//
// INVARIANT: the `row` of a parked or kept slot without an entity is the slot itself, which no free
// slot has.
extension Core {
  /// Ends the entity of a slot; its row must be gone already.
  func endSlot(_ handle: Handle) {
    guard pointer.pointee.retainedSlots != nil else { return pointer.pointee.slots.release(handle) }
    // SAFETY: the handle was alive.
    let record = unsafe pointer.pointee.slots.records + Int(handle.index)
    unsafe record.pointee.generation = handle.generation &+ 1
    unsafe record.pointee.table = nil
    pointer.pointee.slots.liveCount &-= 1
    park(handle.index)
  }

  /// Sees to it that an entity that never was, and has just ended, does not live again, whatever
  /// keeps its slot.
  ///
  /// One that had lived again, which is what is taken back, may do so later.
  func endForGood(_ handle: Handle) {
    if let held = pointer.pointee.retainedSlots, let count = held.revived[handle] {
      held.revived[handle] = count > 1 ? count - 1 : nil
      return
    }
    // SAFETY: the handle was alive.
    let record = unsafe pointer.pointee.slots.records + Int(handle.index)
    let generation = Record.generation(above: handle.generation)
    // One that is used up is not to be mistaken for one that waits.
    if unsafe record.pointee.generation == generation { unsafe record.pointee.row = Record.none }
    unsafe record.pointee.generation = generation
  }

  /// Releases a slot that a transaction has held back.
  func releaseSlot(_ index: UInt32) {
    if pointer.pointee.retainedSlots == nil {
      pointer.pointee.slots.giveBack(index)
    } else {
      park(index)
    }
  }

  private func park(_ index: UInt32) {
    // SAFETY: callers pass slots that had entities.
    unsafe (pointer.pointee.slots.records + Int(index)).pointee.row = index
    pointer.pointee.retainedSlots?.parked.append(index)
    pointer.pointee.section.pending.insert(.noted)
  }

  /// Lets parked slots be used again that are not kept, when the outermost change has been
  /// delivered.
  func giveBackParkedSlots() {
    // PERFORMANCE: UN3: mostly there are none, and nothing is retained to learn that.
    guard pointer.pointee.retainedReference?.visit({ $0.endChange() }) == true,
      let held = pointer.pointee.retainedSlots
    else { return }
    let parked = held.parked
    held.parked = []
    for slot in parked where held.counts[slot] == nil { giveBackIfParked(slot) }
  }

  /// Lets a slot be used again, unless it has been already.
  private func giveBackIfParked(_ index: UInt32) {
    // SAFETY: callers pass slots that had entities.
    let record = unsafe pointer.pointee.slots.records[Int(index)]
    guard record.generation % 2 == 0, record.row == index else { return }
    pointer.pointee.retainedSlots?.made[index] = nil
    pointer.pointee.slots.giveBack(index)
  }

  /// The slots of entities that may live again because of holders.
  var slotsHeldForHolders: [UInt32] {
    guard let held = pointer.pointee.retainedSlots else { return [] }
    return held.parked + held.counts.keys
  }

  // MARK: Holders

  func beginHolding() {
    let held = pointer.pointee.retainedSlots ?? RetainedSlots()
    held.holderCount += 1
    pointer.pointee.retainedSlots = held
  }

  func endHolding(_ slots: some Sequence<UInt32>) {
    guard let held = pointer.pointee.retainedSlots else { return }
    for slot in slots { releaseSlot(slot, held) }
    held.holderCount -= 1
    guard held.holderCount == 0 else { return }
    for slot in held.parked { giveBackIfParked(slot) }
    pointer.pointee.retainedSlots = nil
  }

  /// Keeps the slot of an entity that lives, or that has just ended; returns whether it does.
  func keepSlot(of handle: Handle) -> Bool {
    guard let held = pointer.pointee.retainedSlots, isAlive(handle) || mayLiveAgain(handle) else {
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
    let record = unsafe pointer.pointee.slots.records[Int(index)]
    if count == 1, record.generation % 2 == 0, record.row != Record.none { park(index) }
  }

  /// Whether an entity has ended, and its slot has been kept since.
  func mayLiveAgain(_ handle: Handle) -> Bool {
    guard Int(handle.index) < pointer.pointee.slots.count else { return false }
    // SAFETY: slots below `recordCount` are initialized.
    let record = unsafe pointer.pointee.slots.records[Int(handle.index)]
    return record.generation == handle.generation &+ 1 && record.row == handle.index
  }

  // MARK: Living again

  /// Lets an entity live again whose slot was kept, with components.
  func revive(_ handle: Handle, with components: [any Component]) {
    var target = unsafe pointer.pointee.tables.root
    for component in components { unsafe extend(&target, for: component) }
    // First: it may destroy others.
    if unsafe target.pointee.hasUnique { unsafe evictHolders(for: target) }
    if unsafe !target.pointee.isEntryListed { unsafe refreshTable(target) }
    let made = pointer.pointee.retainedSlots?.made.removeValue(forKey: handle.index) ?? []
    let row = unsafe target.pointee.appendRow(handle.index)
    for component in components { unsafe put(component, in: target, row: row) }
    // SAFETY: the slot was kept, so no other entity has it.
    let record = unsafe pointer.pointee.slots.records + Int(handle.index)
    unsafe record.pointee = Record(
      generation: handle.generation, row: UInt32(truncatingIfNeeded: row), table: target)
    pointer.pointee.slots.liveCount &+= 1
    if unsafe target.pointee.enter != nil || target.pointee.hasUnique {
      unsafe finishCreation(handle, in: target, row: row)
    }
    for cid in unsafe target.pointee.signature where cid.isUnique && made.contains(cid.key) {
      markHolderAsOurs(cid.key)
    }
    if isRecording { pointer.pointee.retainedSlots?.revived[handle, default: 0] += 1 }
    if isNoting { noteCreation(handle) }
  }

  /// Remembers of an entity that is about to end that it was made to hold a unique component.
  func keepHolderAsOurs(_ key: ComponentKey, _ handle: Handle) {
    pointer.pointee.retainedSlots?.made[handle.index, default: []].append(key)
  }

  private func extend(_ table: inout TablePointer, for component: some Component) {
    unsafe extend(&table, with: type(of: component))
  }

  private func put(_ component: some Component, in table: TablePointer, row: Int) {
    unsafe initialize(component, in: table, row: row)
  }
}
