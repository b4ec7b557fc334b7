/// A cache of what was found for the components that requests ask for, in their order: each of a
/// few places has what was found last.
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

  private typealias Places = UnsafeMutablePointer<Entry?>

  // It stays in one place, so that no access checks whether it is being changed; and nil until
  // something is found, since most contexts never ask.
  // SAFETY: initialized as long as the cache lives, as are the places, of which there are `count`.
  @safe private let places = UnsafeMutablePointer<Places?>.allocate(capacity: 1)

  private static var count: Int { 16 }

  init() { unsafe places.initialize(to: nil) }

  deinit {
    removeAll()
    unsafe places.deallocate()
  }

  /// What was found for a request; nil if something else was found in its place since.
  subscript(request: IterationRequest) -> Object? {
    get {
      guard let places = unsafe places.pointee,
        let entry = unsafe places[Self.place(of: request)],
        entry.request.asksForSame(as: request)
      else { return nil }
      return entry.object
    }
    set {
      let places = unsafe self.places.pointee ?? makePlaces()
      unsafe places[Self.place(of: request)] = newValue.map { Entry(request: request, object: $0) }
    }
  }

  private func makePlaces() -> Places {
    let made = Places.allocate(capacity: Self.count)
    unsafe made.initialize(repeating: nil, count: Self.count)
    unsafe places.pointee = unsafe made
    return unsafe made
  }

  func removeAll() {
    guard let old = unsafe places.pointee else { return }
    unsafe places.pointee = nil
    unsafe old.deinitialize(count: Self.count)
    unsafe old.deallocate()
  }

  private static func place(of request: IterationRequest) -> Int {
    Int(truncatingIfNeeded: request.hash &>> 60)
  }
}
