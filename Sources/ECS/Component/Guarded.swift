import Synchronization

/// A value that one thread at a time uses, in an order that the thread sanitizer sees, too: it does
/// not see into the library's mutex.
struct Guarded<Value>: ~Copyable {
  private let value: Mutex<Value>

  #if ThreadSanitizer
    private let turns = Atomic<Int>(0)
  #endif

  init(_ value: sending Value) {
    self.value = Mutex(value)
  }

  borrowing func withLock<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result
  {
    value.withLock { value in
      #if ThreadSanitizer
        _ = turns.load(ordering: .acquiring)
        defer { turns.add(1, ordering: .releasing) }
      #endif
      return body(&value)
    }
  }
}

extension Guarded: Sendable where Value: Sendable {}
