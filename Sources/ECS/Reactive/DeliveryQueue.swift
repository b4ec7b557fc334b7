/// Sources that changed and wait to be told as a whole, behind the single changes in the core's
/// queue; oldest first.
struct DeliveryQueue {
  private struct Entry {
    let node: SignalNode
    let round: Int
  }

  private var sources = FirstInFirstOut<Entry>()

  mutating func append(_ node: SignalNode, round: Int) {
    sources.append(Entry(node: node, round: round))
  }

  mutating func popFirst() -> (node: SignalNode, round: Int)? {
    sources.popFirst().map { ($0.node, $0.round) }
  }
}
