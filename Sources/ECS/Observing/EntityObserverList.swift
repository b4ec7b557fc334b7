/// The observers of an entity, which storage finds by its slot.
// Guarded by the lock of the core that the entity belongs to.
final class EntityObserverList: ObserverList, @unchecked Sendable {
  private let handle: Handle

  init(_ notifier: Notifier, _ handle: Handle) {
    self.handle = handle
    super.init(notifier, .entity(handle))
  }

  override func joinedThoseOfChanges(_ observer: Observer) { tellCore() }

  override func leftThoseOfChanges(_ observer: Observer) {
    observer.leaveList()
    tellCore()
  }

  override func observersOfWholeDidChange() { tellCore() }

  override func revived() { tellCore() }

  private func tellCore() {
    // The slot may have another entity by now, with observers of its own.
    guard !isEnding, !notifier.isEnded else { return }
    let observed =
      count == 0
      ? .none
      : ObservedEntity(
        // PERFORMANCE: O2: a single observer is called directly.
        onlyObserverOfChanges?.handlerAlone(in: self) ?? self,
        wantsChanges: hasObserversOfChanges, wantsMarks: hasObserversOfWhole)
    core.notifications.setObserver(observed, of: handle)
  }

  override var name: String { Entity(core: core, handle: handle).description }
}
