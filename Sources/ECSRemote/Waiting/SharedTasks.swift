import Dispatch
import ECS
import Foundation

/// Tasks that several callers share: whoever asks for a key while one runs for it waits for that one.
///
/// A task is cancelled when all who waited for it are.
// Guarded by its lock.
final class SharedTasks<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  typealias Outcome = Result<Value, RemoteError>

  private struct Flight {
    let number: Int
    var waiting: [OneShot<Outcome>]
    var task: Task<Void, Never>?
  }

  private let lock = NSLock()
  private var flights: [Key: Flight] = [:]
  private var lastNumber = 0

  /// What the running task for a key comes to, or a new one.
  ///
  /// The body is told its number, which grows from task to task. One that was cancelled may still run beside
  /// the next one.
  ///
  /// - Throws: ``RemoteError/cancelled`` if this caller is cancelled, ``TransportError/timedOut`` if it has
  ///   waited for so long; and what the body throws.
  func run(
    _ key: Key, within time: Duration? = nil, _ clock: LoopClock = .dispatch,
    _ body: @escaping @Sendable (_ number: Int) async throws(RemoteError) -> Value
  ) async throws(RemoteError) -> Value {
    if Task.isCancelled { throw .cancelled }
    let place = OneShot<Outcome>()
    if let number = join(key, place) { begin(key, number, body) }
    if let time {
      clock.run(max(time, .zero), .global()) { [weak self, weak place] in
        if let place { self?.leave(key, place, .transport(.timedOut)) }
      }
    }
    let outcome = await withTaskCancellationHandler {
      await place.wait()
    } onCancel: {
      leave(key, place, .cancelled)
    }
    return try outcome.get()
  }

  /// Waits for the task of a key; the number of the one that is to be begun, if there is none.
  private func join(_ key: Key, _ place: OneShot<Outcome>) -> Int? {
    lock.withLock {
      if flights[key] != nil {
        flights[key]?.waiting.append(place)
        return nil
      }
      lastNumber += 1
      flights[key] = Flight(number: lastNumber, waiting: [place], task: nil)
      return lastNumber
    }
  }

  private func begin(
    _ key: Key, _ number: Int,
    _ body: @escaping @Sendable (_ number: Int) async throws(RemoteError) -> Value
  ) {
    let work = { @Sendable () async in
      let outcome: Outcome
      do throws(RemoteError) {
        outcome = .success(try await body(number))
      } catch {
        outcome = .failure(error)
      }
      self.end(key, number, outcome)
    }
    let task: Task<Void, Never>
    // PERFORMANCE: Without a change of the thread before the first wait (H2).
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      task = Task.immediate(operation: work)
    } else {
      task = Task(operation: work)
    }
    let isAwaited = lock.withLock {
      guard flights[key]?.number == number else { return false }
      flights[key]?.task = task
      return true
    }
    // It is over, or all who waited have left meanwhile.
    if !isAwaited { task.cancel() }
  }

  private func end(_ key: Key, _ number: Int, _ outcome: Outcome) {
    let waiting = lock.withLock { () -> [OneShot<Outcome>] in
      // One that was given up is not in its place any more.
      guard let flight = flights[key], flight.number == number else { return [] }
      flights[key] = nil
      return flight.waiting
    }
    for place in waiting { place.fire(outcome) }
  }

  private func leave(_ key: Key, _ place: OneShot<Outcome>, _ error: RemoteError) {
    let task = lock.withLock { () -> Task<Void, Never>? in
      guard let flight = flights[key],
        let position = flight.waiting.firstIndex(where: { $0 === place })
      else { return nil }
      flights[key]?.waiting.remove(at: position)
      guard flight.waiting.count == 1 else { return nil }
      flights[key] = nil
      return flight.task
    }
    task?.cancel()
    place.fire(.failure(error))
  }
}
