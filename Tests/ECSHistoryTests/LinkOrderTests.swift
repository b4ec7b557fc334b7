import ECS
import ECSHistory
import ECSTestSupport
import Testing

/// Steps that make links and move or remove their neighbours: all come back to where they were.
@Suite(.longRunning, .noHangs) struct LinkOrderTests {
  private typealias Value = ReplayWorld.Value
  private typealias Likes = ReplayWorld.Likes
  private typealias In = ReplayWorld.In

  /// What steps do to the links of the last one of five entities: 0 and 1 are linked to it at
  /// first, 2 and 3 are not.
  private static let programs: [[LinkOrderChange]] = [
    [.link(2), .move(1, before: 0)],
    [.link(2), .destroy(1), .destroy(0)],
    [.link(2), .remove(1), .remove(0)],
    [.link(2), .move(2, before: 0), .destroy(0)],
    [.remove(0), .link(2), .insert(0, at: 1)],
    [.link(2), .insert(3, at: 0), .move(0, before: 2), .destroy(3), .remove(2)],
  ]

  private func check<R: Relation>(_ relation: R.Type, inPieces: Bool) throws {
    for (number, program) in LinkOrderTests.programs.enumerated() {
      let world = LinkOrderWorld<R>(linked: 2)
      let time = ManualClock()
      let history = UndoHistory(
        world.context, of: Value.self, relations: [R.self], clock: time.clock)
      let before = world.orders
      if inPieces {
        for change in program {
          history.coalesce("step", within: .seconds(1)) { world.make(change, ofLinksTo: 4) }
        }
      } else {
        history.group("step") { for change in program { world.make(change, ofLinksTo: 4) } }
      }
      let after = world.orders
      expectEqual(history.undoNames.count, 1)
      for _ in 0..<2 {
        try history.undo()
        expectEqual(world.orders, before, "\(R.self), program \(number), undone")
        try history.redo()
        expectEqual(world.orders, after, "\(R.self), program \(number), redone")
      }
    }
  }

  @Test(arguments: [false, true])
  func `neighbours of a link that comes in the step come back`(inPieces: Bool) throws {
    try check(Likes.self, inPieces: inPieces)
    try check(In.self, inPieces: inPieces)
    try check(ChildOf.self, inPieces: inPieces)
  }

  private func checkReplay<R: Relation>(_ relation: R.Type) throws {
    for (number, program) in LinkOrderTests.programs.enumerated() {
      let world = LinkOrderWorld<R>(linked: 2)
      let recorder = try RunRecorder(world.context, try ReplayWorld.schema())
      let before = world.orders
      world.context.perform {
        for change in program { world.make(change, ofLinksTo: 4) }
      }
      let context = Context()
      let replay = try Replay(recorder.recording(), into: context, try ReplayWorld.schema())
      for _ in 0..<2 {
        try replay.seek(to: .end)
        expectEqual(LinkOrderWorld<R>.orders(context), world.orders, "\(R.self), program \(number)")
        try replay.seek(to: .start)
        expectEqual(LinkOrderWorld<R>.orders(context), before, "\(R.self), program \(number), back")
      }
    }
  }

  @Test func `a replay goes back to the order that there was`() throws {
    try checkReplay(Likes.self)
    try checkReplay(In.self)
    try checkReplay(ChildOf.self)
  }

  @Test func `links that come and go in a step, and leave the order, are no step`() {
    let world = LinkOrderWorld<Likes>(linked: 2)
    let history = UndoHistory(world.context, of: Value.self, relations: [Likes.self])
    let liking = world[4].sources(Likes.self)
    history.group("nothing") {
      liking.insert(world[2])
      liking.move(world[0], before: world[2])
      liking.remove(world[2])
      liking.move(world[1], before: nil)
    }
    expectTrue(!history.canUndo && Array(liking) == [world[0], world[1]])
    history.group("move") {
      liking.insert(world[2])
      liking.move(world[0], before: world[2])
      liking.remove(world[2])
    }
    expectTrue(history.canUndo && Array(liking) == [world[1], world[0]])
  }

  // MARK: Random steps

  /// Makes a step at random, in one group or in pieces.
  private func makeStep<R: Relation>(
    _ name: String, _ world: LinkOrderWorld<R>, _ history: UndoHistory,
    _ random: inout SplitMix64
  ) {
    if random.oneIn(2) {
      history.group(name) { for _ in 0...random.below(6) { world.change(&random) } }
    } else {
      for _ in 0...random.below(3) {
        history.coalesce(name, within: .seconds(1)) {
          for _ in 0...random.below(3) { world.change(&random) }
        }
      }
    }
  }

