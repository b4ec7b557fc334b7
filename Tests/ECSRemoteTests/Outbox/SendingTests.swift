import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Foundation
import Testing

@Suite(.noHangs, .ownThread) struct SendingTests {
  @Test func `What was noted is sent, and what the server answers is applied`() async throws {
    let desk = try Outpost()
    let post = desk.context.perform {
      // Nothing is sent before the section ends.
      let post = desk.write("A")
      expectEqual(post.get(RemoteState.Unsent.self)?.count, 1)
      expectTrue(post.has(RemoteDraft.cid))
      return post
    }
    await desk.settled()
    expectEqual(post.get(PostID.self)?.value, 1)
    expectTrue(!post.has(RemoteState.Unsent.cid) && !post.has(RemoteDraft.cid))
    expectTrue(desk.mutations.isEmpty)
    desk.edit(post) { $0.stars = 3 }
    await desk.settled()
    let made = #"{"title":"A","text":null,"stars":0,"parent":null}"#
    expectEqual(
      desk.lines,
      [
        "POST http://api.example/v1/posts \(made)",
        #"PATCH http://api.example/v1/posts/1 {"stars":3}"#,
      ])
    let names = desk.transport.requests.map { $0.headers["Idempotency-Key"] }
    expectTrue(Set(names).count == 2 && !names.contains(nil))
    expectEqual(desk.transport.requests[1].headers["If-Match"], "\"1\"")
    desk.remote.deleteLater(post, as: desk.posts)
    expectFalse(post.isAlive)
    await desk.settled()
    expectEqual(desk.lines.last, "DELETE http://api.example/v1/posts/1")
    expectTrue(desk.server.rows.isEmpty && desk.context.count == 0)
  }

  @Test func `Edits are one mutation until it is tried, and later ones the next`() async throws {
    let gate = Gate()
    let server = PostServer()
    let desk = try Outpost(
      server,
      transport: { request in
        await gate.pass()
        return server.answer(request)
      })
    desk.context.setUniqueComponent(Connectivity(isReachable: false))
    let post = desk.write("A")
    for stars in 1...5 { desk.edit(post) { $0.stars = stars } }
    expectEqual(desk.mutations.count, 1)
    desk.context.setUniqueComponent(Connectivity(isReachable: true))
    desk.loop.runUntilSettled()
    await gate.waitForArrivals(1)
    for stars in 6...9 { desk.edit(post) { $0.stars = stars } }
    expectEqual(desk.mutations.map(\.kind), [.create, .create])
    expectEqual(post.get(RemoteState.Unsent.self)?.count, 2)
    await gate.open()
    await desk.settled()
    let made = #"{"title":"A","text":null,"stars":5,"parent":null}"#
    expectEqual(
      desk.lines,
      [
        "POST http://api.example/v1/posts \(made)",
        #"PATCH http://api.example/v1/posts/1 {"stars":9}"#,
      ])
  }

  @Test func `An edit that was taken back is not sent`() async throws {
    let server = PostServer()
    server.insert(["title": "A", "text": .null, "stars": 1, "parent": .null])
    let desk = try Outpost(server)
    let post = try await desk.remote.fetch(key: 1, as: desk.posts)
    desk.context.setUniqueComponent(Connectivity(isReachable: false))
    desk.edit(post) { $0.stars = 2 }
    desk.edit(post) { $0.stars = 1 }
    desk.context.setUniqueComponent(Connectivity(isReachable: true))
    await desk.settled()
    expectTrue(desk.methods == ["GET"] && desk.mutations.isEmpty)
    expectFalse(post.has(RemoteState.Unsent.cid))
  }

  @Test func `What was never tried and is deleted was never there`() async throws {
    let desk = try Outpost()
    desk.context.setUniqueComponent(Connectivity(isReachable: false))
    let post = desk.write("A")
    expectNil(desk.remote.deleteLater(post, as: desk.posts))
    expectTrue(desk.mutations.isEmpty && !post.isAlive)
    expectNil(desk.remote.saveLater(post, as: desk.posts))
    expectNil(desk.remote.deleteLater(Context().createEntity(), as: desk.posts))
  }

