/// The holders of unique components: an open-addressing hash table from component type to the
/// holder and the address of its value.
@safe
@usableFromInline
struct UniqueSlots {
  @safe
  @usableFromInline
  struct Slot {
    @usableFromInline var key = ComponentKey()

    /// The value, nil while no entity holds the component.
    @usableFromInline var value: UnsafeMutableRawPointer?

    @usableFromInline var holder = Handle(index: 0, generation: 0)

    /// The holder was made to hold the component, and goes when it is left empty.
    var holderIsOurs = false
  }

  @usableFromInline var slots: UnsafeMutablePointer<Slot>
  @usableFromInline var mask: Int
  @usableFromInline var shift: UInt64
  private var count = 0

  init() {
    mask = 7
    shift = 61
    unsafe slots = UniqueSlots.make(8)
  }

  // SAFETY: what cores without a context have; nothing writes to it.
  @safe nonisolated(unsafe) static let none = UniqueSlots()

  @unsafe func deallocate() { unsafe slots.deallocate() }

  private static func make(_ count: Int) -> UnsafeMutablePointer<Slot> {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: count)
    unsafe slots.initialize(repeating: Slot(), count: count)
    return unsafe slots
  }

  func find(_ key: ComponentKey) -> UnsafeMutablePointer<Slot>? {
    var index = key.home(shift: shift)
    while true {
      // SAFETY: indices are masked to the table's size; some slot is always free.
      let slot = unsafe slots + index
      if unsafe slot.pointee.key == key { return unsafe slot }
      if unsafe slot.pointee.key.bits == 0 { return nil }
      index = (index &+ 1) & mask
    }
  }

  /// The address of the value of a component; nil while no entity holds it.
  // PERFORMANCE: U1: two types hardly ever meet, so what is done then is elsewhere.
  @inlinable
  @inline(__always)
  func value(of key: ComponentKey) -> UnsafeMutableRawPointer? {
    // SAFETY: the shift leaves as many bits as the index of a slot has.
    let slot = unsafe slots + key.home(shift: shift)
    if _fastPath(unsafe slot.pointee.key == key) { return unsafe slot.pointee.value }
    return unsafe findValue(key)
  }

  @usableFromInline
  @inline(never)
  func findValue(_ key: ComponentKey) -> UnsafeMutableRawPointer? {
    unsafe find(key)?.pointee.value
  }

  mutating func ensure(_ key: ComponentKey) -> UnsafeMutablePointer<Slot> {
    if let slot = unsafe find(key) { return unsafe slot }
    if (count + 1) * 2 > mask + 1 { grow() }
    count += 1
    let slot = unsafe free(key)
    unsafe slot.pointee.key = key
    return unsafe slot
  }

  private func free(_ key: ComponentKey) -> UnsafeMutablePointer<Slot> {
    var index = key.home(shift: shift)
    // SAFETY: as in `find(_:)`.
    while unsafe slots[index].key.bits != 0 { index = (index + 1) & mask }
    return unsafe slots + index
  }

  private mutating func grow() {
    let old = unsafe slots
    let oldCount = mask + 1
    unsafe slots = UniqueSlots.make(oldCount * 2)
    mask = oldCount * 2 - 1
    shift -= 1
    for index in 0..<oldCount where unsafe old[index].key.bits != 0 {
      unsafe free(old[index].key).pointee = old[index]
    }
    unsafe old.deallocate()
  }
}
