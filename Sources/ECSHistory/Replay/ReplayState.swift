import ECS
import ECSSnapshots

/// The position of a replay, and the way that it came there.
// Used by the thread that replays; others ask for the mode and the thread only, under the lock of
// the context, under which these are set.
final class ReplayState: ChangeSource, @unchecked Sendable {
  private enum Mode {
    /// No change is allowed.
    case idle

    /// A recorded commit is made.
    case making

    /// What was done is done again, or taken back.
    case moving

    /// A loop runs.
    case running
  }

  let recording: RunRecording
  private weak let context: Context?
  private let undo: UndoState
  private let signal: SignalOwner
  private var builder: ReplayBuilder

  private(set) var position = 0

  private var mode = Mode.idle
  private var thread: UInt = 0
  private var isChanged = false

  private var steps = ReplaySteps()

  /// The item to which what is changed belongs.
  private var current = 0

  /// The last item that was ever made.
  private var farthest = -1

  /// The first item that was done otherwise.
  private var divergence: Int?

  // While a loop runs.
  private var found: [(commit: Commit, held: Set<Int>)] = []
  private var pass: UInt32 = 0
  private var next = 0
  private var last = 0
  private var failure: ReplayError?

  init(
    _ context: Context, _ recording: RunRecording, _ archive: SchemaArchive,
    _ entities: NewEntities
  ) {
    self.recording = recording
    self.context = context
    undo = UndoState(context, listed: nil, relations: [], limit: .steps(.max))
    signal = SignalOwner(in: context, name: "replay")
    builder = ReplayBuilder(recording, archive, entities, undo)
    undo.holder.section { for entity in entities { _ = undo.holder.keep(entity) } }
  }

  var holder: EntityRetainer { undo.holder }
  var changeSignal: ChangeSignal { signal.changeSignal }

  // MARK: What was changed

  func note(_ commit: Commit) {
    guard mode != .idle, Journal.currentThread == thread else {
      if !isChanged { isChanged = builder.concerns(commit) }
      return
    }
    if mode == .moving { return }
    let step = NetChange.step(
      "replay", commit, undo.tracker, createdFrom: .max, isComplete: true)
    step.forEachLife { _ = holder.keep($0.entity) }
    if !step.isEmpty { steps.add([step], to: current) }
    farthest = max(farthest, current)
    guard mode == .running else { return }
    found.append((commit, commit.heldIndices()))
    signal.announce()
  }

  private func inMode<Failure: Error>(
    _ mode: Mode, _ body: () throws(Failure) -> Void
  ) throws(Failure) {
    let before = self.mode
    holder.section { (self.mode, thread) = (mode, Journal.currentThread) }
    defer { holder.section { self.mode = before } }
    try body()
  }

  private func check() throws(ReplayError) {
    if holder.section({ isChanged }) { throw ReplayError(.changed) }
  }

  // MARK: Steps

  /// Goes towards a position, which is another one, by one step.
  func step(to target: Int, in context: Context) throws(ReplayError) {
    try check()
    if target > position {
      if let divergence, position > divergence { throw ReplayError(.changed) }
      if position < steps.count {
        move(to: target, in: context)
      } else {
        try make(position, in: context)
        position += 1
      }
      complete()
    } else {
      move(to: target, in: context)
      guard let divergence, position <= divergence else { return }
      // What comes next is what was recorded.
      forget(from: divergence)
      self.divergence = nil
    }
  }

  /// Makes again what was made, or takes it back, as far as that is known as one.
  private func move(to target: Int, in context: Context) {
    let (found, end) = steps.step(from: position, to: target)
    apply(found, end > position ? .after : .before, in: context)
    position = end
  }

  /// Forgets what was made of items from an index on, which are ahead: entities that are created
  /// there from now on are others.
  private func forget(from index: Int) {
    let forgotten = steps.forget(from: index)
    guard farthest >= index else { return }
    farthest = index - 1
    builder.forget(from: recording.entityCount(before: index))
    holder.section {
      for life in forgotten.lazy.flatMap(\.lives) { holder.release(life.entity) }
    }
  }

