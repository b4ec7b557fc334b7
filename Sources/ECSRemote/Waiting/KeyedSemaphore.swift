import ECS
import Foundation

/// Lets so many tasks at a time pass for a key; the others wait, in the order in which they came.
// Guarded by its lock.
final class KeyedSemaphore<Key: Hashable & Sendable>: @unchecked Sendable {
  private struct Queue {
    var inside = 0
    // A slice, whose first is taken without moving the others.
    var waiting: ArraySlice<Promise<Bool>> = []

    /// Lets one in, or tells what it is to wait for.
    mutating func enter(_ capacity: Int) -> Promise<Bool>? {
      if inside < capacity {
        inside += 1
        return nil
      }
      let turn = Promise<Bool>()
      waiting.append(turn)
      return turn
    }

    /// Lets one out; returns the one that comes in instead.
    mutating func leave() -> Promise<Bool>? {
      if let next = waiting.popFirst() { return next }
      inside -= 1
      return nil
    }

    /// Whether one that waited does so no longer.
    mutating func giveUp(_ turn: Promise<Bool>) -> Bool {
      guard let index = waiting.firstIndex(where: { $0 === turn }) else { return false }
      waiting.remove(at: index)
      return true
    }
  }

  private let capacity: Int
  private let lock = NSLock()
  private var queues = SmallMap<Key, Queue>()

  init(capacity: Int) { self.capacity = max(1, capacity) }

  /// Runs a body when it is its turn.
  ///
  /// - Throws: ``RemoteError/cancelled`` if the task is cancelled before,
  ///   ``TransportError/timedOut`` if its turn does not come in time; and what the body throws.
  nonisolated(nonsending) func pass<Value: Sendable>(
    _ key: Key, within time: Duration, _ clock: LoopClock,
    _ body: nonisolated(nonsending) () async throws(RemoteError) -> Value
  ) async throws(RemoteError) -> Value {
    // PERFORMANCE: Most need not wait, and nothing is made for them (H2).
    let turn = lock.withLock {
      queues.change(key) { queue in
        if queue == nil { queue = Queue() }
        return queue?.enter(capacity)
      }
    }
    if let turn { try await wait(for: turn, key, within: time, clock) }
    do throws(RemoteError) {
      let value = try await body()
      leave(key)
      return value
    } catch {
      leave(key)
      throw error
    }
  }

  private nonisolated(nonsending) func wait(
    for turn: Promise<Bool>, _ key: Key, within time: Duration, _ clock: LoopClock
  ) async throws(RemoteError) {
    clock.run(max(time, .zero), .global()) { [weak self, weak turn] in
      if let turn { self?.giveUp(turn, key) }
    }
    let hasTurn = await withTaskCancellationHandler {
      await turn.wait()
    } onCancel: {
      giveUp(turn, key)
    }
    if !hasTurn { throw Task.isCancelled ? .cancelled : .transport(.timedOut) }
  }

  /// Only a caller that still waits can give up: a turn that was given is given back by leaving.
  private func giveUp(_ turn: Promise<Bool>, _ key: Key) {
    let waited = lock.withLock { queues.change(key) { $0?.giveUp(turn) ?? false } }
    if waited { turn.fire(false) }
  }

  private func leave(_ key: Key) {
    let next = lock.withLock {
      queues.change(key) { queue in
        let next = queue?.leave()
        if queue?.inside == 0 { queue = nil }
        return next
      }
    }
    next?.fire(true)
  }
}
