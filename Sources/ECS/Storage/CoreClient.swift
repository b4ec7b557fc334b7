/// What a core asks of the context above it.
protocol CoreClient: AnyObject, Sendable {
  /// An entity that has observers of its own was destroyed: they end when they have been told.
  func entityEnded(_ handle: Handle)

  /// The outermost change ended, the lock is still held: deliver what was queued.
  func deliver()

  /// The core has ended: let go of everything that belongs to it.
  func coreEnded()
}
