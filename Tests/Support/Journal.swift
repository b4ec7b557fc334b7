import Dispatch
import ECS

/// Notes what happens, in order, from any thread.
// Guarded by its queue.
package final class Journal: @unchecked Sendable {
  private let guardian = DispatchQueue(label: "Journal")
  private var notes: [String] = []

  package init() {}

  package func note(_ text: String) { guardian.sync { notes.append(text) } }

  /// The notes since the last call.
  package func take() -> [String] {
    guardian.sync {
      defer { notes = [] }
      return notes
    }
  }
}

extension Journal: SystemLogger {
  package func willInit(_ name: String) { note("will init \(name)") }
  package func didInit(_ name: String) { note("did init \(name)") }
  package func willExecute(_ name: String) { note("will execute \(name)") }
  package func didExecute(_ name: String) { note("did execute \(name)") }
  package func willCleanup(_ name: String) { note("will cleanup \(name)") }
  package func didCleanup(_ name: String) { note("did cleanup \(name)") }
  package func willTeardown(_ name: String) { note("will teardown \(name)") }
  package func didTeardown(_ name: String) { note("did teardown \(name)") }
  package func didFail(_ name: String, _ error: any Error) { note("\(name) failed: \(error)") }
}
