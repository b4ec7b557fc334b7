import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Foundation
import Testing

/// What calls and configurations say besides entities.
@Suite(.noHangs, .ownThread) struct ParameterTests {
  @Test func `The key among the parameters of a call means the entity`() async throws {
    let desk = try Desk { request in
      switch request.method {
      case .get: .json(#"{"title":"A"}"#)
      case .post: .json("{}", 201)
      default: HTTPResponse(204)
      }
    }
    let posts = desk.posts()
    let fetched = desk.context.createEntity(with: Post())
    try await desk.remote.fetch(fetched, as: posts, parameters: ["id": 7, "a": 1])
    expectTrue(fetched.get(PostID.self)?.value == 7 && fetched.get(Post.self)?.title == "A")
    let saved = desk.context.createEntity(with: Post(title: "B"))
    try await desk.remote.save(saved, as: posts, parameters: ["id": 8])
    expectEqual(saved.get(PostID.self)?.value, 8)
    try await desk.remote.fetch(saved, as: posts, parameters: ["id": 8])
    let deleted = desk.context.createEntity(with: Post())
    try await desk.remote.delete(deleted, as: posts, parameters: ["id": 9])
    expectFalse(deleted.isAlive)
    try await desk.remote.fetch(key: 7, as: posts, parameters: ["id": 7])
    expectEqual(
      desk.lines,
      [
        "GET http://api.example/v1/posts/7?a=1",
        #"PUT http://api.example/v1/posts/8 {"title":"B","text":null,"stars":0}"#,
        "GET http://api.example/v1/posts/8", "DELETE http://api.example/v1/posts/9",
        "GET http://api.example/v1/posts/7",
      ])
  }

  @Test func `A key of another entity is an error, and nothing is sent`() async throws {
    let desk = try Desk { _ in HTTPResponse(204) }
    let (posts, other) = (desk.posts(), desk.post(8))
    for post in [desk.post(7), desk.context.createEntity(with: Post())] {
      for key in [8, "x", [1]] as [JSONValue] {
        await #expect(throws: RemoteError.badKey(key)) {
          try await desk.remote.fetch(post, as: posts, parameters: ["id": key])
        }
        await #expect(throws: RemoteError.badKey(key)) {
          try await desk.remote.save(post, as: posts, parameters: ["id": key])
        }
        await #expect(throws: RemoteError.badKey(key)) {
          try await desk.remote.delete(post, as: posts, parameters: ["id": key])
        }
        expectTrue(post.isAlive)
      }
    }
    await #expect(throws: RemoteError.badKey(8)) {
      try await desk.remote.fetch(key: 7, as: posts, parameters: ["id": 8])
    }
    expectTrue(other.isAlive && desk.lines.isEmpty)
  }

  @Test func `A request that fails gives no key`() async throws {
    let desk = try Desk { _ in HTTPResponse(400) }
    let post = desk.context.createEntity(with: Post())
    _ = try? await desk.remote.fetch(post, as: desk.posts(), parameters: ["id": 7])
    _ = try? await desk.remote.save(post, as: desk.posts(), parameters: ["id": 7])
    expectTrue(desk.lines.count == 2 && !post.has(PostID.self))
  }

  @Test func `Fields without a value can be left out of what is sent`() async throws {
    let desk = try Desk {
      $0.parameters = { ["text": "none", "version": 2] }
    } _: { request in
      request.method == .post ? .json(#"{"id":7}"#, 201) : HTTPResponse(204)
    }
    let post = desk.context.createEntity(with: Post(title: "A"), Place(city: "Ulm", country: ""))
    try await desk.remote.save(post, as: desk.posts().omittingNull(), parameters: ["by": .null])
    let writing = desk.posts().omittingNull().writing { data in
      guard case .object(var fields) = data else { return data }
      (fields["stars"], fields["x"]) = (nil, .null)
      return .object(fields)
    }
    try await desk.remote.save(desk.post(8, Post(text: "t")), as: writing)
    let patching = desk.posts(.patching).omittingNull()
    try await desk.remote.save(desk.post(9), as: patching)
    expectEqual(
      desk.lines,
      [
        "POST http://api.example/v1/posts "
          + #"{"version":2,"title":"A","stars":0,"place":{"city":"Ulm","country":""},"by":null}"#,
        #"PUT http://api.example/v1/posts/8 {"text":"t","version":2,"title":""}"#,
        "PATCH http://api.example/v1/posts/9 "
          + #"{"text":null,"version":2,"title":"","stars":0}"#,
      ])
  }

  @Test func `A hook sees parameters before they are bytes, each attempt anew`() async throws {
    let (count, seen) = (Counter(), Collected<RemoteParameters>())
    let desk = try Desk {
      $0.parameters = { ["v": 1] }
      $0.willEncode = { parameters in
        seen.add(parameters)
        parameters.query["signature"] = .number(JSONNumber(count.add(1)))
        if case .object(var fields)? = parameters.body {
          fields["title"] = fields["title"].map { .string(($0.string ?? "") + "!") }
          parameters.body = .object(fields)
        }
      }
    } _: { request in
      if request.method != .get { return HTTPResponse(204) }
      return count.value == 2 ? HTTPResponse(503) : .json(#"{"id":7,"title":"A"}"#)
    }
    let (post, posts) = (desk.post(), desk.posts())
    try await desk.remote.save(post, as: posts)
    let task = Task {
      try await desk.remote.fetch(post, as: posts, parameters: ["q": "x"])
    }
    await desk.advance(by: .seconds(1))
    _ = try await task.value
    expectEqual(
      desk.lines,
      [
        "PUT http://api.example/v1/posts/7?signature=1 "
          + #"{"v":1,"title":"!","text":null,"stars":0}"#,
        "GET http://api.example/v1/posts/7?v=1&q=x&signature=2",
        "GET http://api.example/v1/posts/7?v=1&q=x&signature=3",
      ])
    expectEqual(seen.all.map(\.name), ["post", "post", "post"])
    expectEqual(seen.all.map(\.method), [.put, .get, .get])
    expectTrue(seen.all[1].query == ["v": 1, "q": "x"] && seen.all[1].body == nil)
  }

  @Test func `What the hook throws is an error, and a feed has it as well`() async throws {
    struct NoKey: Error {}
    let desk = try Desk {
      $0.willEncode = { if $0.name == "post" { throw NoKey() } else { $0.query["k"] = 1 } }
    } _: { _ in
      HTTPResponse(204)
    }
    await #expect(throws: RemoteError.hook("before parameters are encoded: NoKey()")) {
      try await desk.remote.save(desk.post(), as: desk.posts())
    }
    try await desk.remote.follow(RemoteFeed(of: desk.posts(), named: "feed") { baseURL })
    expectEqual(desk.lines, ["GET http://api.example/v1/posts?k=1"])
  }
}
