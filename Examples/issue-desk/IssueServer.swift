#if ExampleServer
  import Foundation
  import HTTPServing

  /// Offers a table of issues over HTTP, on this machine only.
  struct IssueServer: Sendable {
    /// Where it is.
    let url: URL
    private let server: RunningServer

    // Starts a server; 0 stands for any port that is free.
    init(_ table: IssueTable, port: UInt16 = 0) async throws {
      let server = HTTPServer(
        address: try .inet(ip4: "127.0.0.1", port: port), logger: .disabled)
      await server.appendRoute("GET /issues/events") { request in
        let last = request.headers[HTTPHeader("Last-Event-ID")].flatMap { Int($0) }
        guard let feed = table.feed(after: last) else { return HTTPResponse(Answer(503)) }
        return HTTPResponse(
          statusCode: .ok, headers: [.contentType: "text/event-stream"],
          body: HTTPBodySequence(from: StreamedBytes(feed)))
      }
      await server.appendRoute("*") { request in
        let body = try await request.bodyData
        return HTTPResponse(table.answer(Question(request, body)))
      }
      self.server = try await RunningServer(server)
      guard let url = URL(string: "http://127.0.0.1:\(self.server.port)") else {
        throw SocketError.unsupportedAddress
      }
      self.url = url
    }

    /// Waits until it ends.
    func run() async throws { try await server.wait() }

    func stop() async { await server.stop() }
  }

  extension Question {
    fileprivate init(_ request: HTTPRequest, _ body: Data) {
      self.init(method: request.method.rawValue, path: request.path, body: body)
      for item in request.query { query[item.name] = item.value }
      for header in request.headers { headers[header.key.rawValue.lowercased()] = header.value }
    }
  }

  extension HTTPResponse {
    fileprivate init(_ answer: Answer) {
      var headers = HTTPHeaders()
      for header in answer.headers { headers[HTTPHeader(header.key)] = header.value }
      self.init(
        statusCode: HTTPStatusCode(answer.status, phrase: ""), headers: headers, body: answer.body)
    }
  }
#endif
