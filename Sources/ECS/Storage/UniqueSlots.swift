/// The holders of unique components: an open-addressing hash table from component type to the
/// holder and the place of its value.
@usableFromInline
struct UniqueSlots {
  @usableFromInline
  struct Slot {
    @usableFromInline var key = ComponentKey()

    /// The value, nil while nobody holds the component.
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
    slots = UniqueSlots.make(8)
  }

  // SAFETY: what cores without a context have; nobody writes to it.
  nonisolated(unsafe) static let none = UniqueSlots()

  func deallocate() { slots.deallocate() }

  private static func make(_ places: Int) -> UnsafeMutablePointer<Slot> {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: places)
    slots.initialize(repeating: Slot(), count: places)
    return slots
  }

  @inlinable
  @inline(__always)
  func find(_ key: ComponentKey) -> UnsafeMutablePointer<Slot>? {
    var place = key.place(shift: shift)
    while true {
      // SAFETY: places are masked to the table's size; some place is always free.
      let slot = slots + place
      if slot.pointee.key == key { return slot }
      if slot.pointee.key.bits == 0 { return nil }
      place = (place &+ 1) & mask
    }
  }

  mutating func ensure(_ key: ComponentKey) -> UnsafeMutablePointer<Slot> {
    if let slot = find(key) { return slot }
    if (count + 1) * 2 > mask + 1 { grow() }
    count += 1
    let slot = free(key)
    slot.pointee.key = key
    return slot
  }

  private func free(_ key: ComponentKey) -> UnsafeMutablePointer<Slot> {
    var place = key.place(shift: shift)
    // SAFETY: as in `find(_:)`.
    while slots[place].key.bits != 0 { place = (place + 1) & mask }
    return slots + place
  }

  private mutating func grow() {
    let old = slots
    let places = mask + 1
    slots = UniqueSlots.make(places * 2)
    mask = places * 2 - 1
    shift -= 1
    for place in 0..<places where old[place].key.bits != 0 {
      free(old[place].key).pointee = old[place]
    }
    old.deallocate()
  }
}
