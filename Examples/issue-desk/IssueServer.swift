#if ExampleServer
  import Foundation
  import HTTPServing

  /// Offers a table of issues over HTTP, on this machine only.
  struct IssueServer: Sendable {
    /// Where it is.
    let url: URL
    private let server: HTTPServer
    private let running: Task<Void, any Error>

    // Starts a server; 0 stands for any port that is free.
    init(_ table: IssueTable, port: UInt16 = 0) async throws {
      let server = HTTPServer(
        address: try .inet(ip4: "127.0.0.1", port: port), logger: NoLogger())
      await server.appendRoute("GET /issues/events") { request in
        let last = request.headers[HTTPHeader("Last-Event-ID")].flatMap { Int($0) }
        guard let feed = table.feed(after: last) else { return HTTPResponse(Answer(503)) }
        return HTTPResponse(
          statusCode: .ok, headers: [.contentType: "text/event-stream"],
          body: HTTPBodySequence(from: FeedBytes(events: feed)))
      }
      await server.appendRoute("*") { request in
        let body = try await request.bodyData
        return HTTPResponse(table.answer(Question(request, body)))
      }
      let running = Task { try await server.run() }
      do {
        try await server.waitUntilListening()
      } catch {
        running.cancel()
        // It says why it could not begin.
        try await running.value
        throw error
      }
      guard case .ip4(_, let port)? = await server.listeningAddress,
        let url = URL(string: "http://127.0.0.1:\(port)")
      else { throw SocketError.unsupportedAddress }
      (self.server, self.running, self.url) = (server, running, url)
    }

    /// Waits until it ends.
    func run() async throws { try await running.value }

    func stop() async { await server.stop() }
  }

  /// What a feed tells, in the form that FlyingFox sends as it comes.
  private struct FeedBytes: AsyncBufferedSequence {
    let events: AsyncStream<Data>

    func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator()) }

    struct Iterator: AsyncBufferedIteratorProtocol {
      var events: AsyncStream<Data>.Iterator
      private var rest = Data()

      init(events: AsyncStream<Data>.Iterator) { self.events = events }

      mutating func next() async -> UInt8? {
        if rest.isEmpty { rest = await events.next() ?? Data() }
        return rest.popFirst()
      }

      mutating func nextBuffer(suggested count: Int) async -> Data? {
        if rest.isEmpty { return await events.next() }
        defer { rest = Data() }
        return rest
      }
    }
  }

  /// What the server has to say of connections is of no interest here.
  private struct NoLogger: Logging {
    func logDebug(_ debug: @autoclosure () -> String) {}
    func logInfo(_ info: @autoclosure () -> String) {}
    func logWarning(_ warning: @autoclosure () -> String) {}
    func logError(_ error: @autoclosure () -> String) {}
    func logCritical(_ critical: @autoclosure () -> String) {}
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
