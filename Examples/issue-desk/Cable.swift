#if ExampleServer
  import ECSRemote
  import Foundation

  /// The way to the server, which can be pulled out.
  // Guarded by its lock.
  final class Cable: StreamingTransport, @unchecked Sendable {
    private let transport = PlatformTransport()
    private let lock = NSLock()
    private var state = true

    var isPlugged: Bool {
      get { lock.withLock { state } }
      set { lock.withLock { state = newValue } }
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      if !isPlugged { throw .notConnected("offline") }
      return try await transport.send(request)
    }

    func stream(
      _ request: HTTPRequest, sent: @escaping @Sendable (Int) -> Void
    ) async throws(TransportError) -> HTTPStream {
      if !isPlugged { throw .notConnected("offline") }
      return try await transport.stream(request, sent: sent)
    }
  }
#endif
