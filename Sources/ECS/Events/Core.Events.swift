extension Core {
  /// The changes that wait to be delivered to observers, and what remains of those that were.
  struct Events: ~Copyable {
    /// The changes that observers are to be notified of.
    var queue = EventQueue()

    /// Values that observers were notified of, to be ended when the lock is free.
    var pendingRelease = PendingRelease()

    /// The number of elements of asynchronous sequences that were dropped.
    var lostElements = 0

    /// Takes what is left of the queue, which is to be ended when the lock is free.
    mutating func end() -> EventQueueRemains {
      defer {
        queue = EventQueue()
        lostElements = 0
      }
      return EventQueueRemains(queue)
    }
  }
}
