/// An observation that goes on: what a ``Subscription`` ends.
// Guarded by the lock of the core.
class Observer: @unchecked Sendable {
  /// The context that it belongs to.
  final private(set) weak var state: ContextState?

  /// Its place among the observers of the same subject.
  fileprivate final var place = -1

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
    leave()
    guard let state else { return }
    if isCounted { state.observerCount -= 1 }
    state.core.retire(self)
    self.state = nil
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

/// Observers of one subject.
enum SubjectRole<Member: Observer>: RosterRole {
  static func place(of member: Member) -> Int { member.place }
  static func setPlace(_ place: Int, of member: Member) { member.place = place }
}

/// Observers that are called directly, in the course of what they are told of.
// Guarded by the lock of the core.
final class DirectObservers<Told>: @unchecked Sendable {
  private var observers = Roster<SubjectRole<DirectObserver<Told>>>()

  func append(_ observer: DirectObserver<Told>) {
    observer.list = self
    observers.append(observer)
  }

  func remove(_ observer: DirectObserver<Told>) { observers.remove(observer) }

  /// Calls all observers that there are at this moment, but none that an earlier one has ended.
  func tell(_ told: Told) {
    let end = observers.beginWalk()
    for place in 0..<end { observers.member(at: place)?.body(told) }
    observers.endWalk()
  }

  func endAll() {
    for observer in observers.members { observer.end() }
  }
}

// Guarded by the lock of the core.
final class DirectObserver<Told>: Observer, @unchecked Sendable {
  let body: @Sendable (Told) -> Void

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
