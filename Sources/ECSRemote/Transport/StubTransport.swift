import Foundation

/// Answers requests from a closure and remembers them, for tests and examples.
///
/// ```swift
/// let transport = StubTransport { request in HTTPResponse(204) }
/// ```
///
/// It has no deadline and looks for no cancellation: that is up to the closure.
public final class StubTransport: HTTPTransport {
  private let answer: @Sendable (HTTPRequest) async throws(TransportError) -> HTTPResponse
  private let lock = NSLock()
  private var received: [HTTPRequest] = []

  /// Makes a transport.
  ///
  /// - Parameter answer: Answers a request.
  public init(
    _ answer: @escaping @Sendable (HTTPRequest) async throws(TransportError) -> HTTPResponse
  ) {
    self.answer = answer
  }

  /// The requests so far, in the order in which they came.
  public var requests: [HTTPRequest] { lock.withLock { received } }

  /// Remembers a request and answers it.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    lock.withLock { received.append(request) }
    return try await answer(request)
  }
}

// Guarded by its lock.
extension StubTransport: @unchecked Sendable {}
