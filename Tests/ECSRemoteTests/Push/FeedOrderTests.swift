import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Foundation
import Testing

/// What a feed tells while answers are on their way that are older.
@Suite(.noHangs, .ownThread) struct FeedOrderTests {
  private let server = PostServer()

  init() {
    server.insert(["title": "A"])
    server.insert(["title": "C"])
  }

  /// A desk whose requests are answered at once, and get the answer when a gate lets it pass.
  private func desk(
    _ texts: [String], conflicts: RemoteConflictPolicy = .unprotected, slow gate: Gate,
    when isSlow: @escaping @Sendable (HTTPRequest) -> Bool
  ) throws -> Outpost {
    let (server, answers) = (server, feedAnswers(texts))
    return try Outpost(
      server, conflicts: conflicts,
      transport: { request in
        if let answer = answers(request) { return answer }
        let answer = server.answer(request)
        if isSlow(request) { await gate.pass() }
        return answer
      })
  }

  private let events =
    event("updated", #"{"id":1,"title":"B","text":null,"stars":0,"parent":null}"#, "a")
    + event("deleted", "2", "b")

  enum Way: CaseIterable, Sendable { case list, page, fetch }

  private func ask(_ way: Way, _ key: JSONValue, _ desk: Outpost) async throws {
    switch way {
    case .list: _ = try await desk.remote.list(desk.posts)
    case .page:
      try await EntityList(in: desk.context).fetch(desk.posts, with: desk.remote)
    case .fetch: _ = try await desk.remote.fetch(key: key, as: desk.posts)
    }
  }

  @Test(arguments: Way.allCases, [false, true])
  func `An answer that is older than what a feed has told does not undo it`(
    _ way: Way, _ isKnown: Bool
  ) async throws {
    let (gate, isSlow) = (Gate(), Switch())
    let desk = try desk([events], slow: gate) { _ in isSlow.isOn }
    if isKnown { _ = try await desk.remote.list(desk.posts) }
    isSlow.isOn = true
    let keys: [JSONValue] = way == .fetch ? [1, 2] : [1]
    let tasks = keys.map { key in Task { try await ask(way, key, desk) } }
    await gate.waitForArrivals(keys.count)
    try await desk.follow(desk.feed)
    await gate.open()
    for task in tasks { _ = try? await task.value }
    let posts = desk.context.group(Post.matcher).sorted()
    expectEqual(posts.map { $0.get(Post.self)?.title }, ["B"])
    expectTrue(
      posts.allSatisfy { !$0.has(RemoteState.Stale.cid) && !$0.has(RemoteState.Loading.cid) })
  }

  @Test func `What an older answer says besides is to be fetched`() async throws {
    server.change(1, "text", "t")
    let gate = Gate()
    let desk = try desk([event("updated", #"{"id":1,"title":"B"}"#)], slow: gate) { _ in true }
    let listing = Task { try await desk.remote.list(desk.posts) }
    await gate.waitForArrivals(1)
    try await desk.follow(desk.feed)
    await gate.open()
    let posts = try await listing.value
    expectEqual(posts.first?.get(Post.self)?.title, "B")
    expectEqual(posts.first?.has(RemoteState.Stale.cid), true)
  }

  @Test func `What a feed tells during a fetch is no edit`() async throws {
    let (gate, isSlow) = (Gate(), Switch())
    let desk = try desk([event("updated", #"{"id":1,"stars":2}"#)], slow: gate) { request in
      isSlow.isOn && request.method == .get
    }
    let post = try await desk.remote.fetch(key: 1, as: desk.posts)
    isSlow.isOn = true
    let fetching = Task { try await desk.remote.fetch(post, as: desk.posts) }
    await gate.waitForArrivals(1)
    server.change(1, "stars", 2)
    try await desk.follow(desk.feed)
    await gate.open()
    _ = try await fetching.value
    expectTrue(post.get(Post.self)?.stars == 2 && !post.has(RemoteState.Loading.cid))
    desk.context.perform { post.update(Post.self) { $0.title = "mine" } }
    try await desk.remote.save(post, as: desk.posts)
    expectEqual(desk.lines.last, #"PATCH http://api.example/v1/posts/1 {"title":"mine"}"#)
  }

  private let own = event("updated", #"{"id":1,"title":"mine"}"#, "a")

  /// Edits a post and begins to send it: as a note, or by a call, whose task it returns.
  private func retitle(
    _ post: Entity, at desk: Outpost, isLater: Bool
  ) -> Task<RecipeOutcome, any Error>? {
    if isLater {
      desk.edit(post) { $0.title = "mine" }
      desk.loop.runUntilSettled()
      return nil
    }
    desk.context.perform { post.update(Post.self) { $0.title = "mine" } }
    return Task { try await desk.remote.save(post, as: desk.posts) }
  }

  /// What a post is, and whether it is stale, if others change it when the server has made its
  /// answer.
  private func overtaken(
    _ text: String, isLater: Bool, _ change: (PostServer) -> Void
  ) async throws -> (post: Post?, isStale: Bool) {
    let gate = Gate()
    let desk = try desk([text], slow: gate) { $0.method == .patch }
    let post = try await desk.remote.fetch(key: 1, as: desk.posts)
    let saving = retitle(post, at: desk, isLater: isLater)
    await gate.waitForArrivals(1)
    change(server)
    try await desk.follow(desk.feed)
    await gate.open()
    _ = try await saving?.value
    await desk.settled()
    expectTrue(desk.mutations.isEmpty)
    return (post.get(Post.self), post.has(RemoteState.Stale.cid))
  }

  @Test(arguments: [true, false])
  func `A change that overtakes the answer to another one leaves it stale`(
    _ isLater: Bool
  ) async throws {
    let found = try await overtaken(
      own + event("updated", #"{"id":1,"title":"mine","text":"theirs"}"#, "b"), isLater: isLater
    ) { $0.change(1, "text", "theirs") }
    expectTrue(found.post == Post(title: "mine") && found.isStale)
  }

  @Test(arguments: [true, false])
  func `What a feed tells of the change itself is what the answer says`(
    _ isLater: Bool
  ) async throws {
    let found = try await overtaken(own, isLater: isLater) { _ in }
    expectTrue(found.post?.title == "mine" && !found.isStale)
  }

  @Test(arguments: [true, false])
  func `A deletion that overtakes the answer to a change leaves it stale`(
    _ isLater: Bool
  ) async throws {
    let found = try await overtaken(event("deleted", "1"), isLater: isLater) { $0.delete(1) }
    expectTrue(found.post?.title == "mine" && found.isStale)
  }

  @Test(arguments: [true, false])
  func `A change that overtakes what is asked for a merge leaves it stale`(
    _ isLater: Bool
  ) async throws {
    let (gate, isSlow) = (Gate(), Switch())
    let text = event("updated", #"{"id":1,"title":"theirs","text":"new"}"#, "a")
    let desk = try desk([text], conflicts: .ifMatch(.server), slow: gate) { request in
      isSlow.isOn && request.method == .get
    }
    let post = try await desk.remote.fetch(key: 1, as: desk.posts)
    server.change(1, "title", "theirs")
    isSlow.isOn = true
    let saving = retitle(post, at: desk, isLater: isLater)
    await gate.waitForArrivals(1)
    server.change(1, "text", "new")
    try await desk.follow(desk.feed)
    await gate.open()
    _ = try await saving?.value
    await desk.settled()
    expectTrue(desk.mutations.isEmpty && post.get(Post.self) == Post(title: "theirs"))
    expectTrue(post.has(RemoteState.Stale.cid))
  }

  @Test func `A change that overtakes what is asked for a discarded one is asked for again`()
    async throws
  {
    let (gate, isSlow) = (Gate(), Switch())
    let text = event("updated", #"{"id":1,"title":"A","text":"new"}"#, "a")
    let desk = try desk([text], slow: gate) { _ in isSlow.isOn }
    let post = try await desk.remote.fetch(key: 1, as: desk.posts)
    // So that it is not sent before it is discarded.
    desk.context.setUniqueComponent(Connectivity(isReachable: false))
    let mutation = try #require(desk.edit(post) { $0.title = "mine" })
    isSlow.isOn = true
    let discarding = Task { try await desk.remote.discard(mutation) }
    await gate.waitForArrivals(1)
    server.change(1, "text", "new")
    try await desk.follow(desk.feed)
    await gate.open()
    try await discarding.value
    expectTrue(desk.mutations.isEmpty && post.get(Post.self) == Post(title: "A", text: "new"))
    expectFalse(post.has(RemoteState.Stale.cid))
  }

  @Test(arguments: [true, false])
  func `What is made, and deleted before that is answered, is stale`(
    _ isLater: Bool
  ) async throws {
    let gate = Gate()
    let text = event("created", #"{"id":3,"title":"new"}"#, "a") + event("deleted", "3", "b")
    let desk = try desk([text], slow: gate) { $0.method == .post }
    let post = desk.context.createEntity(with: Post(title: "new"))
    var saving: Task<RecipeOutcome, any Error>?
    if isLater {
      desk.remote.saveLater(post, as: desk.posts)
      desk.loop.runUntilSettled()
    } else {
      saving = Task { try await desk.remote.save(post, as: desk.posts) }
    }
    await gate.waitForArrivals(1)
    server.delete(3)
    try await desk.follow(desk.feed)
    await gate.open()
    _ = try await saving?.value
    await desk.settled()
    expectTrue(post.get(PostID.self)?.value == 3 && post.has(RemoteState.Stale.cid))
  }
}
