import ECS
import ECSHistory
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Testing

/// Ways across what a replay has passed, which it goes in large parts.
@Suite(.noHangs) struct ReplayWayTests {
  private typealias Value = ReplayWorld.Value

  /// It is equal to any other one of the same number.
  private struct Troop: Component, Equatable {
    var number = 0
    var health = 0

    static func == (one: Troop, other: Troop) -> Bool { one.number == other.number }
  }

  /// Records what a system does in one pass, after something was made, and before something else is.
  private func recorded(
    _ makeFirst: (Context) -> Void, _ act: @escaping @Sendable (Context) -> Void,
    last makeLast: (Context) -> Void = { _ in }
  ) throws -> (recording: RunRecording, digest: String) {
    let context = Context()
    let recorder = try RunRecorder(context, try ReplayWorld.schema())
    makeFirst(context)
    loop(context, act, logger: recorder).execute()
    makeLast(context)
    return (try recorder.recording(), ReplayWorld.digest(context))
  }

  private func loop(
    _ context: Context, _ act: @escaping @Sendable (Context) -> Void,
    logger: (any SystemLogger)? = nil
  ) -> Loop {
    Loop(
      name: "act", systems: [ClosureExecuteSystem("Act") { [context] in act(context) }],
      logger: logger)
  }

  @Test func `the order of links is what it was, also of what a loop destroys later`() throws {
    let act: @Sendable (Context) -> Void = { context in
      guard let target = context.group(ReplayWorld.Mark.matcher).first else { return }
      target.sources(ReplayWorld.Likes.self).reverse()
      for number in 0..<8 { target.set(Value(value: number)) }
      target.destroy()
    }
    let (recording, _) = try recorded(
      { context in
        let target = context.createEntity(with: ReplayWorld.Mark())
        for number in 0..<3 {
          context.createEntity(with: Value(value: number))
            .relate(ReplayWorld.Likes.self, to: target)
        }
      }, act, last: { $0.createEntity(with: Value(value: 9)) })
    // Commit by commit.
    let once = Context()
    let first = try Replay(recording, into: once, try ReplayWorld.schema())
    let digests = try recording.commits.map { commit in
      try first.seek(to: .commit(commit))
      return ReplayWorld.digest(once)
    }
    let context = Context()
    let replay = try Replay(recording, into: context, try ReplayWorld.schema())
    try replay.run(loop(context, act))
    for position in [Replay.Position.end, .start] {
      try replay.seek(to: position)
      for (commit, digest) in zip(recording.commits, digests) {
        try replay.seek(to: .commit(commit))
        expectEqual(ReplayWorld.digest(context), digest, "commit \(commit)")
      }
    }
  }

  @Test func `after a difference, what was recorded is made anew`() throws {
    let act: @Sendable (Context, Int) -> Void = { context, value in
      context.perform("gone at once") {
        context.createEntity(with: ReplayWorld.Mark()).destroy()
      }
      for entity in context.group(Value.matcher) { entity.set(Value(value: value)) }
    }
    let (recording, digest) = try recorded(
      { $0.createEntity(with: Value(value: 1)) }, { act($0, 2) })
    let context = Context()
    let replay = try Replay(recording, into: context, try ReplayWorld.schema())
    for _ in 0..<2 {
      #expect(throws: ReplayError.self) { try replay.run(loop(context) { act($0, 3) }) }
      try replay.seek(to: .start)
      expectEqual(ReplayWorld.digest(context), "")
      try replay.seek(to: .end)
      expectEqual(ReplayWorld.digest(context), digest)
      try replay.seek(to: .start)
    }
    try replay.run(loop(context) { act($0, 2) })
    expectEqual(ReplayWorld.digest(context), digest)
  }

  @Test func `a loop may end with what comes to nothing`() throws {
    let act: @Sendable (Context) -> Void = { context in
      for entity in context.group(Value.matcher) { entity.set(Value(value: 2)) }
      context.perform("gone at once") {
        context.createEntity(with: ReplayWorld.Mark()).destroy()
      }
    }
    let (recording, digest) = try recorded({ $0.createEntity(with: Value(value: 1)) }, act)
    let context = Context()
    let replay = try Replay(recording, into: context, try ReplayWorld.schema())
    try replay.run(loop(context, act))
    try replay.seek(to: .start)
    try replay.seek(to: .end)
    expectEqual(ReplayWorld.digest(context), digest)
  }

  @Test func `values are what they were, also where others are equal to them`() throws {
    let schema = try Schema("troops") {
      Stored(of: Troop(), as: "troop") {
        Field(\.number, at: "number")
        Field(\.health, at: "health")
      }
    }
    let original = Context()
    let recorder = try RunRecorder(original, schema)
    let troop = original.createEntity(with: Troop(number: 1, health: 100))
    for health in (80..<100).reversed() { troop.set(Troop(number: 1, health: health)) }
    let recording = try recorder.recording()
    let context = Context()
    let replay = try Replay(recording, into: context, schema)
    for _ in 0..<3 {
      try replay.seek(to: .end)
      expectEqual(context.group(Troop.matcher).first?.get(Troop.self)?.health, 80)
      try replay.seek(to: .commit(recording.commits[0]))
      expectEqual(context.group(Troop.matcher).first?.get(Troop.self)?.health, 100)
      try replay.seek(to: .commit(recording.commits[4]))
      expectEqual(context.group(Troop.matcher).first?.get(Troop.self)?.health, 96)
    }
  }

  private enum Leads: Relation { typealias Value = Troop }

  @Test func `values of links are what they were, also where others are equal to them`() throws {
    let troops = Stored(of: Troop(), as: "led") {
      Field(\Troop.number, at: "number")
      Field(\Troop.health, at: "health")
    }
    let schema = try Schema("leaders") {
      Stored(of: ReplayWorld.Mark(), as: "mark")
      Links(Leads.self, as: "leads", values: troops)
    }
    let original = Context()
    let recorder = try RunRecorder(original, schema)
    let (one, two) = (
      original.createEntity(with: ReplayWorld.Mark()),
      original.createEntity(with: ReplayWorld.Mark())
    )
    for health in (80...100).reversed() {
      one.relate(Leads.self, to: two, Troop(number: 1, health: health))
    }
    let recording = try recorder.recording()
    let context = Context()
    let replay = try Replay(recording, into: context, schema)
    func health() -> Int? { context.valuedLinks(Leads.self).first?.value.health }
    for _ in 0..<3 {
      try replay.seek(to: .end)
      expectEqual(health(), 80)
      try replay.seek(to: .commit(recording.commits[2]))
      expectEqual(health(), 100)
      try replay.seek(to: .commit(recording.commits[6]))
      expectEqual(health(), 96)
      try replay.seek(to: .start)
      expectNil(health())
    }
  }
}
