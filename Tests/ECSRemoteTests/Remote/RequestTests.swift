import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Foundation
import Synchronization
import Testing

@Suite(.noHangs, .ownThread) struct RequestTests {
  @Test func `Each operation is sent as HTTP has it, byte by byte`() async throws {
    let server = try FaultyServer { request, peer in
      peer.answer(200, request.target.hasPrefix("/posts?") || request.method == "GET" ? "[]" : "")
    }
    let context = Context()
    let recipe = try Desk { _ in HTTPResponse(200) }.recipe
    let posts = Resource(recipe, update: .replacing) { server.url("/posts") }
    let remote = Remote(context, transport: SocketTransport(), configuration: .patient)
    let new = context.createEntity(with: Post(title: "A \"b\" \u{e9}", text: nil, stars: 2))
    let old = context.createEntity(with: PostID(value: 7), Post(title: "B"))
    try await remote.save(new, as: posts, parameters: ["draft": true])
    try await remote.save(old, as: posts)
    _ = try await remote.list(posts, parameters: ["tags": ["a", "b c"], "q": "x&y", "n": .null])
    _ = try await remote.related("to dos", of: old, as: posts, to: posts)
    try await remote.delete(old, as: posts)
    let host = "Host: 127.0.0.1:\(server.port)\r\nAccept: application/json\r\n"
    func head(_ line: String, _ length: Int?) -> String {
      let content = length.map { "\r\nContent-Length: \($0)" } ?? ""
      let type = length == nil ? "" : "Content-Type: application/json\r\n"
      return "\(line) HTTP/1.1\r\n\(host)\(type)Accept-Encoding: identity\(content)"
    }
    let made = #"{"title":"A \"b\" é","text":null,"stars":2,"draft":true}"#
    let changed = #"{"title":"B","text":null,"stars":0}"#
    expectEqual(
      server.requests,
      [
        ReceivedRequest(head: head("POST /posts", made.utf8.count), body: made),
        ReceivedRequest(head: head("PUT /posts/7", changed.utf8.count), body: changed),
        ReceivedRequest(head: head("GET /posts?tags=a&tags=b%20c&q=x%26y", nil), body: ""),
        ReceivedRequest(head: head("GET /posts/7/to%20dos", nil), body: ""),
        ReceivedRequest(head: head("DELETE /posts/7", nil), body: ""),
      ])
  }

