import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Foundation
import Testing

/// What becomes of changes that are given up, by the program or by the server.
@Suite(.noHangs, .ownThread) struct GivingUpTests {
  private let server = PostServer()

  /// A desk whose first requests that change something go wrong.
  private func desk(_ faults: [Faults.Fault]) throws -> Outpost {
    let (server, faults) = (server, Faults(faults))
    return try Outpost(
      server,
      transport: { request async throws(TransportError) -> HTTPResponse in
        request.method == .get ? server.answer(request) : try faults.answer(request, server)
      })
  }

  private func mutation(_ kind: RemoteMutation.Kind, tried: Bool, _ desk: Outpost) -> Entity? {
    desk.context.group(RemoteMutation.matcher).first { entity in
      entity.get(RemoteMutation.self).map { $0.kind == kind && ($0.attempts > 0) == tried } ?? false
    }
  }

  @Test(arguments: [Faults.Fault.error(.notConnected("")), .errorAfter(.timedOut)])
  func `A change that was tried outlives a later one that is given up`(
    _ fault: Faults.Fault
  ) async throws {
    server.insert(["title": "A", "stars": 1])
    let desk = try desk([fault])
    let post = try await desk.remote.fetch(key: 1, as: desk.posts)
    desk.edit(post) { $0.title = "B" }
    await desk.settled()
    let later = try #require(desk.edit(post) { ($0.title, $0.stars) = ("C", 2) })
    let count = desk.lines.count
    try await desk.remote.discard(later)
    expectTrue(post.get(Post.self) == Post(title: "B", stars: 1) && desk.lines.count == count)
    expectTrue(post.get(RemoteState.Unsent.self)?.count == 1 && !later.isAlive)
    desk.time.advance(by: .seconds(30))
    await desk.settled()
    expectTrue(server.rows[1]?.fields["title"] == "B" && server.rows[1]?.fields["stars"] == 1)
    expectEqual(post.get(Post.self), Post(title: "B", stars: 1))
    expectTrue(desk.mutations.isEmpty && !post.has(RemoteState.Unsent.cid))
    desk.edit(post) { $0.stars = 3 }
    await desk.settled()
    expectEqual(desk.lines.last, #"PATCH http://api.example/v1/posts/1 {"stars":3}"#)
  }

  @Test func `A creation that was tried outlives a later edit that is given up`() async throws {
    let desk = try desk([.errorAfter(.timedOut)])
    let post = desk.write("A")
    await desk.settled()
    let later = try #require(desk.edit(post) { $0.title = "B" })
    try await desk.remote.discard(later)
    expectTrue(post.isAlive && post.get(Post.self)?.title == "A" && post.has(RemoteDraft.cid))
    desk.time.advance(by: .seconds(30))
    await desk.settled()
    expectTrue(post.get(PostID.self)?.value == 1 && server.rows[1]?.fields["title"] == "A")
    expectTrue(post.get(Post.self)?.title == "A" && desk.mutations.isEmpty && server.made == 1)
  }

  @Test(arguments: [true, false])
  func `A deletion that is given up brings back what was tried before`(_ isNew: Bool) async throws {
    let desk = try desk([.errorAfter(.timedOut)])
    var post: Entity
    if isNew {
      post = desk.write("B")
    } else {
      server.insert(["title": "A"])
      post = try await desk.remote.fetch(key: 1, as: desk.posts)
      desk.edit(post) { $0.title = "B" }
    }
    await desk.settled()
    let deletion = try #require(desk.remote.deleteLater(post, as: desk.posts))
    try await desk.remote.discard(deletion)
    post = try #require(desk.context.group(Post.matcher).first)
    expectTrue(post.get(Post.self)?.title == "B" && post.has(RemoteState.Unsent.cid))
    desk.time.advance(by: .seconds(30))
    await desk.settled()
    expectTrue(desk.context.group(Post.matcher).count == 1 && server.rows.count == 1)
    expectTrue(post.get(PostID.self)?.value == 1 && post.get(Post.self)?.title == "B")
    expectTrue(server.rows[1]?.fields["title"] == "B" && desk.mutations.isEmpty)
  }

  @Test func `A deletion is not given up while it is under way`() async throws {
    let (gate, server) = (Gate(), server)
    server.insert(["title": "A"])
    let desk = try Outpost(
      server,
      transport: { request in
        if request.method == .delete { await gate.pass() }
        return server.answer(request)
      })
    let post = try await desk.remote.fetch(key: 1, as: desk.posts)
    let deletion = try #require(desk.remote.deleteLater(post, as: desk.posts))
    desk.loop.runUntilSettled()
    await gate.waitForArrivals(1)
    let giving = Task { try await desk.remote.discard(deletion) }
    for _ in 0..<50 { await pause() }
    await gate.open()
    await #expect(throws: RemoteError.deadEntity) { try await giving.value }
    await desk.settled()
    expectTrue(desk.context.group(Post.matcher).isEmpty && server.rows.isEmpty)
    expectEqual(desk.methods, ["GET", "DELETE"])
  }

  // MARK: Servers that never agree

  /// Turns the time second by second until the mutation is refused; when its requests were sent.
  private func refused(
    _ method: ECSRemote.HTTPMethod, of mutation: Entity, _ desk: Outpost,
    _ times: Collected<Duration>
  ) async -> [Duration] {
    for _ in 0..<200 where mutation.get(RemoteMutation.self)?.refusal == nil {
      desk.time.advance(by: .seconds(1))
      await desk.settled()
    }
    return zip(times.all.dropFirst(), times.all).map { $0 - $1 }
  }

  @Test func `A server whose tags are never the same is given up after ten ever longer waits`()
    async throws
  {
    let (server, times, versions) = (server, Collected<Duration>(), Counter())
    server.insert(["title": "A"])
    let time = Collected<@Sendable () -> Duration>()
    let desk = try Outpost(
      server,
      transport: { request in
        if request.method == .patch {
          times.add(time.all[0]())
          return HTTPResponse(412)
        }
        var answer = server.answer(request)
        if request.method == .get { answer.headers["ETag"] = "\"v\(versions.add(1))\"" }
        return answer
      })
    time.add { [clock = desk.time] in clock.now }
    let post = try await desk.remote.fetch(key: 1, as: desk.posts)
    let mutation = try #require(desk.edit(post) { $0.title = "B" })
    await desk.settled()
    let waits = await refused(.patch, of: mutation, desk, times)
    expectEqual(waits, [0, 0, 0, 1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
    expectEqual(post.get(RemoteState.Failed.self)?.error, .unsettled(rounds: 10))
    expectEqual(post.get(RemoteState.Failed.self)?.isFinal, true)
    // It holds up no other mutation, and may be tried again from the start.
    let other = desk.write("C")
    await desk.settled()
    expectTrue(other.has(PostID.cid))
    desk.remote.retry(mutation)
    await desk.settled()
    expectTrue(times.all.count == 11 + 4 && mutation.get(RemoteMutation.self)?.refusal == nil)
  }

  @Test(arguments: [true, false])
  func `A server without tags that won't delete is not asked for ever`(
    _ isStill: Bool
  ) async throws {
    let (server, times, asked) = (server, Collected<Duration>(), Counter())
    server.insert(["title": "A"])
    let time = Collected<@Sendable () -> Duration>()
    let desk = try Outpost(
      server,
      conflicts: .ifMatch(
        .ask { _ in
          asked.add(1)
          return nil
        }),
      transport: { request in
        if request.method == .delete {
          times.add(time.all[0]())
          return HTTPResponse(409)
        }
        if request.method == .get, !isStill {
          server.change(1, "stars", .number(.init(asked.add(0))))
        }
        var answer = server.answer(request)
        answer.headers["ETag"] = nil
        return answer
      })
    time.add { [clock = desk.time] in clock.now }
    let post = try await desk.remote.fetch(key: 1, as: desk.posts)
    server.change(1, "title", "theirs")
    let mutation = try #require(desk.remote.deleteLater(post, as: desk.posts))
    await desk.settled()
    let waits = await refused(.delete, of: mutation, desk, times)
    if isStill {
      expectTrue(waits == [] && asked.value == 1)
      expectEqual(mutation.get(RemoteState.Failed.self)?.error.isRefusal(409), true)
    } else {
      expectEqual(waits, [0, 0, 1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
      expectEqual(mutation.get(RemoteState.Failed.self)?.error, .unsettled(rounds: 10))
    }
  }

  // MARK: The system that sends

  @Test func `An entity that is busy here keeps nobody else waiting`() async throws {
    let (gate, server) = (Gate(), server)
    server.insert(["title": "A"])
    let desk = try Outpost(
      server, configure: { $0.deadline = .seconds(5) },
      transport: { request in
        if request.method == .get, request.url.query != nil { await gate.pass() }
        return server.answer(request)
      })
    let post = try await desk.remote.fetch(key: 1, as: desk.posts)
    let fetching = Task {
      try await desk.remote.fetch(post, as: desk.posts, parameters: ["slow": 1])
    }
    await gate.waitForArrivals(1)
    desk.edit(post) { $0.title = "B" }
    desk.loop.runUntilSettled()
    while desk.time.timerCount == 0 { await pause() }
    desk.time.advance(by: .seconds(5))
    await desk.sender.settled()
    let other = desk.write("C")
    await desk.settled()
    expectTrue(other.has(PostID.cid) && desk.mutations.count == 1)
    expectFalse(post.has(RemoteState.Failed.cid))
    await gate.open()
    _ = try await fetching.value
    desk.time.advance(by: .seconds(1))
    await desk.settled()
    expectTrue(desk.mutations.isEmpty && server.rows[1]?.fields["title"] == "B")
  }

  @Test func `Of what ended otherwise, nothing is remembered`() async throws {
    for _ in 0..<3 { server.insert(["title": "A"]) }
    let desk = try desk(Array(repeating: .status(500), count: 4))
    let posts = try await desk.remote.list(desk.posts)
    let edits = posts.map { post in desk.edit(post) { $0.title = "B" } }
    let new = desk.write("new")
    await desk.settled()
    expectEqual(desk.sender.memoryCount, 4)
    try await desk.remote.discard(try #require(edits[0]))
    desk.remote.deleteLater(posts[1], as: desk.posts)
    desk.context.perform {
      edits[2]?.destroy()
      mutation(.create, tried: true, desk)?.destroy()
    }
    _ = new
    await desk.settled()
    desk.time.advance(by: .seconds(60))
    await desk.settled()
    expectTrue(desk.mutations.isEmpty && desk.sender.memoryCount == 0)
  }

  @Test func `Time and chance may ask for anything here`() async throws {
    let (server, desks) = (server, Collected<Outpost>())
    let faults = Faults([.error(.notConnected("")), .status(500), .broken])
    let isInside = Switch()
    let use: @Sendable () -> Void = {
      // What it asks for asks for the time.
      if isInside.isOn { return }
      isInside.isOn = true
      defer { isInside.isOn = false }
      for desk in desks.all {
        desk.sender.execute(entities: EntitySet())
        desk.remote.context.perform { _ = desk.mutations }
      }
    }
    let desk = try Outpost(
      server,
      configure: { configuration in
        let clock = configuration.clock
        configuration.clock = LoopClock {
          use()
          return clock.now()
        } run: { delay, queue, body in
          use()
          clock.run(delay, queue, body)
        }
        configuration.random = {
          use()
          return 1
        }
      },
      transport: { request async throws(TransportError) -> HTTPResponse in
        request.method == .get ? server.answer(request) : try faults.answer(request, server)
      })
    server.insert(["title": "A"])
    let post = try await desk.remote.fetch(key: 1, as: desk.posts)
    desks.add(desk)
    desk.edit(post) { $0.title = "B" }
    for _ in 0..<4 {
      await desk.settled()
      desk.time.advance(by: .seconds(60))
    }
    await desk.settled()
    expectTrue(desk.mutations.isEmpty && server.rows[1]?.fields["title"] == "B")
    // It asks for a time that asks for the desk.
    desks.removeAll()
  }
}

extension RemoteError {
  /// Whether the server refused with a status.
  fileprivate func isRefusal(_ status: Int) -> Bool {
    if case .http(status, _, _) = self { true } else { false }
  }
}
