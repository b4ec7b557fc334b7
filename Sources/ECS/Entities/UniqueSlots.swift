/// The holders of unique components: an open-addressing hash table from component type to the
/// holder and the place of its value.
@safe
@usableFromInline
struct UniqueSlots {
  @safe
  @usableFromInline
  struct Slot {
    @usableFromInline var key = ComponentKey()

    /// The value, nil while no entity holds the component.
    @usableFromInline var place: UnsafeMutableRawPointer?

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

  private static func make(_ places: Int) -> UnsafeMutablePointer<Slot> {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: places)
    unsafe slots.initialize(repeating: Slot(), count: places)
    return unsafe slots
  }

  func find(_ key: ComponentKey) -> UnsafeMutablePointer<Slot>? {
    var place = key.place(shift: shift)
    while true {
      // SAFETY: places are masked to the table's size; some place is always free.
      let slot = unsafe slots + place
      if unsafe slot.pointee.key == key { return unsafe slot }
      if unsafe slot.pointee.key.bits == 0 { return nil }
      place = (place &+ 1) & mask
    }
  }

  /// Where the value of a component is; nil while no entity holds it.
  // PERFORMANCE: U1: two types hardly ever meet, so what is done then is elsewhere.
  @inlinable
  @inline(__always)
  func valuePlace(_ key: ComponentKey) -> UnsafeMutableRawPointer? {
    // SAFETY: the shift leaves as many bits as there are places.
    let slot = unsafe slots + key.place(shift: shift)
    if _fastPath(unsafe slot.pointee.key == key) { return unsafe slot.pointee.place }
    return unsafe findValuePlace(key)
  }

  @usableFromInline
  @inline(never)
  func findValuePlace(_ key: ComponentKey) -> UnsafeMutableRawPointer? {
    unsafe find(key)?.pointee.place
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
    var place = key.place(shift: shift)
    // SAFETY: as in `find(_:)`.
    while unsafe slots[place].key.bits != 0 { place = (place + 1) & mask }
    return unsafe slots + place
  }

  private mutating func grow() {
    let old = unsafe slots
    let places = mask + 1
    unsafe slots = UniqueSlots.make(places * 2)
    mask = places * 2 - 1
    shift -= 1
    for place in 0..<places where unsafe old[place].key.bits != 0 {
      unsafe free(old[place].key).pointee = old[place]
    }
    unsafe old.deallocate()
  }
}