  @Test func `A resource that moves meanwhile is asked at its new place`() async throws {
    let desk = try Desk { _ in .json(#"{"id":7,"title":"B"}"#) }
    let places = Mutex(["old", "new", "newer"])
    let posts = Resource(desk.recipe) {
      let place = places.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
      return URL(string: "http://api.example/\(place)") ?? baseURL
    }
    let post = desk.post()
    // Where it was is remembered besides.
    try await desk.remote.fetch(post, as: posts)
    try await desk.remote.fetch(post, as: posts)
    expectEqual(desk.lines, ["GET http://api.example/new/7", "GET http://api.example/newer/7"])
  }

  @Test func `A patch has the fields that changed since the server was heard of`() async throws {
    let desk = try Desk { request in
      request.method == .get
        ? .json(#"{"id":7,"title":"A","text":"t","stars":1,"place":{"city":"Ulm","country":"DE"}}"#)
        : HTTPResponse(204)
    }
    let posts = desk.posts(.patching)
    let post = try await desk.remote.fetch(key: 7, as: posts)
    try await expectEqual(desk.remote.save(post, as: posts), .unchanged)
    expectEqual(desk.lines.count, 1)
    post.update(Post.self) { ($0.stars, $0.text) = (2, nil) }
    post.update(Place.self) { $0.city = "Bonn" }
    try await desk.remote.save(post, as: posts)
    try await expectEqual(desk.remote.save(post, as: posts), .unchanged)
    post.remove(Place.cid)
    try await desk.remote.save(post, as: posts, parameters: ["by": "me"])
    try await desk.remote.save(post, as: posts, parameters: ["by": "me"])
    expectEqual(
      desk.lines,
      [
        "GET http://api.example/v1/posts/7",
        #"PATCH http://api.example/v1/posts/7 {"text":null,"stars":2,"place":{"city":"Bonn"}}"#,
        #"PATCH http://api.example/v1/posts/7 {"place":null,"by":"me"}"#,
        #"PATCH http://api.example/v1/posts/7 {"by":"me"}"#,
      ])
    // Of an entity that the server never spoke of, all is sent.
    try await desk.remote.save(desk.post(8, Post(title: "N")), as: posts)
    expectEqual(
      desk.lines.last,
      #"PATCH http://api.example/v1/posts/8 {"title":"N","text":null,"stars":0}"#)
  }

  @Test func `What was in a refused patch is in the next one`() async throws {
    let desk = try Desk { request in
      request.method == .get ? .json(#"{"id":7,"title":"A","stars":1}"#) : HTTPResponse(409)
    }
    let posts = desk.posts(.patching)
    let post = try await desk.remote.fetch(key: 7, as: posts)
    for stars in 2...3 {
      post.update(Post.self) { ($0.stars, $0.text) = (stars, "t") }
      await #expect(throws: RemoteError.self) { try await desk.remote.save(post, as: posts) }
    }
    expectEqual(
      desk.lines.dropFirst(),
      [
        #"PATCH http://api.example/v1/posts/7 {"text":"t","stars":2}"#,
        #"PATCH http://api.example/v1/posts/7 {"text":"t","stars":3}"#,
      ])
  }

  @Test func `Parameters of a call go before fields, and these before the configuration's`()
    async throws
  {
    let desk = try Desk {
      $0.parameters = { ["version": 2, "title": "none", "stars": 9] }
    } _: { request in
      request.method == .get ? .json("[]") : HTTPResponse(204)
    }
    try await desk.remote.save(
      desk.context.createEntity(with: Post(title: "A", stars: 1)), as: desk.posts(),
      parameters: ["stars": 5, "more": .null])
    _ = try await desk.remote.list(desk.posts(), parameters: ["stars": 5, "title": .null, "a": 1])
    expectEqual(
      desk.lines,
      [
        "POST http://api.example/v1/posts "
          + #"{"version":2,"title":"A","stars":5,"text":null,"more":null}"#,
        "GET http://api.example/v1/posts?version=2&stars=5&a=1",
      ])
  }

  @Test func `Hooks see each attempt last, and each answer first`() async throws {
    let desk = try Desk {
      $0.headers = ["X-App": "desk", "Accept": "text/json"]
      $0.willSend = { $0.headers["Authorization"] = "Bearer \($0.headers["X-App"] ?? "")" }
      $0.didReceive = { request, response in
        if request.method == .put { response = .json(#"{"title":"hooked"}"#) }
      }
    } _: { _ in
      HTTPResponse(500)
    }
    let post = desk.post()
    try await desk.remote.save(post, as: desk.posts())
    expectEqual(post.get(Post.self)?.title, "hooked")
    let headers = try #require(desk.transport.requests.first?.headers)
    expectEqual(headers["Authorization"], "Bearer desk")
    expectEqual(headers["Accept"], "text/json")
  }

  @Test func `Each attempt asks for the URL, and what it throws is an error`() async throws {
    let desk = try Desk { _ in .json("[]") }
    struct NoServer: Error {}
    let nowhere = Resource(desk.recipe) { throw NoServer() }
    await #expect(throws: RemoteError.self) { try await desk.remote.list(nowhere) }
    let querying = Resource(desk.recipe) {
      URL(string: "http://api.example/v1/?key=1") ?? baseURL
    }
    _ = try await desk.remote.list(querying, parameters: ["a": 2])
    _ = try? await desk.remote.fetch(desk.post(), as: querying, parameters: ["a": 2])
    expectEqual(
      desk.lines,
      [
        "GET http://api.example/v1/?key=1&a=2", "GET http://api.example/v1/7?key=1&a=2",
      ])
  }

  @Test(arguments: [
    ("../admin", "..%2Fadmin"), ("a?b#c", "a%3Fb%23c"), ("a\r\nX: y", "a%0D%0AX%3A%20y"),
    ("\u{e9}%41", "%C3%A9%2541"),
  ])
  func `A key is one part of the path, whatever it is`(_ key: String, _ path: String) async throws {
    let desk = try Desk { _ in HTTPResponse(404) }
    await #expect(throws: RemoteError.self) {
      try await desk.remote.fetch(key: .string(key), as: desk.posts())
    }
    expectEqual(desk.lines, ["GET http://api.example/v1/posts/\(path)"])
  }

  @Test(arguments: ["", ".", "..", .null, true, [1]] as [JSONValue])
  func `A key that would name another place is refused`(_ key: JSONValue) async throws {
    let desk = try Desk { _ in HTTPResponse(200) }
    await #expect(throws: RemoteError.badKey(key)) {
      try await desk.remote.fetch(key: key, as: desk.posts())
    }
    expectTrue(desk.lines.isEmpty)
  }

  @Test func `Without a key or a life there is nothing to ask`() async throws {
    let desk = try Desk { _ in HTTPResponse(200) }
    let new = desk.context.createEntity(with: Post())
    await #expect(throws: RemoteError.missingKey(new)) {
      try await desk.remote.fetch(new, as: desk.posts())
    }
    await #expect(throws: RemoteError.missingKey(new)) {
      try await desk.remote.delete(new, as: desk.posts())
    }
    new.destroy()
    let other = Context().createEntity(with: PostID(value: 7), Post())
    for entity in [new, other] {
      await #expect(throws: RemoteError.deadEntity) {
        try await desk.remote.save(entity, as: desk.posts())
      }
      await #expect(throws: RemoteError.deadEntity) {
        try await desk.remote.delete(entity, as: desk.posts(), disposal: .destroy)
      }
    }
    expectFalse(other.has(RemoteState.Failed.cid))
    expectTrue(desk.lines.isEmpty)
  }

  @Test func `A tag that can't be sent back is none`() async throws {
    let desk = try Desk { request in
      .json(
        #"{"title":"A"}"#, 200, ["ETag": "\"\u{7F}\"", "Last-Modified": "then\u{1}"])
    }
    let (post, posts) = (desk.post(), desk.posts(.patching))
    for _ in 0..<2 { try await desk.remote.fetch(post, as: posts) }
    post.update(Post.self) { $0.stars = 1 }
    try await desk.remote.save(post, as: posts)
    for request in desk.transport.requests {
      for name in ["If-None-Match", "If-Modified-Since", "If-Match"] {
        expectNil(request.headers[name])
      }
    }
  }

  @Test(arguments: [
    ("http://h/v1/posts", "http://h/v1/posts/a%2Fb?q=%26&r=1"),
    ("http://h/v1/posts/", "http://h/v1/posts/a%2Fb?q=%26&r=1"),
    ("http://h", "http://h/a%2Fb?q=%26&r=1"),
    ("http://h:80/", "http://h:80/a%2Fb?q=%26&r=1"),
    ("http://[::1]:80/p", "http://[::1]:80/p/a%2Fb?q=%26&r=1"),
    ("http://h/%C3%A9%3F", "http://h/%C3%A9%3F/a%2Fb?q=%26&r=1"),
    ("http://h/p?own=%20", "http://h/p/a%2Fb?own=%20&q=%26&r=1"),
    ("http://h/p?", "http://h/p/a%2Fb?&q=%26&r=1"),
    ("http://h/p#part", "http://h/p/a%2Fb?q=%26&r=1#part"),
  ]) func `A key and parameters are put into any URL`(
    _ base: String, _ whole: String
  ) async throws {
    let desk = try Desk { _ in HTTPResponse(404) }
    let url = try #require(URL(string: base))
    let posts = Resource(desk.recipe) { url }
    _ = try? await desk.remote.fetch(key: "a/b", as: posts, parameters: ["q": "&", "r": 1])
    expectEqual(desk.lines, ["GET \(whole)"])
  }

  @Test func `A URL below another one is put together with it`() async throws {
    let desk = try Desk { _ in HTTPResponse(404) }
    let posts = Resource(desk.recipe) { [base = URL(string: "http://h/v1/")] in
      try #require(URL(string: "posts", relativeTo: base))
    }
    _ = try? await desk.remote.fetch(key: 7, as: posts)
    expectEqual(desk.lines, ["GET http://h/v1/posts/7"])
  }
}
