#if AsyncHTTPClient
  import AsyncHTTPClient
  import Foundation
  import NIOCore
  import NIOHTTP1
  import NIOPosix

  /// Sends requests through AsyncHTTPClient, with encryption on every platform.
  ///
  /// It is there with the package's trait `AsyncHTTPClient`.
  public final class AsyncHTTPClientTransport: StreamingTransport {
    private let client: HTTPClient
    private let maximumBodySize: Int

    /// Makes a transport.
    ///
    /// - Parameter maximumBodySize: How many bytes the body of an answer may have.
    public init(maximumBodySize: Int = 64 << 20) {
      self.maximumBodySize = maximumBodySize
      var configuration = HTTPClient.Configuration()
      configuration.redirectConfiguration = .disallow
      configuration.decompression = .disabled
      configuration.httpVersion = .http1Only
      configuration.http1_1ConnectionDebugInitializer = { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
          try pipeline.addHandler(StatusGuard(), position: .after(decoder))
        }
      }
      client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    // A client must be shut down, which takes a while.
    deinit { client.shutdown { _ in } }

    /// Sends a request and waits for the answer, whatever its status is.
    ///
    /// - Throws: ``TransportError``.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      try request.check()
      return try await withDeadline(request.timeout) { [client, maximumBodySize] in
        do {
          return .success(try await Self.exchange(request, client, maximumBodySize))
        } catch {
          return .failure(Self.failure(error))
        }
      }
    }

    /// Sends a request and waits for the header of the answer, whatever its status is.
    ///
    /// - Throws: ``TransportError``.
    public func stream(
      _ request: HTTPRequest, sent: @escaping @Sendable (_ bytes: Int) -> Void
    ) async throws(TransportError) -> HTTPStream {
      try request.check()
      return try await withDeadline(request.timeout) { [client] in
        do {
          var made = Self.clientRequest(request)
          if let body = request.body {
            made.body = .stream(CountedParts(body, sent), length: .known(Int64(body.count)))
          }
          // The deadline is ours: the body may take any time.
          let answer = try await client.execute(made, deadline: .distantFuture)
          let headers = Self.headers(of: answer)
          try request.checkCoding(of: headers)
          let parts = AnswerParts(transport: self, body: answer.body)
          return .success(
            HTTPStream(Int(answer.status.code), headers: headers, body: HTTPBody(parts)))
        } catch {
          return .failure(Self.failure(error))
        }
      }
    }

    // The client takes what is below 100 for what comes before an answer, and ends the process when
    // a body follows.
    private final class StatusGuard: ChannelInboundHandler {
      typealias InboundIn = HTTPClientResponsePart
      typealias InboundOut = HTTPClientResponsePart
      private var isRefused = false

      func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isRefused { return }
        if case .head(let head) = unwrapInboundIn(data), !(100..<600).contains(head.status.code) {
          isRefused = true
          context.fireErrorCaught(
            TransportError.badResponse("its status is \(head.status.code)"))
          context.close(promise: nil)
          return
        }
        context.fireChannelRead(data)
      }
    }

    /// The parts of an answer, with errors of ours.
    private struct AnswerParts: AsyncSequence, Sendable {
      typealias Element = Data

      /// Kept: its end would end the connection.
      let transport: AsyncHTTPClientTransport
      let body: HTTPClientResponse.Body

      func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(transport: transport, base: body.makeAsyncIterator())
      }

      struct AsyncIterator: AsyncIteratorProtocol {
        let transport: AsyncHTTPClientTransport
        var base: HTTPClientResponse.Body.AsyncIterator

        mutating func next() async throws -> Data? {
          do {
            return try await base.next().map { Data($0.readableBytesView) }
          } catch {
            throw AsyncHTTPClientTransport.failure(error)
          }
        }
      }
    }

    /// The parts of a request's body, counted as they are asked for.
    private struct CountedParts: AsyncSequence, Sendable {
      typealias Element = ByteBuffer
      let body: Data
      let sent: @Sendable (Int) -> Void

      init(_ body: Data, _ sent: @escaping @Sendable (Int) -> Void) {
        (self.body, self.sent) = (body, sent)
      }

      func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: body, sent: sent) }

      struct AsyncIterator: AsyncIteratorProtocol {
        var rest: Data
        let sent: @Sendable (Int) -> Void
        var count = 0

        mutating func next() async -> ByteBuffer? {
          // A reader that asks for more has taken what it got.
          if count > 0 { sent(count) }
          if rest.isEmpty { return nil }
          let part = rest.prefix(64 << 10)
          rest = rest.dropFirst(part.count)
          count += part.count
          return ByteBuffer(bytes: part)
        }
      }
    }

    private static func clientRequest(_ request: HTTPRequest) -> HTTPClientRequest {
      var sent = HTTPClientRequest(url: request.url.absoluteString)
      sent.method = NIOHTTP1.HTTPMethod(rawValue: request.method.rawValue)
      for field in request.headers.fields { sent.headers.add(name: field.name, value: field.value) }
      if request.headers["Accept-Encoding"] == nil {
        sent.headers.add(name: "Accept-Encoding", value: "identity")
      }
      if let body = request.body { sent.body = .bytes(body) }
      return sent
    }

    private static func headers(of answer: HTTPClientResponse) -> HTTPHeaders {
      var headers = HTTPHeaders()
      for field in answer.headers { headers.add(field.name, field.value) }
      return headers
    }

    private static func exchange(
      _ request: HTTPRequest, _ client: HTTPClient, _ maximumBodySize: Int
    ) async throws -> HTTPResponse {
      let (seconds, attoseconds) = min(request.timeout, .seconds(1 << 32)).components
      let time = TimeAmount.nanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
      let answer = try await client.execute(clientRequest(request), deadline: .now() + time)
      let headers = headers(of: answer)
      try request.checkCoding(of: headers)
      var body = Data()
      for try await part in answer.body {
        guard body.count + part.readableBytes <= maximumBodySize else {
          throw TransportError.badResponse("its body is larger than \(maximumBodySize) bytes")
        }
        body.append(contentsOf: part.readableBytesView)
      }
      return HTTPResponse(Int(answer.status.code), headers: headers, body: body)
    }

    private static func failure(_ error: any Error) -> TransportError {
      switch error {
      case let error as TransportError: error
      case is CancellationError: .cancelled
      case let error as HTTPClientError:
        switch error {
        case .cancelled: .cancelled
        case .deadlineExceeded, .readTimeout, .writeTimeout: .timedOut
        case .connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout:
          .notConnected("\(error)")
        default: .interrupted("\(error)")
        }
      case is NIOConnectionError: .notConnected("\(error)")
      case HTTPParserError.invalidEOFState: .interrupted("\(error)")
      case is HTTPParserError: .badResponse("\(error)")
      default: .interrupted("\(error)")
      }
    }
  }
#endif
