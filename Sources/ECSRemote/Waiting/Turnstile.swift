import ECS
import Foundation

/// Lets so many tasks at a time pass for a key; the others wait, in the order in which they came.
// Guarded by its lock.
final class Turnstile<Key: Hashable & Sendable>: @unchecked Sendable {
  private struct Place {
    var inside = 0
    // A slice, whose first is taken without moving the others.
    var waiting: ArraySlice<OneShot<Bool>> = []

    /// Lets one in, or tells what it is to wait for.
    mutating func enter(_ capacity: Int) -> OneShot<Bool>? {
      if inside < capacity {
        inside += 1
        return nil
      }
      let turn = OneShot<Bool>()
      waiting.append(turn)
      return turn
    }
  }

  private let capacity: Int
  private let lock = NSLock()
  private var places: [Key: Place] = [:]

  init(capacity: Int) { self.capacity = max(1, capacity) }

  /// Runs a body when it is its turn.
  ///
  /// - Throws: ``RemoteError/cancelled`` if the task is cancelled before, ``TransportError/timedOut`` if
  ///   its turn does not come in time; and what the body throws.
  func pass<Value: Sendable>(
    _ key: Key, within time: Duration, _ clock: LoopClock,
    _ body: () async throws(RemoteError) -> Value
  ) async throws(RemoteError) -> Value {
    try await enter(key, within: time, clock)
    do throws(RemoteError) {
      let value = try await body()
      leave(key)
      return value
    } catch {
      leave(key)
      throw error
    }
  }

  private func enter(
    _ key: Key, within time: Duration, _ clock: LoopClock
  ) async throws(RemoteError) {
    // PERFORMANCE: Most need not wait, and nothing is made for them (H2).
    let turn = lock.withLock { places[key, default: Place()].enter(capacity) }
    guard let turn else { return }
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

  /// Only who still waits can give up: a turn that was given is given back by leaving.
  private func giveUp(_ turn: OneShot<Bool>, _ key: Key) {
    let waited = lock.withLock {
      guard let number = places[key]?.waiting.firstIndex(where: { $0 === turn }) else {
        return false
      }
      places[key]?.waiting.remove(at: number)
      return true
    }
    if waited { turn.fire(false) }
  }

  private func leave(_ key: Key) {
    let next = lock.withLock { () -> OneShot<Bool>? in
      // Changed where it is: a copy would copy the queue.
      if let next = places[key]?.waiting.popFirst() { return next }
      places[key]?.inside -= 1
      if places[key]?.inside == 0 { places[key] = nil }
      return nil
    }
    next?.fire(true)
  }
}
