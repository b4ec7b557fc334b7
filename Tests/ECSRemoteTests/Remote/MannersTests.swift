import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Foundation
import Testing

@Suite(.noHangs, .ownThread) struct MannersTests {
  // MARK: Whether to ask

  @Test(arguments: DeskTransport.allCases)
  func `What the server has tagged is asked for only if it changed`(
    _ kind: DeskTransport
  ) async throws {
    let desk = try Desk(kind) { request in
      if request.headers["If-None-Match"] == "\"1\"" { return HTTPResponse(304) }
      return .json(
        #"{"id":7,"title":"A"}"#, 200,
        ["ETag": "\"1\"", "Last-Modified": "Thu, 01 Jan 1970 00:00:00 GMT"])
    }
    let post = desk.post()
    try await desk.remote.fetch(post, as: desk.posts())
    await desk.advance(by: .seconds(60), timers: 0)
    try await expectEqual(desk.remote.fetch(post, as: desk.posts()), .unchanged)
    let last = try #require(desk.transport.requests.last)
    expectEqual(last.headers["If-Modified-Since"], "Thu, 01 Jan 1970 00:00:00 GMT")
    let fetched = post.get(RemoteState.Fetched.self)
    expectEqual(fetched?.etag, "\"1\"")
    expectEqual(fetched?.at, Date(timeIntervalSince1970: 60))
    // Not by another URL.
    try await desk.remote.fetch(post, as: desk.posts(), parameters: ["more": 1])
    expectNil(desk.transport.requests.last?.headers["If-None-Match"])
    // What was edited is to be what the server has.
    try await desk.remote.fetch(post, as: desk.posts())
    post.update(Post.self) { $0.title = "mine" }
    try await desk.remote.fetch(post, as: desk.posts())
    expectNil(desk.transport.requests.last?.headers["If-None-Match"])
    expectEqual(post.get(Post.self)?.title, "A")
  }

