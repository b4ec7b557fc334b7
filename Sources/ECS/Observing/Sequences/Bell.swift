import Dispatch

/// Lets tasks wait until it rings.
///
/// Ringing is remembered until a task waits, so one that looks, finds nothing and waits then misses
/// nothing. Each task that is woken looks again.
// Guarded by its guardian.
final class Bell: @unchecked Sendable {
  private let core: Core
  private let guardian = Guardians.take()
  private var hasRung = false
  private var sleepers: [CheckedContinuation<Void, Never>] = []

  init(_ core: Core) {
    self.core = core
  }

  /// Waits until it rings or the task is cancelled; not at all if it rang already.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guardian.sync { sleepers.append(continuation) }
        answer()
        // If the task was cancelled before, its ringing may have been answered already.
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
  func ring() {
    core.assertIsFree()
    note()
  }

  private func note() {
    guardian.sync { hasRung = true }
    answer()
  }

  private func answer() {
    let woken = guardian.sync { () -> [CheckedContinuation<Void, Never>] in
      guard hasRung, !sleepers.isEmpty else { return [] }
      hasRung = false
      defer { sleepers = [] }
      return sleepers
    }
    for sleeper in woken { sleeper.resume() }
  }
}
