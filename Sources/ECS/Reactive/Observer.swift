/// An observation that goes on: what a ``Subscription`` ends.
// Guarded by the lock of the core.
class Observer: @unchecked Sendable {
  /// The context that it belongs to.
  final private(set) weak var state: ContextState?

  /// Whether it is told of changes.
  final private(set) var isActive = true

  /// Whether it was bound to an owner that is gone.
  var isOwnerGone: Bool { false }

  /// Whether it is one of those that statistics tell of.
  var isCounted: Bool { true }

  /// Notes that the observation has begun.
  final func begin(in state: ContextState) {
    self.state = state
    if isCounted { state.observerCount += 1 }
  }

  /// Ends the observation.
  ///
  /// What its closure owns is released when the lock is free, since it may be anything.
  final func end() {
    guard isActive else { return }
    isActive = false
    // First: whoever walks over the list that it leaves does not retain it.
    state?.core.retire(self)
    leave()
    if isCounted { state?.observerCount -= 1 }
    state = nil
  }

  /// Leaves the lists that it is in.
  func leave() {}

  /// What carries calls to where they are made; nil if they are made in the critical section.
  var delivery: (any Delivery)? { nil }
}

/// Carries calls of an observer to somewhere outside of the critical section.
protocol Delivery: AnyObject, Sendable {
  /// Lets no further call begin.
  func close()
}

/// Observers that are called directly, in the course of what they are told of.
// Guarded by the lock of the core.
final class DirectObservers<Told>: @unchecked Sendable {
  private let observers = ObserverPlaces<DirectObserver<Told>>()

  deinit { observers.deallocate() }

  func append(_ observer: DirectObserver<Told>) {
    observer.list = self
    observers.append(observer)
  }

  func remove(_ observer: DirectObserver<Told>) { observers.remove(observer) }

  /// Calls all observers that there are at this moment, but none that an earlier one has ended.
  func tell(_ told: Told) {
    observers.walk { $0.body(told) }
  }

  func endAll() {
    for observer in observers.members { observer.end() }
  }
}

// Guarded by the lock of the core.
final class DirectObserver<Told>: Observer, RosterMember, @unchecked Sendable {
  let body: @Sendable (Told) -> Void
  var rosterPlace = -1

  /// An observer that ends with this one.
  private let companion: Observer?

  fileprivate weak var list: DirectObservers<Told>?

  init(with companion: Observer? = nil, _ body: @escaping @Sendable (Told) -> Void) {
    self.companion = companion
    self.body = body
  }

  override var isCounted: Bool { companion == nil }

  override func leave() {
    list?.remove(self)
    companion?.end()
  }
}
