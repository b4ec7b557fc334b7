/// The links of an index in which entities may have several keys: one for each pair of an entity
/// and a key.
///
/// A link is found from both sides: from the entity by a linked list, from the place in the key's
/// bucket by an array beside that. So it goes in O(1), however many keys the entity has.
@usableFromInline
struct KeyLinks {
  /// Names a link while it exists.
  @usableFromInline
  struct Number: BitwiseCopyable, Equatable {
    fileprivate let value: UInt32

    fileprivate init(_ index: Int) { value = UInt32(truncatingIfNeeded: index) }

    static var none: Number { Number(Int(UInt32.max)) }

    /// Where the link is.
    var index: Int { Int(value) }
  }

  struct Link {
    var place: BucketPosition
    let slot: UInt32

    /// The neighbours in the list of the entity; of a free link, the next free one.
    var next: Number
    var previous: Number

    /// The last update of the entity that wanted it.
    var update: UInt32
  }

  private(set) var links: ContiguousArray<Link> = []
  private(set) var firstFree = Number.none

  /// The first link of each entity, by its slot.
  private(set) var firsts = SlotMap(absent: Number.none)

  /// The links of the entities in each bucket, by position.
  private(set) var buckets: ContiguousArray<ContiguousArray<Number>> = []

  /// The links of the entity that is being updated, by bucket; nil while they are few enough to go
  /// through them.
  private(set) var updated: [BucketNumber: Number]?
  private var updatedSlot: UInt32 = 0
  private var update: UInt32 = 0

  /// Where to go on looking for links that the update does not want.
  private var nextChecked = Number.none

  private static var few: Int { 16 }

  @usableFromInline
  init() {}

  @usableFromInline
  @unsafe func deallocate() { unsafe firsts.deallocate() }

  /// Some link of a slot's entity; nil if it has no key.
  @usableFromInline
  func first(of slot: UInt32) -> Number? {
    let first = firsts[slot]
    return first == Number.none ? nil : first
  }

  /// The next link of the same entity; nil if there is none.
  func next(after link: Number) -> Number? {
    let next = links[link.index].next
    return next == Number.none ? nil : next
  }

  /// Where the entity of a link is.
  func place(of link: Number) -> BucketPosition { links[link.index].place }

  /// Notes that two entities of a bucket have changed places.
  mutating func exchange(_ one: Int, _ other: Int, inBucket bucket: BucketNumber) {
    assert(
      max(one, other) < buckets[bucket.index].count, "A bucket has no links at these positions.")
    buckets[bucket.index].swapAt(one, other)
    for position in [one, other] {
      links[buckets[bucket.index][position].index].place.position = UInt32(
        truncatingIfNeeded: position)
    }
  }

  // MARK: Updates

  /// Begins to give an entity other keys.
  @usableFromInline
  mutating func beginUpdate(of slot: UInt32) {
    updatedSlot = slot
    if update == .max {
      for number in links.indices { links[number].update = 0 }
      update = 0
    }
    update += 1
    nextChecked = firsts[slot]
    prepare(toAdd: 0)
  }

  /// Makes ready to find the links of the entity that is being updated when so many come.
  @usableFromInline
  mutating func prepare(toAdd additional: Int) {
    guard updated == nil else { return }
    var link = firsts[updatedSlot]
    var count = additional
    while link != Number.none, count <= KeyLinks.few {
      count += 1
      link = links[link.index].next
    }
    guard count > KeyLinks.few else { return }
    var found: [BucketNumber: Number] = [:]
    link = firsts[updatedSlot]
    while link != Number.none {
      found[links[link.index].place.bucket] = link
      link = links[link.index].next
    }
    updated = found
  }

  /// Lets the entity that is being updated stay in a bucket; false if it is not there.
  @usableFromInline
  mutating func keep(_ bucket: BucketNumber) -> Bool {
    guard let link = find(bucket) else { return false }
    links[link.index].update = update
    return true
  }

  private func find(_ bucket: BucketNumber) -> Number? {
    if let updated { return updated[bucket] }
    var link = firsts[updatedSlot]
    while link != Number.none {
      if links[link.index].place.bucket == bucket { return link }
      link = links[link.index].next
    }
    return nil
  }

  /// A link that no `keep` wanted; nil if there is none any more.
  @usableFromInline
  mutating func nextUnwanted() -> Number? {
    while nextChecked != Number.none {
      let link = nextChecked
      nextChecked = links[link.index].next
      if links[link.index].update != update { return link }
    }
    return nil
  }

  @usableFromInline
  mutating func endUpdate() { updated = nil }

  // MARK: Links

  /// Notes that an entity came to a place in a bucket, which is the last one there.
  @usableFromInline
  mutating func insert(_ slot: UInt32, _ place: BucketPosition) {
    assert(
      Int(place.position)
        == (place.bucket.index < buckets.count ? buckets[place.bucket.index].count : 0),
      "A link was to be made to a place in a bucket that is not its end.")
    let next = firsts[slot]
    let link = Link(
      place: place, slot: slot, next: next, previous: Number.none, update: update)
    let number = make(link)
    if next == Number.none {
      firsts.insert(slot, number)
    } else {
      links[next.index].previous = number
      firsts.update(slot, number)
    }
    let bucket = place.bucket.index
    while buckets.count <= bucket { buckets.append([]) }
    buckets[bucket].append(number)
    updated?[place.bucket] = number
  }

  /// Forgets a link; returns the place that its entity has to be taken from.
  @usableFromInline
  mutating func remove(_ number: Number) -> BucketPosition {
    let link = links[number.index]
    assert(isInUse(number), "A link to a key was to go that is not there.")
    if link.next != Number.none { links[link.next.index].previous = link.previous }
    if link.previous != Number.none {
      links[link.previous.index].next = link.next
    } else if link.next != Number.none {
      firsts.update(link.slot, link.next)
    } else {
      firsts.remove(link.slot)
    }
    let (bucket, position) = (link.place.bucket.index, Int(link.place.position))
    let moved = buckets[bucket].removeLast()
    if moved != number {
      buckets[bucket][position] = moved
      links[moved.index].place = link.place
    }
    // As `KeyBuckets` does with the entities of a bucket that is free.
    if buckets[bucket].isEmpty, buckets[bucket].capacity > 16 { buckets[bucket] = [] }
    updated?[link.place.bucket] = nil
    links[number.index].next = firstFree
    firstFree = number
    return link.place
  }

  /// Whether a link is where its key has it.
  private func isInUse(_ number: Number) -> Bool {
    let place = links[number.index].place
    let numbers = buckets[place.bucket.index]
    return Int(place.position) < numbers.count && numbers[Int(place.position)] == number
  }

  private mutating func make(_ link: Link) -> Number {
    guard firstFree != Number.none else {
      links.append(link)
      return Number(links.count - 1)
    }
    let number = firstFree
    firstFree = links[number.index].next
    links[number.index] = link
    return number
  }
}