  /// Makes eight steps, and takes each of them back and makes it again; returns what went wrong.
  private func fail<R: Relation>(_ relation: R.Type, _ random: inout SplitMix64) throws -> String? {
    let world = LinkOrderWorld<R>(entities: 5 + random.below(4))
    for _ in 0..<4 { world.change(&random) }
    let time = ManualClock()
    let history = UndoHistory(world.context, of: Value.self, relations: [R.self], clock: time.clock)
    var states = [world.orders]
    func move(_ isUndo: Bool, to expected: [String]) throws -> String? {
      _ = isUndo ? try history.undo() : try history.redo()
      let verb = isUndo ? "undo" : "redo"
      return world.orders == expected
        ? nil : "\(verb) of \(states.count): \(world.orders), expected \(expected)"
    }
    for step in 0..<8 {
      makeStep("step \(step)", world, history, &random)
      let after = world.orders
      guard history.undoNames.count == states.count else {
        if after != states.last { return "no step" }
        continue
      }
      states.append(after)
      for _ in 0..<2 {
        if let failure = try move(true, to: states[states.count - 2]) { return failure }
        if let failure = try move(false, to: after) { return failure }
      }
    }
    for state in states.dropLast().reversed() {
      if let failure = try move(true, to: state) { return failure }
    }
    for state in states.dropFirst() {
      if let failure = try move(false, to: state) { return failure }
    }
    return nil
  }

  @Test func `random steps leave the orders that there were`() throws {
    for seed in Effort.seeds(max(84, Effort.modelSeeds)) {
      var random = SplitMix64(seed: seed)
      let failures = [
        try fail(Likes.self, &random), try fail(In.self, &random), try fail(ChildOf.self, &random),
      ]
      for case let failure? in failures {
        Issue.record("seed \(seed): \(failure)")
        return
      }
    }
  }

  @Test func `pieces between which others change links can be taken back`() {
    for seed in Effort.seeds(max(60, Effort.modelSeeds)) {
      var random = SplitMix64(seed: seed)
      let world = LinkOrderWorld<Likes>(entities: 6, linked: 3)
      let time = ManualClock()
      let history = UndoHistory(
        world.context, of: Value.self, relations: [Likes.self], clock: time.clock)
      for _ in 0..<6 {
        history.coalesce("step", within: .seconds(1)) {
          for _ in 0..<3 { world.change(&random) }
        }
        world.change(&random)
      }
      let count = history.undoNames.count
      for _ in 0..<2 {
        while (try? history.undo(.overwrite)) != nil {}
        expectEqual(history.redoNames.count, count)
        while (try? history.redo(.overwrite)) != nil {}
        expectEqual(history.undoNames.count, count)
      }
    }
  }

  private func failReplay<R: Relation>(
    _ relation: R.Type, _ random: inout SplitMix64
  ) throws -> String? {
    let world = LinkOrderWorld<R>(entities: 5 + random.below(4))
    for _ in 0..<4 { world.change(&random) }
    let recorder = try RunRecorder(world.context, try ReplayWorld.schema())
    var states: [Int: [String]] = [:]
    for _ in 0..<8 {
      world.context.perform { for _ in 0...random.below(6) { world.change(&random) } }
      states[world.context.lastCommit] = world.orders
    }
    let recording = try recorder.recording()
    let context = Context()
    let replay = try Replay(recording, into: context, try ReplayWorld.schema())
    for commit in recording.commits + recording.commits.reversed() + recording.commits {
      guard let expected = states[commit] else { continue }
      try replay.seek(to: .commit(commit))
      let found = LinkOrderWorld<R>.orders(context)
      if found != expected { return "\(R.self), \(commit): \(found), expected \(expected)" }
    }
    return nil
  }

  @Test func `replays of random steps leave the orders that there were`() throws {
    for seed in Effort.seeds(max(40, Effort.modelSeeds)) {
      var random = SplitMix64(seed: seed)
      let failures = [
        try failReplay(Likes.self, &random), try failReplay(In.self, &random),
        try failReplay(ChildOf.self, &random),
      ]
      for case let failure? in failures {
        Issue.record("seed \(seed): \(failure)")
        return
      }
    }
  }
}
