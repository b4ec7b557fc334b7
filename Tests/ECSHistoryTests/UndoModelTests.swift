import ECS
import ECSHistory
import ECSTestSupport
import ECSTesting
import Testing

/// Random programs with undo and redo at random places, beside copies of all that there is.
@Suite(.longRunning, .noHangs) struct UndoModelTests {
  @Test func `histories agree with copies of the whole state`() {
    for seed in Effort.seeds() {
      var run = UndoModelRun(seed: seed)
      for _ in 0..<120 {
        guard let failure = run.step() else { continue }
        Issue.record("seed \(seed): \(failure)\n\(run.program.joined(separator: "\n"))")
        return
      }
      if let failure = run.end() {
        Issue.record("seed \(seed): at the end: \(failure)")
        return
      }
    }
  }
}

/// Two histories of one context, and what they are to do, modeled by copies of the state.
struct UndoModelRun {
  private(set) var program: [String] = []
  private let world: UndoWorld
  private var random: SplitMix64
  private var histories: [ModelHistory] = []
  private let time = ManualClock()

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    world = UndoWorld()
    for _ in 0...random.below(2) { histories.append(makeHistory()) }
  }

  private mutating func makeHistory() -> ModelHistory {
    let limit: UndoHistory.Limit =
      switch random.below(3) {
      case 0: .steps(1 + random.below(6))
      case 1: .bytes(1_500 + random.below(6_000))
      default: .bytes(1 << 30)
      }
    let maximum: Int? =
      switch limit {
      case .steps(1): 1
      case .steps(2): 2
      case .steps(3): 3
      case .steps(4): 4
      case .steps(5): 5
      case .steps(6): 6
      default: nil
      }
    return ModelHistory(
      UndoHistory(
        world.context, of: UndoWorld.Value.self, UndoWorld.Text.self, UndoWorld.Only.self,
        relations: [UndoWorld.Likes.self, UndoWorld.In.self], limit: limit, clock: time.clock),
      maximum: maximum)
  }

  mutating func step() -> String? {
    let number = random.below(histories.count)
    let choice = random.below(24)
    program.append("\(choice) by \(number)")
    var failure: String?
    switch choice {
    case 0..<7: failure = group(number)
    case 7, 8: failure = piece(number)
    case 9..<12: world.context.perform { change(1 + random.below(2)) }
    case 12..<16: failure = move(number, isUndo: true)
    case 16..<19: failure = move(number, isUndo: false)
    case 19: failure = failInside(number)
    case 20: failure = mixed(number)
    case 21:
      time.advance(by: .milliseconds(random.below(1500)))
      if random.oneIn(3) { histories[number].endJoining() }
    case 22:
      // The history is released, with all that it keeps.
      if random.oneIn(4) { histories[number] = makeHistory() }
    default: if random.oneIn(3) { world.context.compact() }
    }
    return failure ?? check()
  }

  private mutating func change(_ count: Int) {
    for _ in 0..<count { world.change(&random) }
  }

  // MARK: Steps

  private mutating func group(_ number: Int) -> String? {
    let before = world.state()
    let name = "step \(program.count)"
    let count = random.below(5)
    if random.oneIn(3) {
      try? histories[number].history.group(name) { () throws(UndoWorld.Failure) in change(count) }
    } else {
      histories[number].history.group(name) { change(count) }
    }
    return histories[number].record(name, before, world, joinedAt: nil)
  }

  private mutating func piece(_ number: Int) -> String? {
    let before = world.state()
    let name = random.oneIn(4) ? "dragging" : "typing"
    let count = 1 + random.below(2)
    histories[number].history.coalesce(name, within: .seconds(1)) { change(count) }
    return histories[number].record(name, before, world, joinedAt: time.clock.now())
  }

  /// A group that fails, in a transaction or by itself; what is around it stays.
  private mutating func failInside(_ number: Int) -> String? {
    let before = world.state()
    let history = histories[number].history
    world.context.perform {
      try? world.context.transaction { () throws(UndoWorld.Failure) in
        try history.group("never") { () throws(UndoWorld.Failure) in
          change(4)
          if random.oneIn(2) { throw UndoWorld.Failure() }
        }
        change(2)
        throw UndoWorld.Failure()
      }
    }
    world.forgetUndone()
    return world.state() == before ? nil : "the transaction left something"
  }

  /// A group inside of other changes, of which one is taken back.
  private mutating func mixed(_ number: Int) -> String? {
    let before = world.state()
    let history = histories[number].history
    world.context.perform {
      world.change(&random, mayBeginEmpty: false)
      history.group("outer") {
        change(2)
        try? world.context.transaction { () throws(UndoWorld.Failure) in
          history.group("inner") { change(3) }
          throw UndoWorld.Failure()
        }
        change(1)
      }
      change(1)
    }
    world.forgetUndone()
    return histories[number].record("outer", before, world, joinedAt: nil)
  }

  private mutating func move(_ number: Int, isUndo: Bool) -> String? {
    let policy: UndoConflictPolicy = random.oneIn(4) ? .overwrite : .refuse
    let history = histories[number].history
    let expected = histories[number].expectation(isUndo, policy, world.state())
    program.append("  \(isUndo ? "undo" : "redo") \(policy), expected: \(expected)")
    do {
      let name = isUndo ? try history.undo(policy) : try history.redo(policy)
      switch expected {
      case .nothing: return name == nil ? nil : "there was a step \(name ?? "")"
      case .conflict: return "there was no conflict"
      case .state(let state, let expectedName):
        guard name == expectedName else { return "\(name ?? "nothing") was moved" }
        let found = world.state()
        guard found == state else { return found.difference(from: state) }
        histories[number].moved(isUndo)
      }
    } catch {
      guard case .conflict = expected else { return "unexpected: \(error)" }
    }
    return nil
  }

  // MARK: Checks

  private func check() -> String? {
    for model in histories {
      if let failure = model.check() { return failure }
    }
    return world.check()
  }

  /// Everything can be taken back that is left, and nothing is kept afterwards.
  mutating func end() -> String? {
    for number in histories.indices {
      while histories[number].history.canUndo {
        let expected = histories[number].expectation(true, .overwrite, world.state())
        _ = try? histories[number].history.undo(.overwrite)
        guard case .state(let state, _) = expected else { return "nothing was expected" }
        let found = world.state()
        guard found == state else { return found.difference(from: state) }
        histories[number].moved(true)
      }
      histories[number].history.removeAll()
      if histories[number].history.keptEntityCount + histories[number].history.byteCount != 0 {
        return "something is still kept"
      }
    }
    histories = []
    world.makeMany()
    return world.check()
  }
}
