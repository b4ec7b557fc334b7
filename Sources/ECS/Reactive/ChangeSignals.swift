/// The nodes of the sources that somebody observes.
// Guarded by the lock of the core.
final class SignalNodes: @unchecked Sendable {
  private var nodes: [ChangeSignal.Subject: SignalNode] = [:]

  var isEmpty: Bool { nodes.isEmpty }
  var all: [SignalNode] { Array(nodes.values) }

  subscript(subject: ChangeSignal.Subject) -> SignalNode? {
    get { nodes[subject] }
    set { nodes[subject] = newValue }
  }
}

/// All observers of whole sources in a context.
struct ChangeSignals {
  let registry = SignalNodes()

  /// Counts changes of sources: observers that came after a change are not told of it.
  var lastMark: UInt64 = 0
}