  /// What was passed changes no more.
  private func complete() {
    if divergence != nil { return }
    holder.section {
      steps.complete(before: position) { UndoStep.joined($0, undo.tracker, isKept: false) }
    }
  }

  /// Makes an item as it was recorded.
  private func make(_ index: Int, in context: Context) throws(ReplayError) {
    current = index
    steps.add([], to: index)
    guard case .commit(let commit) = recording.items[index] else { return }
    context.makeKinds(builder.kinds(commit))
    do throws(ReplayError) {
      try inMode(.making) { () throws(ReplayError) in
        try builder.make(commit.direct, in: context)
        try builder.make(commit.responses, in: context)
      }
    } catch {
      // The first part may have been made.
      apply(steps[index], .before, in: context)
      forget(from: index)
      throw error
    }
  }

  private func apply(_ steps: [UndoStep], _ side: UndoSide, in context: Context) {
    inMode(.moving) {
      for step in side == .after ? steps : steps.reversed() {
        context.perform("replay") {
          context.ignoringRequirements { try? undo.apply(step, side, .overwrite) }
        }
      }
    }
  }

  // MARK: Loops

  /// The index where a pass ends; nil if the recording ended before.
  func end(of pass: UInt32) -> Int? {
    recording.items[position...].firstIndex {
      if case .end(pass) = $0 { true } else { false }
    }
  }

  /// Lets a loop do what is recorded from here on up to the end of its pass.
  func run(
    until last: Int, _ pass: UInt32, in context: Context, _ body: () -> Void
  ) throws(ReplayError) {
    try check()
    if let divergence, position > divergence { throw ReplayError(.changed) }
    (self.pass, self.last, next, failure) = (pass, last, position + 1, nil)
    forget(from: position)
    makeOthers(in: context)
    current = next <= last ? next : position
    if failure == nil { inMode(.running) { body() } }
    settle()
    if failure == nil, next < last, case .commit(let commit) = recording.items[next] {
      failure = builder.difference(commit, nil, recording.causes)
    }
    self.pass = 0
    if failure != nil { divergence = position }
    position = last + 1
    if let failure { throw failure }
    complete()
  }

  private func isOfPass(_ index: Int) -> Bool {
    if case .commit(let commit) = recording.items[index] {
      commit.pass == pass && !commit.direct.isEmpty
    } else {
      false
    }
  }

  /// Makes what others have done up to the next commit of the loop.
  private func makeOthers(in context: Context) {
    while next < last, !isOfPass(next), failure == nil {
      do throws(ReplayError) { try make(next, in: context) } catch { failure = error }
      next += 1
    }
  }

  /// Looks at what the loop has changed, when the change has ended and the lock is free.
  func settle() {
    guard pass > 0, thread == Journal.currentThread, let context else { return }
    let found = self.found
    self.found = []
    for (commit, held) in found where failure == nil {
      do throws(ReplayError) {
        try compare(commit, held, in: context)
      } catch {
        failure = error
      }
    }
  }

  private func compare(
    _ commit: Commit, _ held: Set<Int>, in context: Context
  ) throws(ReplayError) {
    var recorded: RecordedCommit?
    if next < last, case .commit(let commit) = recording.items[next] { recorded = commit }
    let found = try builder.encode(commit, held, recorded)
    if found.isEmpty { return }
    guard let recorded else { throw builder.difference(nil, found, []) }
    if let difference = try builder.compare(recorded, found, recording.causes) {
      throw difference
    }
    context.makeKinds(builder.kinds(recorded))
    try inMode(.making) { () throws(ReplayError) in
      try builder.make(recorded.responses, in: context)
    }
    next += 1
    makeOthers(in: context)
    current = next
    if let failure { throw failure }
  }
}
