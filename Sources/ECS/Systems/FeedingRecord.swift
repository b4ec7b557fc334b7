/// Which systems of a loop change what is collected, and by which, during passes that the loop
/// itself caused.
struct FeedingRecord {
  private(set) var passes = 0
  private var feeders: Set<Int> = []
  private var fed: Set<Int> = []

  mutating func note(_ feeder: Int, feeds other: Int) {
    feeders.insert(feeder)
    fed.insert(other)
  }

  /// A further pass follows to which nothing but the loop itself gave cause.
  mutating func notePass(of maximum: Int) {
    passes += 1
    // Forget what took part only in the beginning.
    if passes == maximum / 2 { forgetSystems() }
  }

  mutating func reset() {
    guard passes > 0 || !feeders.isEmpty else { return }
    passes = 0
    forgetSystems()
  }

  private mutating func forgetSystems() {
    feeders = []
    fed = []
  }

  /// The systems that were fed and fed others or themselves.
  var suspects: [Int] { feeders.intersection(fed).sorted(byNumber: UInt64.init) }
}
