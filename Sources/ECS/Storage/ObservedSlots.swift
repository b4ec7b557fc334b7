/// A bit for each slot of a core: whether the entity there has observers of its own.
@usableFromInline
struct ObservedSlots {
  private var words: [UInt64] = []
  private(set) var count = 0

  func contains(_ index: UInt32) -> Bool {
    let word = Int(index >> 6)
    return word < words.count && words[word] & (1 << UInt64(index & 63)) != 0
  }

  mutating func insert(_ index: UInt32) {
    let word = Int(index >> 6)
    while words.count <= word { words.append(0) }
    guard !contains(index) else { return }
    words[word] |= 1 << UInt64(index & 63)
    count += 1
  }

  mutating func remove(_ index: UInt32) {
    guard contains(index) else { return }
    words[Int(index >> 6)] &= ~(1 << UInt64(index & 63))
    count -= 1
  }
}
