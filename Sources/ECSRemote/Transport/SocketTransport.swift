import Dispatch

/// Sends requests as HTTP/1.1 over sockets, without encryption: `http` only.
///
/// It needs nothing but the system, and keeps its promises when the network fails: no call outlives
/// its deadline, and cancellation ends the connection at once. Connections are kept for further
/// requests, for half a minute. If the server has ended such a one meanwhile, before a byte of the
/// answer, a request that is idempotent is sent once more on a new one.
///
/// It is there because Foundation's session can't do that on Linux. Measured in November 2026 with
/// Swift 6.3.1 on x86-64, against servers that break off: resets before the first byte, within the
/// header and within the body are errors at once, 1,000 of 1,000 times each, and none stalls as
/// with earlier toolchains. But a connection that is ended, not reset, within the header stops the
/// program, at the first one: "Transfer completed, but there's no response". Its time-out counts
/// pauses between bytes, so that an answer that drips has no end, either.
///
/// Answers have bounded sizes: 64 KiB for the header, and the body's maximum. Compressed bodies are
/// not asked for, and refused if they come nevertheless. All exchanges share one thread, which is
/// there while there are any.
public final class SocketTransport: StreamingTransport {
  private let maximumBodySize: Int
  private let loop: Result<SocketLoop, TransportError>

  /// The queue that reports progress, so that no callback keeps the loop waiting.
  private let reports = DispatchQueue(label: "ECSRemote.SocketTransport")

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
    let departure = try Departure(request, loop)
    if Task.isCancelled { throw .cancelled }
    let (loop, number) = (departure.loop, departure.number)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        loop.begin(departure.exchange(maximumBodySize, .whole(continuation)))
        // The handler may have run before.
        if Task.isCancelled { loop.cancel(number) }
      }
    } onCancel: {
      loop.cancel(number)
    }
    return try result.get()
  }

  /// Sends a request and waits for the header of the answer, whatever its status is.
  ///
  /// - Throws: ``TransportError``; ``TransportError/badRequest(_:)`` for `https`.
  public func stream(
    _ request: HTTPRequest, sent: @escaping @Sendable (_ bytes: Int) -> Void
  ) async throws(TransportError) -> HTTPStream {
    let departure = try Departure(request, loop)
    if Task.isCancelled { throw .cancelled }
    let (loop, number) = (departure.loop, departure.number)
    let (pipe, head) = (BodyPipe(), Promise<Exchange.Result>())
    let body = HTTPBody(pipe)
    let delivery = Exchange.Delivery.parts(pipe, head: head) { [reports] count in
      reports.async { sent(count) }
    }
    loop.begin(departure.exchange(.max, delivery))
    pipe.begin(more: { loop.resume(number) }, stop: { loop.cancel(number) })
    let result = await withTaskCancellationHandler {
      await head.wait()
    } onCancel: {
      loop.cancel(number)
    }
    let answer = try result.get()
    return HTTPStream(answer.status, headers: answer.headers, body: body)
  }

  /// A request that is ready to be sent.
  private struct Departure {
    let request: HTTPRequest
    let origin: Origin
    let bytes: [UInt8]
    let deadline: ContinuousClock.Instant
    let loop: SocketLoop
    let number: Int

    init(
      _ request: HTTPRequest, _ loop: Result<SocketLoop, TransportError>
    ) throws(TransportError) {
      deadline = ContinuousClock.now + min(request.timeout, .seconds(1 << 32))
      try request.check()
      guard let origin = Origin(request.url) else {
        throw .badRequest("\(request.url) has no place")
      }
      guard origin.scheme == "http" else {
        throw .badRequest("\(request.url) needs encryption, which sockets alone don't have")
      }
      (self.request, self.origin, bytes) = (request, origin, try request.bytes(for: origin))
      self.loop = try loop.get()
      number = self.loop.makeNumber()
    }

    func exchange(_ maximumBodySize: Int, _ delivery: Exchange.Delivery) -> Exchange {
      Exchange(
        number, request, to: origin, bytes, maximumBodySize: maximumBodySize,
        deadline: deadline, delivery)
    }
  }
}
