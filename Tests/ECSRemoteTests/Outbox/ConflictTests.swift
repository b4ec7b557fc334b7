import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Foundation
import Synchronization
import Testing

@Suite(.noHangs, .ownThread) struct ConflictTests {
  private let server = PostServer()

  init() { server.insert(["title": "A", "text": "t", "stars": 1]) }

  /// A post that was fetched, and that is edited here and there meanwhile.
  private func edited(
    _ conflicts: RemoteConflictPolicy, _ update: Resource.Update = .patching
  ) async throws -> (Outpost, Entity) {
    let desk = try Outpost(server, update: update, conflicts: conflicts)
    let post = try await desk.remote.fetch(key: 1, as: desk.posts)
    desk.context.setUniqueComponent(Connectivity(isReachable: false))
    desk.edit(post) { ($0.title, $0.stars) = ("mine", 2) }
    server.change(1, "title", "theirs")
    server.change(1, "text", "theirs")
    return (desk, post)
  }

  private func sent(_ desk: Outpost) async -> JSONObject? {
    desk.context.setUniqueComponent(Connectivity(isReachable: true))
    await desk.settled()
    return server.rows[1]?.fields
  }

  @Test(arguments: [Resource.Update.patching, .replacing])
  func `What others have changed is merged, and fields of both are as they were changed here`(
    _ update: Resource.Update
  ) async throws {
    let (desk, post) = try await edited(.ifMatch(.local), update)
    let fields = await sent(desk)
    expectEqual(fields, ["title": "mine", "text": "theirs", "stars": 2, "parent": .null])
    expectEqual(post.get(Post.self), Post(title: "mine", text: "theirs", stars: 2))
    let method = update == .patching ? "PATCH" : "PUT"
    expectEqual(desk.methods, ["GET", method, "GET", method])
    let tags = desk.transport.requests.map { $0.headers["If-Match"] }
    expectEqual(tags, [nil, "\"1\"", nil, "\"3\""])
    let names = desk.transport.requests.compactMap { $0.headers["Idempotency-Key"] }
    expectTrue(names.count == 2 && names[1] == "\(names[0])-1")
  }

  @Test func `The server may win`() async throws {
    let (desk, post) = try await edited(.ifMatch(.server))
    let fields = await sent(desk)
    expectEqual(fields, ["title": "theirs", "text": "theirs", "stars": 2, "parent": .null])
    expectEqual(post.get(Post.self), Post(title: "theirs", text: "theirs", stars: 2))
    expectEqual(desk.lines.last, #"PATCH http://api.example/v1/posts/1 {"stars":2}"#)
  }

  @Test func `A closure may be asked, with all that is known`() async throws {
    let conflicts = Collected<RemoteConflict>()
    let (desk, post) = try await edited(
      .ifMatch(
        .ask { conflict in
          conflicts.add(conflict)
          return "both"
        }))
    let fields = await sent(desk)
    expectTrue(fields?["title"] == "both" && post.get(Post.self)?.title == "both")
    let path = try JSONPath("title")
    expectTrue(
      conflicts.all.map(\.path) == [path] && conflicts.all.first?.base == "A"
        && conflicts.all.first?.local == "mine" && conflicts.all.first?.server == "theirs"
        && conflicts.all.first?.entity == post)
  }

  @Test func `The last to write may win, and then nothing is asked`() async throws {
    let (desk, _) = try await edited(.unprotected)
    let fields = await sent(desk)
    expectEqual(fields, ["title": "mine", "text": "theirs", "stars": 2, "parent": .null])
    expectEqual(desk.methods, ["GET", "PATCH"])
    expectNil(desk.transport.requests.last?.headers["If-Match"])
  }

  @Test func `What is fetched meanwhile is merged at once`() async throws {
    for list in [true, false] {
      let (desk, post) = try await edited(.ifMatch(.local))
      if list {
        try await expectEqual(desk.remote.list(desk.posts), [post])
      } else {
        try await desk.remote.fetch(post, as: desk.posts)
      }
      expectEqual(post.get(Post.self), Post(title: "mine", text: "theirs", stars: 2))
      expectEqual(desk.mutations.first?.base["title"], "theirs")
      server.change(1, "title", "A")
      server.change(1, "text", "t")
      server.change(1, "stars", 1)
    }
  }

  @Test func `What is deleted here stays away until the server has heard of it`() async throws {
    let desk = try Outpost(server)
    let post = try await desk.remote.fetch(key: 1, as: desk.posts)
    desk.context.setUniqueComponent(Connectivity(isReachable: false))
    desk.remote.deleteLater(post, as: desk.posts)
    try await expectTrue(desk.remote.list(desk.posts).isEmpty)
    await #expect(throws: RemoteError.deadEntity) {
      try await desk.remote.fetch(key: 1, as: desk.posts)
    }
    expectTrue(desk.context.group(Post.matcher).isEmpty)
    await expectNil(sent(desk))
  }

