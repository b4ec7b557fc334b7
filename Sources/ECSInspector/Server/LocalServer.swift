#if Inspector
  import Dispatch
  import Foundation
  import HTTPServing
  import JSONValues

  /// A server for this machine only, which lets in what a gate lets in.
  struct LocalServer: Sendable {
    var port: UInt16 { server.port }
    private let server: RunningServer

    /// Begins to listen on 127.0.0.1, and on no other address.
    ///
    /// Connections that have not shown the token have some time, the limit.
    init(
      port: UInt16, _ gate: Gate, unknownLimit: Duration,
      _ answer: @escaping @Sendable (Question) async throws(Failure) -> Answer
    ) async throws(InspectorError) {
      do {
        // `.loopback(port:)` would be ::1, and other names may be other machines.
        let limits = ConnectionLimits(HTTPServer.defaultPool(), unknownLimit: unknownLimit)
        let server = HTTPServer(
          config: HTTPServer.Configuration(
            address: try .inet(ip4: "127.0.0.1", port: port), timeout: 3_600,
            sharedRequestReplaySize: 0, pool: limits, logger: .disabled))
        await server.appendRoute("*") { [weak server] request in
          guard case .ip4(_, let port)? = await server?.listeningAddress else {
            return HTTPResponse(statusCode: .internalServerError)
          }
          return HTTPResponse(await LocalServer.answer(request, port, gate, limits, answer))
        }
        self.server = try await RunningServer(server)
      } catch {
        throw InspectorError(.port("\(error)"))
      }
    }

    func stop() async { await server.stop() }

    private static func answer(
      _ request: HTTPRequest, _ port: UInt16, _ gate: Gate, _ limits: ConnectionLimits,
      _ answer: @Sendable (Question) async throws(Failure) -> Answer
    ) async -> Answer {
      var headers: [String: String] = [:]
      for header in request.headers { headers[header.key.rawValue.lowercased()] = header.value }
      do throws(Failure) {
        // Whatever follows, what is left of a body would be taken for the next request.
        let body = await body(of: request)
        try gate.checkOrigin(headers, port: port)
        let method = request.method.rawValue
        guard ["GET", "POST", "PUT", "DELETE"].contains(method) else {
          throw Failure(405, "\(method.prefix(20)) is not understood here")
        }
        let (path, query) = (request.target.path(), request.target.query())
        guard path.utf8.count + query.utf8.count <= Question.largestTarget else {
          throw Failure(414, "the address is too long")
        }
        if path == "/", method == "GET" {
          return Answer(body: .page(Token.randomHex()))
        }
        guard path.hasPrefix("/api/") else { throw Failure.unknown("such page") }
        try gate.checkToken(headers)
        limits.know(request.remoteAddress)
        guard let body else {
          throw Failure(413, "the body is larger than \(Gate.largestBody) bytes")
        }
        let kind = headers["content-type"]?.lowercased().prefix { $0 != ";" && $0 != " " }
        guard body.isEmpty || kind == "application/json" else {
          throw Failure(415, "a body has to be of type application/json")
        }
        var made = try await answer(
          Question(method: method, path: path, query: query, headers: headers, body: body))
        if case .lines(let next) = made.body {
          // They go on for as long as the connection does, which may never have to wait.
          made.body = .lines { [address = request.remoteAddress] in
            limits.know(address)
            return await next()
          }
        }
        return made
      } catch {
        return Answer(error)
      }
    }

    /// The body; nil if it is too large, or does not come.
    private static func body(of request: HTTPRequest) async -> Data? {
      var body: Data? = Data()
      do {
        for try await part in request.bodySequence {
          body?.append(part)
          if let count = body?.count, count > Gate.largestBody { body = nil }
        }
        return body
      } catch {
        return nil
      }
    }
  }

  extension HTTPResponse {
    fileprivate init(_ answer: Answer) {
      var headers = HTTPHeaders()
      for (name, value) in Answer.commonHeaders { headers[HTTPHeader(name)] = value }
      for (name, value) in answer.headers { headers[HTTPHeader(name)] = value }
      let policy = HTTPHeader("Content-Security-Policy")
      headers[policy] = Answer.policy(nonce: nil)
      let status = HTTPStatusCode(answer.status, phrase: "")
      switch answer.body {
      case .none:
        self.init(statusCode: status, headers: headers)
      case .json(let value):
        headers[.contentType] = "application/json"
        self.init(statusCode: status, headers: headers, body: value.data())
      case .page(let nonce):
        headers[.contentType] = "text/html; charset=utf-8"
        headers[policy] = Answer.policy(nonce: nonce)
        self.init(statusCode: status, headers: headers, body: Page.data(nonce: nonce))
      case .lines(let next):
        headers[.contentType] = "application/x-ndjson"
        self.init(
          statusCode: status, headers: headers,
          body: HTTPBodySequence(from: StreamedBytes(AsyncStream(unfolding: next))))
      }
    }
  }
#endif
