import Foundation

/// Sends requests by the best means of the platform.
///
/// - On Apple's systems, that is `URLSession`.
/// - Elsewhere, `http` goes through sockets, as ``SocketTransport`` does, since Foundation's
///   session there stops the program when a server ends a connection within a header. `https` needs
///   the package's trait `AsyncHTTPClient`; without it, it is a ``TransportError/badRequest(_:)``.
///
/// All of this type share their connections.
public struct PlatformTransport: StreamingTransport {
  #if canImport(Darwin)
    private static let session = URLSessionTransport()
  #else
    private static let sockets = SocketTransport()
    #if AsyncHTTPClient
      private static let client = AsyncHTTPClientTransport()
    #endif
  #endif

  /// Makes a transport.
  public init() {}

  /// Sends a request and waits for the answer, whatever its status is.
  ///
  /// - Throws: ``TransportError``.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    try await PlatformTransport.means(of: request).send(request)
  }

  /// Sends a request and waits for the header of the answer, whatever its status is.
  ///
  /// - Throws: ``TransportError``.
  public func stream(
    _ request: HTTPRequest, sent: @escaping @Sendable (_ bytes: Int) -> Void
  ) async throws(TransportError) -> HTTPStream {
    try await PlatformTransport.means(of: request).stream(request, sent: sent)
  }

  private static func means(
    of request: HTTPRequest
  ) throws(TransportError) -> any StreamingTransport {
    #if canImport(Darwin)
      return session
    #else
      guard request.url.scheme?.lowercased() == "https" else { return sockets }
      #if AsyncHTTPClient
        return client
      #else
        throw .badRequest("https needs the trait AsyncHTTPClient of the package on this platform")
      #endif
    #endif
  }
}
