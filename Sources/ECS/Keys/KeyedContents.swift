/// The keys of an index or an aggregate at a moment, for tools.
package struct KeyedContents {
  /// A key with the number of its entities; of aggregates, also what their values come to.
  package struct Entry {
    package let key: Any
    package let entities: Int
    package let value: Any?
  }

  /// The name of the type of the keys.
  package let keyType: String
  package let isAggregate: Bool
  package let keys: Int

  /// The number of its entities, or, of an index with several keys for an entity, of those of the
  /// keys that were looked at, each as often as it has one.
  package let entities: Int

  /// The keys with most entities, of those that were looked at.
  package let largest: [Entry]

  /// What all values of an aggregate come to.
  package let total: Any?

  /// How many keys are looked at, so that others wait for so long at most.
  static var mostKeys: Int { 65_536 }

  /// How many buckets of an index are looked at, used ones or not: it keeps those it once needed.
  static var mostBuckets: Int { 4 * mostKeys }
}

/// An index or an aggregate whose keys tools can see.
protocol KeyedContentsSource {
  /// The keys with most entities, at most so many.
  func contents(largest limit: Int) -> KeyedContents
}

/// The largest of some numbered things.
private struct Largest {
  let limit: Int
  private(set) var found: [(number: Int, size: Int)] = []

  init(_ limit: Int) { self.limit = limit }

  mutating func add(_ number: Int, _ size: Int) {
    if found.count == limit {
      guard let last = found.last, last.size < size else { return }
      found.removeLast()
    }
    let index = found.firstIndex { $0.size < size } ?? found.count
    found.insert((number, size), at: index)
  }
}

extension IndexStorage: KeyedContentsSource {
  func contents(largest limit: Int) -> KeyedContents {
    var largest = Largest(limit)
    var (seen, entities, index) = (0, 0, 0)
    let end = min(state.pointee.buckets.bucketCount, KeyedContents.mostBuckets)
    while index < end, seen < KeyedContents.mostKeys {
      // SAFETY: buckets below their count are initialized, and those in use have keys.
      if unsafe state.pointee.buckets.buckets[index].key != nil {
        let count = unsafe state.pointee.buckets.buckets[index].count
        largest.add(index, count)
        (seen, entities) = (seen + 1, entities + count)
      }
      index += 1
    }
    let entries = largest.found.compactMap { number, size in
      // SAFETY: as above.
      unsafe state.pointee.buckets.buckets[number].key.map {
        KeyedContents.Entry(key: $0, entities: size, value: nil)
      }
    }
    return KeyedContents(
      keyType: String(describing: Key.self), isAggregate: false, keys: keyCount,
      entities: hasManyKeys || seen == keyCount ? entities : state.pointee.positions.count,
      largest: entries, total: nil)
  }
}

extension AggregateStorage: KeyedContentsSource {
  func contents(largest limit: Int) -> KeyedContents {
    var largest = Largest(limit)
    for (index, bucket) in buckets.enumerated().prefix(KeyedContents.mostKeys) {
      if let bucket { largest.add(index, bucket.count) }
    }
    let entries = largest.found.compactMap { number, size in
      buckets[number].map {
        KeyedContents.Entry(key: $0.key, entities: size, value: $0.cell.result(count: size))
      }
    }
    return KeyedContents(
      keyType: String(describing: Key.self), isAggregate: true, keys: keyCount,
      entities: count(nil), largest: entries, total: result(nil))
  }
}
