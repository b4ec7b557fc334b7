import Foundation

/// Values of several threads, in the order in which they came.
// Guarded by its lock.
final class Collected<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [Value] = []
  var all: [Value] { lock.withLock { values } }
  func add(_ value: Value) { lock.withLock { values.append(value) } }
  func removeAll() { lock.withLock { values = [] } }
}