  @Test func `Nothing is sent before it is kept, or while the network is away`() async throws {
    let gate = Gate()
    let desk = try Outpost(isKept: { await gate.pass() })
    desk.context.setUniqueComponent(Connectivity(isReachable: false))
    let post = desk.write("A")
    await desk.settled()
    await expectEqual(gate.arrivals, 0)
    desk.context.setUniqueComponent(Connectivity(isReachable: true))
    desk.loop.runUntilSettled()
    await gate.waitForArrivals(1)
    expectTrue(desk.lines.isEmpty && desk.mutations.first?.attempts == 1)
    await gate.open()
    await desk.settled()
    expectTrue(desk.lines.count == 1 && post.has(PostID.cid))
  }

  @Test func `What refers to a new entity waits for its key`() async throws {
    let desk = try Outpost()
    desk.context.setUniqueComponent(Connectivity(isReachable: false))
    let replies = (1...3).map { desk.write("reply \($0)") }
    let post = desk.write("post")
    desk.context.perform {
      for reply in replies {
        reply.relate(ReplyTo.self, to: post)
        desk.remote.saveLater(reply, as: desk.posts)
      }
    }
    desk.context.setUniqueComponent(Connectivity(isReachable: true))
    await desk.settled()
    expectEqual(post.get(PostID.self)?.value, 1)
    expectTrue(replies.allSatisfy { $0.has(PostID.cid) && $0.target(ReplyTo.self) == post })
    expectEqual(desk.server.rows.values.filter { $0.fields["parent"] == 1 }.count, 3)
    expectEqual(desk.methods, ["POST", "POST", "POST", "POST"])
  }

  @Test func `What fails in passing is sent again as the same request, however often`()
    async throws
  {
    let server = PostServer()
    let faults = Faults([
      .error(.notConnected("")), .errorAfter(.timedOut), .status(503), .status(500), .broken,
      .wrong, .status(401),
    ])
    let desk = try Outpost(
      server,
      transport: { request async throws(TransportError) -> HTTPResponse in
        try faults.answer(request, server)
      })
    let post = desk.write("A")
    await desk.settled()
    expectEqual(post.get(RemoteState.Failed.self)?.isFinal, false)
    expectTrue(post.has(RemoteState.Unsent.cid))
    for _ in 0..<7 {
      desk.time.advance(by: .seconds(30))
      while desk.time.timerCount == 0, !desk.mutations.isEmpty { await pause() }
      await desk.settled()
    }
    expectTrue(desk.mutations.isEmpty && post.get(PostID.self)?.value == 1)
    expectEqual(server.made, 1)
    expectEqual(Set(desk.transport.requests.map { $0.headers["Idempotency-Key"] }).count, 1)
    expectTrue(Set(desk.lines).count == 1 && desk.lines.count == 8)
    expectFalse(post.has(RemoteState.Failed.cid))
  }

