/// A set of tables, by their numbers.
struct TableBits {
  private var words: UnsafeMutablePointer<UInt64>
  private var wordCount = 0

  init() { words = Memory.allocate(UInt64.self, capacity: 0) }

  func deallocate() { Memory.free(words, capacity: wordCount) }

  func contains(_ number: Int) -> Bool {
    // SAFETY: the word is below `wordCount`.
    number >> 6 < wordCount && words[number >> 6] & (1 << UInt64(number & 63)) != 0
  }

  mutating func insert(_ number: Int) {
    if number >> 6 >= wordCount { grow(to: max(wordCount * 2, number >> 6 + 1)) }
    // SAFETY: as above.
    words[number >> 6] |= 1 << UInt64(number & 63)
  }

  private mutating func grow(to count: Int) {
    Memory.resize(&words, count: wordCount, from: wordCount, to: count)
    // SAFETY: the block has room for `count` words, of which these are new.
    (words + wordCount).initialize(repeating: 0, count: count - wordCount)
    wordCount = count
  }

  mutating func remove(_ number: Int) {
    guard contains(number) else { return }
    // SAFETY: as above.
    words[number >> 6] &= ~(1 << UInt64(number & 63))
  }
}
