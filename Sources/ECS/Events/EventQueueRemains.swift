/// The rest of a queue when its context ends: values that end where user code may run.
// Nobody has it but who releases it.
final class EventQueueRemains: @unchecked Sendable {
  private var queue: EventQueue

  init(_ queue: EventQueue) { self.queue = queue }

  deinit { queue.endAll() }
}