  @Test func `A refusal holds up its entity only, until it is retried or edited`() async throws {
    let server = PostServer()
    let isPicky = Switch()
    let desk = try Outpost(
      server,
      transport: { request in
        let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
        if isPicky.isOn, body.contains("bad") { return .json(#"{"title":"No"}"#, 422) }
        return server.answer(request)
      })
    isPicky.isOn = true
    let (bad, good) = (desk.write("bad"), desk.write("good"))
    await desk.settled()
    expectTrue(good.has(PostID.cid) && !bad.has(PostID.cid))
    expectEqual(bad.get(RemoteState.Failed.self)?.isFinal, true)
    let refused = try #require(desk.mutations.first)
    expectEqual(refused.refusal, "the server refused (422): No")
    expectTrue(desk.mutations.count == 1 && refused.attempts == 0)
    desk.edit(bad) { $0.title = "still bad" }
    await desk.settled()
    expectTrue(desk.methods == ["POST", "POST", "POST"] && desk.mutations.first?.refusal != nil)
    isPicky.isOn = false
    let mutation = try #require(desk.context.group(RemoteMutation.matcher).first)
    desk.remote.retry(mutation)
    await desk.settled()
    expectTrue(bad.get(PostID.self)?.value == 2 && desk.mutations.isEmpty)
    expectEqual(Set(desk.transport.requests.map { $0.headers["Idempotency-Key"] }).count, 4)
  }

  @Test func `What is given up becomes what the server has`() async throws {
    let server = PostServer()
    for _ in 1...3 { server.insert(["title": "A", "text": .null, "stars": 1, "parent": .null]) }
    let desk = try Outpost(server)
    let posts = try await desk.remote.list(desk.posts)
    desk.context.setUniqueComponent(Connectivity(isReachable: false))
    let new = desk.write("new")
    let edit = desk.edit(posts[0]) { $0.title = "B" }
    let deletion = desk.remote.deleteLater(posts[1], as: desk.posts)
    let lost = desk.edit(posts[2]) { $0.title = "C" }
    server.delete(3)
    let making = new.sources(Mutates.self).first
    for mutation in [edit, deletion, lost, making] {
      try await desk.remote.discard(try #require(mutation))
    }
    expectTrue(posts[0].get(Post.self)?.title == "A" && !posts[0].has(RemoteState.Unsent.cid))
    try expectNotNil(desk.remote.mapper.entity(withKey: 2, of: desk.posts.recipe))
    expectTrue(!posts[2].isAlive && !new.isAlive)
    expectTrue(desk.mutations.isEmpty)
    await #expect(throws: RemoteError.deadEntity) {
      try await desk.remote.discard(try #require(edit))
    }
  }

  @Test func `What waits to be sent is not saved or deleted past that`() async throws {
    let desk = try Outpost()
    desk.context.setUniqueComponent(Connectivity(isReachable: false))
    let post = desk.write("A")
    await #expect(throws: RemoteError.unsent(post)) {
      try await desk.remote.save(post, as: desk.posts)
    }
    await #expect(throws: RemoteError.unsent(post)) {
      try await desk.remote.delete(post, as: desk.posts)
    }
  }

  @Test func `Many are sent oldest first, and no more than allowed at a time`() async throws {
    let server = PostServer()
    let (busy, most) = (Counter(), Counter())
    let desk = try Outpost(
      server, configure: { $0.maximumConcurrentRequests = 3 },
      transport: { request in
        most.atLeast(busy.add(1))
        await pause()
        defer { busy.add(-1) }
        return server.answer(request)
      })
    desk.context.setUniqueComponent(Connectivity(isReachable: false))
    for number in 1...30 { desk.write("\(number)") }
    desk.context.setUniqueComponent(Connectivity(isReachable: true))
    await desk.settled()
    expectTrue(server.rows.count == 30 && most.value == 3)
    let titles = desk.context.group(Post.matcher).compactMap { $0.get(Post.self)?.title }
    expectEqual(titles.count, 30)
  }

  @Test func `Edits from many threads while it sends are there in the end, and made once`()
    async throws
  {
    let server = PostServer()
    for _ in 1...8 { server.insert([:]) }
    let desk = try Outpost(server)
    let posts = try await desk.remote.list(desk.posts)
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          for step in 1...50 {
            // Each thread has two posts, and all have new ones.
            desk.edit(posts[thread * 2 + step % 2]) { $0.stars = step }
            if step.isMultiple(of: 10) { desk.write("\(thread).\(step)") }
            if step.isMultiple(of: 25) { await desk.sender.settled() }
          }
        }
      }
    }
    await desk.settled()
    expectTrue(desk.mutations.isEmpty && server.rows.count == 8 + 20)
    for (number, post) in posts.enumerated() {
      expectEqual(post.get(Post.self)?.stars, (number.isMultiple(of: 2) ? 50 : 49))
      expectEqual(server.rows[number + 1]?.fields["stars"], (number.isMultiple(of: 2) ? 50 : 49))
    }
    expectEqual(Set(server.changes.filter { $0.field == "title" }).count, 20)
  }
}
