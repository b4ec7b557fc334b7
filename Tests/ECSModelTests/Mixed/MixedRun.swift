import ECS
import ECSHistory
import ECSSnapshots
import ECSTestSupport

/// A random program over one world, beside a model.
///
/// Each section has a seed of its own, so that a program that fails can be tried without some.
struct MixedRun {
  struct Failure: Error {}

  private struct Step {
    var before: MixedModel
    var after: MixedModel

    /// Whether the next piece of its kind joins it.
    var isJoined = false
  }

  private let schema: Schema
  private var world: MixedWorld
  private var model = MixedModel()
  private var probes: [MixedProbes] = []
  private var history: UndoHistory
  private let limit: Int
  private var done: [Step] = []
  private var undone: [Step] = []
  private var recorder: RunRecorder?
  private var moments: [(commit: Int, model: MixedModel)] = []
  private var recordedFrom: (alive: [Int], next: Int) = ([], 0)
  private var random = SplitMix64(seed: 0)
  private(set) var program: [String] = []

  /// What was found wrong while a section ran.
  private var failureInside: String?

  /// A program whose history keeps so many steps.
  init(limit: Int) throws {
    self.limit = limit
    schema = try Mixed.schema()
    world = MixedWorld()
    history = Self.history(of: world.context, limit: limit)
    for number in 0..<4 {
      world.context.createEntity(with: Mixed.Node(), Mixed.Value(value: number))
      world.register()
      model.rows[number] = [.node: 0, .value: number]
    }
    model.derive()
    try begin()
  }

  private static func history(of context: Context, limit: Int) -> UndoHistory {
    UndoHistory(
      context, of: Mixed.Node.self, Mixed.Value.self, Mixed.Derived.self, Mixed.Base.self,
      Mixed.Mid.self, Mixed.Side.self, Mixed.Top.self, Mixed.Core.self, Mixed.Firm.self,
      Mixed.Only.self, Mixed.Aim.self, InstanceOf.self,
      relations: Mixed.Link.allCases.map(\.type), limit: .steps(limit))
  }

  /// Begins with no steps and a new recording.
  private mutating func begin() throws {
    history.removeAll()
    (done, undone, moments) = ([], [], [])
    recorder = try RunRecorder(world.context, schema)
    recordedFrom = (model.alive, world.count)
    probes = Array(probes.suffix(1))
    addProbes()
  }

  /// Begins to watch, around entities of which some may be left out.
  private mutating func addProbes(among known: MixedModel? = nil) {
    let alive = model.alive.filter { known?.rows[$0] != nil || known == nil }
    guard alive.count > 1 else { return }
    let anchors =
      random.oneIn(2) ? Array(alive.prefix(2)) : [alive[random.below(alive.count)], alive[0]]
    probes.append(MixedProbes(world, anchors: anchors))
    if probes.count > 2 { probes.removeFirst() }
  }

  private mutating func note(_ text: String) {
    program.append(text)
    if Effort.onlyModelSeed != nil { print(text) }
  }

  // MARK: Sections

  /// Does one section; says what is not as it is to be.
  mutating func section(seed: UInt64) throws -> String? {
    random = SplitMix64(seed: seed)
    let choice = random.below(34)
    note("section \(choice)")
    var failure: String?
    switch choice {
    case 0..<11: failure = group(isFailing: false)
    case 11: failure = group(isFailing: true)
    case 12: failure = groupsInSection()
    case 13, 14: failure = aborted()
    case 15..<20: failure = try move(isUndo: true)
    case 20..<24: failure = try move(isUndo: false)
    case 24, 25: failure = try foreign()
    case 26, 27: failure = try restored()
    case 28: failure = try replayed()
    case 29: addProbes()
    case 30, 31, 32: failure = piece()
    default: failure = group(isFailing: false)
    }
    return failure ?? failureInside ?? check()
  }

  private mutating func check() -> String? {
    if let difference = world.read().difference(from: model) { return difference }
    for place in probes.indices {
      if let difference = probes[place].difference(world, from: model) { return difference }
    }
    let names = history.undoNames.count
    if names != done.count { return "\(names) steps can be undone, expected \(done.count)" }
    let others = history.redoNames.count
    if others != undone.count { return "\(others) steps can be redone, expected \(undone.count)" }
    moments.append((world.context.lastCommit, model))
    return nil
  }

