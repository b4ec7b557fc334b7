/// The ordinals of entities in the order of creation, by their slots.
///
/// Nothing is kept of them as long as each is the one of its slot, as in a context that only grows.
/// The first one that differs, which nearly always is that of an entity in a slot that had been
/// free, has those of all slots written down, once.
@safe
@usableFromInline
struct CreationOrder: ~Copyable {
  // INVARIANT: has room for each record there is room for, unless nothing is kept.
  @usableFromInline private(set) var ordinals: UnsafeMutablePointer<UInt32>

  /// Ordinals below this are written down: 0 while nothing is kept, otherwise the last one.
  // PERFORMANCE: C1, E1: one comparison tells both that ordinals are kept and that they have not
  // run out.
  @usableFromInline private(set) var limit: UInt32 = 0

  init() {
    unsafe ordinals = Memory.allocate(UInt32.self, capacity: 0)
  }

  /// Each ordinal is that of its slot.
  var isImplicit: Bool { limit == 0 }

  /// The ordinal of the entity that lives in a slot, or may live there again.
  @inline(__always)
  subscript(slot: UInt32) -> UInt32 {
    // SAFETY: callers pass slots of entities.
    unsafe isImplicit ? slot : ordinals[Int(slot)]
  }

  /// Writes the ordinals of entities in some slots, plus an offset.
  func copy(
    of slots: UnsafePointer<UInt32>, count: Int, plus offset: UInt64,
    to copies: UnsafeMutablePointer<UInt64>
  ) {
    // SAFETY: callers pass slots of entities, and memory for so many.
    if isImplicit {
      for index in 0..<count {
        unsafe (copies + index).initialize(to: UInt64(slots[index]) &+ offset)
      }
    } else {
      let ordinals = unsafe ordinals
      for index in 0..<count {
        unsafe (copies + index).initialize(to: UInt64(ordinals[Int(slots[index])]) &+ offset)
      }
    }
  }

  /// Gives an entity an ordinal if that is done at once: it does not run out, and is written down
  /// or has no need to be.
  @inlinable
  @inline(__always)
  func assignAtOnce(_ ordinal: UInt32, toSlot slot: UInt32) -> Bool {
    guard ordinal < limit else { return ordinal == slot }
    // SAFETY: callers pass slots that have records, or the next one, for which there is room.
    unsafe ordinals[Int(slot)] = ordinal
    return true
  }

  /// Where to write, by slots, the ordinals of some slots that follow each other, as the ordinals
  /// do; nil if they have no need to be written down.
  mutating func writableOrdinals(
    from ordinal: UInt32, ofSlotsFrom slot: UInt32, count: Int, of room: Room
  ) -> UnsafeMutablePointer<UInt32>? {
    if isImplicit && (ordinal == slot || count == 0) { return nil }
    return unsafe writableOrdinals(of: room)
  }

  /// Where to write, by slots, ordinals that need not be those of their slots.
  mutating func writableOrdinals(of room: Room) -> UnsafeMutablePointer<UInt32> {
    if isImplicit { writeDown(room) }
    return unsafe ordinals
  }

  /// Writes down the ordinals of all slots.
  @inline(never)
  private mutating func writeDown(_ room: Room) {
    unsafe ordinals = Memory.allocate(UInt32.self, capacity: room.capacity)
    for slot in 0..<room.count {
      // SAFETY: count <= capacity.
      unsafe (ordinals + slot).initialize(to: UInt32(truncatingIfNeeded: slot))
    }
    limit = .max
  }

  /// Makes room for the ordinals of more slots.
  mutating func grow(from old: Room, to capacity: Int) {
    if isImplicit { return }
    unsafe Memory.resize(&ordinals, count: old.count, from: old.capacity, to: capacity)
  }

  /// Forgets all ordinals.
  mutating func removeAll(of room: Room) {
    if !isImplicit { unsafe Memory.free(ordinals, capacity: room.capacity) }
    unsafe ordinals = Memory.allocate(UInt32.self, capacity: 0)
    limit = 0
  }

  /// The number of slots of a core, and how many it has room for.
  struct Room {
    let count: Int
    let capacity: Int
  }
}
