/// A value for each of some slots of a core, in memory proportional to their count.
///
/// Linear probing with backward-shift deletion (Knuth, The Art of Computer Programming, volume 3,
/// section 6.4, algorithm R). Entries carry the epoch in which they were added, so that
/// emptying is O(1).
@safe
@usableFromInline
struct SlotHash<Value: BitwiseCopyable> {
  @usableFromInline
  struct Entry: BitwiseCopyable {
    @usableFromInline var slot: UInt32
    @usableFromInline var epoch: UInt32
    @usableFromInline var value: Value

    @inlinable
    init(slot: UInt32, epoch: UInt32, value: Value) {
      self.slot = slot
      self.epoch = epoch
      self.value = value
    }
  }

  // INVARIANT: `capacity` is a power of two, of which at most three quarters are in use, or 0.
  @usableFromInline var entries: UnsafeMutablePointer<Entry>
  @usableFromInline var capacity = 0
  @usableFromInline var shift: UInt64 = 64

  /// Entries of other epochs are free.
  ///
  /// Never 0.
  @usableFromInline var epoch: UInt32 = 1

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
    assert(capacity > 0, "A slot was to be looked for where there are no entries.")
    return Int(truncatingIfNeeded: (UInt64(slot) &* 0x9E37_79B9_7F4A_7C15) &>> shift)
  }

  /// The index of a slot's entry, or else of the free one where it would be.
  ///
  /// Ask only if there is a free entry.
  @inlinable
  func index(of slot: UInt32) -> Int {
    var index = home(slot)
    // SAFETY: indices are masked; some entries are free.
    while unsafe entries[index].epoch == epoch && entries[index].slot != slot {
      index = (index &+ 1) & (capacity &- 1)
    }
    return index
  }

  /// The value of a slot; nil if it has none.
  @inlinable
  func find(_ slot: UInt32) -> Value? {
    guard count > 0 else { return nil }
    let index = index(of: slot)
    // SAFETY: index < capacity.
    return unsafe entries[index].epoch == epoch ? entries[index].value : nil
  }

  /// Gives a slot a value, instead of the one it has.
  @inlinable
  mutating func set(_ slot: UInt32, _ value: Value) {
    if (count + 1) * 4 > capacity * 3 { resize(toHold: (count + 1) * 2) }
    let index = index(of: slot)
    // SAFETY: index < capacity.
    if unsafe entries[index].epoch != epoch { count += 1 }
    unsafe entries[index] = Entry(slot: slot, epoch: epoch, value: value)
  }

  /// Takes the value of a slot away; does nothing if it has none.
  @inlinable
  mutating func remove(_ slot: UInt32) {
    guard count > 0 else { return }
    var hole = index(of: slot)
    guard unsafe entries[hole].epoch == epoch else { return }
    let mask = capacity &- 1
    var index = hole
    while true {
      index = (index &+ 1) & mask
      // SAFETY: indices are masked.
      guard unsafe entries[index].epoch == epoch else { break }
      let home = unsafe home(entries[index].slot)
      // Whether `home` lies cyclically in (hole, index]: then the entry must stay.
      if (index &- home) & mask < (index &- hole) & mask { continue }
      unsafe entries[hole] = entries[index]
      hole = index
    }
    unsafe entries[hole].epoch = 0
    count -= 1
    if capacity > 64, count * 16 < capacity { resize(toHold: count * 2) }
  }

  /// Empties the table, which keeps its memory.
  @inlinable
  mutating func removeAll() {
    guard epoch < .max else {
      unsafe deallocate()
      self = SlotHash()
      return
    }
    count = 0
    epoch += 1
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
    // SAFETY: entries are trivial, and of zeros they are free: no epoch is 0.
    unsafe UnsafeMutableRawPointer(entries).initializeMemory(
      as: UInt8.self, repeating: 0, count: capacity * MemoryLayout<Entry>.stride)
  }

  /// Calls a body with each slot that has a value, in no particular order.
  @inlinable
  func visit(_ body: (UInt32, Value) -> Void) {
    for index in 0..<capacity where unsafe entries[index].epoch == epoch {
      // SAFETY: index < capacity.
      unsafe body(entries[index].slot, entries[index].value)
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
