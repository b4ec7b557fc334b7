import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import ECSTesting
import Foundation
import Testing

@Suite(.noHangs, .ownThread) struct AnswerTests {
  @Test func `An answer changes the same entity, and gives a new one its key`() async throws {
    let desk = try Desk { request in
      request.method == .post ? .json(#"{"id":9,"stars":1}"#, 201) : .json(#"{"title":"B"}"#)
    }
    let post = desk.context.createEntity(with: Post(title: "A", text: "t"))
    try await expectEqual(desk.remote.save(post, as: desk.posts()), .updated)
    expectEqual(post.get(PostID.self)?.value, 9)
    expectEqual(post.get(Post.self), Post(title: "A", text: "t", stars: 1))
    try await expectEqual(desk.remote.fetch(post, as: desk.posts()), .updated)
    try await expectEqual(desk.remote.fetch(post, as: desk.posts()), .unchanged)
    try await expectEqual(desk.remote.fetch(key: 9, as: desk.posts()), post)
    expectEqual(post.get(Post.self)?.title, "B")
    expectEqual(desk.context.group(Post.matcher).count, 1)
  }

  @Test func `Null clears and absent keeps`() async throws {
    let desk = try Desk { _ in .json(#"{"id":7,"text":null}"#) }
    let post = desk.post(7, Post(title: "A", text: "t", stars: 3))
    try await desk.remote.fetch(post, as: desk.posts())
    expectEqual(post.get(Post.self), Post(title: "A", text: nil, stars: 3))
  }

  @Test(arguments: [
    (#"{"id":7,"title":"B","stars":"many"}"#, "stars"), (#"{"title":null}"#, "title"),
    (#"{"id":8,"title":"B"}"#, "id"), (#"[]"#, "$"), (#"{"place":{"city":1}}"#, "place.city"),
  ])
  func `An answer of the wrong shape is an error with its place, and changes nothing`(
    _ text: String, _ path: String
  ) async throws {
    let desk = try Desk { _ in .json(text) }
    let post = desk.post(7, Post(title: "A"))
    do {
      try await desk.remote.fetch(post, as: desk.posts())
      Issue.record("it is taken")
    } catch {
      guard case .decoding(let reason) = error else {
        Issue.record("\(error)")
        return
      }
      expectEqual("\(reason.path)", path)
    }
    expectEqual(post.get(Post.self), Post(title: "A"))
    expectEqual(post.get(RemoteState.Failed.self)?.isFinal, true)
    expectFalse(post.has(RemoteState.Fetched.cid))
  }

  @Test(arguments: ["", "{", "<html>", "{}{}", "[[["])
  func `What is no JSON is an error, and changes nothing`(_ text: String) async throws {
    let whole = text == "[[[" ? String(repeating: text, count: 100_000) : text
    let desk = try Desk { _ in .json(whole) }
    let post = desk.post(7, Post(title: "A"))
    do {
      try await desk.remote.fetch(post, as: desk.posts())
      Issue.record("it is taken")
    } catch {
      guard case .syntax = error else {
        Issue.record("\(error)")
        return
      }
    }
    expectEqual(post.get(Post.self), Post(title: "A"))
  }

  @Test func `Envelopes, places of lists and closures prepare the data`() async throws {
    let desk = try Desk { request in
      request.url.path.hasSuffix("posts")
        ? .json(#"{"data":{"items":[{"post":{"id":1}},{"post":{"id":"x"}}]}}"#)
        : .json(#"{"data":{"post":{"id":7,"title":"B"}}}"#)
    }
    let posts = try desk.posts().reading(at: "data", list: "data.items")
      .reading { $0["post"] ?? .null }
      .writing { ["post": $0] }
    let post = desk.post()
    try await desk.remote.fetch(post, as: posts)
    expectEqual(post.get(Post.self)?.title, "B")
    try await desk.remote.save(post, as: posts, parameters: ["by": "me"])
    expectEqual(
      desk.lines.last,
      "PUT http://api.example/v1/posts/7 "
        + #"{"post":{"title":"B","text":null,"stars":0},"by":"me"}"#)
    do {
      _ = try await desk.remote.list(posts)
      Issue.record("it is taken")
    } catch {
      expectTrue("\(error)".contains("data.items[1].id"))
    }
    expectEqual(desk.context.group(PostID.matcher).count, 1)
    #expect(throws: JSONPathError.self) { try desk.posts().reading(at: "a[") }
  }

  @Test func `A list gives its entities in order, made or changed once`() async throws {
    let desk = try Desk { _ in
      .json(#"[{"id":3,"title":"C"},{"id":1,"title":"A"},{"id":3,"stars":2}]"#)
    }
    let first = desk.post(1)
    let notices = Tally()
    let token = desk.context.group(Post.matcher).observe { _ in notices.add() }
    let start = notices.value
    let list = try await desk.remote.list(desk.posts())
    expectEqual(list.map { $0.get(PostID.self)?.value }, [3, 1, 3])
    expectTrue(list[1] == first && list[0] == list[2])
    expectEqual(list[0].get(Post.self), Post(title: "C", stars: 2))
    expectEqual(notices.value - start, 1)
    expectTrue(list.allSatisfy { $0.has(RemoteState.Fetched.cid) })
    token.cancel()
    let none = try Desk { _ in .json(#"{"items":[]}"#) }
    await #expect(throws: RemoteError.self) { try await none.remote.list(none.posts()) }
  }

  @Test func `A key that another entity has is refused`() async throws {
    let desk = try Desk { _ in .json(#"{"id":7}"#, 201) }
    _ = desk.post(7)
    let new = desk.context.createEntity(with: Post(title: "N"))
    await #expect(throws: RemoteError.self) { try await desk.remote.save(new, as: desk.posts()) }
    expectFalse(new.has(PostID.cid))
  }

  @Test(arguments: [false, true])
  func `What is edited while a request is under way stays, and is sent next`(
    isByKey: Bool
  ) async throws {
    let gate = Gate()
    let desk = try Desk { request in
      await gate.pass()
      return .json(#"{"id":7,"title":"Server","text":"s","stars":5}"#)
    }
    let posts = desk.posts(.patching)
    let post = desk.post(7, Post(title: "A", text: "a", stars: 1))
    let task = Task {
      if isByKey { return try await desk.remote.fetch(key: 7, as: posts) }
      try await desk.remote.fetch(post, as: posts)
      return post
    }
    await gate.waitForArrivals(1)
    post.update(Post.self) { $0.title = "Edited" }
    await gate.open()
    try await expectEqual(task.value, post)
    expectEqual(post.get(Post.self), Post(title: "Edited", text: "s", stars: 5))
    try await desk.remote.save(post, as: posts)
    expectEqual(desk.lines.last, #"PATCH http://api.example/v1/posts/7 {"title":"Edited"}"#)
  }

  @Test func `A refusal is told with what the server says about it`() async throws {
    let desk = try Desk { request in
      .json(#"{"type":"/taken","title":"Taken","detail":"The title is taken"}"#, 422)
    }
    let post = desk.post()
    do {
      try await desk.remote.save(post, as: desk.posts())
      Issue.record("it is saved")
    } catch {
      guard case .http(let status, let problem, let body) = error else {
        Issue.record("\(error)")
        return
      }
      expectEqual(status, 422)
      expectEqual(problem?.code, "/taken")
      expectEqual(problem?.message, "The title is taken")
      expectEqual(body.count, 63)
      expectEqual(post.get(RemoteState.Failed.self)?.error, error)
    }
    let custom = try Desk {
      $0.problem = { RemoteProblem(message: $0["errors"]?[0]?.string ?? "?") }
    } _: { _ in
      .json(#"{"errors":["no"]}"#, 400)
    }
    do {
      _ = try await custom.remote.list(custom.posts())
    } catch {
      expectEqual("\(error)", "the server refused (400): no")
    }
  }

  @Test func `What is deleted is kept or destroyed, and gone is as well`() async throws {
    let desk = try Desk { request in
      HTTPResponse(["7": 204, "8": 404, "9": 410][request.url.lastPathComponent] ?? 403)
    }
    let kept = desk.post(7)
    try await desk.remote.delete(kept, as: desk.posts(), disposal: .keep)
    expectTrue(kept.isAlive && !kept.has(RemoteState.Loading.cid))
    expectEqual(kept.get(PostID.self)?.value, 7)
    for id in 8...9 {
      let post = desk.post(id)
      try await desk.remote.delete(post, as: desk.posts())
      expectFalse(post.isAlive)
    }
    let refused = desk.post(10)
    await #expect(throws: RemoteError.self) {
      try await desk.remote.delete(refused, as: desk.posts(), disposal: .destroy)
    }
    expectTrue(refused.isAlive)
  }

  @Test func `A key that the server gives again is that of the new entity`() async throws {
    let desk = try Desk { request in
      request.method == .delete ? HTTPResponse(204) : .json(#"{"id":1}"#, 201)
    }
    for _ in 0..<2 {
      let post = desk.context.createEntity(with: Post(title: "A"))
      try await desk.remote.save(post, as: desk.posts())
      expectEqual(post.get(PostID.self)?.value, 1)
      try await desk.remote.delete(post, as: desk.posts())
      expectTrue(desk.context.group(Post.matcher).isEmpty)
    }
  }

  @Test func `An entity that dies meanwhile is an error, and stays dead`() async throws {
    let gate = Gate()
    let desk = try Desk { _ in
      await gate.pass()
      return .json(#"{"id":7,"title":"B"}"#)
    }
    let post = desk.post()
    let posts = desk.posts()
    let task = Task { try await desk.remote.fetch(post, as: posts) }
    await gate.waitForArrivals(1)
    post.destroy()
    await gate.open()
    await #expect(throws: RemoteError.deadEntity) { try await task.value }
    expectTrue(desk.context.group(Post.matcher).isEmpty)
  }

  @Test(arguments: [
    ("http://api.example/v1/posts/12", 12), ("/v1/posts/12/", 12), ("posts/12?a=b#c", 12),
    ("https://inside:8080/v1/posts/12", 12), ("/v1/posts/", nil), ("/v1/posts/12/notes", nil),
    ("/v1/authors/12", nil), ("/v1/posts/%2E%2E", nil), ("/v1/posts/abc", nil), ("::", nil),
  ])
  func `The key of what was made may be in Location only`(_ place: String, _ key: Int?) async throws
  {
    for body in ["", #"{"title":"given"}"#] {
      let desk = try Desk { _ in
        .json(body, 201, ["Location": place])
      }
      let post = desk.context.createEntity(with: Post(title: "A"))
      try await desk.remote.save(post, as: desk.posts())
      expectEqual(post.get(PostID.self)?.value, key)
      expectEqual(post.get(Post.self)?.title, (body.isEmpty ? "A" : "given"))
    }
    // What the data says goes first.
    let desk = try Desk { _ in .json(#"{"id":5}"#, 201, ["Location": place]) }
    let post = desk.context.createEntity(with: Post(title: "A"))
    try await desk.remote.save(post, as: desk.posts())
    expectEqual(post.get(PostID.self)?.value, 5)
  }

  @Test func `The key of what is sent later may be in Location only`() async throws {
    let desk = try Outpost(
      PostServer(), transport: { _ in HTTPResponse(201, headers: ["Location": "/v1/posts/12"]) })
    let post = desk.write("A")
    await desk.settled()
    expectTrue(post.get(PostID.self)?.value == 12 && desk.mutations.isEmpty)
    expectTrue(!post.has(RemoteState.Unsent.cid) && !post.has(RemoteDraft.cid))
  }
}
