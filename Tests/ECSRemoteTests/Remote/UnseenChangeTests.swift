import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Foundation
import Testing

/// What others have changed, and has not come here, is not overwritten.
@Suite(.noHangs, .ownThread) struct UnseenChangeTests {
  /// What a client has seen before it writes.
  enum Step: String, Sendable, CaseIterable {
    case fetch, list, feed, taggedFeed, partialFeed, save, saveLater
  }

  private let server = PostServer()

  init() { server.insert(["title": "A", "text": "t", "stars": 1]) }

  private func desk(
    _ update: Resource.Update = .replacing, _ conflicts: RemoteConflictPolicy = .ifMatch(.local),
    _ change: @escaping @Sendable (HTTPRequest, inout HTTPResponse) -> Void = { _, _ in }
  ) throws -> Outpost {
    let server = server
    return try Outpost(
      server, update: update, conflicts: conflicts,
      configure: { configuration in
        configuration.didReceive = { change($0, &$1) }
      },
      transport: { request async throws(TransportError) -> HTTPResponse in
        guard request.url.lastPathComponent == "events" else { return server.answer(request) }
        if request.headers["Last-Event-ID"] != nil { return HTTPResponse(204) }
        return HTTPResponse(
          200, headers: ["Content-Type": "text/event-stream"],
          body: Data(event("updated", "{}", "1").utf8))
      })
  }

  private func data(_ server: PostServer) -> JSONObject {
    var data = server.rows[1]?.fields ?? [:]
    data["id"] = 1
    return data
  }

  /// A feed of one event, which tells of what is there now.
  private func follow(_ desk: Outpost, _ step: Step) async throws {
    var told = data(server)
    if step == .partialFeed { told = ["id": 1, "stars": told["stars"] ?? 0] }
    let etag = step == .feed ? nil : "\"\(server.rows[1]?.version ?? 0)\""
    let (posts, value) = (desk.posts, JSONValue.object(told))
    try await desk.follow(
      RemoteFeed(
        named: UUID().uuidString, at: { baseURL.appendingPathComponent("events") },
        changes: { _ in [.save(value, as: posts, etag: etag)] }))
  }

  private func take(_ step: Step, _ desk: Outpost) async throws {
    switch step {
    case .fetch: try await desk.remote.fetch(key: 1, as: desk.posts)
    case .list: _ = try await desk.remote.list(desk.posts)
    case .feed, .taggedFeed, .partialFeed: try await follow(desk, step)
    case .save:
      let post = try #require(desk.context.group(Post.matcher).first)
      try await desk.remote.save(post, as: desk.posts)
    case .saveLater:
      let post = try #require(desk.context.group(Post.matcher).first)
      desk.remote.saveLater(post, as: desk.posts)
      await desk.settled()
    }
  }

  private static let ways: [[Step]] = [
    [.fetch], [.list], [.feed], [.taggedFeed], [.fetch, .list], [.fetch, .feed],
    [.fetch, .taggedFeed], [.fetch, .partialFeed], [.list, .partialFeed], [.list, .feed, .list],
    [.fetch, .save], [.list, .save, .list], [.fetch, .saveLater], [.fetch, .save, .feed],
  ]

  @Test(arguments: ways, [Step.save, .saveLater])
  func `A change that was not seen stays, whatever was seen before`(
    _ way: [Step], _ write: Step
  ) async throws {
    for update in [Resource.Update.replacing, .patching] {
      for hasTags in [true, false] {
        server.change(1, "title", "A")
        let desk = try desk(update) { request, answer in
          // Some servers have no tags where something was changed.
          if !hasTags, request.method != .get { answer.headers["ETag"] = nil }
        }
        for step in way {
          server.change(1, "stars", 5)
          server.change(1, "text", "theirs")
          try await take(step, desk)
        }
        server.change(1, "stars", 10)
        server.change(1, "text", "also theirs")
        let post = try #require(desk.context.group(Post.matcher).first)
        post.update(Post.self) { $0.title = "mine" }
        try await take(write, desk)
        let fields: JSONObject = [
          "title": "mine", "text": "also theirs", "stars": 10, "parent": .null,
        ]
        expectEqual(server.rows[1]?.fields, fields, "\(way), \(write), \(update): \(desk.lines)")
        if update == .replacing {
          expectEqual(post.get(Post.self), Post(title: "mine", text: "also theirs", stars: 10))
        }
        desk.loop.cancel()
      }
    }
  }

