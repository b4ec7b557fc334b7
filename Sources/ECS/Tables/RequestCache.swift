/// A cache of what was found for the components that requests ask for, in their order: each of a
/// few entries has what was found last.
// PERFORMANCE: I0.context: to compare a request with one takes a few instructions, and to hash a
// matcher a hundred.
@safe
// Guarded by the lock of the core that its owner belongs to.
final class RequestCache<Object: AnyObject>: @unchecked Sendable {
  @safe
  private struct Entry {
    var request: IterationRequest
    var object: Object
  }

  private typealias Entries = UnsafeMutablePointer<Entry?>

  // It stays at one address, so that no access checks whether it is being changed; and nil until
  // something is found, since most contexts never ask.
  // SAFETY: initialized as long as the cache lives, as are the entries, of which there are `count`.
  @safe private let entries = UnsafeMutablePointer<Entries?>.allocate(capacity: 1)

  private static var count: Int { 16 }

  init() { unsafe entries.initialize(to: nil) }

  deinit {
    removeAll()
    unsafe entries.deallocate()
  }

  /// What was found for a request; nil if something else was found at its index since.
  subscript(request: IterationRequest) -> Object? {
    get {
      guard let entries = unsafe entries.pointee,
        let entry = unsafe entries[Self.index(of: request)],
        entry.request.asksForSame(as: request)
      else { return nil }
      return entry.object
    }
    set {
      let entries = unsafe self.entries.pointee ?? makeEntries()
      unsafe entries[Self.index(of: request)] = newValue.map { Entry(request: request, object: $0) }
    }
  }

  private func makeEntries() -> Entries {
    let made = Entries.allocate(capacity: Self.count)
    unsafe made.initialize(repeating: nil, count: Self.count)
    unsafe entries.pointee = unsafe made
    return unsafe made
  }

  func removeAll() {
    guard let old = unsafe entries.pointee else { return }
    unsafe entries.pointee = nil
    unsafe old.deinitialize(count: Self.count)
    unsafe old.deallocate()
  }

  private static func index(of request: IterationRequest) -> Int {
    Int(truncatingIfNeeded: request.hash &>> 60)
  }
}
