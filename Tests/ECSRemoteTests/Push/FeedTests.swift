import ECS
import ECSRecipes
import ECSRemote
import ECSSnapshots
import ECSTestSupport
import ECSTesting
import Foundation
import Testing

/// What a feed does to entities, and what becomes of a feed.
@Suite(.noHangs, .ownThread) struct FeedTests {
  private func desk(
    _ server: PostServer, _ texts: [String], conflicts: RemoteConflictPolicy = .ifMatch(.local),
    _ gate: Gate? = nil
  ) throws -> Outpost {
    let answers = feedAnswers(texts)
    return try Outpost(
      server, conflicts: conflicts,
      transport: { request in
        if let answer = answers(request) { return answer }
        if request.method != .get { await gate?.pass() }
        return server.answer(request)
      })
  }

  @Test func `Entities are made, changed and deleted, each in one section with its place`()
    async throws
  {
    let desk = try desk(
      PostServer(),
      [
        event("created", #"{"id":1,"title":"A"}"#, "a") + event("other", "?", "b")
          + event("updated", #"{"id":1,"stars":3}"#, "c"),
        event("created", #"{"id":2,"title":"B"}"#, "d") + event("deleted", "1", "e")
          + event("deleted", #"{"id":9}"#, "f"),
      ])
    let seen = Collected<String>()
    let token = desk.context.group(RemoteFeedPosition.matcher).observe(initial: false) { _ in
      let position = desk.remote.feed(named: "posts").get(RemoteFeedPosition.self)?.lastID ?? ""
      let posts = desk.context.group(Post.matcher).sorted().compactMap { $0.get(Post.self)?.title }
      if !position.isEmpty { seen.add("\(position) \(posts)") }
    }
    try await desk.follow(desk.feed)
    withExtendedLifetime(token) {}
    let post = try #require(desk.context.group(Post.matcher).first)
    expectTrue(desk.context.group(Post.matcher).count == 1 && post.get(Post.self)?.title == "B")
    expectTrue(post.has(RemoteState.Fetched.cid) && post.get(PostID.self)?.value == 2)
    let places = desk.transport.requests.map { $0.headers["Last-Event-ID"] }
    expectEqual(places, [nil, "c", "f"])
    expectEqual(desk.remote.feed(named: "posts").get(RemoteFeedPosition.self)?.lastID, "f")
    expectEqual(
      seen.all,
      [
        "a [\"A\"]", "b [\"A\"]", "c [\"A\"]", "d [\"A\", \"B\"]", "e [\"B\"]", "f [\"B\"]",
      ])
  }

  @Test func `What waits to be sent is not overwritten`() async throws {
    let server = PostServer()
    for _ in 0..<3 { server.insert(["title": "A", "stars": 1]) }
    let desk = try desk(
      server,
      [
        event("updated", #"{"id":1,"title":"theirs","stars":9,"text":"new"}"#)
          + event("updated", #"{"id":2,"title":"theirs"}"#) + event("deleted", "3")
      ])
    let posts = try await desk.remote.list(desk.posts)
    desk.context.setUniqueComponent(Connectivity(isReachable: false))
    desk.edit(posts[0]) { $0.title = "mine" }
    desk.remote.deleteLater(posts[1], as: desk.posts)
    desk.edit(posts[2]) { $0.title = "mine" }
    try await desk.follow(desk.feed)
    expectEqual(posts[0].get(Post.self), Post(title: "mine", text: "new", stars: 9))
    expectEqual(desk.mutations.first?.base["stars"], 9)
    // The second stays away, and the change of the third is refused when it is sent.
    expectEqual(desk.context.group(Post.matcher).sorted(), [posts[0], posts[2]])
    server.delete(3)
    desk.context.setUniqueComponent(Connectivity(isReachable: true))
    await desk.settled()
    expectTrue(desk.mutations.map(\.key) == [3] && desk.mutations.first?.refusal != nil)
    expectTrue(server.rows.keys.sorted() == [1] && server.rows[1]?.fields["title"] == "mine")
  }

  @Test func `What is deleted there ends here, if the server wins`() async throws {
    let server = PostServer()
    server.insert(["title": "A"])
    let desk = try desk(server, [event("deleted", "1")], conflicts: .ifMatch(.server))
    let post = try await desk.remote.fetch(key: 1, as: desk.posts)
    desk.context.setUniqueComponent(Connectivity(isReachable: false))
    desk.edit(post) { $0.title = "mine" }
    try await desk.follow(desk.feed)
    expectTrue(!post.isAlive && desk.mutations.isEmpty)
  }

  @Test func `What is under way is left to its answer, and stale if that says nothing`()
    async throws
  {
    for isEmpty in [true, false] {
      let (server, gate) = (PostServer(), Gate())
      server.insert(["title": "A"])
      let answers = feedAnswers([event("updated", #"{"id":1,"text":"theirs"}"#)])
      let desk = try Outpost(
        server, conflicts: .unprotected,
        transport: { request in
          if let answer = answers(request) { return answer }
          if request.method == .patch { await gate.pass() }
          let answer = server.answer(request)
          return request.method == .patch && isEmpty ? HTTPResponse(204) : answer
        })
      let post = try await desk.remote.fetch(key: 1, as: desk.posts)
      desk.edit(post) { $0.title = "mine" }
      desk.loop.runUntilSettled()
      await gate.waitForArrivals(1)
      try await desk.follow(desk.feed)
      expectNil(post.get(Post.self)?.text)
      server.change(1, "text", "theirs")
      await gate.open()
      await desk.settled()
      expectTrue(post.has(RemoteState.Stale.cid) == isEmpty && desk.mutations.isEmpty)
    }
  }

  /// Saves a post that others change or delete meanwhile, and what it is before the answer and
  /// after it.
  private func saving(
    _ text: String, isEmpty: Bool
  ) async throws -> (before: Post?, after: Post?, isStale: Bool) {
    let (server, gate) = (PostServer(), Gate())
    server.insert(["title": "A"])
    let answers = feedAnswers([text])
    let desk = try Outpost(
      server, conflicts: .unprotected,
      transport: { request in
        if let answer = answers(request) { return answer }
        if request.method == .patch { await gate.pass() }
        let answer = server.answer(request)
        return request.method == .patch && isEmpty ? HTTPResponse(204) : answer
      })
    let post = try await desk.remote.fetch(key: 1, as: desk.posts)
    desk.context.perform { post.update(Post.self) { $0.title = "mine" } }
    let saving = Task { try await desk.remote.save(post, as: desk.posts) }
    await gate.waitForArrivals(1)
    try await expectEqual(desk.remote.list(desk.posts), [post])
    try await desk.follow(desk.feed)
    let before = post.get(Post.self)
    server.change(1, "text", "theirs")
    await gate.open()
    _ = try? await saving.value
    expectEqual(server.rows[1]?.fields["title"], "mine")
    return (before, post.get(Post.self), post.has(RemoteState.Stale.cid))
  }

  @Test(arguments: [true, false])
  func `What is being saved is left to its answer, and stale if that says nothing`(
    _ isEmpty: Bool
  ) async throws {
    let found = try await saving(
      event("updated", #"{"id":1,"text":"theirs"}"#), isEmpty: isEmpty)
    let after = Post(title: "mine", text: isEmpty ? nil : "theirs")
    expectTrue(found.before == Post(title: "mine") && found.after == after)
    expectEqual(found.isStale, isEmpty)
  }

  @Test func `What is deleted there while it is saved stays, and is stale`() async throws {
    let found = try await saving(event("deleted", "1"), isEmpty: true)
    expectTrue(found.before == Post(title: "mine") && found.after == Post(title: "mine"))
    expectTrue(found.isStale)
  }

  @Test func `Whoever has cancelled is not told by events any more`() async throws {
    let gate = Gate()
    let answers = feedAnswers([
      event("created", #"{"id":1,"title":"A"}"#, "a")
        + event("created", #"{"id":2,"title":"B"}"#, "b")
    ])
    // Without a wait: all comes before the caller waits.
    let desk = try Outpost(transport: { answers($0) ?? HTTPResponse(404) })
    let (posts, tasks) = (desk.posts, Collected<Task<Void, any Error>>())
    let feed = RemoteFeed(
      named: "posts", at: { baseURL.appendingPathComponent("events") },
      changes: { event in
        for task in tasks.all { task.cancel() }
        return [.save(try event.json(), as: posts)]
      })
    let task = Task {
      await gate.pass()
      try await desk.remote.follow(feed)
    }
    tasks.add(task)
    await gate.open()
    await #expect(throws: RemoteError.cancelled) { try await task.value }
    let owner = desk.remote.feed(named: "posts")
    while owner.get(RemoteState.Following.self)?.phase != .stopped { await pause() }
    expectTrue(desk.context.group(Post.matcher).isEmpty)
    expectEqual(owner.get(RemoteFeedPosition.self)?.lastID, "")
  }

  @Test func `A run that was cancelled says nothing about the next one`() async throws {
    let (gate, number) = (Gate(), Counter())
    let transport = StubTransport(streaming: { _ in
      if number.add(1) == 1 { await gate.pass() }
      let (open, _) = AsyncStream.makeStream(of: Data.self)
      return HTTPStream(
        200, headers: ["Content-Type": "text/event-stream"], body: HTTPBody(open))
    })
    let remote = Remote(Context(), transport: transport)
    let feed = RemoteFeed(named: "feed", at: { baseURL }, changes: { _ in [] })
    let first = Task { try await remote.follow(feed) }
    await gate.waitForArrivals(1)
    first.cancel()
    await #expect(throws: RemoteError.cancelled) { try await first.value }
    let second = Task { try await remote.follow(feed) }
    let owner = remote.feed(named: "feed")
    while owner.get(RemoteState.Following.self)?.phase != .connected { await pause() }
    await gate.open()
    for _ in 0..<50 { await pause() }
    expectEqual(owner.get(RemoteState.Following.self)?.phase, .connected)
    second.cancel()
    await #expect(throws: RemoteError.cancelled) { try await second.value }
    while owner.get(RemoteState.Following.self)?.phase != .stopped { await pause() }
  }

  @Test func `An event that does not fit stops the feed before it, or is passed over`()
    async throws
  {
    let good = event("created", #"{"id":1,"title":"A"}"#, "a")
    let bad = event("created", #"{"id":2,"title":7}"#, "b")
    let last = event("created", #"{"id":3,"title":"C"}"#, "c")
    let desk = try desk(PostServer(), [good + bad + last, bad + last])
    let stopping = desk.feed
    await #expect(throws: RemoteError.self) { try await desk.follow(stopping) }
    let owner = desk.remote.feed(named: "posts")
    expectEqual(owner.get(RemoteFeedPosition.self)?.lastID, "a")
    guard case .failed(.decoding(let error)) = owner.get(RemoteState.Following.self)?.phase else {
      Issue.record("\(String(describing: owner.get(RemoteState.Following.self)))")
      return
    }
    expectEqual("\(error.path)", "title")
    var skipping = stopping
    let passed = Collected<PushEvent>()
    skipping.onBadEvent = { event, _ in
      passed.add(event)
      // It may ask for anything.
      _ = desk.remote.feed(named: "posts").get(RemoteFeedPosition.self)
      return .skip
    }
    try await desk.follow(skipping)
    expectEqual(passed.all.map(\.id), ["b"])
    expectEqual(desk.context.group(Post.matcher).count, 2)
    expectEqual(desk.transport.requests.map { $0.headers["Last-Event-ID"] }, [nil, "a", "c"])
  }

  @Test func `An event with several changes is applied as a whole or not at all`() async throws {
    let desk = try desk(PostServer(), [event("message", "[1,2,\"x\"]")])
    let posts = desk.posts
    let feed = RemoteFeed(
      named: "posts", at: { baseURL.appendingPathComponent("events") },
      changes: {
        event in
        (try event.json().array ?? []).map { key in .save(["id": key, "title": "A"], as: posts) }
      })
    await #expect(throws: RemoteError.self) { try await desk.follow(feed) }
    expectTrue(desk.context.group(Post.matcher).isEmpty)
    expectEqual(desk.remote.feed(named: "posts").get(RemoteFeedPosition.self)?.lastID, "")
  }

  @Test func `A snapshot keeps the place`() async throws {
    let first = try desk(PostServer(), [event("created", #"{"id":1,"title":"A"}"#, "a")])
    try await first.follow(first.feed)
    let schema = try Schema("app") {
      Stored(of: RemoteFeedPosition(), as: "feed") { RemoteFeedPosition.fields }
    }
    let context = Context()
    try first.context.snapshot(schema).restore(into: context, schema)
    let answers = feedAnswers([])
    let next = try Outpost(in: context, transport: { answers($0) ?? HTTPResponse(404) })
    try await next.follow(next.feed)
    expectEqual(next.transport.requests.first?.headers["Last-Event-ID"], "a")
    expectEqual(context.group(RemoteFeedPosition.matcher).count, 1)
  }

  // MARK: Connections

  /// When a feed was connected to, in seconds, until it ends.
  private func connections(
    _ answers: [HTTPResponse], silence: Duration? = nil, body: HTTPBody? = nil
  ) async throws -> (times: [Int64], phases: [RemoteState.Following.Phase]) {
    let (number, times) = (Counter(), Collected<Int64>())
    let (time, context) = (ManualClock(), Context())
    let transport = StubTransport(streaming: { _ in
      times.add(time.now.components.seconds)
      let next = number.add(1) - 1
      guard next < answers.count else { return HTTPStream(204, body: HTTPBody(Data())) }
      let answer = answers[next]
      let stream = answer.body.isEmpty ? body : nil
      return HTTPStream(
        answer.status, headers: answer.headers, body: stream ?? HTTPBody(answer.body))
    })
    var configuration = RemoteConfiguration()
    (configuration.clock, configuration.random) = (time.clock, { 1 })
    let remote = Remote(context, transport: transport, configuration: configuration)
    var feed = RemoteFeed(named: "feed", at: { baseURL }, changes: { _ in [] })
    feed.silence = silence
    let phases = Collected<RemoteState.Following.Phase>()
    let token = context.group(RemoteState.Following.matcher).observe(initial: false) { _ in
      remote.feed(named: "feed").get(RemoteState.Following.self).map { phases.add($0.phase) }
    }
    let isOver = Switch()
    let task = Task { [feed] in
      defer { isOver.isOn = true }
      try await remote.follow(feed)
    }
    while !isOver.isOn {
      await pause()
      if time.timerCount > 0 { time.advance(by: .seconds(1)) }
    }
    withExtendedLifetime(token) {}
    try await task.value
    return (times.all, phases.all)
  }

  private let type: HTTPHeaders = ["Content-Type": "text/event-stream"]

  @Test func `It connects again after ever longer waits, as long as the server asks at least`()
    async throws
  {
    let busy = HTTPResponse(503)
    let found = try await connections([
      busy, busy, busy, HTTPResponse(503, headers: ["Retry-After": "60"]),
      .json("retry: 5000\n\n", 200, type), busy,
    ])
    // 1, 2, 4, 60 + 8, 5 + 1 since something came, 5 + 2.
    let waits = zip(found.times.dropFirst(), found.times).map { $0 - $1 }
    expectEqual(waits, [1, 2, 4, 68, 6, 7])
    let error = RemoteError.http(status: 503, problem: nil, body: Data())
    expectEqual(found.phases.prefix(3), [.connecting, .waiting(attempt: 1, error), .connecting])
    expectTrue(found.phases.contains(.connected) && found.phases.last == .ended)
  }

  @Test func `A server that is silent is connected to anew`() async throws {
    let (open, _) = AsyncStream.makeStream(of: Data.self)
    let found = try await connections(
      [HTTPResponse(200, headers: type)], silence: .seconds(90), body: HTTPBody(open))
    expectEqual(found.times, [0, 91])
    expectTrue(found.phases.contains(.waiting(attempt: 1, .transport(.timedOut))))
  }

  @Test(arguments: [
    HTTPResponse(404), HTTPResponse(403), HTTPResponse(206),
    HTTPResponse(200, headers: ["Content-Type": "text/html"]), HTTPResponse(200),
  ])
  func `What won't be better is an error`(_ answer: HTTPResponse) async throws {
    await #expect(throws: RemoteError.self) { _ = try await connections([answer, answer]) }
  }

  @Test func `Permission is renewed once`() async throws {
    let (number, renewals) = (Counter(), Counter())
    let desk = try Desk {
      $0.reauthorize = {
        renewals.add(1)
        return true
      }
    } _: { _ in
      HTTPResponse(number.add(1) == 1 ? 401 : 204)
    }
    try await desk.remote.follow(RemoteFeed(named: "feed", at: { baseURL }, changes: { _ in [] }))
    expectTrue(renewals.value == 1 && desk.transport.requests.count == 2)
  }
}
