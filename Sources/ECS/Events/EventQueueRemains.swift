/// The rest of a queue when its context ends: values that end where user code may run.
// Nothing has it but the code that releases it.
final class EventQueueRemains: @unchecked Sendable {
  private var queue: EventQueue

  init(_ queue: EventQueue) { self.queue = queue }

  deinit { queue.endAll() }
}
