import Foundation

/// Sends requests by the best means of the platform.
///
/// - On Apple's systems, that is `URLSession`.
/// - Elsewhere, `http` goes through sockets, as ``SocketTransport`` does; Foundation's session can't be
///   trusted there when a network fails. `https` needs the package's trait `AsyncHTTPClient`; without it,
///   it is a ``TransportError/badRequest(_:)``.
///
/// All of this type share their connections.
public struct PlatformTransport: HTTPTransport {
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
    #if canImport(Darwin)
      return try await PlatformTransport.session.send(request)
    #else
      guard request.url.scheme?.lowercased() == "https" else {
        return try await PlatformTransport.sockets.send(request)
      }
      #if AsyncHTTPClient
        return try await PlatformTransport.client.send(request)
      #else
        throw .badRequest("https needs the trait AsyncHTTPClient of the package on this platform")
      #endif
    #endif
  }
}