  @Test(arguments: [Resource.Update.patching, .replacing], [Step.save, .saveLater])
  func `What a list leaves out is not overwritten by what entities are made with`(
    _ update: Resource.Update, _ write: Step
  ) async throws {
    let desk = try desk(update) { request, answer in
      if request.method == .get, request.url.lastPathComponent == "posts" {
        answer.body = Data(#"[{"id":1,"title":"A"}]"#.utf8)
      }
    }
    let post = try #require(try await desk.remote.list(desk.posts).first)
    post.update(Post.self) { $0.title = "mine" }
    try await take(write, desk)
    let fields: JSONObject = ["title": "mine", "text": "t", "stars": 1, "parent": .null]
    expectEqual(server.rows[1]?.fields, fields)
    let last = try #require(desk.lines.last)
    expectTrue(update == .replacing || last.hasSuffix(#"{"title":"mine"}"#))
  }

  @Test func `A list that is older than a tag is not taken for what has the tag`() async throws {
    let (gate, lists) = (Gate(), Counter())
    let server = server
    let desk = try Outpost(
      server, update: .replacing,
      transport: { request in
        let answer = server.answer(request)
        if request.url.lastPathComponent == "posts", lists.add(1) == 2 { await gate.pass() }
        return answer
      })
    let post = try #require(try await desk.remote.list(desk.posts).first)
    let listing = Task { try await desk.remote.list(desk.posts) }
    await gate.waitForArrivals(1)
    server.change(1, "stars", 10)
    try await desk.remote.fetch(post, as: desk.posts)
    await gate.open()
    try await expectEqual(listing.value, [post])
    expectTrue(post.get(Post.self)?.stars == 10 && post.has(RemoteState.Stale.cid))
    post.update(Post.self) { $0.title = "mine" }
    try await desk.remote.save(post, as: desk.posts)
    expectTrue(server.rows[1]?.fields["stars"] == 10 && server.rows[1]?.fields["title"] == "mine")
  }

  @Test(arguments: [true, false])
  func `What a list brings while an entity is fetched is no edit`(_ hasChanged: Bool) async throws {
    let gate = Gate()
    let (server, fetches) = (server, Counter())
    let desk = try Outpost(
      server, update: .replacing,
      transport: { request in
        let answer = server.answer(request)
        guard request.method == .get, request.url.lastPathComponent == "1" else { return answer }
        if fetches.add(1) < 2 { return answer }
        if fetches.value == 2 { await gate.pass() }
        let isKnown = answer.headers["ETag"] == request.headers["If-None-Match"]
        return isKnown ? HTTPResponse(304) : answer
      })
    let post = try await desk.remote.fetch(key: 1, as: desk.posts)
    if hasChanged { server.change(1, "text", "theirs") }
    let fetching = Task { try await desk.remote.fetch(post, as: desk.posts) }
    await gate.waitForArrivals(1)
    server.change(1, "stars", 5)
    _ = try await desk.remote.list(desk.posts)
    await gate.open()
    _ = try await fetching.value
    server.change(1, "stars", 10)
    post.update(Post.self) { $0.title = "mine" }
    try await desk.remote.save(post, as: desk.posts)
    expectTrue(server.rows[1]?.fields["stars"] == 10 && post.get(Post.self)?.stars == 10)
  }

  @Test func `What was not seen is not deleted, unless it is deleted anyway`() async throws {
    for (winner, isDeleted) in [
      (RemoteConflictPolicy.ifMatch(.local), true), (.ifMatch(.server), false),
      (.ifMatch(.ask { $0.server }), false), (.unprotected, true),
    ] {
      for isLater in [true, false] {
        let server = PostServer()
        server.insert(["title": "A", "stars": 1])
        let desk = try Outpost(server, conflicts: winner)
        let post = try #require(try await desk.remote.list(desk.posts).first)
        server.change(1, "stars", 10)
        if isLater {
          desk.remote.deleteLater(post, as: desk.posts)
          await desk.settled()
        } else {
          try? await desk.remote.delete(post, as: desk.posts)
        }
        expectEqual(server.rows.isEmpty, isDeleted, "\(winner) \(isLater) \(desk.lines)")
        if isDeleted { continue }
        let now = try await desk.remote.fetch(key: 1, as: desk.posts)
        expectTrue(now.get(Post.self)?.stars == 10 && desk.mutations.isEmpty)
        // It has been seen.
        try await desk.remote.delete(now, as: desk.posts)
        expectTrue(server.rows.isEmpty)
      }
    }
  }

  @Test func `What is unprotected is sent without asking`() async throws {
    let desk = try desk(.replacing, .unprotected)
    let post = try #require(try await desk.remote.list(desk.posts).first)
    desk.edit(post) { $0.title = "mine" }
    await desk.settled()
    expectEqual(desk.methods, ["GET", "PUT"])
  }

  @Test func `A server that can't be asked about one entity refuses what is protected`()
    async throws
  {
    for status in [404, 405] {
      let desk = try desk { request, answer in
        if request.method == .get, request.url.lastPathComponent == "1" { answer.status = status }
      }
      let post = try #require(try await desk.remote.list(desk.posts).first)
      desk.edit(post) { $0.title = "mine" }
      await desk.settled()
      expectTrue(desk.methods == ["GET", "GET"] && desk.mutations.first?.refusal != nil)
      expectEqual(post.get(RemoteState.Failed.self)?.isFinal, true)
    }
  }

  @Test func `A value that is another each time it is asked for can be sent nevertheless`()
    async throws
  {
    let count = Counter()
    let desk = try desk { request, answer in
      guard request.method == .get else { return }
      answer.headers["ETag"] = nil
      var data = (try? JSONValue(data: answer.body)) ?? .null
      if case .object(var fields) = data {
        fields["stars"] = .number(JSONNumber(count.add(1)))
        data = .object(fields)
        answer.body = data.data()
      }
    }
    let post = try #require(try await desk.remote.list(desk.posts).first)
    desk.edit(post) { $0.title = "mine" }
    await desk.settled()
    expectTrue(desk.mutations.isEmpty && server.rows[1]?.fields["title"] == "mine")
  }

  @Test func `What may have been done is tried again with the tag that was asked for`()
    async throws
  {
    let (server, puts) = (server, Counter())
    let desk = try Outpost(
      server, update: .replacing,
      transport: { request throws(TransportError) in
        let answer = server.answer(request)
        if request.method == .put, puts.add(1) == 1 { throw .interrupted("lost") }
        return answer
      })
    let post = try #require(try await desk.remote.list(desk.posts).first)
    desk.edit(post) { $0.title = "mine" }
    await desk.settled()
    server.change(1, "title", "theirs, later")
    desk.time.advance(by: .seconds(30))
    await desk.settled()
    expectTrue(desk.methods == ["GET", "GET", "PUT", "PUT"] && desk.mutations.isEmpty)
    let tags = desk.transport.requests.suffix(2).map { $0.headers["If-Match"] }
    expectEqual(tags, ["\"1\"", "\"1\""])
    expectEqual(server.rows[1]?.fields["title"], "theirs, later")
  }

  @Test func `What each request has, those that merge have as well`() async throws {
    let server = server
    let desk = try Outpost(
      server, update: .replacing, configure: { $0.parameters = { ["token": "x"] } })
    let post = try #require(try await desk.remote.list(desk.posts).first)
    post.update(Post.self) { $0.title = "mine" }
    try await desk.remote.save(post, as: desk.posts)
    server.change(1, "stars", 5)
    desk.edit(post) { $0.title = "again" }
    await desk.settled()
    let reads = desk.transport.requests.filter { $0.method == .get }
    expectTrue(reads.count == 3 && reads.allSatisfy { $0.url.query == "token=x" })
  }
}
