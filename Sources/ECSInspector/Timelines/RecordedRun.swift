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
    }

    private let recording: RunRecording
    private let schema: Schema
    private let makeLoops: [String: @Sendable (Context) -> Loop]
    private var replayed: Replayed?

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
    func after(
      _ commit: Int,
      _ body: @Sendable (Context, Schema, [TimelineCommit]) throws(Failure) -> JSONValue
    ) throws(Failure) -> JSONValue {
      let replayed = try opened()
      do throws(ReplayError) {
        try replayed.replay.seek(to: .commit(commit))
      } catch {
        throw Failure(409, "\(error)")
      }
      return try body(
        replayed.context, schema, replayed.commits.filter { $0.number <= commit })
    }

    /// Lets a loop that the program makes do again what was recorded, in a context of its own.
    func run(_ name: String, from commit: Int) throws(Failure) -> JSONValue {
      guard let makeLoop = makeLoops[name] else {
        throw Failure.unknown("loop \(name.prefix(100)) that the program gave for replays")
      }
      let context = Context(name: "replay")
      do throws(ReplayError) {
        let replay = try Replay(recording, into: context, schema)
        try replay.seek(to: commit <= 1 ? .start : .commit(commit - 1))
        try replay.run(makeLoop(context))
        return ["ended": .count(replay.commit ?? 0)]
      } catch {
        guard let difference = error.difference else { throw Failure(409, "\(error)") }
        return ["difference": RecordedRun.shown(difference)]
      }
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
      if let replayed { return replayed }
      let context = Context(name: "replay")
      do throws(ReplayError) {
        let replay = try Replay(recording, into: context, schema)
        let commits = try RecordedRun.commits(of: replay, in: context)
        let replayed = Replayed(context: context, replay: replay, commits: commits)
        self.replayed = replayed
        return replayed
      } catch {
        throw Failure(409, "\(error)")
      }
    }

    private static func commits(
      of replay: Replay, in context: Context
    ) throws(ReplayError) -> [TimelineCommit] {
      let made = MadeCommits()
      let subscription = context.journal().observe { commit in made.append(commit) }
      var commits: [TimelineCommit] = []
      while let commit = try replay.stepForward() {
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
