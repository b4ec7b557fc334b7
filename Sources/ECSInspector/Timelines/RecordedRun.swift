#if Inspector
  import ECS
  import ECSHistory
  import ECSSnapshots
  import JSONValues
  import Synchronization

  /// A recorded run that is replayed in a context of its own, to any moment that is asked for.
  actor RecordedRun {
    /// The replay, once something was asked.
    private struct Replayed {
      let context: Context
      let replay: Replay
      let commits: [TimelineCommit]

      /// Those of the commits.
      let numbers: [Int]
    }

    private let recording: RunRecording
    private let schema: Schema
    private let makeLoops: [String: @Sendable (Context) -> Loop]

    /// The outcome of the replay; a recording that can't be replayed is not tried again.
    private var outcome: Result<Replayed, Failure>?

    /// Whether the inspector has ended.
    private nonisolated let hasEnded = Atomic<Bool>(false)

    /// The number of the last request for a moment, each of which ends those before it.
    private nonisolated let lastSeek = Atomic<Int>(0)

    /// The number of the last request to run a loop, or to end that.
    private nonisolated let lastRun = Atomic<Int>(0)

    /// Ends what is being replayed.
    nonisolated func end() { hasEnded.store(true, ordering: .relaxed) }

    /// The number of the last request.
    nonisolated var presentSeek: Int { lastSeek.load(ordering: .relaxed) }

    /// A request for a moment begins to wait for its turn.
    nonisolated func noteSeek() -> Int { lastSeek.add(1, ordering: .relaxed).newValue }

    /// A request to run a loop begins to wait for its turn, and ends those before it.
    nonisolated func noteRun() -> Int { lastRun.add(1, ordering: .relaxed).newValue }

    init(
      _ recording: RunRecording, _ schema: Schema,
      _ makeLoops: [String: @Sendable (Context) -> Loop]
    ) {
      (self.recording, self.schema, self.makeLoops) = (recording, schema, makeLoops)
    }

    /// Answers with the commits, and the context as it is in the end.
    func atEnd(
      _ body: @Sendable (Context, [TimelineCommit]) throws(Failure) -> JSONValue
    ) throws(Failure) -> JSONValue {
      let replayed = try opened()
      return try body(replayed.context, replayed.commits)
    }

    /// Answers with the context as it was after a commit, and the commits up to it.
    ///
    /// The number is that of the request: if another one comes after it, this one ends.
    func after(
      _ commit: Int, seek: Int,
      _ body: @Sendable (Context, Schema, ArraySlice<TimelineCommit>) throws(Failure) -> JSONValue
    ) throws(Failure) -> JSONValue {
      let replayed = try opened()
      let target = replayed.numbers.partition(through: commit)
      try checkIsWanted(seek)
      do throws(ReplayError) {
        // All of it was passed, so that this takes no slices.
        try replayed.replay.seek(to: target == 0 ? .start : .commit(replayed.numbers[target - 1]))
      } catch {
        throw Failure(409, "\(error)")
      }
      return try body(replayed.context, schema, replayed.commits[..<target])
    }

    private func checkIsWanted(_ seek: Int?) throws(Failure) {
      if hasEnded.load(ordering: .relaxed) || Task.isCancelled {
        throw Failure(410, "the inspector has ended")
      }
      if let seek, seek < lastSeek.load(ordering: .relaxed) {
        throw Failure(503, "another moment was asked for since")
      }
    }

    /// Lets a loop that the program makes do again what was recorded, in a context of its own.
    ///
    /// The number is that of the request: if another one comes after it, or ends it, this one ends.
    func run(_ name: String, from commit: Int, number: Int) async throws(Failure) -> JSONValue {
      guard let makeLoop = makeLoops[name] else {
        throw Failure.unknown("loop \(name.prefix(100)) that the program gave for replays")
      }
      let context = Context(name: "replay")
      let replay: Replay
      do throws(ReplayError) {
        replay = try Replay(recording, into: context, schema)
      } catch {
        throw Failure(409, "\(error)")
      }
      let numbers = recording.commits
      let start = commit <= 1 ? 0 : numbers.partition(through: commit - 1)
      var slice = ReplaySlice()
      repeat {
        try await letOthers(number)
      } while try !slice.seek(replay, numbers, start)
      return try await run(makeLoop(context), replay, numbers, from: start, number)
    }

    /// Lets a loop run, in slices.
    private func run(
      _ loop: Loop, _ replay: Replay, _ numbers: [Int], from start: Int, _ number: Int
    ) async throws(Failure) -> JSONValue {
      var (slice, next, hasRun) = (ReplaySlice(), start, false)
      repeat {
        try await letOthers(number)
        next = min(next + slice.size, numbers.count)
        let end = next == numbers.count ? Replay.Position.end : .commit(numbers[next - 1])
        do throws(ReplayError) {
          try slice.measured { () throws(ReplayError) in try replay.run(loop, until: end) }
          hasRun = true
        } catch {
          if let difference = error.difference {
            return ["difference": RecordedRun.shown(difference)]
          }
          guard hasRun, case .noPass = error.reason else { throw Failure(409, "\(error)") }
          // Behind its last pass there is only what others did.
          while try !slice.seek(replay, numbers, numbers.count) { try await letOthers(number) }
          next = numbers.count
        }
      } while next < numbers.count
      return ["ended": .count(replay.commit ?? 0)]
    }

    /// Gives the thread to other tasks, and looks whether a run is still asked for.
    private func letOthers(_ number: Int) async throws(Failure) {
      await Task.yield()
      try checkIsWanted(nil)
      if number < lastRun.load(ordering: .relaxed) { throw Failure(503, "the run was ended") }
    }

    private static func shown(_ difference: ReplayDifference) -> JSONValue {
      [
        "commit": difference.commit.map { .count($0) } ?? .null,
        "cause": .string(difference.cause.name), "entity": .optional(difference.entity?.label),
        "component": .optional(difference.component), "recorded": .optional(difference.recorded),
        "found": .optional(difference.found),
      ]
    }

    /// Goes through the whole run once, so that each change has its values.
    private func opened() throws(Failure) -> Replayed {
      if let outcome { return try outcome.get() }
      let context = Context(name: "replay")
      let made: (replay: Replay, commits: [TimelineCommit]?)
      do throws(ReplayError) {
        let replay = try Replay(recording, into: context, schema)
        made = (replay, try commits(of: replay, in: context))
      } catch {
        let failure = Failure(409, "\(error)")
        outcome = .failure(failure)
        throw failure
      }
      guard let commits = made.commits else { throw Failure(410, "the inspector has ended") }
      let replayed = Replayed(
        context: context, replay: made.replay, commits: commits, numbers: commits.map(\.number))
      outcome = .success(replayed)
      return replayed
    }

    /// All commits, as they are made; nil if that was ended.
    private func commits(
      of replay: Replay, in context: Context
    ) throws(ReplayError) -> [TimelineCommit]? {
      let made = MadeCommits()
      let subscription = context.journal().observe { commit in made.append(commit) }
      var commits: [TimelineCommit] = []
      while let commit = try replay.stepForward() {
        if hasEnded.load(ordering: .relaxed) { return nil }
        let changes = made.take().flatMap { Array($0) }
        // Where a change came to be none, the commit's first cause counts for the others.
        let isSame = changes.count == commit.causes.count
        commits.append(
          TimelineCommit(
            number: commit.number, time: commit.time,
            changes: changes.enumerated().map { index, change in
              let cause = isSame ? commit.causes[index] : commit.causes.first ?? .unknown
              return TimelineChange(change, cause, of: commit)
            }))
      }
      withExtendedLifetime(subscription) {}
      return commits
    }
  }

  /// The commits that a replay has made.
  private final class MadeCommits: Sendable {
    private let commits = Mutex<[Commit]>([])

    func append(_ commit: Commit) { commits.withLock { $0.append(commit) } }

    func take() -> [Commit] {
      commits.withLock { commits in
        defer { commits = [] }
        return commits
      }
    }
  }
#endif
