#if Inspector
  import Synchronization

  /// The turns of all streams: one answer is made at a time, and all together take no more than a
  /// fiftieth of the time, unless single ones take longer than some tenths of a second.
  final class LiveTurns: Sendable {
    private struct Key: Hashable {
      let stream: String
      let target: String
    }

    /// How long each address that is watched took last.
    private let times = Mutex<[Key: Duration]>([:])
    private let line = Line()

    /// Makes an answer when those before are made, and measures how long that takes.
    func run<Made: Sendable>(
      _ body: @Sendable () async -> Made
    ) async -> (made: Made, time: Duration) {
      await line.enter()
      let start = ContinuousClock.now
      let made = await body()
      let time = ContinuousClock.now - start
      await line.leave()
      return (made, time)
    }

    /// How long an address waits for its next turn at most: what took that long may have waited for
    /// the program.
    private static var longestWait: Duration { .seconds(10) }

    /// How long an address waits for its next turn, by what it took, and by how many there are.
    func wait(_ stream: String, _ target: String, took time: Duration) -> Duration {
      times.withLock { times in
        times[Key(stream: stream, target: target)] = time
        return min(time * (50 * times.count), LiveTurns.longestWait)
      }
    }

    /// A stream watches these addresses, and no others any more.
    func keep(_ stream: String, _ targets: [String]) {
      times.withLock { times in
        times = times.filter { $0.key.stream != stream || targets.contains($0.key.target) }
      }
    }

    /// A stream has ended.
    func forget(_ stream: String) { keep(stream, []) }

    /// A line of those that wait for their turns, in the order in which they came.
    private actor Line {
      private var isTaken = false
      private var waiting: [CheckedContinuation<Void, Never>] = []

      func enter() async {
        if isTaken { return await withCheckedContinuation { waiting.append($0) } }
        isTaken = true
      }

      func leave() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
      }
    }
  }
#endif
