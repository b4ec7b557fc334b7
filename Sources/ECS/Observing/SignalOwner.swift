import Synchronization

/// A subject above the core that announces its changes to its observers, as entities do.
///
/// The observers run in the context's critical section, when the outermost change ends in which
/// ``announce()`` was called, journals having been notified included. They end with this object.
package final class SignalOwner: Sendable {
  private static let lastID = Atomic<UInt64>(0)

  /// Where it is announced.
  package let changeSignal: ChangeSignal

  /// Whether it ever had observers.
  // Guarded by the lock of the core.
  private final class Audience: @unchecked Sendable {
    var hasBeen = false
  }

  private let audience: Audience

  init(_ core: Core, name: String) {
    let incarnation = core.incarnation
    let id = SignalOwner.lastID.add(1, ordering: .relaxed).newValue
    let audience = Audience()
    self.audience = audience
    changeSignal = ChangeSignal(core: core, subject: .other(id)) { notifier in
      audience.hasBeen = true
      // What outlives its context must not be announced in the next one.
      return core.incarnation == incarnation
        ? NamedObserverList(notifier, .other(id), name) : nil
    }
  }

  deinit {
    let signal = changeSignal
    signal.core.sectionAfterReading { signal.list?.endAll() }
  }

  /// Notes that there was a change.
  package func announce() {
    changeSignal.core.section { if audience.hasBeen { changeSignal.list?.mark() } }
  }
}

/// The observers of a subject above the core.
// Guarded by the lock of the core.
private final class NamedObserverList: ObserverList, @unchecked Sendable {
  private let subjectName: String

  init(_ notifier: Notifier, _ subject: ChangeSignal.Subject, _ name: String) {
    subjectName = name
    super.init(notifier, subject)
  }

  override var name: String { subjectName }
}
