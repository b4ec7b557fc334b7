/// What a core asks of the context above it.
protocol CoreClient: AnyObject, Sendable {
  /// An entity in watched tables changed: queue a notification for these observers.
  func enqueue(
    _ kind: ReactionKind, _ handle: Handle, _ values: ChangeValues, for target: ReactionTarget)

  /// An entity that has observers of its own changed; `isEnd` if it was destroyed.
  func enqueueForEntity(
    _ kind: ReactionKind, _ handle: Handle, _ values: ChangeValues, isEnd: Bool)

  /// The outermost change ended, the lock is still held: deliver what was queued.
  func deliver()

  /// The core has ended: let go of everything that belongs to it.
  func coreEnded()
}
