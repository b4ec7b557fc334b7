#if AsyncHTTPClient
  import AsyncHTTPClient
  import Foundation
  import NIOCore
  import NIOHTTP1
  import NIOPosix

  /// Sends requests through AsyncHTTPClient, with encryption on every platform.
  ///
  /// It is there with the package's trait `AsyncHTTPClient`.
  public final class AsyncHTTPClientTransport: HTTPTransport {
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

    private static func exchange(
      _ request: HTTPRequest, _ client: HTTPClient, _ maximumBodySize: Int
    ) async throws -> HTTPResponse {
      var sent = HTTPClientRequest(url: request.url.absoluteString)
      sent.method = NIOHTTP1.HTTPMethod(rawValue: request.method.rawValue)
      for field in request.headers.fields { sent.headers.add(name: field.name, value: field.value) }
      if request.headers["Accept-Encoding"] == nil {
        sent.headers.add(name: "Accept-Encoding", value: "identity")
      }
      if let body = request.body { sent.body = .bytes(body) }
      let (seconds, attoseconds) = min(request.timeout, .seconds(1 << 32)).components
      let time = TimeAmount.nanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
      let answer = try await client.execute(sent, deadline: .now() + time)
      var headers = HTTPHeaders()
      for field in answer.headers { headers.add(field.name, field.value) }
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
      case is HTTPParserError: .badResponse("\(error)")
      default: .interrupted("\(error)")
      }
    }
  }
#endif
