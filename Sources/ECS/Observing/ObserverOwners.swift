/// The owners that observations are bound to.
// Guarded by the lock of the core.
final class ObserverOwners: @unchecked Sendable {
  private var owners: [ObjectIdentifier: ObserverOwner] = [:]
  private var order = StableList<OwnerRole>()

  /// How many owners are asked at a time whether they are gone.
  private static var sweepLength: Int { 8 }

  /// Where the next sweep begins.
  private var next = 0

  private enum OwnerRole: StableListRole {
    static func index(of member: ObserverOwner) -> Int { member.orderIndex }
    static func setIndex(_ index: Int, of member: ObserverOwner) { member.orderIndex = index }
  }

  /// An owner that is alive, if it has observers.
  func existing(_ object: AnyObject) -> ObserverOwner? {
    guard let owner = owners[ObjectIdentifier(object)], !owner.isGone else { return nil }
    return owner
  }

  /// Gives an observer to its owner: of one owner's with the same name, the last one counts.
  ///
  /// `isBeginning` is false if there is nothing to observe any more.
  func adopt(_ observer: Observer, _ object: AnyObject, isBeginning: Bool) {
    // An owner that is gone may have lived at the same address.
    if let owner = owners[ObjectIdentifier(object)], owner.isGone { owner.endAll() }
    if let name = observer.name { existing(object)?.observer(named: name)?.end() }
    guard isBeginning else { return }
    let owner = existing(object) ?? add(object)
    owner.append(observer)
  }

  private func add(_ object: AnyObject) -> ObserverOwner {
    let owner = ObserverOwner(object, in: self)
    owners[owner.id] = owner
    order.append(owner)
    return owner
  }

  /// The last observer of an owner has ended.
  fileprivate func remove(_ owner: ObserverOwner) {
    order.remove(owner)
    if owners[owner.id] === owner { owners[owner.id] = nil }
  }

  /// Ends the observations of some owners that are gone, the next ones each time.
  ///
  /// Nothing is notified when an object goes. So each delivery asks a few; what those
  /// observations captured is gone soon, though their sources may never change again.
  func sweep() {
    guard !order.isEmpty else { return }
    var steps = min(Self.sweepLength, order.count)
    let end = order.beginWalk()
    var passed = 0
    while steps > 0, passed < end {
      if next >= end { next = 0 }
      if let owner = order.member(at: next) {
        steps -= 1
        if owner.isGone { owner.endAll() }
      }
      next += 1
      passed += 1
    }
    order.endWalk()
  }
}

/// An owner of observations, and what it observes.
// Guarded by the lock of the core.
final class ObserverOwner: @unchecked Sendable {
  let id: ObjectIdentifier
  fileprivate var orderIndex = -1

  private weak let object: AnyObject?
  private weak let owners: ObserverOwners?
  private var observers = StableList<OwnedRole>()
  private var named: [String: Observer] = [:]

  private enum OwnedRole: StableListRole {
    static func index(of member: Observer) -> Int { member.ownerIndex }
    static func setIndex(_ index: Int, of member: Observer) { member.ownerIndex = index }
  }

  fileprivate init(_ object: AnyObject, in owners: ObserverOwners) {
    id = ObjectIdentifier(object)
    self.object = object
    self.owners = owners
  }

  var isGone: Bool { object == nil }
  var count: Int { observers.count }

  /// The observers, in the order of their beginning.
  var all: [Observer] { observers.members }

  func observer(named name: String) -> Observer? { named[name] }

  fileprivate func append(_ observer: Observer) {
    observer.owner = self
    observers.append(observer)
    if let name = observer.name { named[name] = observer }
  }

  @inline(never)
  func remove(_ observer: Observer) {
    observers.remove(observer)
    if let name = observer.name, named[name] === observer { named[name] = nil }
    if observers.isEmpty { owners?.remove(self) }
  }

  fileprivate func endAll() {
    for observer in observers.members { observer.end() }
  }

  /// Ends the observations with a name, or all of them, of one subject or of all.
  func end(_ name: String?, in list: ObserverList? = nil) {
    if let name {
      guard let observer = named[name], list == nil || observer.list === list else { return }
      return observer.end()
    }
    guard let list else { return endAll() }
    // The fewer ones.
    let candidates = list.count < count ? list.observers : all
    for observer in candidates where observer.owner === self && observer.list === list {
      observer.end()
    }
  }
}