  @Test(arguments: DeskTransport.allCases)
  func `Fresh data and data that is there need not be asked for`(
    _ kind: DeskTransport
  ) async throws {
    let desk = try Desk(kind) { _ in .json(#"{"id":7}"#) }
    let posts = desk.posts(staleAfter: .seconds(60))
    let post = desk.post()
    for _ in 0..<3 { try await desk.remote.fetch(post, as: posts, policy: .ifMissing) }
    try await desk.remote.fetch(post, as: posts, policy: .ifStale)
    expectEqual(desk.lines.count, 1)
    await desk.advance(by: .seconds(60), timers: 0)
    try await desk.remote.fetch(post, as: posts, policy: .ifMissing)
    expectEqual(desk.lines.count, 1)
    for _ in 0..<3 { try await desk.remote.fetch(post, as: posts, policy: .ifStale) }
    expectEqual(desk.lines.count, 2)
    desk.remote.invalidate(desk.context.group(Post.matcher))
    expectTrue(post.has(RemoteState.Stale.cid))
    for _ in 0..<3 { try await desk.remote.fetch(post, as: posts, policy: .ifStale) }
    expectEqual(desk.lines.count, 3)
    expectFalse(post.has(RemoteState.Stale.cid))
    try await desk.remote.fetch(post, as: posts)
    expectEqual(desk.lines.count, 4)
    // What was never fetched can't become stale.
    let other = desk.post(8)
    desk.remote.invalidate(other)
    expectFalse(other.has(RemoteState.Stale.cid))
  }

  @Test(arguments: DeskTransport.allCases)
  func `Many who ask for the same at a time are one request`(
    _ kind: DeskTransport
  ) async throws {
    let gate = Gate()
    let desk = try Desk(kind) { _ in
      await gate.pass()
      return .json(#"{"id":7,"title":"A"}"#)
    }
    let (post, posts) = (desk.post(), desk.posts())
    let outcomes = await withTaskGroup(of: RecipeOutcome?.self) { group in
      for _ in 0..<20 {
        group.addTask { try? await desk.remote.fetch(post, as: posts) }
      }
      let impatient = Task { try await desk.remote.fetch(post, as: posts) }
      await gate.waitForArrivals(1)
      impatient.cancel()
      _ = await impatient.result
      await gate.open()
      return await group.reduce(into: []) { $0.append($1) }
    }
    expectTrue(outcomes.allSatisfy { $0 != nil })
    // Those that came late have asked once more.
    expectLessThan(desk.lines.count, 20)
    expectEqual(post.get(Post.self)?.title, "A")
  }

  @Test func `When all who wait are cancelled, the request is`() async throws {
    let (ends, ended) = AsyncStream.makeStream(of: Void.self)
    let server = try FaultyServer { _, peer in
      peer.waitForEnd()
      ended.finish()
    }
    let context = Context()
    let remote = Remote(context, transport: SocketTransport(), configuration: .patient)
    let posts = Resource(try Desk { _ in HTTPResponse(200) }.recipe) { server.url("/posts") }
    let post = context.createEntity(with: PostID(value: 7), Post())
    let first = Task { try await remote.fetch(post, as: posts) }
    while server.requests.isEmpty { await pause() }
    let others = (0..<2).map { _ in Task { try await remote.fetch(post, as: posts) } }
    // The first one last: the others would have it sent anew.
    let tasks = others + [first]
    for task in tasks { task.cancel() }
    for task in tasks {
      await #expect(throws: RemoteError.cancelled) { try await task.value }
    }
    for await _ in ends {}
    expectEqual(server.requests.count, 1)
    while post.has(RemoteState.Loading.cid) { await pause() }
    expectFalse(post.has(RemoteState.Failed.cid))
  }

  @Test func `Saves of one entity go one after the other, so that it is made once`() async throws {
    let gate = Gate()
    let desk = try Desk { request in
      await gate.pass()
      return request.method == .post ? .json(#"{"id":9}"#, 201) : HTTPResponse(204)
    }
    let (post, posts) = (desk.context.createEntity(with: Post(title: "A")), desk.posts())
    let first = Task { try await desk.remote.save(post, as: posts) }
    await gate.waitForArrivals(1)
    let second = Task { try await desk.remote.save(post, as: posts) }
    await gate.open()
    _ = try await (first.value, second.value)
    // A server without tags is asked what it has before that is replaced.
    expectEqual(desk.transport.requests.map(\.method), [.post, .get, .put])
  }

  @Test(arguments: DeskTransport.allCases)
  func `No more requests are under way than are allowed`(
    _ kind: DeskTransport
  ) async throws {
    let gate = Gate()
    let desk = try Desk(kind) {
      $0.maximumConcurrentRequests = 2
    } _: { _ in
      await gate.pass()
      return .json("{}")
    }
    let posts = desk.posts()
    let tasks = (1...6).map { id in
      Task { try await desk.remote.fetch(key: .number(JSONNumber(id)), as: posts) }
    }
    await gate.waitForArrivals(2)
    for _ in 0..<1000 { await Task.yield() }
    await expectEqual(gate.arrivals, 2)
    await gate.open()
    for task in tasks { _ = try await task.value }
    expectEqual(desk.lines.count, 6)
  }

  // MARK: Trying again

  /// How many requests a save takes when the first two fail.
  private func attempts(
    _ method: HTTPMethod, keyed: Bool = false,
    failing: @escaping @Sendable () throws(TransportError) -> HTTPResponse
  ) async throws -> Int {
    let tally = Tally()
    let desk = try Desk {
      if keyed { $0.idempotencyKey = { "key" } }
      $0.retry = RemoteRetry(attempts: 3, first: .zero, limit: .zero)
      $0.clock = .dispatch
      $0.deadline = .seconds(100_000)
    } _: { (_) throws(TransportError) in
      tally.add()
      return tally.value > 2 ? HTTPResponse(204) : try failing()
    }
    let (post, posts) = (desk.post(), desk.posts(method == .patch ? .patching : .replacing))
    if method == .post { post.remove(PostID.cid) }
    if method == .delete {
      try? await desk.remote.delete(post, as: posts)
    } else {
      _ = try? await desk.remote.save(post, as: posts)
    }
    expectTrue(desk.transport.requests.allSatisfy { $0.method == method })
    expectTrue(
      desk.transport.requests.allSatisfy {
        $0.headers["Idempotency-Key"] == (keyed && !method.isIdempotent ? "key" : nil)
      })
    return desk.lines.count
  }

  @Test func `What may be done twice is tried again, and nothing else`() async throws {
    for status in [408, 500, 502, 503, 504] {
      try await expectEqual(attempts(.put) { HTTPResponse(status) }, 3)
      try await expectEqual(attempts(.delete) { HTTPResponse(status) }, 3)
      try await expectEqual(attempts(.post) { HTTPResponse(status) }, 1)
      try await expectEqual(attempts(.patch) { HTTPResponse(status) }, 1)
      try await expectEqual(attempts(.post, keyed: true) { HTTPResponse(status) }, 3)
    }
    for status in [425, 429] {
      try await expectEqual(attempts(.post) { HTTPResponse(status) }, 3)
    }
    for status in [301, 400, 403, 404, 409, 412, 422, 501] {
      try await expectEqual(attempts(.put) { HTTPResponse(status) }, 1)
    }
    func failing(
      _ error: TransportError
    ) -> @Sendable () throws(TransportError) -> HTTPResponse {
      { () throws(TransportError) in throw error }
    }
    try await expectEqual(attempts(.post, failing: failing(.notConnected(""))), 3)
    for error in [TransportError.timedOut, .interrupted("")] {
      try await expectEqual(attempts(.put, failing: failing(error)), 3)
      try await expectEqual(attempts(.post, failing: failing(error)), 1)
      try await expectEqual(attempts(.patch, keyed: true, failing: failing(error)), 3)
    }
    for error in [TransportError.badRequest(""), .badResponse(""), .cancelled] {
      try await expectEqual(attempts(.put, failing: failing(error)), 1)
    }
  }

  @Test(arguments: DeskTransport.allCases)
  func `Waits double up to a limit, and the server may ask for longer ones`(
    _ kind: DeskTransport
  ) async throws {
    let tally = Tally()
    let desk = try Desk(kind) {
      $0.retry = RemoteRetry(attempts: 6, first: .seconds(1), limit: .seconds(5))
    } _: { _ in
      tally.add()
      switch tally.value {
      case 5: return HTTPResponse(503, headers: ["Retry-After": "30"])
      default: return HTTPResponse(503)
      }
    }
    let (post, posts) = (desk.post(), desk.posts())
    let task = Task { try await desk.remote.fetch(post, as: posts) }
    for (number, seconds) in [1, 2, 4, 5, 30].enumerated() {
      await desk.advance(by: .seconds(seconds) - .milliseconds(1))
      expectEqual(tally.value, number + 1)
      expectEqual(post.get(RemoteState.Loading.self)?.attempt, number + 1)
      desk.time.advance(by: .milliseconds(1))
    }
    await #expect(throws: RemoteError.self) { try await task.value }
    expectEqual(tally.value, 6)
    let failed = try #require(post.get(RemoteState.Failed.self))
    expectTrue(failed.attempts == 6 && !failed.isFinal)
    expectFalse(post.has(RemoteState.Loading.cid))
  }

  @Test(arguments: [
    "Thu, 01 Jan 1970 00:01:00 GMT", "Thursday, 01-Jan-70 00:01:00 GMT", "Thu Jan  1 00:01:00 1970",
  ])
  func `A date to come back at counts, and one beyond the deadline ends the call`(
    _ first: String
  ) async throws {
    let tally = Tally()
    let desk = try Desk { _ in
      tally.add()
      let dates = [first, "Fri, 01 Jan 2100 00:00:00 GMT"]
      return HTTPResponse(429, headers: ["Retry-After": dates[tally.value - 1]])
    }
    let (post, posts) = (desk.post(), desk.posts())
    let task = Task { try await desk.remote.save(post, as: posts) }
    await desk.advance(by: .seconds(60))
    await #expect(throws: RemoteError.self) { try await task.value }
    expectEqual(tally.value, 2)
    expectEqual(post.get(RemoteState.Failed.self)?.attempts, 2)
  }

  @Test func `A wait ends when the task is cancelled`() async throws {
    let desk = try Desk { _ in HTTPResponse(503) }
    let (post, posts) = (desk.post(), desk.posts())
    let task = Task { try await desk.remote.save(post, as: posts) }
    while desk.time.timerCount == 0 { await pause() }
    task.cancel()
    await #expect(throws: RemoteError.cancelled) { try await task.value }
    expectEqual(desk.lines.count, 1)
    expectTrue(!post.has(RemoteState.Loading.cid) && !post.has(RemoteState.Failed.cid))
  }

  // MARK: What comes of it

  @Test(arguments: [401, 425, 429])
  func `What a redirect has led to is not a reason to do it once more`(_ status: Int) async throws {
    let desk = try Desk {
      $0.reauthorize = { true }
    } _: { request in
      request.method == .post
        ? HTTPResponse(303, headers: ["Location": "/made"]) : HTTPResponse(status)
    }
    let post = desk.context.createEntity(with: Post(title: "new"))
    await #expect(throws: RemoteError.self) {
      try await desk.remote.save(post, as: desk.posts())
    }
    expectEqual(desk.transport.requests.map(\.method), [.post, .get])
  }

  @Test(arguments: DeskTransport.allCases)
  func `A success takes a failure away, in the section of the answer`(
    _ kind: DeskTransport
  ) async throws {
    let tally = Tally()
    let desk = try Desk(kind) { _ in
      tally.add()
      return tally.value == 1 ? HTTPResponse(400) : .json(#"{"title":"A"}"#)
    }
    let post = desk.post()
    await #expect(throws: RemoteError.self) {
      try await desk.remote.fetch(post, as: desk.posts())
    }
    expectEqual(post.get(RemoteState.Failed.self)?.isFinal, true)
    let pictures = Tally()
    let token = desk.context.group(Post.matcher).observeChanges { change in
      expectTrue(!post.has(RemoteState.Failed.cid) && !post.has(RemoteState.Loading.cid))
      pictures.add()
    }
    try await desk.remote.fetch(post, as: desk.posts())
    expectGreaterThan(pictures.value, 0)
    token.cancel()
  }
}
