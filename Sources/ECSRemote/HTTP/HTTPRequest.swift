public import Foundation

/// A request to a server.
public struct HTTPRequest: Sendable, Hashable {
  /// What to do.
  public var method: HTTPMethod

  /// Where.
  public var url: URL

  /// The header, without what the transport writes itself: `Host`, `Content-Length`, `Connection`
  /// and `Transfer-Encoding`.
  public var headers: HTTPHeaders

  /// What is handed over; nil for nothing.
  public var body: Data?

  /// How long the answer may take, its body included.
  public var timeout: Duration

  /// Makes a request.
  public init(
    _ method: HTTPMethod, _ url: URL, headers: HTTPHeaders = [:], body: Data? = nil,
    timeout: Duration = .seconds(60)
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
  }
}

extension HTTPRequest: CustomStringConvertible {
  /// The method and the URL, without the header, which may have secrets.
  public var description: String { "\(method) \(url)" }
}
