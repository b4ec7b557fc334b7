import ECS
public import Foundation

/// The body of an answer, part by part as it comes.
///
/// No more of it is fetched than what is read soon: a quarter of a megabyte waits at most. It is
/// read once, and the connection ends when there is no copy of it, and no iterator, any more, and
/// when the task that reads is cancelled.
public struct HTTPBody: AsyncSequence, Sendable {
  /// Some bytes, as many as came together.
  public typealias Element = Data

  /// Why the body does not go on.
  public typealias Failure = TransportError

  /// How long a reader waits for the next part, before it is ``TransportError/timedOut``; nil for
  /// any time, the default.
  public var silence: Duration?

  var clock = LoopClock.dispatch
  private let handle: Handle

  init(_ pipe: BodyPipe) { handle = Handle(pipe) }

  /// Makes a body of parts, which are asked for as they are read.
  ///
  /// - Parameter parts: Where they come from. What it throws, if it is no ``TransportError``, is
  ///   ``TransportError/interrupted(_:)``.
  public init<Parts: AsyncSequence & Sendable>(_ parts: Parts) where Parts.Element == Data {
    let pipe = BodyPipe()
    let task = Task {
      do {
        for try await part in parts { try await pipe.send(part) }
        pipe.finish(.success(()))
      } catch let error as TransportError {
        pipe.finish(.failure(error))
      } catch {
        let isCancelled = error is CancellationError
        pipe.finish(.failure(isCancelled ? .cancelled : .interrupted("\(error)")))
      }
    }
    pipe.begin(more: {}, stop: { task.cancel() })
    self.init(pipe)
  }

  /// Makes a body of bytes that are there.
  public init(_ data: Data) {
    let pipe = BodyPipe()
    if !data.isEmpty { _ = pipe.write(data) }
    pipe.finish(.success(()))
    self.init(pipe)
  }

  /// An iterator; all of them share the parts.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(handle: handle, silence: silence, clock: clock)
  }

  /// Reads a part after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let handle: Handle
    fileprivate let silence: Duration?
    fileprivate let clock: LoopClock

    /// The next part; nil at the end.
    ///
    /// - Throws: ``TransportError``.
    public mutating func next() async throws(TransportError) -> Data? {
      try await handle.pipe.next(within: silence, clock)
    }

    /// The next part; nil at the end.
    ///
    /// - Throws: ``TransportError``.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(TransportError) -> Data? {
      try await handle.pipe.next(within: silence, clock)
    }
  }

  /// Ends the connection with the last that could read.
  fileprivate final class Handle: Sendable {
    let pipe: BodyPipe
    init(_ pipe: BodyPipe) { self.pipe = pipe }
    deinit { pipe.abort(.cancelled) }
  }
}
