import ECS
import ECSHistory
import ECSSnapshots
import ECSTestSupport
import Testing

/// Random runs, recorded and replayed.
@Suite(.longRunning, .noHangs) struct ReplayModelTests {
  /// What a context was after each commit.
  // Filled in critical sections of one context, and read outside of them.
  private final class Digests: @unchecked Sendable {
    var all: [(commit: Int, digest: String)] = []
  }

  private struct Run {
    let recording: RunRecording
    let first: String
    let digests: [(commit: Int, digest: String)]
  }

  private func run(
    _ random: inout SplitMix64, isEmpty: Bool, changes: Int = 60
  ) throws -> Run {
    let world = ReplayWorld()
    world.leavesOut = !isEmpty
    let context = world.context
    let tokens = [world.observe()]
    if !isEmpty { for _ in 0..<40 { world.change(&random) } }
    let recorder = try RunRecorder(context, try ReplayWorld.schema())
    let first = ReplayWorld.digest(context)
    let digests = Digests()
    let numbers = context.journal().observe { commit in
      digests.all.append((commit.number, ReplayWorld.digest(context)))
    }
    let loop = ReplayWorld.loop(context, logger: recorder)
    loop.initialise()
    for _ in 0..<changes {
      switch random.below(8) {
      case 0: loop.execute()
      case 1:
        loop.execute()
        loop.cleanup()
      case 2: context.perform("several") { for _ in 0..<4 { world.change(&random) } }
      default: world.change(&random)
      }
    }
    numbers.cancel()
    withExtendedLifetime(tokens) {}
    let recording = try RunRecording(try recorder.recording().data)
    return Run(recording: recording, first: first, digests: digests.all)
  }

  private func forEachSeed(_ body: (inout SplitMix64, UInt64) throws -> Void) rethrows {
    for seed in Effort.seeds() {
      var random = SplitMix64(seed: seed)
      try body(&random, seed)
    }
  }

  @Test func `each moment of a recorded run is what it was, forwards and backwards`() throws {
    try forEachSeed { random, seed in
      // Long ones are gone through in large parts.
      let changes = random.oneIn(8) ? 250 : 60
      let run = try run(&random, isEmpty: random.oneIn(2), changes: changes)
      let context = Context()
      let replay = try Replay(run.recording, into: context, try ReplayWorld.schema())
      expectEqual(ReplayWorld.digest(context), run.first)
      let recorded = Set(run.recording.commits)
      for (commit, digest) in run.digests where recorded.contains(commit) {
        try replay.seek(to: .commit(commit))
        guard ReplayWorld.digest(context) != digest else { continue }
        Issue.record(
          "seed \(seed), commit \(commit):\n\(ReplayWorld.digest(context))\nexpected\n\(digest)")
        return
      }
      for _ in 0..<40 where !run.digests.isEmpty {
        let (commit, digest) = run.digests[random.below(run.digests.count)]
        guard recorded.contains(commit) else { continue }
        try replay.seek(to: .commit(commit))
        expectEqual(replay.commit, commit)
        guard ReplayWorld.digest(context) != digest else { continue }
        Issue.record(
          "seed \(seed), back at \(commit):\n\(ReplayWorld.digest(context))\nexpected\n\(digest)")
        return
      }
      try replay.seek(to: .start)
      expectTrue(ReplayWorld.digest(context) == run.first && replay.commit == nil)
    }
  }

  @Test func `loops do again what they did`() throws {
    try forEachSeed { random, seed in
      let run = try run(&random, isEmpty: true)
      let context = Context()
      let replay = try Replay(run.recording, into: context, try ReplayWorld.schema())
      // Whatever was done before.
      if random.oneIn(3) {
        try replay.seek(to: .end)
        try replay.seek(to: .start)
      }
      let loop = ReplayWorld.loop(context)
      do {
        try replay.run(loop)
      } catch {
        Issue.record("seed \(seed): \(error)")
        return
      }
      let last = run.digests.last?.digest ?? run.first
      guard ReplayWorld.digest(context) == last else {
        Issue.record("seed \(seed):\n\(ReplayWorld.digest(context))\nexpected\n\(last)")
        return
      }
      for _ in 0..<20 where !run.digests.isEmpty {
        let (commit, digest) = run.digests[random.below(run.digests.count)]
        guard Set(run.recording.commits).contains(commit) else { continue }
        try replay.seek(to: .commit(commit))
        guard ReplayWorld.digest(context) != digest else { continue }
        Issue.record(
          "seed \(seed), back at \(commit):\n\(ReplayWorld.digest(context))\nexpected\n\(digest)")
        return
      }
    }
  }
}
