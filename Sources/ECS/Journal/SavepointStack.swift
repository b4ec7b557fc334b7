/// The transactions that run, the innermost last.
// PERFORMANCE: an array would ask at each change whether it is shared.
@safe
struct SavepointStack {
  // INVARIANT: the first `count` of `capacity` elements are initialized. Savepoints are trivial.
  private var base: UnsafeMutablePointer<Recording.Savepoint>?
  private var capacity = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The innermost one, until another one begins; nil if there is none.
  var last: UnsafeMutablePointer<Recording.Savepoint>? {
    // SAFETY: it is one of those that are initialized.
    unsafe count > 0 ? base.map { unsafe $0 + (count &- 1) } : nil
  }

  mutating func append(_ savepoint: Recording.Savepoint) {
    if count == capacity { grow() }
    // SAFETY: there is room behind the last one.
    unsafe base.map { unsafe ($0 + count).initialize(to: savepoint) }
    count &+= 1
  }

  @inline(never)
  private mutating func grow() {
    let grown = max(4, capacity * 2)
    let block = UnsafeMutablePointer<Recording.Savepoint>.allocate(capacity: grown)
    if let base = unsafe base {
      // SAFETY: `count` savepoints are initialized, and fit.
      unsafe block.initialize(from: base, count: count)
      unsafe base.deallocate()
    }
    unsafe base = block
    capacity = grown
  }

  mutating func removeLast() { count &-= 1 }

  func deallocate() { unsafe base?.deallocate() }
}
