/// Sends requests as HTTP/1.1 over sockets, without encryption: `http` only.
///
/// It needs nothing but the system, and keeps its promises when the network fails: no call outlives its
/// deadline, and cancellation ends the connection at once. Connections are kept for further requests, for
/// half a minute. If the server has ended such a one meanwhile, before a byte of the answer, a request
/// that is idempotent is sent once more on a new one.
///
/// Answers have bounded sizes: 64 KiB for the header, and the body's maximum. Compressed bodies are not
/// asked for. All exchanges share one thread, which is there while there are any.
public final class SocketTransport: HTTPTransport {
  private let maximumBodySize: Int
  private let loop: Result<SocketLoop, TransportError>

  /// Makes a transport with connections of its own.
  ///
  /// - Parameter maximumBodySize: How many bytes the body of an answer may have. A larger one is an
  ///   error as soon as that is seen.
  public init(maximumBodySize: Int = 64 << 20) {
    self.maximumBodySize = maximumBodySize
    loop = Result { () throws(TransportError) in try SocketLoop() }
  }

  /// Sends a request and waits for the answer, whatever its status is.
  ///
  /// - Throws: ``TransportError``; ``TransportError/badRequest(_:)`` for `https`.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let deadline = ContinuousClock.now + min(request.timeout, .seconds(1 << 32))
    try request.check()
    guard let origin = Origin(request.url) else { throw .badRequest("\(request.url) has no place") }
    guard origin.scheme == "http" else {
      throw .badRequest("\(request.url) needs encryption, which sockets alone don't have")
    }
    let bytes = try request.bytes(for: origin)
    let loop = try loop.get()
    if Task.isCancelled { throw .cancelled }
    let number = loop.makeNumber()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        loop.begin(
          Exchange(
            number, request, to: origin, bytes, maximumBodySize: maximumBodySize,
            deadline: deadline, continuation))
        // The handler may have run before.
        if Task.isCancelled { loop.cancel(number) }
      }
    } onCancel: {
      loop.cancel(number)
    }
    return try result.get()
  }
}
