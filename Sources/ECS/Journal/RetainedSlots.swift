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
