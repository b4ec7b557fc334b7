/// Sends a request, and hands over the answer as it comes.
///
/// For answers without an end, for those that are too large to be kept as a whole, and to show how
/// far a request has come. All that is promised of ``HTTPTransport`` holds, but for the deadline:
/// it is that of the answer's header. How long its body may take is up to its reader; see
/// ``HTTPBody/silence``.
///
/// The transports of this module are of this kind. Others that are not can do all but follow a
/// ``RemoteFeed`` and show the progress of requests.
public protocol StreamingTransport: HTTPTransport {
  /// Sends a request and waits for the header of the answer, whatever its status is.
  ///
  /// - Parameters:
  ///   - request: The request; its ``HTTPRequest/timeout`` is how long the header may take.
  ///   - sent: Called with how many bytes of the request's body were handed to the network so far,
  ///     as they grow, on any thread and soon after.
  /// - Returns: The answer, whose connection ends with the last copy of it.
  /// - Throws: ``TransportError``, if there is no answer.
  func stream(
    _ request: HTTPRequest, sent: @escaping @Sendable (_ bytes: Int) -> Void
  ) async throws(TransportError) -> HTTPStream
}

extension StreamingTransport {
  /// Sends a request and waits for the header of the answer, whatever its status is.
  ///
  /// - Throws: ``TransportError``, if there is no answer.
  public func stream(_ request: HTTPRequest) async throws(TransportError) -> HTTPStream {
    try await stream(request) { _ in }
  }
}
