import ECSRemote
import ECSTestSupport
import Foundation
import Testing

@Suite(.noHangs, .ownThread) struct SocketTransportTests {
  private let transport = SocketTransport(maximumBodySize: 1 << 20)

  /// What a server that sends these bytes and ends the connection comes to.
  private func answer(to method: HTTPMethod = .get, _ bytes: String) async throws -> HTTPResponse {
    let server = try FaultyServer { _, peer in
      peer.send(bytes)
      peer.close()
    }
    return try await transport.send(HTTPRequest(method, server.url("/")))
  }

  private func failure(_ bytes: String) async -> TransportError? {
    do {
      _ = try await answer(bytes)
      return nil
    } catch {
      return error as? TransportError
    }
  }

  @Test func `A request is sent as it is written`() async throws {
    let server = try FaultyServer { _, peer in peer.answer(201, "made", ["ETag": "\"1\""]) }
    let response = try await transport.send(
      HTTPRequest(
        .post, server.url("/posts/a%2Fb?page=2&q=%20"),
        headers: ["Content-Type": "application/json", "X-Two": "a, b"], body: Data("{}".utf8)))
    expectEqual(response.status, 201)
    expectEqual(response.headers["etag"], "\"1\"")
    expectEqual(response.body, Data("made".utf8))
    expectEqual(
      server.requests,
      [
        ReceivedRequest(
          head: """
            POST /posts/a%2Fb?page=2&q=%20 HTTP/1.1\r
            Host: 127.0.0.1:\(server.port)\r
            Content-Type: application/json\r
            X-Two: a, b\r
            Accept-Encoding: identity\r
            Content-Length: 2
            """, body: "{}")
      ])
  }

  @Test func `Requests one after the other share a connection`() async throws {
    let server = try FaultyServer { request, peer in peer.answer(200, request.target) }
    for number in 0..<5 {
      let response = try await transport.send(HTTPRequest(.get, server.url("/\(number)")))
      expectEqual(response.body, Data("/\(number)".utf8))
    }
    expectEqual(server.connectionCount, 1)
  }

  @Test func `A body in chunks may come in any pieces`() async throws {
    let text =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
      + "5;name=value\r\nHello\r\n11\r\n, world of chunks\r\n0\r\nX-Sum: 7\r\n\r\n"
    try await expectEqual(answer(text).body, Data("Hello, world of chunks".utf8))
    let server = try FaultyServer { _, peer in
      for byte in text.utf8 { peer.send([byte]) }
    }
    for _ in 0..<2 {
      let response = try await transport.send(HTTPRequest(.get, server.url("/")))
      expectEqual(response.body, Data("Hello, world of chunks".utf8))
    }
    expectEqual(server.connectionCount, 1)
  }

