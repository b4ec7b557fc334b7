import ECS
import Foundation

/// Carries the parts of a body from the receiver to the reader, and says when there are enough.
// Guarded by its lock; closures are called without it.
final class BodyPipe: @unchecked Sendable {
  /// How many bytes may wait before no more are received.
  static let capacity = 256 << 10

  private let lock = NSLock()
  // A slice, whose first is taken without moving the others.
  private var parts: ArraySlice<Data> = []
  private var count = 0
  private var end: Result<Void, TransportError>?
  private var isFull = false
  private var readers: [Promise<Void>] = []
  private var writers: [Promise<Void>] = []
  private var more: @Sendable () -> Void = {}
  private var stop: @Sendable () -> Void = {}

  private var quietSince = Duration.zero
  private var isWatched = false

  // MARK: The receiver

  /// Says what to call when there is room again, and when it is read no more.
  func begin(more: @escaping @Sendable () -> Void, stop: @escaping @Sendable () -> Void) {
    let isOver = lock.withLock {
      (self.more, self.stop) = (more, stop)
      return end != nil
    }
    if isOver { stop() }
  }

  /// Adds a part; false if there is enough for now.
  func write(_ part: Data) -> Bool {
    let (waiting, hasRoom) = lock.withLock { () -> ([Promise<Void>], Bool) in
      guard end == nil, !part.isEmpty else { return ([], end != nil || !isFull) }
      parts.append(part)
      count += part.count
      isFull = count >= BodyPipe.capacity
      defer { readers = [] }
      return (readers, !isFull)
    }
    for reader in waiting { reader.fire(()) }
    return hasRoom
  }

  /// Whether more may be written.
  var hasRoom: Bool { lock.withLock { !isFull || end != nil } }

  /// Adds a part, and waits until there is room for another one.
  ///
  /// - Throws: ``TransportError/cancelled``, if it is read no more.
  func send(_ part: Data) async throws(TransportError) {
    let hasRoom = write(part)
    let room = lock.withLock { () -> Promise<Void>? in
      guard !hasRoom, isFull, end == nil else { return nil }
      let room = Promise<Void>()
      writers.append(room)
      return room
    }
    await room?.wait()
    if lock.withLock({ end != nil }) { throw .cancelled }
  }

  /// Nothing more comes; what is there can still be read.
  func finish(_ result: Result<Void, TransportError>) {
    for one in close(result, dropping: false) { one.fire(()) }
  }

  // MARK: The reader

  /// It is read no more, or it takes too long.
  func abort(_ error: TransportError) {
    for one in close(.failure(error), dropping: true) { one.fire(()) }
    lock.withLock { stop }()
  }

  private func close(
    _ result: Result<Void, TransportError>, dropping: Bool
  ) -> [Promise<Void>] {
    lock.withLock {
      // What is dropped is missing, even if all of it had come.
      if end == nil || dropping && !parts.isEmpty { end = result }
      if dropping { (parts, count) = ([], 0) }
      defer { (readers, writers) = ([], []) }
      return readers + writers
    }
  }

  private enum Look {
    case part(Data, hasRoom: [Promise<Void>]?)
    case end(Result<Void, TransportError>)
    case wait(Promise<Void>)
  }

  /// The next part; nil at the end.
  func next(within silence: Duration?, _ clock: LoopClock) async throws(TransportError) -> Data? {
    if Task.isCancelled { abort(.cancelled) }
    while true {
      switch look() {
      case .part(let part, let writers):
        if let writers {
          for writer in writers { writer.fire(()) }
          lock.withLock { more }()
        }
        return part
      case .end(.success): return nil
      case .end(.failure(let error)): throw error
      case .wait(let promise):
        if let silence { watch(silence, clock) }
        await withTaskCancellationHandler {
          await promise.wait()
        } onCancel: {
          abort(.cancelled)
        }
      }
    }
  }

  private func look() -> Look {
    lock.withLock {
      if let part = parts.popFirst() {
        count -= part.count
        guard isFull, count < BodyPipe.capacity / 2 else { return .part(part, hasRoom: nil) }
        isFull = false
        defer { writers = [] }
        return .part(part, hasRoom: writers)
      }
      if let end { return .end(end) }
      let promise = Promise<Void>()
      readers.append(promise)
      return .wait(promise)
    }
  }

  // MARK: Silence

  // One timer at a time, whatever many parts come.
  private func watch(_ silence: Duration, _ clock: LoopClock) {
    let now = clock.now()
    let starts = lock.withLock {
      quietSince = now
      defer { isWatched = true }
      return !isWatched
    }
    if starts { clock.run(silence, .global()) { [weak self] in self?.check(silence, clock) } }
  }

  private func check(_ silence: Duration, _ clock: LoopClock) {
    let now = clock.now()
    let left = lock.withLock { () -> Duration? in
      isWatched = end == nil && !readers.isEmpty && quietSince + silence > now
      return end == nil && !readers.isEmpty ? quietSince + silence - now : nil
    }
    guard let left else { return }
    if left <= .zero { return abort(.timedOut) }
    clock.run(left, .global()) { [weak self] in self?.check(silence, clock) }
  }
}
