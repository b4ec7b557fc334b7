#if Inspector
  import Foundation
  import JSONValues
  import Synchronization

  /// The stream of one page: the answers of what it watches, when they differ.
  ///
  /// A line is made when the browser has taken the one before, so that one that stops reading costs
  /// no memory, and no work.
  final class LiveStream: Sendable {
    private struct Watched {
      var due: ContinuousClock.Instant

      /// A hash of all of what was last sent.
      var sent: Int?
    }

    /// An answer, as it is sent.
    private struct Made: Sendable {
      let status: Int
      let text: Data

      /// A hash of all of the text.
      let hash: Int

      init(_ answer: Answer) {
        status = answer.status
        if case .json(let value) = answer.body {
          text = value.data()
        } else {
          text = Data("null".utf8)
        }
        // That of `Data` is one of the first 80 bytes.
        var hasher = Hasher()
        for byte in text { hasher.combine(byte) }
        hash = hasher.finalize()
      }
    }

    private struct State {
      var watched: [String: Watched] = [:]

      /// What is being answered, and the answer once it is there.
      var pending: (target: String, task: Task<Void, Never>)?
      var answered: (made: Made, time: Duration)?
      var hasBegun = false
      var lastLine = ContinuousClock.now
    }

    let id = Token.randomHex()
    private let state = Mutex(State())
    private let answer: @Sendable (Question) async -> Answer
    private let turns: LiveTurns

    /// The shortest time between two answers of one address.
    private static var interval: Duration { .milliseconds(250) }

    /// How often something is sent at least.
    private static var beat: Duration { .seconds(5) }

    /// How many addresses a page watches.
    static var mostWatched: Int { 16 }

    init(_ turns: LiveTurns, _ answer: @escaping @Sendable (Question) async -> Answer) {
      (self.turns, self.answer) = (turns, answer)
    }

    deinit {
      state.withLock { $0.pending?.task.cancel() }
      turns.forget(id)
    }

    /// Replaces what is watched; what stays is sent again only when it differs.
    func watch(_ targets: [String]) {
      state.withLock { state in
        let now = ContinuousClock.now
        var watched: [String: Watched] = [:]
        for target in targets {
          watched[target] = state.watched[target] ?? Watched(due: now, sent: nil)
        }
        state.watched = watched
      }
      turns.keep(id, targets)
    }

    func nextLine() async -> Data? {
      if begin() { return line(["live": .string(id)]) }
      while !Task.isCancelled {
        if let (target, made, time) = takeAnswer() {
          if note(target, made.hash, status: made.status, took: time) {
            return line(
              ["path": .string(target), "status": .count(made.status)], value: made.text)
          }
        } else if begin(nextDue()) {
          try? await Task.sleep(for: .milliseconds(1))
        } else if isBeatDue() {
          return line(["beat": 1])
        } else {
          // Short, since what is watched may change.
          try? await Task.sleep(for: .milliseconds(isAnswering ? 5 : 50))
        }
      }
      return nil
    }

    private var isAnswering: Bool { state.withLock { $0.pending != nil } }

    /// Begins to answer, unless that is being done, or nothing is due.
    private func begin(_ target: String?) -> Bool {
      guard let target else { return false }
      return state.withLock { state in
        guard state.pending == nil else { return false }
        let task = Task { [weak self, turns, answer] in
          let result = await turns.run { Made(await answer(Question(watching: target))) }
          self?.state.withLock { $0.answered = result }
        }
        state.pending = (target, task)
        return true
      }
    }

    /// An answer that is there, and how long it took.
    private func takeAnswer() -> (target: String, made: Made, time: Duration)? {
      state.withLock { state in
        guard let (target, _) = state.pending, let (made, time) = state.answered else {
          return nil
        }
        (state.pending, state.answered) = (nil, nil)
        return (target, made, time)
      }
    }

    private func begin() -> Bool {
      state.withLock { state in
        defer { state.hasBegun = true }
        return !state.hasBegun
      }
    }

    /// The address that has been due for the longest time.
    private func nextDue() -> String? {
      state.withLock { state in
        let now = ContinuousClock.now
        return state.watched.filter { $0.value.due <= now }.min { $0.value.due < $1.value.due }?.key
      }
    }

    /// Notes an answer, and whether it differs from the last one.
    ///
    /// One that took long is asked for again later, so that looking, by all streams together, takes
    /// no more than a fiftieth of the time.
    private func note(
      _ target: String, _ hash: Int, status: Int, took time: Duration
    ) -> Bool {
      state.withLock { state in
        guard let before = state.watched[target] else { return false }
        let wait = max(LiveStream.interval, turns.wait(id, target, took: time))
        // Another request had to come first.
        if status == 503 {
          state.watched[target]?.due = .now + wait
          return false
        }
        state.watched[target] = Watched(due: .now + wait, sent: hash)
        return before.sent != hash
      }
    }

    private func isBeatDue() -> Bool {
      state.withLock { $0.lastLine + LiveStream.beat <= .now }
    }

    private func line(_ object: JSONObject, value: Data? = nil) -> Data {
      state.withLock { $0.lastLine = .now }
      var line = JSONValue.object(object).data()
      if let value {
        line.removeLast()
        line += Data(",\"value\":".utf8) + value + Data("}".utf8)
      }
      line.append(UInt8(ascii: "\n"))
      return line
    }
  }

  /// The streams of all pages.
  final class LiveStreams: Sendable {
    private struct Reference {
      weak let stream: LiveStream?
    }

    private let streams = Mutex<[String: Reference]>([:])
    private let turns = LiveTurns()

    /// How many there are at a time.
    static var most: Int { 100 }

    /// Begins a stream.
    ///
    /// Those that are not read any more have gone with their connections.
    func open(
      _ answer: @escaping @Sendable (Question) async -> Answer
    ) throws(Failure) -> LiveStream {
      let stream = LiveStream(turns, answer)
      let isOpen = streams.withLock { streams in
        streams = streams.filter { $0.value.stream != nil }
        guard streams.count < LiveStreams.most else { return false }
        streams[stream.id] = Reference(stream: stream)
        return true
      }
      guard isOpen else { throw Failure(503, "\(LiveStreams.most) pages are open already") }
      return stream
    }

    /// Replaces what a stream watches.
    func watch(_ id: String, _ body: JSONValue) throws(Failure) {
      guard let stream = streams.withLock({ $0[id]?.stream }) else {
        throw Failure.unknown("such stream any more")
      }
      guard let elements = body["watch"]?.array else {
        throw Failure(400, "a list of addresses is expected in 'watch'")
      }
      guard elements.count <= LiveStream.mostWatched else {
        throw Failure(400, "at most \(LiveStream.mostWatched) addresses are watched")
      }
      var targets: [String] = []
      for element in elements {
        let path = element.string.map { Question(watching: $0).path } ?? []
        guard let target = element.string, target.utf8.count <= Question.largestTarget,
          path.count > 1,
          path[0] == "api", path[1] != "live"
        else { throw Failure(400, "\(element.json().prefix(100)) can't be watched") }
        targets.append(target)
      }
      stream.watch(targets)
    }
  }
#endif