  @Test func `Answers may have no length, no body, or others before them`() async throws {
    try await expectEqual(answer("HTTP/1.1 200 OK\r\n\r\nto the end").body, Data("to the end".utf8))
    try await expectTrue(answer("HTTP/1.0 200 OK\r\n\r\n").body.isEmpty)
    try await expectEqual(answer("HTTP/1.1 304 X\r\nContent-Length: 9\r\n\r\n").status, 304)
    try await expectEqual(answer("HTTP/1.1 204\r\n\r\n").status, 204)
    let early = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\n"
    try await expectEqual(answer(early + "HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n").status, 500)
    let head = try await answer(to: .head, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
    expectEqual(head.headers["Content-Length"], "100")
  }

  @Test(arguments: [
    "", "HTTP", "HTTP/1.1 200 OK\r\nContent-Le",
    "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
  ])
  func `A server that breaks off is an error`(_ bytes: String) async {
    guard case .interrupted = await failure(bytes) else {
      Issue.record("\(bytes) is no error")
      return
    }
  }

  @Test(arguments: [
    "SSH-2.0-OpenSSH\r\n\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.1 OK\r\n\r\n",
    "HTTP/1.1 2000 X\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 1e2\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfive\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n",
    "HTTP/1.1 200 OK\r\nname : value\r\n\r\n", "HTTP/1.1 200 OK\r\n: value\r\n\r\n",
    "HTTP/1.1 200 OK\r\n folded: b\r\n\r\n", "HTTP/1.1 200 OK\r\nA: \u{1}\r\n\r\n",
    "HTTP/1.1 101 Switching\r\n\r\n",
  ])
  func `What is no HTTP is an error`(_ bytes: String) async {
    guard case .badResponse = await failure(bytes) else {
      Issue.record("\(bytes) is no error")
      return
    }
  }

  @Test func `Fields of a header are taken without the space around their values`() async throws {
    let answer = try await answer(
      "HTTP/1.1 200 OK\r\nA:b\r\nC: \t d: e  f\t \r\nG:\r\nH: \t\r\n\r\n")
    expectEqual(answer.headers.fields.map(\.name), ["A", "C", "G", "H"])
    expectEqual(answer.headers.fields.map(\.value), ["b", "d: e  f", "", ""])
  }

  @Test func `Headers and bodies have bounds`() async throws {
    let starts = [
      "HTTP/1.1 200 OK\r\nA: ", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
      "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n",
    ]
    for start in starts {
      let server = try FaultyServer { _, peer in
        let part = String(repeating: "x", count: 4096)
        peer.send(start)
        // 100 MB, unless the client ends it.
        for _ in 0..<25_600 {
          guard peer.send(start.contains("chunked") ? "1000\r\n\(part)\r\n" : part) else { return }
        }
        Issue.record("all was read")
      }
      do {
        _ = try await transport.send(HTTPRequest(.get, server.url("/")))
        Issue.record("it is taken")
      } catch {
        guard case .badResponse = error else {
          Issue.record("\(error)")
          return
        }
      }
    }
  }

  @Test func `A kept connection that the server has ended is replaced`() async throws {
    let server = try FaultyServer { request, peer in
      peer.answer(200, "", ["X-Target": request.target])
      if request.target == "/last" { peer.close() }
    }
    for _ in 0..<20 {
      let response = try await transport.send(HTTPRequest(.get, server.url("/last")))
      expectEqual(response.status, 200)
    }
    expectEqual(server.connectionCount, 20)
  }

  @Test func `What may not be done twice is not sent twice`() async throws {
    let server = try FaultyServer { request, peer in
      if request.target == "/first" { peer.answer(200) } else { peer.reset() }
    }
    _ = try await transport.send(HTTPRequest(.get, server.url("/first")))
    await #expect(throws: TransportError.self) {
      try await self.transport.send(
        HTTPRequest(.post, server.url("/second"), body: Data("x".utf8)))
    }
    expectEqual(server.requests.map(\.method), ["GET", "POST"])
    // What may, is sent on a new connection, once.
    _ = try await transport.send(HTTPRequest(.get, server.url("/first")))
    await #expect(throws: TransportError.self) {
      try await self.transport.send(HTTPRequest(.put, server.url("/third")))
    }
    expectEqual(server.requests.map(\.method), ["GET", "POST", "GET", "PUT", "PUT"])
  }

  @Test func `An answer before the end of the request counts`() async throws {
    let early = try FaultyServer(early: "HTTP/1.1 413 X\r\nContent-Length: 0\r\n\r\n") { _, _ in }
    let response = try await transport.send(
      HTTPRequest(.post, early.url("/"), body: Data(count: 8 << 20)))
    expectEqual(response.status, 413)
  }

  @Test func `Nobody there is told as such`() async throws {
    let server = try FaultyServer { _, _ in }
    let url = server.url("/")
    server.stop()
    do {
      _ = try await transport.send(HTTPRequest(.get, url))
      Issue.record("there is an answer")
    } catch {
      guard case .notConnected = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test(arguments: [
    ("ftp://127.0.0.1/", "A", "b"), ("http:///path", "A", "b"), ("http://u:p@127.0.0.1/", "A", "b"),
    ("http://127.0.0.1/", "A", "b\r\nEvil: 1"), ("http://127.0.0.1/", "A\r\nEvil", "b"),
    ("http://127.0.0.1/", "", "b"), ("http://127.0.0.1/", "A", "b\0"),
    ("http://127.0.0.1/", "Host", "evil"), ("http://127.0.0.1/", "content-length", "7"),
    ("https://127.0.0.1/", "A", "b"), ("http://127.0.0.1:99999/", "A", "b"),
  ])
  func `What is no request is refused`(_ url: String, _ name: String, _ value: String) async throws
  {
    let request = HTTPRequest(
      .get, try #require(URL(string: url)), headers: [name: value], timeout: .seconds(5))
    do {
      _ = try await transport.send(request)
      Issue.record("it is sent")
    } catch {
      guard case .badRequest = error else {
        Issue.record("\(error)")
        return
      }
      expectFalse("\(error)".contains("Evil: 1"))
    }
    await #expect(throws: TransportError.self) {
      try await self.transport.send(
        HTTPRequest(HTTPMethod(rawValue: "GET / HTTP/1.1\r\n"), URL(fileURLWithPath: "/")))
    }
  }

  @Test(arguments: [
    "http://evil%0D%0AX-A%3A%20b.example.org/", "http://ex%C3%A4mple.org/", "http://a%20b/",
    "http://a%2Fb/",
  ])
  func `A host that is no name is not asked`(_ text: String) async throws {
    let url = try #require(URL(string: text))
    let error = await #expect(throws: TransportError.self) {
      try await self.transport.send(HTTPRequest(.get, url))
    }
    guard case .badRequest = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `Encryption without the trait is an error that names it`() async throws {
    #if !canImport(Darwin) && !AsyncHTTPClient
      let url = try #require(URL(string: "https://127.0.0.1/"))
      await #expect(
        throws: TransportError.badRequest(
          "https needs the trait AsyncHTTPClient of the package on this platform")
      ) { try await PlatformTransport().send(HTTPRequest(.get, url)) }
    #endif
    let server = try FaultyServer { _, peer in peer.answer(200) }
    try await expectEqual(PlatformTransport().send(HTTPRequest(.get, server.url("/"))).status, 200)
  }
}
