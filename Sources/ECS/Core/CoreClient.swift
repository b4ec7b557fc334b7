/// The context above a core, as the core calls it.
protocol CoreClient: AnyObject, Sendable {
  /// An entity that has observers of its own was destroyed: they end when they have been notified.
  func entityEnded(_ handle: Handle)

  /// The creation of entities was taken back: they never were, and nobody is told.
  func entitiesUndone(_ handles: [Handle])

  /// The outermost change ended, the lock is still held: deliver what was queued.
  func deliver()

  /// The core has ended: let go of everything that belongs to it.
  func coreEnded()
}

extension Core {
  /// The client of the core, if it has one, as what it is, which storage does not know.
  func client<Client: CoreClient>(as type: Client.Type) -> Client? {
    // SAFETY: INVARIANT: the clients of all cores are of one type. Builds for debugging check it.
    pointer.pointee.client.map { unsafe unsafeDowncast($0, to: type) }
  }
}
