/// A set of tables, by their numbers.
@safe
struct TableBits {
  private var words: UnsafeMutablePointer<UInt64>
  private var wordCount = 0

  init() { unsafe words = unsafe Memory.allocate(UInt64.self, capacity: 0) }

  @unsafe func deallocate() { unsafe Memory.free(words, capacity: wordCount) }

  func contains(_ number: Int) -> Bool {
    // SAFETY: the word is below `wordCount`.
    unsafe number >> 6 < wordCount && words[number >> 6] & (1 << UInt64(number & 63)) != 0
  }

  mutating func insert(_ number: Int) {
    if number >> 6 >= wordCount { grow(to: max(wordCount * 2, number >> 6 + 1)) }
    // SAFETY: as above.
    unsafe words[number >> 6] |= 1 << UInt64(number & 63)
  }

  private mutating func grow(to count: Int) {
    unsafe Memory.resize(&words, count: wordCount, from: wordCount, to: count)
    // SAFETY: the block has room for `count` words, of which these are new.
    unsafe (words + wordCount).initialize(repeating: 0, count: count - wordCount)
    wordCount = count
  }

  mutating func remove(_ number: Int) {
    guard contains(number) else { return }
    // SAFETY: as above.
    unsafe words[number >> 6] &= ~(1 << UInt64(number & 63))
  }
}

/// The tables of a set, in the order in which they were made, and a bit for each.
@safe
struct TableMembers {
  var tables: [TablePointer] = unsafe []
  var bits = TableBits()

  func contains(_ table: TablePointer?) -> Bool {
    guard let table = unsafe table else { return false }
    return unsafe bits.contains(table.pointee.number)
  }
}
