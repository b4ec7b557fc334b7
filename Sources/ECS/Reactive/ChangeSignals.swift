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

  /// Takes all nodes out.
  func takeAll() -> [SignalNode] {
    defer { nodes = [:] }
    return all
  }
}
