/// The observers of a subject in batches, one for each kind of change, each filled when it is
/// needed after observers have come or gone.
// PERFORMANCE: O5: a constant with a pointer, so that delivery counts no references and checks no
// exclusivity.
@safe
struct HandlerBatches: ~Copyable {
  @safe
  private struct State {
    /// Whether the batches have the observers that there are now.
    var areFilled = false

    /// A batch for each kind; nil until there is something to deliver.
    var batches: UnsafeMutablePointer<HandlerBatch>?
  }

  private static var kinds: [ReactionKind] { [.added, .updated, .removed] }

  // SAFETY: the state is initialized as long as the value lives, and its batches from the time when
  // there are any.
  @safe private let state = UnsafeMutablePointer<State>.allocate(capacity: 1)

  init() { unsafe state.initialize(to: State()) }

  deinit {
    if let batches = unsafe state.pointee.batches {
      for index in Self.kinds.indices { unsafe batches[index].deallocate() }
      unsafe batches.deallocate()
    }
    unsafe state.deallocate()
  }

  /// Notes that observers have come or gone.
  func invalidate() { state.pointee.areFilled = false }

  /// Delivers a change to all observers that want its kind, began in time and are there when it is
  /// their turn, as long as it holds.
  ///
  /// As long as journals are observed, a body is given them instead, one by one. Changes are
  /// delivered one at a time.
  @inline(__always)
  func deliver(
    _ change: QueuedChange, to observers: @autoclosure () -> [ChangeObserver],
    for scope: ChangeScope, alone: (ChangeObserver) -> Void
  ) {
    if !state.pointee.areFilled { fill(with: observers(), scope) }
    guard let batches = unsafe state.pointee.batches else { return }
    // SAFETY: batches stay where they are, and are not filled while a change is delivered.
    let batch = unsafe batches + Int(change.kind.rawValue)
    unsafe batch.pointee.begin()
    unsafe HandlerBatch.tellRuns(batch, change)
    while let observer = unsafe batch.pointee.nextAlone(change) {
      // SAFETY: an observer that goes meanwhile is kept by `Core.retire`.
      unsafe observer._withUnsafeGuaranteedRef { alone($0) }
    }
  }

  /// Puts each observer into the batches of the kinds of changes that it wants.
  @inline(never)
  private func fill(with observers: [ChangeObserver], _ scope: ChangeScope) {
    if unsafe state.pointee.batches == nil {
      let batches = UnsafeMutablePointer<HandlerBatch>.allocate(capacity: Self.kinds.count)
      for index in Self.kinds.indices {
        unsafe (batches + index).initialize(to: HandlerBatch(scope))
      }
      unsafe state.pointee.batches = unsafe batches
    }
    guard let batches = unsafe state.pointee.batches else { return }
    for kind in Self.kinds {
      unsafe batches[Int(kind.rawValue)].fill(with: observers.filter { $0.wants(kind) })
    }
    state.pointee.areFilled = true
  }
}
