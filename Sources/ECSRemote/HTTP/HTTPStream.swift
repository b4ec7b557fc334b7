import Foundation

/// An answer of a server, with a body that is still to come.
public struct HTTPStream: Sendable {
  /// The number that says how it went, such as 200.
  public var status: Int

  /// The header.
  public var headers: HTTPHeaders

  /// The body, to be read once.
  public var body: HTTPBody

  /// Whether it answers a request of another method; see ``HTTPResponse/isOfOtherMethod``.
  public var isOfOtherMethod = false

  /// Makes an answer.
  public init(_ status: Int, headers: HTTPHeaders = [:], body: HTTPBody) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  /// How many bytes the body has by its header; nil if that does not say.
  public var expectedSize: Int? {
    headers.values(of: "Content-Length").first.flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
  }

  /// The whole answer, when it has come.
  ///
  /// - Parameters:
  ///   - maximumBodySize: How many bytes the body may have.
  ///   - received: Called with how many there are so far.
  /// - Returns: The answer.
  /// - Throws: ``TransportError``; ``TransportError/badResponse(_:)`` as soon as it is too large.
  public func collected(
    upTo maximumBodySize: Int, received: (_ bytes: Int) -> Void = { _ in }
  ) async throws(TransportError) -> HTTPResponse {
    var response = HTTPResponse(status, headers: headers)
    response.isOfOtherMethod = isOfOtherMethod
    var parts = body.makeAsyncIterator()
    while let part = try await parts.next() {
      guard part.count <= maximumBodySize - response.body.count else {
        throw .badResponse("its body is larger than \(maximumBodySize) bytes")
      }
      response.body.append(part)
      received(response.body.count)
    }
    return response
  }
}