  private mutating func record(_ before: MixedModel, isPiece: Bool = false) {
    model.derive()
    guard before != model else { return }
    undone = []
    if isPiece, let last = done.last, last.isJoined {
      done.removeLast()
      if last.before != model {
        done.append(Step(before: last.before, after: model, isJoined: true))
      }
    } else {
      done = (done + [Step(before: before, after: model, isJoined: isPiece)]).suffix(limit)
    }
  }

  private mutating func piece() -> String? {
    let (before, history) = (model, history)
    history.coalesce("typing", within: .seconds(1_000_000)) { steps(1 + random.below(3)) }
    record(before, isPiece: true)
    return nil
  }

  private mutating func group(isFailing: Bool) -> String? {
    let before = model
    let history = history
    do {
      try history.group("step") { () throws(Failure) in
        steps(1 + random.below(10))
        if isFailing { throw Failure() }
      }
      record(before)
    } catch {
      model = before
    }
    return nil
  }

  private mutating func groupsInSection() -> String? {
    let (before, history) = (model, history)
    world.context.perform {
      steps(1)
      history.group("first") { steps(2) }
      steps(1)
      history.group("second") { steps(2) }
    }
    record(before)
    return nil
  }

  /// A transaction that is thrown away, with what it has of others.
  private mutating func aborted() -> String? {
    let (before, history) = (model, history)
    var saved: (snapshot: Snapshot, model: MixedModel)?
    try? world.context.transaction { () throws(Failure) in
      steps(3)
      if random.oneIn(3), let snapshot = try? world.context.snapshot(schema) {
        saved = (snapshot, model)
      }
      history.group("never") { steps(2) }
      // Views of what is related to an entity that never was end without a word.
      if random.oneIn(2) { addProbes(among: before) }
      steps(1)
      throw Failure()
    }
    model = before
    guard let saved else { return nil }
    var copy = MixedWorld(Context(), isPassive: true)
    guard (try? saved.snapshot.restore(into: copy.context, schema)) != nil else {
      return "what was saved inside can't be restored"
    }
    guard copy.adopt(saved.model.alive, next: world.count) else { return "saved inside: count" }
    return copy.read().difference(from: saved.model.withoutDead()).map { "saved inside: \($0)" }
  }

  private mutating func move(isUndo: Bool) throws -> String? {
    for _ in 0...random.below(3) {
      note(isUndo ? "undo" : "redo")
      let name = isUndo ? try history.undo() : try history.redo()
      guard var step = isUndo ? done.popLast() : undone.popLast() else {
        return name == nil ? nil : "there was a step"
      }
      model = isUndo ? step.before : step.after
      step.isJoined = false
      if isUndo { undone.append(step) } else { done.append(step) }
      // A piece never joins a step that a way back or forth has led to.
      if !done.isEmpty { done[done.count - 1].isJoined = false }
      if name == nil { return "there was no step" }
      if let failure = check() { return failure }
    }
    return nil
  }

  /// Changes that no step has, and a step that is taken back in spite of them, or not.
  private mutating func foreign() throws -> String? {
    world.context.perform { steps(2) }
    model.derive()
    if let difference = world.read().difference(from: model) { return difference }
    for place in probes.indices {
      if let difference = probes[place].difference(world, from: model) { return difference }
    }
    let policy: UndoConflictPolicy = random.oneIn(2) ? .overwrite : .refuse
    do {
      _ = random.oneIn(3) ? try history.redo(policy) : try history.undo(policy)
      model = world.read()
      // The observer derives what it is notified of.
      world.context.perform {
        for entity in world.context.entities() where !entity.has(Mixed.Value.self) {
          entity.unrelate(Mixed.Echo.self)
        }
        world.context.group(Mixed.Value.matcher).withEach { (_: Entity, _: inout Mixed.Value) in }
      }
      model.derive()
    } catch {
      note("conflict")
    }
    history.removeAll()
    (done, undone) = ([], [])
    return nil
  }

