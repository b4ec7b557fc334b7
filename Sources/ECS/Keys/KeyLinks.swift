/// The links of an index in which entities may have several keys: one for each pair of an entity
/// and a key.
///
/// A link is found from both sides: from the entity by a linked list, from the position in the
/// key's bucket by an array beside that. So it goes in O(1), however many keys the entity has.
@usableFromInline
struct KeyLinks {
  /// Identifies a link while it exists.
  @usableFromInline
  struct ID: BitwiseCopyable, Equatable {
    fileprivate let value: UInt32

    fileprivate init(_ index: Int) { value = UInt32(truncatingIfNeeded: index) }

    static var none: ID { ID(Int(UInt32.max)) }

    /// Where the link is.
    var index: Int { Int(value) }
  }

  struct Link {
    var position: BucketPosition
    let slot: UInt32

    /// The neighbours in the list of the entity; of a free link, the next free one.
    var next: ID
    var previous: ID

    /// The last update of the entity that wanted it.
    var update: UInt32
  }

  private(set) var links: ContiguousArray<Link> = []
  private(set) var firstFree = ID.none

  /// The first link of each entity, by its slot.
  private(set) var firsts = SlotMap(absent: ID.none)

  /// The links of the entities in each bucket, by offset.
  private(set) var buckets: ContiguousArray<ContiguousArray<ID>> = []

  /// The links of the entity that is being updated, by bucket; nil while they are few enough to go
  /// through them.
  private(set) var updated: [BucketID: ID]?
  private var updatedSlot: UInt32 = 0
  private var update: UInt32 = 0

  /// Where to go on looking for links that the update does not want.
  private var nextChecked = ID.none

  private static var few: Int { 16 }

  @usableFromInline
  init() {}

  @usableFromInline
  @unsafe func deallocate() { unsafe firsts.deallocate() }

  /// Some link of a slot's entity; nil if it has no key.
  @usableFromInline
  func first(of slot: UInt32) -> ID? {
    let first = firsts[slot]
    return first == ID.none ? nil : first
  }

  /// The next link of the same entity; nil if there is none.
  func next(after link: ID) -> ID? {
    let next = links[link.index].next
    return next == ID.none ? nil : next
  }

  /// The position of the entity of a link.
  func position(of link: ID) -> BucketPosition { links[link.index].position }

  /// Notes that two entities of a bucket have changed positions.
  mutating func exchange(_ one: Int, _ other: Int, inBucket bucket: BucketID) {
    assert(
      max(one, other) < buckets[bucket.index].count, "A bucket has no links at these offsets.")
    buckets[bucket.index].swapAt(one, other)
    for offset in [one, other] {
      links[buckets[bucket.index][offset].index].position.offset = UInt32(
        truncatingIfNeeded: offset)
    }
  }

  // MARK: Updates

  /// Begins to give an entity other keys.
  @usableFromInline
  mutating func beginUpdate(of slot: UInt32) {
    updatedSlot = slot
    if update == .max {
      for index in links.indices { links[index].update = 0 }
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
    while link != ID.none, count <= KeyLinks.few {
      count += 1
      link = links[link.index].next
    }
    guard count > KeyLinks.few else { return }
    var found: [BucketID: ID] = [:]
    link = firsts[updatedSlot]
    while link != ID.none {
      found[links[link.index].position.bucket] = link
      link = links[link.index].next
    }
    updated = found
  }

  /// Lets the entity that is being updated stay in a bucket; false if it is not there.
  @usableFromInline
  mutating func keep(_ bucket: BucketID) -> Bool {
    guard let link = find(bucket) else { return false }
    links[link.index].update = update
    return true
  }

  private func find(_ bucket: BucketID) -> ID? {
    if let updated { return updated[bucket] }
    var link = firsts[updatedSlot]
    while link != ID.none {
      if links[link.index].position.bucket == bucket { return link }
      link = links[link.index].next
    }
    return nil
  }

  /// A link that no `keep` wanted; nil if there is none any more.
  @usableFromInline
  mutating func nextUnwanted() -> ID? {
    while nextChecked != ID.none {
      let link = nextChecked
      nextChecked = links[link.index].next
      if links[link.index].update != update { return link }
    }
    return nil
  }

  @usableFromInline
  mutating func endUpdate() { updated = nil }

  // MARK: Links

  /// Notes that an entity came to a position in a bucket, which is the last one there.
  @usableFromInline
  mutating func insert(_ slot: UInt32, _ position: BucketPosition) {
    assert(
      Int(position.offset)
        == (position.bucket.index < buckets.count ? buckets[position.bucket.index].count : 0),
      "A link was to be made to a position in a bucket that is not its end.")
    let next = firsts[slot]
    let link = Link(
      position: position, slot: slot, next: next, previous: ID.none, update: update)
    let id = make(link)
    if next == ID.none {
      firsts.insert(slot, id)
    } else {
      links[next.index].previous = id
      firsts.update(slot, id)
    }
    let bucket = position.bucket.index
    while buckets.count <= bucket { buckets.append([]) }
    buckets[bucket].append(id)
    updated?[position.bucket] = id
  }

  /// Forgets a link; returns the position that its entity has to be taken from.
  @usableFromInline
  mutating func remove(_ id: ID) -> BucketPosition {
    let link = links[id.index]
    assert(isInUse(id), "A link to a key was to go that is not there.")
    if link.next != ID.none { links[link.next.index].previous = link.previous }
    if link.previous != ID.none {
      links[link.previous.index].next = link.next
    } else if link.next != ID.none {
      firsts.update(link.slot, link.next)
    } else {
      firsts.remove(link.slot)
    }
    let (bucket, offset) = (link.position.bucket.index, Int(link.position.offset))
    let moved = buckets[bucket].removeLast()
    if moved != id {
      buckets[bucket][offset] = moved
      links[moved.index].position = link.position
    }
    // As `KeyBuckets` does with the entities of a bucket that is free.
    if buckets[bucket].isEmpty, buckets[bucket].capacity > 16 { buckets[bucket] = [] }
    updated?[link.position.bucket] = nil
    links[id.index].next = firstFree
    firstFree = id
    return link.position
  }

  /// Whether a link is where its key has it.
  private func isInUse(_ id: ID) -> Bool {
    let position = links[id.index].position
    let ids = buckets[position.bucket.index]
    return Int(position.offset) < ids.count && ids[Int(position.offset)] == id
  }

  private mutating func make(_ link: Link) -> ID {
    guard firstFree != ID.none else {
      links.append(link)
      return ID(links.count - 1)
    }
    let id = firstFree
    firstFree = links[id.index].next
    links[id.index] = link
    return id
  }
}
