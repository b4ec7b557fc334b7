import Dispatch
package import ECS
import Foundation

/// Work that several callers share: a caller that asks for a key while it is done for it waits for
/// that.
///
/// It is cancelled when all callers that waited for it are, unless it has a time of its own.
// Guarded by its lock.
package final class SharedTasks<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  typealias Outcome = Result<Value, RemoteError>

  // PERFORMANCE: An object, so that a key is looked up when a task begins and when it ends (H2).
  // Guarded by the lock of its owner.
  private final class Flight: @unchecked Sendable {
    let number: Int
    var waiting: [Promise<Outcome>] = []

    /// Whether a caller does the work itself, besides those that wait.
    var isLed = false

    /// What does the work otherwise.
    var task: Task<Void, Never>?

    /// Whether it goes on when all callers that waited have left.
    var isLasting = false

    /// Whether it was given up, or has come to its end.
    var isOver = false

    init(_ number: Int) { self.number = number }
  }

  /// The role of a caller in a flight.
  private enum Role {
    case leads(Flight)
    case follows(Flight, Promise<Outcome>)
  }

  private let lock = NSLock()
  private var flights = SmallMap<Key, Flight>()
  private var lastNumber = 0

  package init() {}

  /// How many wait for what another one does.
  package var waitingCount: Int {
    lock.withLock { flights.values.reduce(0) { $0 + $1.waiting.count } }
  }

  /// What the running task for a key comes to, or a new one.
  ///
  /// The body gets its number, which grows from task to task. One that was cancelled may still run
  /// beside the next one.
  ///
  /// - Parameters:
  ///   - key: What is done.
  ///   - time: How long this caller waits; nil for as long as it takes.
  ///   - limit: How long a new task may take, which is then cancelled only when that is over,
  ///     though all leave; nil for as long as a caller waits.
  ///   - clock: Time.
  ///   - body: Does it.
  /// - Returns: What the body returns.
  /// - Throws: ``RemoteError/cancelled`` if this caller is cancelled, ``TransportError/timedOut``
  ///   if it has waited for so long, or the task has taken too long; and what the body throws.
  package func run(
    _ key: Key, within time: Duration? = nil, lasting limit: Duration? = nil,
    _ clock: LoopClock = .dispatch,
    _ body: @escaping @Sendable (_ number: Int) async throws(RemoteError) -> Value
  ) async throws(RemoteError) -> Value {
    if Task.isCancelled { throw .cancelled }
    let promise = Promise<Outcome>()
    let (flight, isNew) = join(key, promise, isLasting: limit != nil)
    return try await outcome(of: key, flight, promise) {
      // It may be over before it begins, and no caller waits then.
      if isNew, !(Task.isCancelled && isOver(flight)) { begin(key, flight, body) }
      if let time {
        clock.run(max(time, .zero), .global()) { [weak self, weak promise, weak flight] in
          if let promise, let flight { self?.leave(key, flight, promise, .transport(.timedOut)) }
        }
      }
      if let limit, isNew {
        clock.run(limit, .global()) { [weak self, weak flight] in
          if let flight { self?.giveUp(key, flight) }
        }
      }
    }.get()
  }

  /// Whether the task of a number is under way, and was not given up.
  package func isUnderWay(_ key: Key, _ number: Int) -> Bool {
    lock.withLock { flights[key]?.number == number }
  }

  /// As ``run(_:within:lasting:_:_:)``, but the first caller does the work itself.
  ///
  /// The body has to end soon when its task is cancelled: that is when the caller does. If it fails
  /// then, those that wait have it done anew by a task of its own, and get only what comes of that.
  // PERFORMANCE: No thread is woken for the caller when the work is done (H2).
  package nonisolated(nonsending) func lead(
    _ key: Key,
    _ body: nonisolated(nonsending) @escaping @Sendable () async throws(RemoteError) -> Value
  ) async throws(RemoteError) -> Value {
    if Task.isCancelled { throw .cancelled }
    switch role(for: key) {
    case .follows(let flight, let promise): return try await outcome(of: key, flight, promise).get()
    case .leads(let flight):
      do throws(RemoteError) {
        let value = try await body()
        end(key, flight, .success(value))
        return value
      } catch {
        if Task.isCancelled, handOver(key, flight) {
          // Not at once, on this thread: a cancelled caller should not wait for it.
          let work = work(key, flight) { _ async throws(RemoteError) in
            // They may have left meanwhile.
            if self.isOver(flight) { throw .cancelled }
            return try await body()
          }
          keep(Task(operation: work), flight)
        } else {
          // Nothing, if it is over: no caller waits then.
          end(key, flight, .failure(error))
        }
        throw error
      }
    }
  }

  private func role(for key: Key) -> Role {
    lock.withLock {
      let (flight, isNew) = flight(for: key)
      if isNew {
        flight.isLed = true
        return .leads(flight)
      }
      let promise = Promise<Outcome>()
      flight.waiting.append(promise)
      return .follows(flight, promise)
    }
  }

  /// Whether others wait for what a caller does that does it no longer; it is over otherwise.
  private func handOver(_ key: Key, _ flight: Flight) -> Bool {
    lock.withLock {
      flight.isLed = false
      if flight.waiting.isEmpty { finish(key, flight) }
      return !flight.isOver
    }
  }

  private func isOver(_ flight: Flight) -> Bool { lock.withLock { flight.isOver } }

  // What begins does so once the handler is there: it may cancel its caller, which has then left.
  private func outcome(
    of key: Key, _ flight: Flight, _ promise: Promise<Outcome>, beginning: () -> Void = {}
  ) async -> Outcome {
    await withTaskCancellationHandler {
      beginning()
      return await promise.wait()
    } onCancel: {
      leave(key, flight, promise, .cancelled)
    }
  }

  /// Waits for the task of a key, or for a new one, which is to be begun.
  private func join(
    _ key: Key, _ promise: Promise<Outcome>, isLasting: Bool
  ) -> (flight: Flight, isNew: Bool) {
    lock.withLock {
      let (flight, isNew) = flight(for: key)
      if isNew { flight.isLasting = isLasting }
      flight.waiting.append(promise)
      return (flight, isNew)
    }
  }

  // What is under way for a key, or begins. Under the lock.
  private func flight(for key: Key) -> (flight: Flight, isNew: Bool) {
    let number = lastNumber + 1
    let (flight, isNew) = flights.change(key) { flight in
      if let flight { return (flight, false) }
      let new = Flight(number)
      flight = new
      return (new, true)
    }
    if isNew { lastNumber = number }
    return (flight, isNew)
  }

  private func begin(
    _ key: Key, _ flight: Flight,
    _ body: @escaping @Sendable (_ number: Int) async throws(RemoteError) -> Value
  ) {
    let work = work(key, flight, body)
    // PERFORMANCE: Without a change of the thread before the first wait (H2).
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      keep(Task.immediate(operation: work), flight)
    } else {
      keep(Task(operation: work), flight)
    }
  }

  private func work(
    _ key: Key, _ flight: Flight,
    _ body: @escaping @Sendable (_ number: Int) async throws(RemoteError) -> Value
  ) -> @Sendable () async -> Void {
    {
      let outcome: Outcome
      do throws(RemoteError) {
        outcome = .success(try await body(flight.number))
      } catch {
        outcome = .failure(error)
      }
      self.end(key, flight, outcome)
    }
  }

  private func keep(_ task: Task<Void, Never>, _ flight: Flight) {
    let isAwaited = lock.withLock {
      if flight.isOver { return false }
      flight.task = task
      return true
    }
    // It is over, or all callers that waited have left meanwhile.
    if !isAwaited { task.cancel() }
  }

  private func end(_ key: Key, _ flight: Flight, _ outcome: Outcome) {
    let waiting = lock.withLock { () -> [Promise<Outcome>] in
      // One that was given up is not in its place any more.
      if flight.isOver { return [] }
      finish(key, flight)
      return flight.waiting
    }
    for promise in waiting { promise.fire(outcome) }
  }

  private func leave(
    _ key: Key, _ flight: Flight, _ promise: Promise<Outcome>, _ error: RemoteError
  ) {
    let task = lock.withLock { () -> Task<Void, Never>? in
      guard !flight.isOver, let position = flight.waiting.firstIndex(where: { $0 === promise })
      else { return nil }
      flight.waiting.remove(at: position)
      guard flight.waiting.isEmpty, !flight.isLed, !flight.isLasting else { return nil }
      finish(key, flight)
      return flight.task
    }
    task?.cancel()
    promise.fire(.failure(error))
  }

  /// Cancels what has taken too long.
  private func giveUp(_ key: Key, _ flight: Flight) {
    let task = lock.withLock { flight.task }
    end(key, flight, .failure(.transport(.timedOut)))
    task?.cancel()
  }

  /// Makes room for the next one.
  private func finish(_ key: Key, _ flight: Flight) {
    flights[key] = nil
    flight.isOver = true
  }
}