  /// Contents are exact between the changes of a section, too.
  private mutating func checkInside() {
    if failureInside != nil { return }
    failureInside = world.read().difference(from: model)
    for place in probes.indices where failureInside == nil {
      failureInside = probes[place].difference(world, from: model, isInside: true)
    }
    if let failureInside { note("inside: \(failureInside)") }
  }

  // MARK: Files

  private mutating func restored() throws -> String? {
    let snapshot = try Snapshot(world.context.snapshot(schema).data)
    var copy = MixedWorld(Context(), isPassive: true)
    var early: MixedProbes?
    if random.oneIn(2) {
      // Views that are at work before anything is there, about entities that are gone.
      for _ in 0..<2 { _ = copy.context.createEntity() }
      _ = copy.adopt([-11, -10], next: 0)
      early = MixedProbes(copy, anchors: [-11, -10])
      for entity in copy.context.entities() { entity.destroy() }
    }
    if random.oneIn(3) {
      try? copy.context.transaction {
        try snapshot.restore(into: copy.context, schema)
        throw Failure()
      }
      if copy.context.count != 0 { return "restored: something is left" }
      _ = copy.adopt([], next: 0)
      let difference = early?.difference(copy, from: MixedModel())
      if let difference { return "restored in vain: \(difference)" }
    }
    try snapshot.restore(into: copy.context, schema)
    let expected = model.withoutDead()
    guard copy.adopt(model.alive, next: world.count) else { return "restored: the count" }
    if let difference = copy.read().difference(from: expected) { return "restored: \(difference)" }
    if let difference = early?.difference(copy, from: expected) { return "early: \(difference)" }
    guard random.oneIn(2) else { return nil }
    note("goes on in the restored context")
    world = MixedWorld(copy.context)
    _ = world.adopt(expected.alive, next: copy.count)
    model = expected
    history = Self.history(of: world.context, limit: limit)
    probes = []
    try begin()
    return nil
  }

  private mutating func replayed() throws -> String? {
    guard let recorder else { return nil }
    let recording = try RunRecording(try recorder.recording().data)
    let commits = Set(recording.commits)
    let known = moments.filter { commits.contains($0.commit) }
    var copy = MixedWorld(Context(), isPassive: true)
    let replay = try Replay(recording, into: copy.context, schema)
    _ = copy.adopt(recordedFrom.alive, next: recordedFrom.next)
    var probes: MixedProbes?
    if recordedFrom.alive.count > 1 {
      probes = MixedProbes(copy, anchors: Array(recordedFrom.alive.prefix(2)), mayEndUnseen: true)
    }
    for number in 0..<12 where !known.isEmpty {
      let place = number == 0 ? known.count - 1 : random.below(known.count)
      try replay.seek(to: .commit(known[place].commit))
      let expected = known[place].model.withoutDead()
      guard copy.adopt(expected.alive, next: world.count) else { return "replayed: the count" }
      if let difference = copy.read().withoutDead().difference(from: expected) {
        return "replayed: commit \(known[place].commit): \(difference)"
      }
      if let difference = probes?.difference(copy, from: expected) {
        return "replayed: commit \(known[place].commit): \(difference)"
      }
    }
    if random.oneIn(2) { try begin() }
    return nil
  }

  // MARK: Steps

  private mutating func steps(_ count: Int, depth: Int = 0) {
    for _ in 0..<count {
      if depth < 2, random.oneIn(12) {
        let (before, context) = (model, world.context)
        let isKept = random.oneIn(2)
        note("transaction, \(isKept ? "kept" : "thrown away")")
        try? context.transaction { () throws(Failure) in
          steps(1 + random.below(4), depth: depth + 1)
          if !isKept { throw Failure() }
        }
        if !isKept { model = before }
        note("end of the transaction")
      } else {
        var changes = MixedChanges(world: world, model: model, random: random)
        changes.step()
        (world, model, random) = (changes.world, changes.model, changes.random)
        for text in changes.program { program.append(text) }
      }
      if random.oneIn(4) { checkInside() }
    }
  }
}
