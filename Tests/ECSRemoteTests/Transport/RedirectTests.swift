import ECSRemote
import ECSTestSupport
import Foundation
import Testing

@Suite(.noHangs, .ownThread) struct RedirectTests {
  private let transport = RedirectingTransport(SocketTransport())

  @Test func `Credentials stay with the host that they are for`() async throws {
    let other = try FaultyServer { _, peer in peer.answer(200, "there") }
    let elsewhere = "http://localhost:\(other.port)/there"
    let server = try FaultyServer { _, peer in peer.answer(307, "", ["Location": elsewhere]) }
    let response = try await transport.send(
      HTTPRequest(
        .post, server.url("/"),
        headers: [
          "Authorization": "Bearer secret", "Cookie": "secret", "X-Key": "secret", "Accept": "a/b",
        ],
        body: Data("kept".utf8)))
    expectEqual(response.body, Data("there".utf8))
    let request = try #require(other.requests.first)
    expectEqual(request.method, "POST")
    expectEqual(request.body, "kept")
    expectEqual(request.field("Accept"), "a/b")
    expectEqual(request.field("Host"), "localhost:\(other.port)")
    expectFalse(request.head.contains("secret"))
  }

  @Test func `The conditions and the name of a request go along`() async throws {
    let other = try FaultyServer { _, peer in peer.answer(200, "there") }
    let elsewhere = "http://localhost:\(other.port)/there"
    let server = try FaultyServer { _, peer in peer.answer(307, "", ["Location": elsewhere]) }
    let fields: HTTPHeaders = [
      "If-Match": "\"1\"", "If-Unmodified-Since": "then", "Idempotency-Key": "name",
    ]
    _ = try await transport.send(
      HTTPRequest(.put, server.url("/"), headers: fields, body: Data("b".utf8)))
    let request = try #require(other.requests.first)
    for field in fields.fields { expectEqual(request.field(field.name), field.value) }
  }

  @Test(arguments: ["http://user:password@localhost/", "http://no%0Dhost/"])
  func `What was done is not said to be impossible, because what it leads to is`(
    _ place: String
  ) async throws {
    let server = try FaultyServer { _, peer in peer.answer(303, "", ["Location": place]) }
    let error = await #expect(throws: TransportError.self) {
      try await transport.send(HTTPRequest(.post, server.url("/"), body: Data("b".utf8)))
    }
    guard case .interrupted = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    await #expect(throws: TransportError.self) {
      try await transport.send(HTTPRequest(.get, server.url("/")))
    }
  }

  @Test func `On the same host, all goes along`() async throws {
    let server = try FaultyServer { request, peer in
      if request.target == "/a/old" {
        peer.answer(308, "", ["Location": "new?x=1"])
      } else {
        peer.answer(200)
      }
    }
    _ = try await transport.send(
      HTTPRequest(
        .put, server.url("/a/old"), headers: ["Authorization": "secret"], body: Data("b".utf8)))
    let request = try #require(server.requests.last)
    expectEqual(request.target, "/a/new?x=1")
    expectEqual(request.method, "PUT")
    expectEqual(request.body, "b")
    expectEqual(request.field("Authorization"), "secret")
  }

  @Test(arguments: [301, 302, 303])
  func `Older redirects ask for what is there`(_ status: Int) async throws {
    let server = try FaultyServer { request, peer in
      if request.method == "POST" {
        peer.answer(status, "", ["Location": "/made"])
      } else {
        peer.answer(200, "made")
      }
    }
    let response = try await transport.send(
      HTTPRequest(
        .post, server.url("/"), headers: ["Content-Type": "text/plain"], body: Data("b".utf8)))
    expectEqual(response.body, Data("made".utf8))
    let request = try #require(server.requests.last)
    expectEqual(request.method, "GET")
    expectTrue(request.body.isEmpty)
    expectNil(request.field("Content-Type"))
    expectNil(request.field("Content-Length"))
  }

  @Test func `Who has led elsewhere has done what was asked for`() async throws {
    let url = try #require(URL(string: "http://example.org/"))
    let stub = StubTransport { (request) throws(TransportError) in
      if request.method == .get, request.url.path == "/made" { throw .notConnected("no") }
      return HTTPResponse(303, headers: ["Location": "/made"])
    }
    await #expect(throws: TransportError.interrupted("no")) {
      try await RedirectingTransport(stub).send(HTTPRequest(.post, url))
    }
    await #expect(throws: TransportError.notConnected("no")) {
      try await RedirectingTransport(stub).send(HTTPRequest(.get, url))
    }
    let kind = StubTransport { request in
      request.url.path == "/made"
        ? HTTPResponse(200) : HTTPResponse(303, headers: ["Location": "/made"])
    }
    for (method, isOther) in [(HTTPMethod.post, true), (.get, false)] {
      let response = try await RedirectingTransport(kind).send(HTTPRequest(method, url))
      expectEqual(response.isOfOtherMethod, isOther)
    }
  }

  @Test func `Redirects have an end, a deadline, and lead nowhere else`() async throws {
    let server = try FaultyServer { _, peer in peer.answer(302, "", ["Location": "/"]) }
    await #expect(throws: TransportError.badResponse("more than 10 redirects")) {
      try await self.transport.send(HTTPRequest(.get, server.url("/")))
    }
    expectEqual(server.requests.count, 11)
    for location in ["file:///etc/passwd", "http://", "javascript:1", ""] {
      let stub = StubTransport { _ in HTTPResponse(302, headers: ["Location": location]) }
      let result = await #expect(throws: TransportError.self) {
        try await RedirectingTransport(stub).send(HTTPRequest(.get, server.url("/")))
      }
      expectNotNil(result)
    }
    let stub = StubTransport { _ in
      HTTPResponse(302, headers: ["Location": "http://example.org/"])
    }
    let url = try #require(URL(string: "https://example.org/"))
    await #expect(throws: TransportError.self) {
      try await RedirectingTransport(stub).send(HTTPRequest(.get, url))
    }
    expectEqual(stub.requests.count, 1)
  }

  @Test func `One deadline counts for the whole way`() async throws {
    let server = try FaultyServer { _, peer in
      for _ in 0..<10 { peer.pause() }
      peer.answer(307, "", ["Location": "/"])
    }
    await #expect(throws: TransportError.timedOut) {
      try await RedirectingTransport(SocketTransport(), limit: 1_000_000)
        .send(HTTPRequest(.get, server.url("/"), timeout: .milliseconds(200)))
    }
  }
}
