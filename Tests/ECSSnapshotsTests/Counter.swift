// Used by one thread.
final class Counter: @unchecked Sendable {
  private(set) var count = 0
  func add(_ number: Int) { count += number }
}
