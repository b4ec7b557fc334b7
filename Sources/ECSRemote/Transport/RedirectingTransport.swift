import Foundation

/// Follows redirects with the help of another transport, within the deadline of the request.
///
/// - 301, 302 and 303 become a `GET` without a body, unless the method was `GET` or `HEAD` already.
///   307 and 308 keep the method and the body. An answer to such a `GET` is
///   ``HTTPResponse/isOfOtherMethod``, and if there is none, the request was interrupted: never is
///   it said that nothing has happened.
/// - To another host, port or scheme, no fields go along that may have secrets: all but `Accept`,
///   `Accept-Language`, `Content-Type`, `User-Agent`, `If-Match`, `If-None-Match`,
///   `If-Modified-Since`, `If-Unmodified-Since`, `Last-Event-ID`, `Idempotency-Key`, without which
///   something else would be asked for, and the names that are given.
/// - No redirect leads from https to http.
public struct RedirectingTransport: StreamingTransport {
  private static let harmless: Set<String> = [
    "accept", "accept-language", "content-type", "user-agent", "if-none-match",
    "if-modified-since", "if-match", "if-unmodified-since", "last-event-id", "idempotency-key",
  ]

  private let transport: any HTTPTransport
  private let limit: Int
  private let carried: Set<String>
  private let now: @Sendable () -> Duration

  /// Whether cancelling the task ends a request at once, as all promise but ``StubTransport``.
  let endsWhenCancelled: Bool

  /// Makes a transport.
  ///
  /// - Parameters:
  ///   - transport: What sends each request.
  ///   - limit: How many redirects are followed.
  ///   - carried: The names of more fields that other hosts may see.
  public init(_ transport: any HTTPTransport, limit: Int = 10, carrying carried: [String] = []) {
    let start = ContinuousClock.now
    self.init(transport, limit: limit, carrying: carried) { start.duration(to: .now) }
  }

  init(
    _ transport: any HTTPTransport, limit: Int, carrying carried: [String],
    now: @escaping @Sendable () -> Duration
  ) {
    self.transport = transport
    self.limit = limit
    self.carried = RedirectingTransport.harmless.union(carried.map { $0.lowercased() })
    self.now = now
    let redirecting = transport as? RedirectingTransport
    endsWhenCancelled = redirecting?.endsWhenCancelled ?? !(transport is StubTransport)
  }

  /// Sends a request, and follows where the answers lead.
  ///
  /// - Throws: ``TransportError``; ``TransportError/badResponse(_:)`` if there are too many
  ///   redirects, or one leads nowhere.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    var (response, isOfOtherMethod) = try await follow(request) {
      request async throws(TransportError) in
      let response = try await transport.send(request)
      return (response, response.status, response.headers)
    }
    response.isOfOtherMethod = isOfOtherMethod
    return response
  }

  /// Whether the other transport can hand over answers as they come.
  var canStream: Bool { transport is any StreamingTransport }

  /// Sends a request, follows where the answers lead, and waits for the header of the last one.
  ///
  /// - Throws: ``TransportError``; ``TransportError/badRequest(_:)`` if the other transport is no
  ///   ``StreamingTransport``.
  public func stream(
    _ request: HTTPRequest, sent: @escaping @Sendable (_ bytes: Int) -> Void
  ) async throws(TransportError) -> HTTPStream {
    guard let transport = transport as? any StreamingTransport else {
      throw .badRequest("\(type(of: transport)) can't hand over an answer as it comes")
    }
    var (stream, isOfOtherMethod) = try await follow(request) {
      request async throws(TransportError) in
      let stream = try await transport.stream(request, sent: sent)
      return (stream, stream.status, stream.headers)
    }
    stream.isOfOtherMethod = isOfOtherMethod
    return stream
  }

  private nonisolated(nonsending) func follow<Answer: Sendable>(
    _ request: HTTPRequest,
    _ send:
      nonisolated(nonsending) (HTTPRequest) async throws(TransportError) -> (
        Answer, Int, HTTPHeaders
      )
  ) async throws(TransportError) -> (Answer, isOfOtherMethod: Bool) {
    let end = now() + request.timeout
    let method = request.method
    var request = request
    var followed = 0
    while true {
      let (answer, status, headers): (Answer, Int, HTTPHeaders)
      do throws(TransportError) {
        (answer, status, headers) = try await send(request)
      } catch {
        throw request.method == method ? error : error.afterDeed
      }
      guard let next = try successor(of: request, after: status, headers) else {
        return (answer, request.method != method)
      }
      guard followed < limit else { throw .badResponse("more than \(limit) redirects") }
      followed += 1
      request = next
      request.timeout = end - now()
      if request.timeout <= .zero { throw .timedOut }
    }
  }

  private func successor(
    of request: HTTPRequest, after status: Int, _ headers: HTTPHeaders
  ) throws(TransportError) -> HTTPRequest? {
    guard [301, 302, 303, 307, 308].contains(status),
      let location = headers.values(of: "Location").first
    else { return nil }
    guard let url = URL(string: location, relativeTo: request.url)?.absoluteURL,
      let origin = Origin(url), let old = Origin(request.url)
    else { throw .badResponse("a redirect to '\(location)'") }
    if old.scheme == "https", origin.scheme != "https" {
      throw .badResponse("a redirect from https to \(url)")
    }
    var next = request
    next.url = url
    if status < 307, request.method != .get, request.method != .head {
      next.method = .get
      next.body = nil
      next.headers["Content-Type"] = nil
    }
    if origin != old {
      for field in next.headers.fields where !carried.contains(field.name.lowercased()) {
        next.headers[field.name] = nil
      }
    }
    return next
  }
}

extension TransportError {
  /// What it means if the request is one to which a redirect has led, after what was asked for.
  fileprivate var afterDeed: TransportError {
    switch self {
    case .notConnected(let reason), .badRequest(let reason): .interrupted(reason)
    default: self
    }
  }
}
