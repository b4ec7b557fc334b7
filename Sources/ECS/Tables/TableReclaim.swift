/// When tables without entities are looked for, and whether those that are found are freed.
///
/// Tables are made for combinations of components, of which a program may pass through any number.
/// So once there are many, they are looked through each time that some more were made, and those
/// are freed that have had no entity since the look before. A program whose few entities go back
/// and forth between many combinations would then free tables and make them anew for ever. So what
/// was freed is remembered: if a quarter of the tables made since the last look had been freed
/// earlier, combinations come back, and none is freed, so that in the end each that comes back has
/// its table. Once it does so no longer, its table is freed after two more looks.
struct TableReclaim {
  /// With fewer tables none are looked for.
  static var fewest: Int { 512 }

  /// How many tables are made between two looks, at least.
  private static var shortestInterval: Int { 256 }

  /// How many combinations are remembered.
  private static var mostRemembered: Int { 1 << 16 }

  /// How many tables were made since the last look.
  private var madeCount = 0

  /// How many of them had been freed earlier.
  private var returnedCount = 0

  // By their sums and not by their types, which would take ten times the memory: two combinations
  // with the same sum would do no harm.
  /// The combinations whose tables were freed and not made again.
  private var freed: Set<UInt64> = []

  /// Whether combinations come back whose tables were freed.
  var comesBack: Bool { returnedCount * 4 >= max(1, madeCount) }

  /// Whether it is time to look for tables without entities.
  // So a look takes a small part of the time that the tables took to make.
  func isDue(_ tableCount: Int) -> Bool {
    tableCount >= TableReclaim.fewest
      && madeCount >= max(TableReclaim.shortestInterval, tableCount / 4)
  }

  mutating func noteMade(_ signature: [CID]) {
    madeCount += 1
    if !freed.isEmpty, freed.remove(TableReclaim.sum(signature)) != nil { returnedCount += 1 }
  }

  mutating func noteFreed(_ signature: [CID]) {
    if freed.count == TableReclaim.mostRemembered { freed = [] }
    freed.insert(TableReclaim.sum(signature))
  }

  mutating func noteLook() { (madeCount, returnedCount) = (0, 0) }

  mutating func forgetFreed() { freed = [] }

  // The same in each run: what is freed must not depend on the seed of hashing.
  private static func sum(_ signature: [CID]) -> UInt64 {
    signature.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1.id)) &* 0x9e37_79b9_7f4a_7c15 }
  }
}
