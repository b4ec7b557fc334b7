/// A short cut to the only observer of a subject that is notified of a kind of changes, past the
/// list of observers.
// PERFORMANCE: O2: the list and the handler are all that is read of an entity with one observer.
// INVARIANT: its owner asks the list anew whenever observers have come or gone, so the list retains
// the observer, and it the handler; one that goes while it is called is kept by `Core.retire`.
@safe
struct SingleHandler: BitwiseCopyable {
  private let handler: Unmanaged<ChangeHandler>?

  /// The sequence number of the first change that it gets.
  private let first: UInt64

  init(_ observer: ChangeObserver) {
    unsafe handler = Unmanaged.passUnretained(observer.changeHandler)
    first = observer.first
  }

  private init() {
    unsafe handler = nil
    first = .max
  }

  /// There is none, or there are several.
  static var none: SingleHandler { SingleHandler() }

  var isThere: Bool { unsafe handler != nil }

  /// Tells a change, unless it is older than the observation or no longer holds; false if there is
  /// none, or if there are several.
  @inline(__always)
  func tell(_ change: QueuedChange, _ scope: ChangeScope) -> Bool {
    guard let handler = unsafe handler else { return false }
    if first <= change.sequence, change.isCurrent(for: scope) {
      // SAFETY: see above.
      unsafe handler._withUnsafeGuaranteedRef { $0.call(change, $0, .none) }
    }
    return true
  }

  /// Lets be fetched from memory what telling a change takes.
  @inline(__always)
  func prefetch() { unsafe handler?.prefetch(from: 16, to: 63) }
}