  @Test func `What is deleted here is not made again by those that name it`() async throws {
    let desk = try Outpost(server)
    let post = try await desk.remote.fetch(key: 1, as: desk.posts)
    server.insert(["title": "reply", "parent": 1])
    desk.context.setUniqueComponent(Connectivity(isReachable: false))
    desk.remote.deleteLater(post, as: desk.posts)
    let reply = try await desk.remote.fetch(key: 2, as: desk.posts)
    expectEqual(desk.context.group(PostID.matcher).sorted(), [reply])
    try await expectEqual(desk.remote.list(desk.posts), [reply])
    expectEqual(desk.context.group(PostID.matcher).sorted(), [reply])
    await expectNil(sent(desk))
    expectEqual(desk.context.group(PostID.matcher).sorted(), [reply])
  }

  @Test func `A list that is older than what was sent since does not undo it`() async throws {
    let (gate, server) = (Gate(), server)
    let desk = try Outpost(
      server,
      transport: { request in
        let answer = server.answer(request)
        if request.url.lastPathComponent == "posts" { await gate.pass() }
        return answer
      })
    server.insert(["title": "B"])
    let post = try await desk.remote.fetch(key: 1, as: desk.posts)
    let other = try await desk.remote.fetch(key: 2, as: desk.posts)
    let listing = Task { try await desk.remote.list(desk.posts) }
    await gate.waitForArrivals(1)
    desk.edit(post) { $0.title = "mine" }
    desk.remote.deleteLater(other, as: desk.posts)
    await desk.settled()
    expectTrue(desk.mutations.isEmpty && server.rows.count == 1)
    await gate.open()
    try await expectEqual(listing.value, [post])
    expectEqual(post.get(Post.self)?.title, "mine")
    expectEqual(desk.context.group(Post.matcher).count, 1)
  }

  @Test func `A deletion gives way to a change, if the server wins`() async throws {
    let desk = try Outpost(server, conflicts: .ifMatch(.server))
    let post = try await desk.remote.fetch(key: 1, as: desk.posts)
    desk.context.setUniqueComponent(Connectivity(isReachable: false))
    desk.remote.deleteLater(post, as: desk.posts)
    server.change(1, "title", "theirs")
    await expectEqual(sent(desk)?["title"], "theirs")
    let again = try #require(try desk.remote.mapper.entity(withKey: 1, of: desk.posts.recipe))
    expectTrue(again.get(Post.self)?.title == "theirs" && desk.mutations.isEmpty)
  }

  @Test func `What somebody else has deleted is refused, or deleted here if the server wins`()
    async throws
  {
    let (desk, post) = try await edited(.ifMatch(.local))
    server.delete(1)
    _ = await sent(desk)
    expectTrue(post.isAlive && desk.mutations.first?.refusal != nil)
    let other = PostServer()
    let giving = try Outpost(other, conflicts: .ifMatch(.server))
    let lost = other.insert([:])
    let gone = try await giving.remote.fetch(key: .number(JSONNumber(lost)), as: giving.posts)
    giving.context.setUniqueComponent(Connectivity(isReachable: false))
    giving.edit(gone) { $0.title = "mine" }
    other.delete(lost)
    giving.context.setUniqueComponent(Connectivity(isReachable: true))
    await giving.settled()
    expectTrue(!gone.isAlive && giving.mutations.isEmpty)
  }

