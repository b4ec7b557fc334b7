import Foundation

/// Answers requests from a closure and remembers them, for tests and examples.
///
/// ```swift
/// let transport = StubTransport { request in HTTPResponse(204) }
/// ```
///
/// It has no deadline and looks for no cancellation: that is up to the closure. But a caller that
/// is cancelled can't read the body of an answer any more.
public final class StubTransport: StreamingTransport {
  private let answer: @Sendable (HTTPRequest) async throws(TransportError) -> HTTPStream
  private let lock = NSLock()
  private var received: [HTTPRequest] = []

  /// Makes a transport.
  ///
  /// - Parameter answer: Answers a request.
  public init(
    _ answer: @escaping @Sendable (HTTPRequest) async throws(TransportError) -> HTTPResponse
  ) {
    self.answer = { request async throws(TransportError) -> HTTPStream in
      let response = try await answer(request)
      var stream = HTTPStream(
        response.status, headers: response.headers, body: HTTPBody(response.body))
      stream.isOfOtherMethod = response.isOfOtherMethod
      return stream
    }
  }

  /// Makes a transport whose answers may come part by part.
  ///
  /// - Parameter answer: Answers a request.
  @_disfavoredOverload  // A closure that only throws is the one above.
  public init(
    streaming answer: @escaping @Sendable (HTTPRequest) async throws(TransportError) -> HTTPStream
  ) {
    self.answer = answer
  }

  /// The requests so far, in the order in which they came.
  public var requests: [HTTPRequest] { lock.withLock { received } }

  /// Remembers a request and answers it.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    try await stream(request) { _ in }.collected(upTo: .max)
  }

  /// Remembers a request and answers it; its body counts as sent before.
  public func stream(
    _ request: HTTPRequest, sent: @escaping @Sendable (_ bytes: Int) -> Void
  ) async throws(TransportError) -> HTTPStream {
    lock.withLock { received.append(request) }
    if let body = request.body, !body.isEmpty { sent(body.count) }
    return try await answer(request)
  }
}

// Guarded by its lock.
extension StubTransport: @unchecked Sendable {}
