/// The numbers of entities in the order of creation, by their slots.
///
/// Nothing is kept of them as long as each is the one of its slot, as in a context that only grows.
/// The first one that differs, which nearly always is that of an entity in a slot that had been
/// free, has those of all slots written down, once.
@safe
@usableFromInline
struct CreationOrder: ~Copyable {
  // INVARIANT: has a place for each record there is room for, unless nothing is kept.
  @usableFromInline private(set) var numbers: UnsafeMutablePointer<UInt32>

  /// Numbers below this are written down: 0 while nothing is kept, otherwise the last one.
  // PERFORMANCE: C1, E1: one comparison tells both that numbers are kept and that they have not run
  // out.
  @usableFromInline private(set) var limit: UInt32 = 0

  init() {
    unsafe numbers = Memory.allocate(UInt32.self, capacity: 0)
  }

  /// Each number is the one of its slot.
  var isImplicit: Bool { limit == 0 }

  /// The number of the entity that lives in a slot, or may live there again.
  @inline(__always)
  subscript(slot: UInt32) -> UInt32 {
    // SAFETY: callers pass slots of entities.
    unsafe isImplicit ? slot : numbers[Int(slot)]
  }

  /// Writes the numbers of entities in some slots, plus an offset.
  func copy(
    of slots: UnsafePointer<UInt32>, count: Int, plus offset: UInt64,
    to places: UnsafeMutablePointer<UInt64>
  ) {
    // SAFETY: callers pass slots of entities, and places for so many numbers.
    if isImplicit {
      for number in 0..<count {
        unsafe (places + number).initialize(to: UInt64(slots[number]) &+ offset)
      }
    } else {
      let numbers = unsafe numbers
      for number in 0..<count {
        unsafe (places + number).initialize(to: UInt64(numbers[Int(slots[number])]) &+ offset)
      }
    }
  }

  /// Gives an entity a number if that is done at once: it does not run out, and is written down or
  /// has no need to be.
  @inlinable
  @inline(__always)
  func assignAtOnce(_ number: UInt32, toSlot slot: UInt32) -> Bool {
    guard number < limit else { return number == slot }
    // SAFETY: callers pass slots that have records, or the next one, for which there is room.
    unsafe numbers[Int(slot)] = number
    return true
  }

  /// Where to write, by slots, the numbers of some slots that follow each other, as the numbers do;
  /// nil if they have no need to be written down.
  mutating func placesForNumbers(
    from number: UInt32, ofSlotsFrom slot: UInt32, count: Int, of room: Room
  ) -> UnsafeMutablePointer<UInt32>? {
    if isImplicit && (number == slot || count == 0) { return nil }
    return unsafe placesForNumbers(of: room)
  }

  /// Where to write, by slots, numbers that need not be those of their slots.
  mutating func placesForNumbers(of room: Room) -> UnsafeMutablePointer<UInt32> {
    if isImplicit { writeDown(room) }
    return unsafe numbers
  }

  /// Writes down the numbers of all slots.
  @inline(never)
  private mutating func writeDown(_ room: Room) {
    unsafe numbers = Memory.allocate(UInt32.self, capacity: room.capacity)
    for slot in 0..<room.count {
      // SAFETY: count <= capacity.
      unsafe (numbers + slot).initialize(to: UInt32(truncatingIfNeeded: slot))
    }
    limit = .max
  }

  /// Makes room for the numbers of more slots.
  mutating func grow(from old: Room, to capacity: Int) {
    if isImplicit { return }
    unsafe Memory.resize(&numbers, count: old.count, from: old.capacity, to: capacity)
  }

  /// Forgets all numbers.
  mutating func removeAll(of room: Room) {
    if !isImplicit { unsafe Memory.free(numbers, capacity: room.capacity) }
    unsafe numbers = Memory.allocate(UInt32.self, capacity: 0)
    limit = 0
  }

  /// The number of slots of a core, and how many it has room for.
  struct Room {
    let count: Int
    let capacity: Int
  }
}
