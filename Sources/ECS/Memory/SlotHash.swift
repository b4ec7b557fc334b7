/// A value for each of some slots of a core, in memory proportional to their number.
///
/// Linear probing with backward-shift deletion (Knuth, The Art of Computer Programming, volume 3,
/// section 6.4, algorithm R). Entries carry the number of the filling that they belong to, so that
/// emptying is O(1).
@safe
@usableFromInline
struct SlotHash<Value: BitwiseCopyable> {
  @usableFromInline
  struct Entry: BitwiseCopyable {
    @usableFromInline var slot: UInt32
    @usableFromInline var filling: UInt32
    @usableFromInline var value: Value

    @inlinable
    init(slot: UInt32, filling: UInt32, value: Value) {
      self.slot = slot
      self.filling = filling
      self.value = value
    }
  }

  // INVARIANT: `capacity` is a power of two, of which at most three quarters are in use, or 0.
  @usableFromInline var entries: UnsafeMutablePointer<Entry>
  @usableFromInline var capacity = 0
  @usableFromInline var shift: UInt64 = 64

  /// Entries of other fillings are free places.
  ///
  /// Never 0.
  @usableFromInline var filling: UInt32 = 1

  /// The number of slots that have a value.
  @usableFromInline var count = 0

  @inlinable
  init() {
    unsafe entries = Memory.allocate(Entry.self, capacity: 0)
  }

  @inlinable
  @unsafe func deallocate() { unsafe Memory.free(entries, capacity: capacity) }

  /// Where the search for a slot begins.
  @inlinable
  @inline(__always)
  func home(_ slot: UInt32) -> Int {
    Int(truncatingIfNeeded: (UInt64(slot) &* 0x9E37_79B9_7F4A_7C15) &>> shift)
  }

  /// Where a slot is, or else the free place where it would be.
  ///
  /// Ask only if there is a free place.
  @inlinable
  func place(_ slot: UInt32) -> Int {
    var place = home(slot)
    // SAFETY: places are masked; some are free.
    while unsafe entries[place].filling == filling && entries[place].slot != slot {
      place = (place &+ 1) & (capacity &- 1)
    }
    return place
  }

  /// The value of a slot; nil if it has none.
  @inlinable
  func find(_ slot: UInt32) -> Value? {
    guard count > 0 else { return nil }
    let place = place(slot)
    // SAFETY: place < capacity.
    return unsafe entries[place].filling == filling ? entries[place].value : nil
  }

  /// Gives a slot a value, in the place of the one it has.
  @inlinable
  mutating func set(_ slot: UInt32, _ value: Value) {
    if (count + 1) * 4 > capacity * 3 { resize(toHold: (count + 1) * 2) }
    let place = place(slot)
    // SAFETY: place < capacity.
    if unsafe entries[place].filling != filling { count += 1 }
    unsafe entries[place] = Entry(slot: slot, filling: filling, value: value)
  }

  /// Takes the value of a slot away; does nothing if it has none.
  @inlinable
  mutating func remove(_ slot: UInt32) {
    guard count > 0 else { return }
    var hole = place(slot)
    guard unsafe entries[hole].filling == filling else { return }
    let mask = capacity &- 1
    var place = hole
    while true {
      place = (place &+ 1) & mask
      // SAFETY: places are masked.
      guard unsafe entries[place].filling == filling else { break }
      let home = unsafe home(entries[place].slot)
      // Whether `home` lies cyclically in (hole, place]: then the entry must stay.
      if (place &- home) & mask < (place &- hole) & mask { continue }
      unsafe entries[hole] = entries[place]
      hole = place
    }
    unsafe entries[hole].filling = 0
    count -= 1
    if capacity > 64, count * 16 < capacity { resize(toHold: count * 2) }
  }

  /// Empties the table, which keeps its memory.
  @inlinable
  mutating func removeAll() {
    guard filling < .max else {
      unsafe deallocate()
      self = SlotHash()
      return
    }
    count = 0
    filling += 1
  }

  @inlinable
  @inline(never)
  mutating func resize(toHold wanted: Int) {
    var newCapacity = 16
    while newCapacity * 3 < wanted * 4 { newCapacity *= 2 }
    var resized = SlotHash(capacity: newCapacity)
    visit { resized.set($0, $1) }
    unsafe deallocate()
    self = resized
  }

  @inlinable
  init(capacity: Int) {
    self.capacity = capacity
    shift = UInt64(64 - capacity.trailingZeroBitCount)
    unsafe entries = Memory.allocate(Entry.self, capacity: capacity)
    // SAFETY: entries are trivial, and of zeros they are free: no filling has the number 0.
    unsafe UnsafeMutableRawPointer(entries).initializeMemory(
      as: UInt8.self, repeating: 0, count: capacity * MemoryLayout<Entry>.stride)
  }

  /// Calls a body with each slot that has a value, in no particular order.
  @inlinable
  func visit(_ body: (UInt32, Value) -> Void) {
    for place in 0..<capacity where unsafe entries[place].filling == filling {
      // SAFETY: place < capacity.
      unsafe body(entries[place].slot, entries[place].value)
    }
  }
}

/// When what is known by slot had better be an array than a hash table.
@usableFromInline
enum SlotDensity {
  /// Whether an array up to a slot is small, or little larger than a hash table would be.
  @inlinable
  static func isDense(_ slotCount: Int, holding count: Int) -> Bool {
    slotCount <= 256 || slotCount <= 8 * count
  }

  /// Whether an array for so many slots is a waste for what it holds.
  @inlinable
  static func isWaste(_ slotCount: Int, holding count: Int) -> Bool {
    slotCount > 1024 && slotCount > 64 * count
  }
}
