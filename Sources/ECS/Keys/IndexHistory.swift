/// An account that takes changes of an index back while transactions run: where entities came to
/// keys and left them, in an order that tells where they have to go back to.
// Guarded by the lock of the core of the index.
@usableFromInline
protocol IndexHistory: AnyObject {
  /// How much is noted.
  var length: Int { get }

  /// Notes where an entity is before it is put under other keys.
  func beginNoting(_ handle: Handle)

  /// Notes what has become of that.
  func endNoting(_ handle: Handle)

  /// Takes back what was noted beyond a length.
  func revert(to length: Int)

  /// Forgets what was noted: it stays.
  func forget()

  /// Fills the index, which is empty, with what is there once a transaction was taken back.
  ///
  /// - Returns: Whether it can work so: not if a key that is to identify one entity is there twice.
  func refill(_ fill: () -> Void) -> Bool

  #if InternalChecks
    /// How much `checkInvariants` looks at.
    var walkLength: Int { get }

    /// Stops if the index contradicts itself, or storage.
    func checkInvariants(_ core: Core, of cid: CID)

    /// Puts something wrong, for a test of `checkInvariants`.
    func plant(_ contradiction: PlantedCorruption)
  #endif
}

extension IndexStorage {
  /// An entity under a key.
  struct Entry {
    let entity: Entity
    let key: Key
    let offset: Int
  }

  enum Step {
    /// An entity came under a key, as the last one.
    case came(Entry)

    /// An entity left its position under a key, which the last one took.
    case left(Entry)
  }
}

extension IndexStorage: IndexHistory {
  @usableFromInline var length: Int { steps.count }

  // PERFORMANCE: X1: most changes leave the key as it is, and then nothing is made or hashed.
  @usableFromInline
  func beginNoting(_ handle: Handle) {
    if hasManyKeys {
      notedEntries = entries(ofSlot: handle.index)
    } else {
      noted = entry(ofSlot: handle.index)
    }
  }

  @usableFromInline
  func endNoting(_ handle: Handle) {
    if hasManyKeys { return noteEntries(handle) }
    let (before, after) = (noted, entry(ofSlot: handle.index))
    noted = nil
    if let before, let after, before.key == after.key { return }
    if let before { steps.append(.left(before)) }
    if let after { steps.append(.came(after)) }
  }

  private func noteEntries(_ handle: Handle) {
    let (before, after) = (notedEntries, entries(ofSlot: handle.index))
    notedEntries = []
    if before.isEmpty, after.isEmpty { return }
    let (earlier, later) = (Set(before.map { $0.key }), Set(after.map { $0.key }))
    for entry in before where !later.contains(entry.key) { steps.append(.left(entry)) }
    for entry in after where !earlier.contains(entry.key) { steps.append(.came(entry)) }
  }

  @usableFromInline
  func revert(to length: Int) {
    while steps.count > length {
      switch steps.removeLast() {
      case .came(let entry): takeAway(entry)
      case .left(let entry): putBack(entry)
      }
    }
  }

  @usableFromInline
  func forget() { steps = [] }

  @usableFromInline
  func refill(_ fill: () -> Void) -> Bool {
    (isRefilled, isAmbiguous) = (true, false)
    fill()
    isRefilled = false
    return !isAmbiguous
  }

  /// A key that is to identify one entity is there twice: a programmer's mistake, unless a
  /// transaction was taken back to where it was allowed.
  @usableFromInline
  @inline(never)
  func meetDuplicate(_ component: String, _ key: Key) {
    guard isRefilled else { stopAtDuplicate(component, "\(key)") }
    isAmbiguous = true
  }

  /// The key of the entity of a slot; nil if it has none.
  private func entry(ofSlot slot: UInt32) -> Entry? {
    let position = state.pointee.positions[slot]
    return position.bucket == .none ? nil : entry(at: position)
  }

  /// The keys of the entity of a slot, in no order.
  private func entries(ofSlot slot: UInt32) -> [Entry] {
    var entries: [Entry] = []
    var link = state.pointee.links.first(of: slot)
    while let current = link {
      if let found = entry(at: state.pointee.links.position(of: current)) { entries.append(found) }
      link = state.pointee.links.next(after: current)
    }
    return entries
  }

  private func entry(at position: BucketPosition) -> Entry? {
    // SAFETY: positions of entities in the index have buckets.
    let bucket = unsafe state.pointee.buckets.buckets + position.bucket.index
    guard let key = unsafe bucket.pointee.key else { return nil }
    let offset = Int(position.offset)
    let entity = unsafe Entity(core: core, handle: bucket.pointee[offset])
    return Entry(entity: entity, key: key, offset: offset)
  }

  private func takeAway(_ entry: Entry) {
    let slot = entry.entity.handle.index
    if !hasManyKeys { return remove(entry.entity.handle) }
    guard let bucket = bucketID(entry.key) else { return }
    var link = state.pointee.links.first(of: slot)
    while let current = link {
      if state.pointee.links.position(of: current).bucket == bucket { return take(current) }
      link = state.pointee.links.next(after: current)
    }
  }

  /// Puts an entity where it was; the one that took its position goes back behind all others.
  private func putBack(_ entry: Entry) {
    let slot = entry.entity.handle.index
    let end = state.pointee.buckets.append(entry.entity, to: entry.key)
    if hasManyKeys {
      state.pointee.links.insert(slot, end)
    } else {
      state.pointee.positions.insert(slot, end)
    }
    let last = Int(end.offset)
    guard entry.offset < last else { return }
    // SAFETY: the bucket was just found.
    let bucket = unsafe state.pointee.buckets.buckets + end.bucket.index
    let other = unsafe bucket.pointee[entry.offset].index
    // There are two at least.
    unsafe bucket.pointee.several.swapAt(entry.offset, last)
    if hasManyKeys {
      state.pointee.links.exchange(entry.offset, last, inBucket: end.bucket)
    } else {
      let position = BucketPosition(bucket: end.bucket, offset: entry.offset)
      state.pointee.positions.update(slot, position)
      state.pointee.positions.update(other, end)
    }
  }
}

@inline(never)
private func stopAtDuplicate(_ component: String, _ key: String) -> Never {
  stop(
    "\(component) was set to the key \(key), which another entity has: use assign(_:to:) or getOrCreate(_:) of the primary index for keys that may collide."
  )
}
