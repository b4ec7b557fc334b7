/// The results of an aggregate, without the type of what it stores for them.
@usableFromInline
// Guarded by the lock of the core whose entities it holds.
class AggregateState<Key: Hashable, Result>: @unchecked Sendable {
  /// The target to be notified that something changed; nil if there is none.
  @safe @exclusivity(unchecked) final var observers: EventSubscriber? {
    didSet { noteWatchers() }
  }

  /// What reads results inside of changes, such as views.
  @safe @exclusivity(unchecked) private final var watchers =
    StableList<SingleRole<AggregateWatcher<Key>>>()

  // PERFORMANCE: B3: one flag for all that are notified.
  /// Whether anything is notified of changes.
  @safe @usableFromInline @exclusivity(unchecked) final private(set) var isWatched = false

  private final func noteWatchers() { isWatched = observers != nil || !watchers.isEmpty }

  final func add(_ watcher: AggregateWatcher<Key>) {
    watchers.append(watcher)
    noteWatchers()
  }

  final func remove(_ watcher: AggregateWatcher<Key>) {
    watchers.remove(watcher)
    noteWatchers()
  }

  /// Notifies of a change of what the values under a key come to.
  @usableFromInline
  final func tell(_ key: Key?) {
    observers?.mark()
    guard let key else { return }
    for watcher in watchers { watcher.resultChanged(of: key) }
  }

  /// Notifies of a change of everything.
  final func tellAll() {
    observers?.mark()
    for watcher in watchers { watcher.allResultsChanged() }
  }

  /// The number of keys that have entities.
  var keyCount: Int { 0 }

  /// The number of entities under a key; nil for those under all keys.
  func count(_ key: Key?) -> Int { 0 }

  /// What the values under a key come to, or those under all keys.
  @usableFromInline
  func result(_ key: Key?) -> Result? { nil }

  /// The keys that have entities, in no order.
  var keys: [Key] { [] }
}

