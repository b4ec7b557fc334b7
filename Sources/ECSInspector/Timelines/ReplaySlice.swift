#if Inspector
  import ECSHistory

  /// The number of commits that a replay makes before it looks whether they are still asked for:
  /// as many as take about a tenth of a second.
  struct ReplaySlice {
    private(set) var size = 64

    private static var largest: Int { 16_384 }

    mutating func measured(_ body: () throws(ReplayError) -> Void) throws(ReplayError) {
      let start = ContinuousClock.now
      try body()
      let time = ContinuousClock.now - start
      if time < .milliseconds(50) {
        size = min(2 * size, ReplaySlice.largest)
      } else if time > .milliseconds(200) {
        size = max(size / 2, 1)
      }
    }

    /// Goes towards where so many commits of these numbers are made; whether it is there.
    mutating func seek(
      _ replay: Replay, _ numbers: [Int], _ target: Int
    ) throws(Failure) -> Bool {
      // How many have been made.
      let present = numbers.partition(through: replay.commit ?? 0)
      let next = present + min(max(target - present, -size), size)
      do throws(ReplayError) {
        try measured { () throws(ReplayError) in
          try replay.seek(to: next == 0 ? .start : .commit(numbers[next - 1]))
        }
      } catch {
        throw Failure(409, "\(error)")
      }
      return next == target
    }
  }

  extension [Int] {
    /// How many of the numbers, which ascend, are no larger than another one.
    func partition(through number: Int) -> Int {
      var (low, high) = (startIndex, endIndex)
      while low < high {
        let middle = low + (high - low) / 2
        if self[middle] <= number { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }
#endif
