import Dispatch

/// Values in the order in which they came, from any thread.
// Guarded by the queue.
final class Recorded<Value: Sendable>: @unchecked Sendable {
  private let guardian = DispatchQueue(label: "Recorded")
  private var values: [Value] = []

  var all: [Value] { guardian.sync { values } }

  func add(_ value: Value) { guardian.sync { values.append(value) } }
}