/// The values of entities by key, and what they come to.
///
/// What it says of slots holds of any other numbers: an aggregate by targets has links instead.
@safe
@usableFromInline
final class AggregateStorage<Key: Hashable, Cell: AggregateCell>:
  // Guarded by the lock of the core whose entities it holds.
  AggregateState<Key, Cell.Result>, @unchecked Sendable
{
  /// An entity's value, and where it is.
  @usableFromInline
  struct Entry {
    @usableFromInline var value: Cell.Value
    @usableFromInline let slot: UInt32
    @usableFromInline let bucket: Int
    @usableFromInline var position: Int

    @inlinable
    init(value: Cell.Value, slot: UInt32, bucket: Int, position: Int) {
      (self.value, self.slot, self.bucket, self.position) = (value, slot, bucket, position)
    }
  }

  /// A key that has entities.
  @usableFromInline
  struct Bucket {
    @usableFromInline let key: Key
    @usableFromInline var cell: Cell
    @usableFromInline var count = 0

    /// Where what its values come to is among those of all keys; -1 if it is not.
    @usableFromInline var position = -1

    @inlinable
    init(key: Key, cell: Cell) { (self.key, self.cell) = (key, cell) }
  }

  @usableFromInline let makeCell: @Sendable () -> Cell

  // PERFORMANCE: B3: checks of exclusive access would take longer than what is to be done. All of
  // it is reached with the core's lock, and no closure of the user's runs while a property is being
  // changed, but those that combine values, which have nothing to find it by.

  /// The index of each entity's entry, by its slot.
  @safe @usableFromInline @exclusivity(unchecked) var entryIndices = SlotMap(absent: UInt32.max)
  @safe @usableFromInline @exclusivity(unchecked) var entries: ContiguousArray<Entry?> = []
  @safe @usableFromInline @exclusivity(unchecked) var freeEntries: [Int] = []

  @safe @usableFromInline @exclusivity(unchecked) var buckets: ContiguousArray<Bucket?> = []
  @safe @usableFromInline @exclusivity(unchecked) var freeBuckets: [Int] = []
  @safe @usableFromInline @exclusivity(unchecked) var bucketsByKey: [Key: Int] = [:]

  /// What the values under all keys come to.
  @safe @usableFromInline @exclusivity(unchecked) var all: Cell

  /// What transactions that run may have to take back: what entities had.
  private var steps: [(slot: UInt32, before: (key: Key, value: Cell.Value)?)] = []

  /// What the entity has that is about to change.
  private var noted: (key: Key, value: Cell.Value)?

  @usableFromInline
  init(_ makeCell: @escaping @Sendable () -> Cell) {
    self.makeCell = makeCell
    all = makeCell()
  }

  deinit { unsafe entryIndices.deallocate() }

  // MARK: Changes

  /// Puts the value of an entity under a key.
  @inlinable
  func put(_ value: Cell.Value, of slot: UInt32, under key: Key) {
    // Such a key is never found again.
    guard key == key else { return remove(slot) }
    let index = Int(entryIndices[slot])
    if entryIndices[slot] != .max, let entry = entries[index] {
      guard buckets[entry.bucket]?.key == key else {
        remove(slot)
        return insert(value, slot, key)
      }
      entries[index]?.value = value
      buckets[entry.bucket]?.cell.replace(entry.value, with: value, at: entry.position)
      if Cell.isInvertible {
        all.replace(entry.value, with: value, at: 0)
      } else {
        combine(entry.bucket)
      }
      if isWatched { tell(key) }
    } else {
      insert(value, slot, key)
    }
  }

  @inlinable
  func insert(_ value: Cell.Value, _ slot: UInt32, _ key: Key) {
    let bucket = bucketsByKey[key] ?? makeBucket(key)
    let index = freeEntries.popLast() ?? entries.count
    let position = buckets[bucket]?.cell.add(value, of: index) ?? 0
    buckets[bucket]?.count += 1
    let entry = Entry(value: value, slot: slot, bucket: bucket, position: position)
    if index == entries.count { entries.append(entry) } else { entries[index] = entry }
    entryIndices.insert(slot, UInt32(truncatingIfNeeded: index))
    if Cell.isInvertible { _ = all.add(value, of: 0) } else { combine(bucket) }
    if isWatched { tell(key) }
  }

  /// Forgets the value of an entity, if it has one.
  @inlinable
  func remove(_ slot: UInt32) {
    guard entryIndices[slot] != .max else { return }
    let index = Int(entryIndices[slot])
    guard let entry = entries[index] else { return }
    entryIndices.remove(slot)
    entries[index] = nil
    freeEntries.append(index)
    if let moved = buckets[entry.bucket]?.cell.remove(entry.value, at: entry.position) {
      entries[moved]?.position = entry.position
    }
    buckets[entry.bucket]?.count -= 1
    if Cell.isInvertible { _ = all.remove(entry.value, at: 0) } else { combine(entry.bucket) }
    let key = isWatched ? buckets[entry.bucket]?.key : nil
    if buckets[entry.bucket]?.count == 0 { freeBucket(entry.bucket) }
    if isWatched { tell(key) }
  }

  /// Puts what the values of a bucket come to among those of all keys.
  @inlinable
  func combine(_ bucket: Int) {
    guard let position = buckets[bucket]?.position else { return }
    switch (buckets[bucket]?.cell.combined, position) {
    case (nil, -1): break
    case (let value?, -1): buckets[bucket]?.position = all.add(value, of: bucket)
    case (let value?, _): all.replace(value, with: value, at: position)
    case (nil, _):
      // What it was is gone; such cells do not ask for it.
      guard let some = all.combined else { return }
      if let moved = all.remove(some, at: position) { buckets[moved]?.position = position }
      buckets[bucket]?.position = -1
    }
  }

  @inlinable
  func makeBucket(_ key: Key) -> Int {
    let index = freeBuckets.popLast() ?? buckets.count
    let bucket = Bucket(key: key, cell: makeCell())
    if index == buckets.count { buckets.append(bucket) } else { buckets[index] = bucket }
    bucketsByKey[key] = index
    return index
  }

  @inlinable
  func freeBucket(_ index: Int) {
    guard let key = buckets[index]?.key else { return }
    bucketsByKey[key] = nil
    buckets[index] = nil
    freeBuckets.append(index)
  }

  @usableFromInline
  func removeAll() {
    entryIndices.removeAll()
    (entries, freeEntries, buckets, freeBuckets) = ([], [], [], [])
    bucketsByKey = [:]
    all = makeCell()
    observers?.mark()
  }

  // MARK: Reading

  override var keyCount: Int { bucketsByKey.count }

  override var keys: [Key] { Array(bucketsByKey.keys) }

  override func count(_ key: Key?) -> Int {
    guard let key else { return entryIndices.count }
    return bucketsByKey[key].flatMap { buckets[$0]?.count } ?? 0
  }

  @usableFromInline
  override func result(_ key: Key?) -> Cell.Result? {
    guard let key else {
      return entryIndices.count == 0 ? nil : all.result(count: entryIndices.count)
    }
    guard let index = bucketsByKey[key], let count = buckets[index]?.count else { return nil }
    return buckets[index]?.cell.result(count: count)
  }

  private func contents(of slot: UInt32) -> (key: Key, value: Cell.Value)? {
    guard entryIndices[slot] != .max, let entry = entries[Int(entryIndices[slot])],
      let key = buckets[entry.bucket]?.key
    else { return nil }
    return (key, entry.value)
  }
}

extension AggregateStorage: IndexHistory {
  @usableFromInline var length: Int { steps.count }

  @usableFromInline
  func beginNoting(_ handle: Handle) { noted = contents(of: handle.index) }

  @usableFromInline
  func endNoting(_ handle: Handle) {
    steps.append((handle.index, noted))
    noted = nil
  }

  @usableFromInline
  func revert(to length: Int) {
    while steps.count > length {
      let step = steps.removeLast()
      if let before = step.before {
        put(before.value, of: step.slot, under: before.key)
      } else {
        remove(step.slot)
      }
    }
  }

  @usableFromInline
  func forget() { steps = [] }

  @usableFromInline
  func refill(_ fill: () -> Void) -> Bool {
    fill()
    tellAll()
    return true
  }

  #if InternalChecks
    @usableFromInline var walkLength: Int { entries.count + buckets.count }

    @usableFromInline
    func checkInvariants(_ core: Core, of cid: CID) {
      require(
        steps.isEmpty && noted == nil, "An aggregate notes changes although nobody asked it to.")
      entryIndices.checkInvariants()
      var counts = [Int](repeating: 0, count: buckets.count)
      for (index, entry) in entries.enumerated() {
        guard let entry else { continue }
        counts[entry.bucket] += 1
        require(
          entryIndices[entry.slot] == UInt32(index),
          "An aggregate of \(cid.name) does not know where the value of an entity is.")
        require(
          core.handle(ofSlot: entry.slot).generation % 2 == 1,
          "An aggregate of \(cid.name) has a value of an entity that is gone.")
      }
      require(
        counts == buckets.map { $0?.count ?? 0 } && entryIndices.count == counts.reduce(0, +),
        "An aggregate of \(cid.name) has not as many values as it says.")
    }

    @usableFromInline
    func plant(_ contradiction: PlantedCorruption) {}
  #endif
}