  @Test func `A save is merged in the same way`() async throws {
    for update in [Resource.Update.patching, .replacing] {
      let desk = try Outpost(server, update: update)
      server.change(1, "title", "A")
      let post = try await desk.remote.fetch(key: 1, as: desk.posts)
      server.change(1, "title", "theirs")
      post.update(Post.self) { $0.stars += 1 }
      let tag = desk.server.rows[1]?.version
      try await desk.remote.save(post, as: desk.posts)
      expectEqual(server.rows[1]?.fields["title"], "theirs")
      expectEqual(
        server.rows[1]?.fields["stars"], post.get(Post.self).map { .number(.init($0.stars)) })
      expectEqual(desk.transport.requests.last?.headers["If-Match"], tag.map { "\"\($0)\"" })
      expectEqual(post.get(Post.self)?.title, "theirs")
    }
  }

  @Test func `A weak tag is no condition`() async throws {
    let server = server
    let desk = try Outpost(
      server,
      transport: { request in
        var answer = server.answer(request)
        answer.headers["ETag"] = answer.headers["ETag"].map { "W/\($0)" }
        return answer
      })
    let post = try await desk.remote.fetch(key: 1, as: desk.posts)
    post.update(Post.self) { $0.stars += 1 }
    try await desk.remote.save(post, as: desk.posts)
    expectNil(desk.transport.requests.last?.headers["If-Match"])
  }

  /// A new entity that the server has, without its answer, and a list with what the server has.
  private func twins(
    _ update: Resource.Update = .patching,
    isKept: @escaping @Sendable () async throws -> Void = {},
    isAsked: @escaping @Sendable () async -> Void = {}
  ) async throws -> (PostServer, Outpost, Entity, EntityList) {
    let server = PostServer()
    let faults = Faults([.errorAfter(.timedOut)])
    let desk = try Outpost(
      server, update: update, isKept: isKept,
      transport: { request async throws(TransportError) -> HTTPResponse in
        if request.method == .get, request.url.lastPathComponent == "1" { await isAsked() }
        return request.method == .post ? try faults.answer(request, server) : server.answer(request)
      })
    let post = desk.write("A")
    await desk.settled()
    let list = EntityList(in: desk.context)
    try await list.fetch(desk.posts, with: desk.remote)
    return (server, desk, post, list)
  }

  @Test func `A new entity that comes by a list before its key is one in the end`() async throws {
    let (server, desk, post, list) = try await twins()
    let twin = try #require(list.member(at: 0))
    expectNotEqual(twin, post)
    desk.edit(twin) { $0.stars = 5 }
    desk.edit(post) { $0.text = "more" }
    desk.time.advance(by: .seconds(60))
    await desk.settled()
    expectTrue(!twin.isAlive && list.map(\.self) == [post])
    expectEqual(post.get(Post.self), Post(title: "A", text: "more", stars: 5))
    expectTrue(server.rows.count == 1 && desk.mutations.isEmpty)
    expectTrue(server.rows[1]?.fields["stars"] == 5 && server.rows[1]?.fields["text"] == "more")
  }

  @Test(arguments: [false, true])
  func `A change whose entity becomes another one on its way is sent at once`(
    isAskedFor: Bool
  ) async throws {
    // Of the creation that fails, the one that is tried again, and the edit: as it is kept, or
    // before, as the server is asked what it has.
    let gates = [Gate(), Gate(), Gate()]
    await gates[0].open()
    let calls = Atomic(0)
    let (server, desk, post, list) = try await twins(isAskedFor ? .replacing : .patching) {
      let call = calls.wrappingAdd(1, ordering: .relaxed).oldValue
      if call < (isAskedFor ? 2 : 3) { await gates[call].pass() }
    } isAsked: {
      if isAskedFor { await gates[2].pass() }
    }
    let twin = try #require(list.member(at: 0))
    desk.time.advance(by: .seconds(60))
    await gates[1].waitForArrivals(1)
    // What the loop would pass to the system from here on comes too late.
    desk.loop.pause()
    desk.edit(twin) { $0.stars = 5 }
    desk.sender.execute(entities: desk.sender.collector.drain())
    await gates[2].waitForArrivals(1)
    await gates[1].open()
    while twin.isAlive { await pause() }
    await gates[2].open()
    await desk.sender.settled()
    expectEqual(post.get(Post.self), Post(title: "A", stars: 5))
    expectTrue(server.rows[1]?.fields["stars"] == 5 && desk.mutations.isEmpty)
  }
}
