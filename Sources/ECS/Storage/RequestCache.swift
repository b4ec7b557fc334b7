/// What was found for the components that requests ask for, in their order: in each of a few places what was found
/// last.
// PERFORMANCE: I0.context: to compare a request with one takes a few instructions, and to hash a matcher a hundred.
@safe
// Guarded by the lock of the core that its owner belongs to.
final class RequestCache<Object: AnyObject>: @unchecked Sendable {
  @safe
  private struct Entry {
    var request: IterationRequest
    var object: Object
  }

  // It stays in one place, so that nobody checks whether it is being changed.
  // SAFETY: there are so many, initialized as long as the cache lives.
  @safe private let entries = UnsafeMutablePointer<Entry?>.allocate(capacity: count)

  private static var count: Int { 16 }

  init() { unsafe entries.initialize(repeating: nil, count: Self.count) }

  deinit {
    unsafe entries.deinitialize(count: Self.count)
    unsafe entries.deallocate()
  }

  /// What was found for a request; nil if something else was found in its place since.
  subscript(request: IterationRequest) -> Object? {
    get {
      guard let entry = entries[Self.place(of: request)],
        entry.request.asksForSame(as: request)
      else { return nil }
      return entry.object
    }
    set {
      entries[Self.place(of: request)] = newValue.map { Entry(request: request, object: $0) }
    }
  }

  func removeAll() {
    for place in 0..<Self.count { entries[place] = nil }
  }

  private static func place(of request: IterationRequest) -> Int {
    Int(truncatingIfNeeded: request.hash &>> 60)
  }
}
