/// The nodes of the sources that somebody observes.
// Guarded by the lock of the core.
final class SignalNodes: @unchecked Sendable {
  private var nodes: [ChangeSignal.Subject: SignalNode] = [:]

  var isEmpty: Bool { nodes.isEmpty }
  var all: [SignalNode] { Array(nodes.values) }

  subscript(subject: ChangeSignal.Subject) -> SignalNode? {
    get { nodes[subject] }
    set { nodes[subject] = newValue }
  }
}

/// All observers of whole sources in a context, and those that wait to run.
struct ChangeSignals {
  let registry = SignalNodes()
  var observerCount = 0

  /// Counts changes of sources: observers that came after a change are not told of it.
  var lastMark: UInt64 = 0

  /// The observers that are bound to an owner, by owner.
  var owned: [ObjectIdentifier: [SignalObserver]] = [:]

  /// When to look for owners that are gone.
  var nextOwnerSweep = 16
}

extension ContextState {
  /// Ends an observation.
  func end(_ observer: SignalObserver) {
    observer.node?.remove(observer)
    guard let ownerID = observer.ownerID else { return }
    observer.ownerID = nil
    core.retire(observer)
    signals.owned[ownerID]?.removeAll { $0 === observer }
    if signals.owned[ownerID]?.isEmpty == true { signals.owned[ownerID] = nil }
  }

  /// Ends the observations of owners that are gone, when their number may have doubled.
  func sweepOwners() {
    guard signals.owned.count >= signals.nextOwnerSweep else { return }
    removeObserversOfGoneOwners()
    signals.nextOwnerSweep = max(16, signals.owned.count * 2)
  }

  func removeObserversOfGoneOwners() {
    let gone = signals.owned.values.flatMap { $0 }.filter { $0.isOwnerGone() }
    for observer in gone { end(observer) }
  }

  /// The observations that belong to an object that is alive.
  func observers(of owner: AnyObject) -> [SignalObserver] {
    // An owner that is gone may have lived at the same address.
    for observer in signals.owned[ObjectIdentifier(owner)] ?? [] where observer.isOwnerGone() {
      end(observer)
    }
    return signals.owned[ObjectIdentifier(owner)] ?? []
  }

  func stopObservingUnlessNeeded(_ handle: Handle) {
    guard entityObservers[handle] == nil, signals.registry[.entity(handle)] == nil else { return }
    core.stopObserving(handle)
  }
}

extension ContextState {
  /// Begins an observation: of an owner's with the same name, the last one counts.
  func adopt(_ observer: SignalObserver, on node: SignalNode?, _ cancellation: Cancellation) {
    if let ownerID = observer.ownerID {
      sweepOwners()
      let earlier = (signals.owned[ownerID] ?? []).filter {
        $0.isOwnerGone() || ($0.name != nil && $0.name == observer.name)
      }
      for observer in earlier { end(observer) }
      if node != nil { signals.owned[ownerID, default: []].append(observer) }
    }
    observer.cancellation = cancellation
    node?.append(observer)
  }

  func endObservers(of owner: AnyObject, _ name: String?, where isMeant: (SignalObserver) -> Bool) {
    for observer in observers(of: owner)
    where (name == nil || observer.name == name) && isMeant(observer) {
      end(observer)
    }
  }
}
