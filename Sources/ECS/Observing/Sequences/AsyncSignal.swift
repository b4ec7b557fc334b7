import Dispatch

/// A signal that tasks wait for.
///
/// It is remembered until a task waits, so one that looks, finds nothing and waits then misses
/// nothing. Each task that is woken looks again.
// Guarded by its guardian.
final class AsyncSignal: @unchecked Sendable {
  private let core: Core
  private let guardian = Guardians.take()
  private var isFired = false
  private var sleepers: [CheckedContinuation<Void, Never>] = []

  init(_ core: Core) {
    self.core = core
  }

  /// Waits until it fires or the task is cancelled; not at all if it fired already.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guardian.sync { sleepers.append(continuation) }
        answer()
        // If the task was cancelled before, its firing may have been answered already.
        if Task.isCancelled { note() }
      }
    } onCancel: {
      // The thread that cancels a task holds a lock of the task: the lock of a core is not taken in
      // here.
      note()
    }
  }

  /// Wakes all tasks that wait.
  ///
  /// It takes locks of their tasks, and a thread that has one of those may wait for the core: so it
  /// is called when the lock of the core is free.
  func fire() {
    core.assertIsFree()
    note()
  }

  private func note() {
    guardian.sync { isFired = true }
    answer()
  }

  private func answer() {
    let woken = guardian.sync { () -> [CheckedContinuation<Void, Never>] in
      guard isFired, !sleepers.isEmpty else { return [] }
      isFired = false
      defer { sleepers = [] }
      return sleepers
    }
    for sleeper in woken { sleeper.resume() }
  }
}
