/// What is left of a queue when its context ends: values that end where user code may run.
// Nobody has it but who releases it.
final class ChangeQueueRemains: @unchecked Sendable {
  private var queue: ChangeQueue

  init(_ queue: ChangeQueue) { self.queue = queue }

  deinit { queue.endAll() }
}
