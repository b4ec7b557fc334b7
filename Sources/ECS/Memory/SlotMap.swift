private import CPlatform

/// A value for each of some slots of a core: an array where many slots have one, else a hash table,
/// so that memory is proportional to what it holds.
@safe
@usableFromInline
struct SlotMap<Value: BitwiseCopyable & Equatable> {
  // PERFORMANCE: X1, V1: while there is no array it has no elements, so one comparison tells both
  // whether there is one and whether it reaches to a slot.
  @usableFromInline var dense: UnsafeMutablePointer<Value>
  @usableFromInline var denseCount = 0
  @usableFromInline var sparse = SlotHash<Value>()

  /// The number of slots that have a value.
  @usableFromInline var count = 0

  /// The number of slots up to the highest one that got a value while there is no array.
  @usableFromInline var slotCount = 0

  /// What slots have that have no value.
  @usableFromInline let absent: Value

  @inlinable
  init(absent: Value) {
    self.absent = absent
    unsafe dense = Memory.allocate(Value.self, capacity: 0)
  }

  @inlinable
  @unsafe func deallocate() {
    unsafe Memory.free(dense, capacity: denseCount)
    unsafe sparse.deallocate()
  }

  /// The value of a slot, or the one that says that it has none.
  @inlinable
  subscript(slot: UInt32) -> Value {
    @inline(__always)
    get {
      // SAFETY: slot < denseCount.
      unsafe Int(slot) < denseCount ? dense[Int(slot)] : findSparsely(slot)
    }
  }

  /// Lets the processor fetch what is about to be looked for.
  @inline(__always)
  func prefetch(_ slot: UInt32) {
    if Int(slot) < denseCount {
      unsafe c_prefetch(dense + Int(slot))
    } else if sparse.count > 0 {
      unsafe c_prefetch(sparse.entries + sparse.home(slot))
    }
  }

  @inlinable
  @inline(never)
  func findSparsely(_ slot: UInt32) -> Value { sparse.find(slot) ?? absent }

  /// Gives a slot a value that has none.
  @inlinable
  @inline(__always)
  mutating func insert(_ slot: UInt32, _ value: Value) {
    assert(self[slot] == absent && value != absent, "A slot was to get a second value, or none.")
    count &+= 1
    if Int(slot) < denseCount {
      // SAFETY: slot < denseCount.
      unsafe dense[Int(slot)] = value
    } else {
      insertSparsely(slot, value)
    }
  }

  /// Gives a slot another value that has one.
  @inlinable
  @inline(__always)
  mutating func update(_ slot: UInt32, _ value: Value) {
    assert(self[slot] != absent && value != absent, "A slot was to change what it does not have.")
    if Int(slot) < denseCount {
      // SAFETY: slot < denseCount.
      unsafe dense[Int(slot)] = value
    } else {
      sparse.set(slot, value)
    }
  }

  /// Takes the value away from a slot that has one.
  @inlinable
  mutating func remove(_ slot: UInt32) {
    assert(self[slot] != absent, "A slot was to lose a value that it does not have.")
    count -= 1
    if Int(slot) < denseCount {
      // SAFETY: slot < denseCount.
      unsafe dense[Int(slot)] = absent
      if SlotDensity.isWaste(denseCount, holding: count) { makeSparse() }
    } else {
      sparse.remove(slot)
    }
  }

  @inlinable
  mutating func removeAll() {
    unsafe deallocate()
    self = SlotMap(absent: absent)
  }

  @inlinable
  @inline(never)
  mutating func insertSparsely(_ slot: UInt32, _ value: Value) {
    slotCount = max(slotCount, denseCount, Int(slot) + 1)
    if SlotDensity.isDense(slotCount, holding: count) {
      makeDense(max(64, slotCount, denseCount * 2))
      // SAFETY: slot < slotCount <= denseCount.
      unsafe dense[Int(slot)] = value
    } else {
      if denseCount > 0 { makeSparse() }
      sparse.set(slot, value)
    }
  }

  @inlinable
  mutating func makeDense(_ newCount: Int) {
    unsafe Memory.resize(&dense, count: denseCount, from: denseCount, to: newCount)
    // SAFETY: `denseCount` elements are initialized, and there is room for `newCount`.
    unsafe (dense + denseCount).initialize(repeating: absent, count: newCount - denseCount)
    denseCount = newCount
    // SAFETY: all slots that have a value are below `slotCount`, which is not more.
    sparse.visit { unsafe dense[Int($0)] = $1 }
    unsafe sparse.deallocate()
    sparse = SlotHash()
    slotCount = 0
  }

  @inlinable
  @inline(never)
  mutating func makeSparse() {
    for slot in 0..<denseCount where unsafe dense[slot] != absent {
      unsafe sparse.set(UInt32(truncatingIfNeeded: slot), dense[slot])
    }
    slotCount = max(slotCount, denseCount)
    unsafe Memory.free(dense, capacity: denseCount)
    unsafe dense = Memory.allocate(Value.self, capacity: 0)
    denseCount = 0
  }
}
