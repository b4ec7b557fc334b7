/// The time to wait before something is tried again: longer and longer, and not all at once.
struct Backoff {
  private let shortest: Duration
  private let longest: Duration
  private var failures = 0
  private var random: any RandomNumberGenerator

  init(
    _ shortest: Duration = .milliseconds(20), atMost longest: Duration = .seconds(5),
    random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) {
    (self.shortest, self.longest, self.random) = (shortest, longest, random)
  }

  /// The next one: between half of its time and all of it.
  mutating func next() -> Duration {
    failures = min(failures + 1, 20)
    let whole = min(shortest * (1 << (failures - 1)), longest)
    return whole * Double.random(in: 0.5...1, using: &random)
  }

  mutating func reset() { failures = 0 }
}
