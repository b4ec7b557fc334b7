import Dispatch
import ECS
import Foundation

/// Tasks that several callers share: whoever asks for a key while one runs for it waits for that one.
///
/// A task is cancelled when all who waited for it are.
// Guarded by its lock.
final class SharedTasks<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  typealias Outcome = Result<Value, RemoteError>

  // PERFORMANCE: An object, so that a key is looked up when a task begins and when it ends (H2).
  // Guarded by the lock of its owner.
  private final class Flight: @unchecked Sendable {
    let number: Int
    var waiting: [OneShot<Outcome>] = []
    var task: Task<Void, Never>?

    /// Whether it was given up, or has come to its end.
    var isOver = false

    init(_ number: Int) { self.number = number }
  }

  /// Who runs for a key.
  private struct Place {
    var flight: Flight?
  }

  private let lock = NSLock()
  private var places: [Key: Place] = [:]
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
    let (flight, isNew) = join(key, place)
    if isNew { begin(key, flight, body) }
    if let time {
      clock.run(max(time, .zero), .global()) { [weak self, weak place, weak flight] in
        if let place, let flight { self?.leave(key, flight, place, .transport(.timedOut)) }
      }
    }
    let outcome = await withTaskCancellationHandler {
      await place.wait()
    } onCancel: {
      leave(key, flight, place, .cancelled)
    }
    return try outcome.get()
  }

  /// Waits for the task of a key, or for a new one, which is to be begun.
  private func join(_ key: Key, _ place: OneShot<Outcome>) -> (flight: Flight, isNew: Bool) {
    lock.withLock {
      let (flight, isNew) = flight(in: &places[key, default: Place()])
      flight.waiting.append(place)
      return (flight, isNew)
    }
  }

  private func flight(in place: inout Place) -> (flight: Flight, isNew: Bool) {
    if let flight = place.flight { return (flight, false) }
    lastNumber += 1
    let flight = Flight(lastNumber)
    place.flight = flight
    return (flight, true)
  }

  private func begin(
    _ key: Key, _ flight: Flight,
    _ body: @escaping @Sendable (_ number: Int) async throws(RemoteError) -> Value
  ) {
    let work = { @Sendable () async in
      let outcome: Outcome
      do throws(RemoteError) {
        outcome = .success(try await body(flight.number))
      } catch {
        outcome = .failure(error)
      }
      self.end(key, flight, outcome)
    }
    let task: Task<Void, Never>
    // PERFORMANCE: Without a change of the thread before the first wait (H2).
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      task = Task.immediate(operation: work)
    } else {
      task = Task(operation: work)
    }
    let isAwaited = lock.withLock {
      if flight.isOver { return false }
      flight.task = task
      return true
    }
    // It is over, or all who waited have left meanwhile.
    if !isAwaited { task.cancel() }
  }

  private func end(_ key: Key, _ flight: Flight, _ outcome: Outcome) {
    let waiting = lock.withLock { () -> [OneShot<Outcome>] in
      // One that was given up is not in its place any more.
      if flight.isOver { return [] }
      finish(key, flight)
      return flight.waiting
    }
    for place in waiting { place.fire(outcome) }
  }

  private func leave(
    _ key: Key, _ flight: Flight, _ place: OneShot<Outcome>, _ error: RemoteError
  ) {
    let task = lock.withLock { () -> Task<Void, Never>? in
      guard !flight.isOver, let position = flight.waiting.firstIndex(where: { $0 === place })
      else { return nil }
      flight.waiting.remove(at: position)
      guard flight.waiting.isEmpty else { return nil }
      finish(key, flight)
      return flight.task
    }
    task?.cancel()
    place.fire(.failure(error))
  }

  /// Makes room for the next one.
  private func finish(_ key: Key, _ flight: Flight) {
    places[key] = nil
    flight.isOver = true
  }
}
