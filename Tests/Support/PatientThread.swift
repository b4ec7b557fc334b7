import Foundation

/// Runs jobs one after the other on a thread that leaves processors to all others that want them.
///
/// Threads that are started there are as patient, where the system hands priorities down.
// Guarded by its condition.
final class PatientThread: TaskExecutor, @unchecked Sendable {
  private let condition = NSCondition()
  private var jobs: [UnownedJob] = []

  init(name: String) {
    let thread = Thread { self.run() }
    // Linux takes 15 bytes.
    thread.name = String(name.suffix(15))
    thread.qualityOfService = .utility
    // As deep as on the main thread.
    thread.stackSize = 8 << 20
    thread.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.withLock {
      jobs.append(job)
      condition.signal()
    }
  }

  /// Runs jobs until the process ends.
  private func run() {
    #if canImport(Glibc)
      // Of this thread: on Linux, each has a priority of its own. It may always be made lower.
      setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    #endif
    while true {
      let some = condition.withLock {
        while jobs.isEmpty { condition.wait() }
        defer { jobs.removeAll(keepingCapacity: true) }
        return jobs
      }
      for job in some {
        // SAFETY: the job is run once, and the executor lives as long as its thread, which doesn't
        // end.
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      }
    }
  }
}
