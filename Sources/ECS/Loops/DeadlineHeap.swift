/// The times of entities, of which the first one is found at once: a heap whose nodes have four
/// children (Johnson, "Priority queues with update and finding minimum spanning trees", 1975).
///
/// Nothing is taken out but the first one, and an entity may be in it several times: times that
/// no longer hold are left to the caller.
struct DeadlineHeap {
  /// When something is due for an entity, in nanoseconds.
  struct Entry: Equatable {
    let time: Int64
    let handle: Handle
  }

  // INVARIANT: no entry comes before its parent. The children of the entry at a position are those
  // at four times the position plus 1, 2, 3 and 4.
  private var entries: ContiguousArray<Entry> = []

  init() {}

  /// Makes a heap of entries in any order.
  ///
  /// - Complexity: O(*n*), where *n* is the number of entries.
  init(_ entries: ContiguousArray<Entry>) {
    self.entries = entries
    guard entries.count > 1 else { return }
    for position in (0...(entries.count - 2) / 4).reversed() {
      sink(self.entries[position], from: position)
    }
  }

  var count: Int { entries.count }

  /// The entry with the lowest time, any one of several.
  var first: Entry? { entries.first }

  /// - Complexity: O(log *n*), where *n* is the number of entries; O(1) on average, in whatever
  ///   order times come that do not fall.
  mutating func insert(_ entry: Entry) {
    var position = entries.count
    entries.append(entry)
    while position > 0 {
      let parent = (position - 1) / 4
      guard entry.time < entries[parent].time else { break }
      entries[position] = entries[parent]
      position = parent
    }
    entries[position] = entry
  }

  /// - Complexity: O(log *n*), where *n* is the number of entries.
  mutating func removeFirst() -> Entry? {
    guard let first = entries.first, let last = entries.popLast() else { return nil }
    if !entries.isEmpty { sink(last, from: 0) }
    return first
  }

  /// Puts an entry to a position, or below it.
  private mutating func sink(_ entry: Entry, from start: Int) {
    var position = start
    while true {
      let firstChild = 4 * position + 1
      guard firstChild < entries.count else { break }
      var least = firstChild
      for child in firstChild + 1..<min(firstChild + 4, entries.count)
      where entries[child].time < entries[least].time {
        least = child
      }
      guard entries[least].time < entry.time else { break }
      entries[position] = entries[least]
      position = least
    }
    entries[position] = entry
  }
}
