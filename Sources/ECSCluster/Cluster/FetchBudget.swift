/// The amount to ask for of several logs at once: some bytes, as far as what came before tells.
///
/// It is less when that was not there in time.
struct FetchBudget {
  private static let greatest = 4 << 20

  /// What entries are taken for at least that did not come.
  private static let least = 4 << 10

  private var budget = FetchBudget.greatest
  private var average = 64 << 10

  /// How often it was there in time since it was less, or became more.
  private var successes = 0

  /// Of how many of some positions to read, and up to how many entries of each.
  func share(of count: Int, atMost most: Int) -> (positions: Int, limit: Int) {
    let entries = max(1, budget / average)
    let positions = max(1, min(count, entries))
    return (positions, max(1, min(most, entries / positions)))
  }

  /// So many entries came, with so many bytes.
  mutating func note(_ count: Int, bytes: Int) {
    successes += 1
    // Seldom, for it costs a time-out to find out that it is still too much.
    if successes == 64 {
      successes = 0
      budget = min(FetchBudget.greatest, budget * 2)
    }
    guard count > 0 else { return }
    let size = bytes / count + 128
    average = size > average ? size : (average * 3 + size) / 4
  }

  /// Several reads in a row, of all there is, had nothing: it may be asked for together, and waited
  /// for.
  mutating func noteIdle() {
    average = min(average, max(FetchBudget.least, average * 3 / 4))
  }

  /// So many entries did not come in time.
  mutating func shrink(asked count: Int) {
    (budget, successes) = (max(1, min(budget, count * average) / 2), 0)
  }
}
