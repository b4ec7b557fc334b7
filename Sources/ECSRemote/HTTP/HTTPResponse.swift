public import Foundation

/// An answer of a server.
public struct HTTPResponse: Sendable, Hashable {
  /// The number that says how it went, such as 200.
  public var status: Int

  /// The header.
  public var headers: HTTPHeaders

  /// What was asked for; empty if there is nothing.
  public var body: Data

  /// Whether it answers a request of another method, to which a redirect has led: the one that was
  /// asked for has been carried out by then.
  public var isOfOtherMethod = false

  /// Makes an answer.
  public init(_ status: Int, headers: HTTPHeaders = [:], body: Data = Data()) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }
}

extension HTTPResponse: CustomStringConvertible {
  /// The status and the number of bytes.
  public var description: String { "\(status), \(body.count) bytes" }
}

extension HTTPResponse {
  /// The tag of what was answered; nil if there is none, or none that could be sent back.
  var etag: String? { returnable("ETag") }

  /// When it was changed, as the server says it; nil if it does not, or that could not be sent
  /// back.
  var lastModified: String? { returnable("Last-Modified") }

  private func returnable(_ name: String) -> String? {
    headers[name].flatMap { $0.isFieldValue ? $0 : nil }
  }
}
