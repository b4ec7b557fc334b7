import ECS
import ECSHistory
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Foundation
import Testing

/// Steps that an outbox follows, with a server that can be reached or not.
private struct SteppedDesk {
  let desk: Outpost
  let history: UndoHistory
  let notes: Subscription

  var context: Context { desk.context }
  var methods: [String] { desk.transport.requests.map { "\($0.method)" } }
  var post: Entity? { context.group(Post.matcher).sorted().first }

  init(_ desk: Outpost, listing more: Bool = false) {
    self.desk = desk
    let (remote, posts) = (desk.remote, desk.posts)
    history =
      more
      ? UndoHistory(desk.context, of: Post.self, PostID.self)
      : UndoHistory(desk.context, of: Post.self)
    notes = history.observeSteps(of: desk.context.group(Post.self)) {
      remote.changeLater($0, as: posts)
    }
  }

  init(_ server: PostServer = PostServer(), _ faults: Faults? = nil) throws {
    guard let faults else {
      self.init(try Outpost(server))
      return
    }
    self.init(
      try Outpost(
        server,
        transport: { request async throws(TransportError) -> HTTPResponse in
          try faults.answer(request, server)
        }))
  }

  func reach(_ isReachable: Bool) {
    context.setUniqueComponent(Connectivity(isReachable: isReachable))
  }

  /// Makes a post that the server has.
  func sent(_ title: String = "A") async throws -> Entity {
    history.group("Add") { context.createEntity(with: Post(title: title)) }
    await desk.settled()
    let post = try #require(post)
    expectTrue(post.has(PostID.cid) && desk.mutations.isEmpty)
    return post
  }

  func rename(_ post: Entity, _ title: String) {
    history.group("Rename") { post.update(Post.self) { $0.title = title } }
  }

  func delete(_ post: Entity) { history.group("Delete") { post.destroy() } }
}

@Suite(.noHangs, .ownThread) struct UndoneChangeTests {
  @Test func `while they wait, undone changes send nothing`() async throws {
    let server = PostServer()
    let desk = try SteppedDesk(server)
    let post = try await desk.sent()
    desk.reach(false)
    desk.rename(post, "B")
    expectEqual(desk.desk.mutations.count, 1)
    try desk.history.undo()
    desk.delete(post)
    expectEqual(desk.desk.mutations.map(\.kind), [.delete])
    try desk.history.undo()
    expectEqual(post.get(PostID.self)?.value, 1)
    desk.history.group("Add") { desk.context.createEntity(with: Post(title: "C")) }
    try desk.history.undo()
    desk.reach(true)
    await desk.desk.settled()
    expectTrue(desk.methods == ["POST"] && desk.desk.mutations.isEmpty)
    expectTrue(server.rows[1]?.fields["title"] == "A" && !post.has(RemoteState.Unsent.self))
  }

  @Test func `an edit that waited before a deletion is sent when the deletion is undone`()
    async throws
  {
    let server = PostServer()
    let desk = try SteppedDesk(server)
    let post = try await desk.sent()
    desk.reach(false)
    desk.rename(post, "B")
    desk.delete(post)
    try desk.history.undo()
    desk.reach(true)
    await desk.desk.settled()
    expectTrue(desk.methods == ["POST", "PATCH"] && server.rows[1]?.fields["title"] == "B")
  }

  @Test func `when they were sent, the opposite is sent`() async throws {
    let server = PostServer()
    let desk = try SteppedDesk(server)
    let post = try await desk.sent()
    desk.rename(post, "B")
    await desk.desk.settled()
    try desk.history.undo()
    await desk.desk.settled()
    expectEqual(server.rows[1]?.fields["title"], "A")
    desk.delete(post)
    await desk.desk.settled()
    expectNil(server.rows[1])
    try desk.history.undo()
    await desk.desk.settled()
    expectTrue(server.rows[2]?.fields["title"] == "A" && post.get(PostID.self)?.value == 2)
    // Deleted again. Undone with the creation, before anything is sent, it stays so.
    try desk.history.redo()
    await desk.desk.settled()
    expectTrue(server.rows[2] == nil && !post.isAlive)
    desk.reach(false)
    try desk.history.undo()
    try desk.history.undo()
    desk.reach(true)
    await desk.desk.settled()
    expectEqual(desk.methods, ["POST", "PATCH", "PATCH", "DELETE", "POST", "DELETE"])
    expectTrue(desk.desk.mutations.isEmpty)
  }

  @Test func `what is under way counts as sent, and a creation that is redone is the same one`()
    async throws
  {
    // The server does it, and the answer is lost.
    let server = PostServer()
    let desk = try SteppedDesk(server, Faults([.errorAfter(.timedOut)]))
    desk.history.group("Add") { desk.context.createEntity(with: Post(title: "A")) }
    await desk.desk.settled()
    expectTrue(desk.desk.mutations.map(\.attempts) == [1] && server.made == 1)
    try desk.history.undo()
    expectEqual(desk.desk.mutations.map(\.kind), [.create, .delete])
    try desk.history.redo()
    expectEqual(desk.desk.mutations.first?.kind, .create)
    expectTrue(desk.desk.mutations.allSatisfy { $0.kind != .delete })
    desk.reach(false)
    desk.reach(true)
    await desk.desk.settled()
    expectTrue(server.made == 1 && desk.post?.get(PostID.self)?.value == 1)
    expectTrue(desk.desk.mutations.isEmpty)

    try desk.history.undo()
    await desk.desk.settled()
    expectTrue(server.rows.isEmpty)
  }

  @Test func `an undone creation that was under way is deleted when its key is known`()
    async throws
  {
    let server = PostServer()
    let desk = try SteppedDesk(server, Faults([.errorAfter(.timedOut)]))
    desk.history.group("Add") { desk.context.createEntity(with: Post(title: "A")) }
    await desk.desk.settled()
    try desk.history.undo()
    desk.reach(false)
    desk.reach(true)
    await desk.desk.settled()
    expectTrue(server.made == 1 && server.rows.isEmpty && desk.desk.mutations.isEmpty)
  }

  @Test func `a deletion that was tried and not answered counts as sent`() async throws {
    let server = PostServer()
    let faults = Faults([])
    let desk = try SteppedDesk(server, faults)
    let post = try await desk.sent()
    faults.add(.errorAfter(.timedOut))
    desk.delete(post)
    await desk.desk.settled()
    expectEqual(desk.desk.mutations.map(\.attempts), [1])
    try desk.history.undo()
    expectFalse(post.has(PostID.cid))
    desk.reach(false)
    desk.reach(true)
    await desk.desk.settled()
    expectTrue(post.get(PostID.self)?.value == 2 && server.rows.count == 1)
    expectTrue(server.rows[2]?.fields["title"] == "A" && desk.desk.mutations.isEmpty)
  }

  @Test func `what the server refused is taken out when it is undone`() async throws {
    let desk = SteppedDesk(
      try Outpost(transport: { request async throws(TransportError) -> HTTPResponse in
        request.method == .post
          ? HTTPResponse(201, body: .init(#"{"id":1,"title":"A","stars":0}"#.utf8))
          : HTTPResponse(403)
      }))
    let post = try await desk.sent()
    desk.delete(post)
    await desk.desk.settled()
    expectNotNil(desk.desk.mutations.first?.refusal)
    try desk.history.undo()
    await desk.desk.settled()
    expectTrue(post.get(PostID.self)?.value == 1 && desk.desk.mutations.isEmpty)
    expectTrue(!post.has(RemoteState.Failed.self) && desk.methods == ["POST", "DELETE"])
    desk.rename(post, "B")
    await desk.desk.settled()
    expectTrue(desk.desk.mutations.first?.refusal != nil && post.has(RemoteState.Failed.self))
    try desk.history.undo()
    await desk.desk.settled()
    expectTrue(desk.desk.mutations.isEmpty && !post.has(RemoteState.Failed.self))
    expectEqual(desk.methods, ["POST", "DELETE", "PATCH"])
  }

  @Test func `changes that are no steps, and steps that fail, are not noted`() async throws {
    struct Stop: Error {}
    let desk = try SteppedDesk()
    let post = try await desk.sent()
    post.update(Post.self) { $0.title = "by others" }
    #expect(throws: Stop.self) {
      try desk.history.group("Fail") { () throws in
        post.update(Post.self) { $0.title = "C" }
        throw Stop()
      }
    }
    #expect(throws: UndoConflict.self) { try desk.history.undo() }
    expectTrue(desk.desk.mutations.isEmpty)
    desk.notes.cancel()
    desk.rename(post, "D")
    expectTrue(desk.desk.mutations.isEmpty)
  }

  @Test func `an entity that only loses what a resource is about is deleted there, and comes back`()
    async throws
  {
    struct Pin: Component {}
    let server = PostServer()
    let desk = try SteppedDesk(server)
    let post = try await desk.sent()
    post.set(Pin())
    desk.reach(false)
    desk.history.group("Strip") { post.remove(Post.cid) }
    expectTrue(
      post.isAlive && !post.has(PostID.cid) && desk.desk.mutations.map(\.kind) == [.delete])
    try desk.history.undo()
    expectEqual(post.get(PostID.self)?.value, 1)
    desk.history.group("Strip") { post.remove(Post.cid) }
    desk.reach(true)
    await desk.desk.settled()
    expectTrue(server.rows.isEmpty && post.has(Pin.cid) && !post.has(RemoteState.Unsent.self))
    try desk.history.undo()
    await desk.desk.settled()
    expectTrue(server.rows[2] != nil && post.get(PostID.self)?.value == 2)
  }

  @Test func `several steps in one direction and back end where they began, whatever was sent`()
    async throws
  {
    let server = PostServer()
    let desk = try SteppedDesk(server)
    for isReachable in [true, false, true, false] {
      desk.reach(isReachable)
      desk.history.group("Add") { desk.context.createEntity(with: Post(title: "A")) }
      let post = try #require(desk.context.group(Post.matcher).sorted().last)
      await desk.desk.settled()
      desk.rename(post, "B")
      await desk.desk.settled()
      desk.delete(post)
      await desk.desk.settled()
      for _ in 0..<3 { try desk.history.undo() }
      for _ in 0..<2 { try desk.history.redo() }
      desk.reach(true)
      await desk.desk.settled()
      expectEqual(server.rows.values.map { $0.fields["title"] }, ["B"])
      expectTrue(desk.post?.get(Post.self)?.title == "B" && desk.desk.mutations.isEmpty)
      for _ in 0..<2 { try desk.history.undo() }
      await desk.desk.settled()
      expectTrue(server.rows.isEmpty && desk.post == nil && desk.desk.mutations.isEmpty)
    }
  }

  @Test func `a key that was deleted, made again and undone twice is what the server has`()
    async throws
  {
    let server = PostServer()
    let desk = SteppedDesk(try Outpost(server), listing: true)
    let post = try await desk.sent()
    desk.reach(false)
    desk.delete(post)
    desk.history.group("Paste") {
      desk.context.createEntity(with: Post(title: "B"), PostID(value: 1))
    }
    try desk.history.undo()
    expectEqual(desk.desk.mutations.map(\.kind), [.delete])
    try desk.history.undo()
    expectTrue(desk.desk.mutations.allSatisfy { $0.kind != .delete })
    desk.reach(true)
    await desk.desk.settled()
    expectTrue(server.rows[1]?.fields["title"] == "A" && desk.desk.mutations.isEmpty)
    expectTrue(!desk.methods.contains("DELETE") && post.get(PostID.self)?.value == 1)
  }

  private func makePins() throws -> Resource {
    Resource(
      try Recipe("pin") {
        Identity(\PinID.value, at: "id", of: PinID())
        Fields(of: Pin()) { Field(\.color, at: "color") }
      }
    ) { baseURL.appendingPathComponent("pins") }
  }

  @Test func `what the server has of another resource stays`() async throws {
    let server = PostServer()
    let desk = SteppedDesk(
      try Outpost(
        server,
        transport: { request async throws(TransportError) -> HTTPResponse in
          request.url.path.hasSuffix("pins")
            ? HTTPResponse(201, body: .init(#"{"id":9,"color":"red"}"#.utf8))
            : server.answer(request)
        }))
    let post = try await desk.sent()
    _ = post.set(Pin(color: "red"))
    try await desk.desk.remote.save(post, as: try makePins())
    expectTrue(post.has(RemoteState.Fetched.self) && post.get(PinID.self)?.value == 9)
    desk.history.group("Strip") { post.remove(Post.cid) }
    expectTrue(post.has(RemoteState.Fetched.self) && post.has(PinID.self) && !post.has(PostID.self))
    await desk.desk.settled()
    expectTrue(server.rows.isEmpty)
  }

  @Test func `of what is destroyed after it was left, nothing is noted`() async throws {
    let desk = try SteppedDesk()
    let post = try await desk.sent()
    desk.history.group("Delete") {
      post.remove(Post.cid)
      post.destroy()
    }
    expectTrue(desk.desk.mutations.isEmpty)
  }

  @Test func `what waits for another resource of the entity stays`() async throws {
    let desk = try SteppedDesk()
    let post = try await desk.sent()
    let pins = try makePins()
    desk.reach(false)
    _ = post.set(Pin(color: "red"))
    _ = desk.desk.remote.saveLater(post, as: pins)
    desk.history.group("Strip") { post.remove(Post.cid) }
    expectEqual(desk.desk.mutations.map(\.resource), ["pin", "post"])
    expectTrue(post.get(RemoteState.Unsent.self)?.count == 1 && post.has(RemoteDraft.self))
    expectFalse(post.has(PostID.cid))
  }

  @Test func `a deletion that waits is taken out beside an older one that was tried`() async throws
  {
    let server = PostServer()
    let desk = SteppedDesk(
      try Outpost(
        server,
        transport: { request async throws(TransportError) -> HTTPResponse in
          request.method == .delete ? HTTPResponse(500) : server.answer(request)
        }))
    let post = try await desk.sent()
    desk.delete(post)
    await desk.desk.settled()
    expectEqual(desk.desk.mutations.first.map { $0.attempts > 0 }, true)
    try desk.history.undo()
    await desk.desk.settled()
    expectEqual(post.get(PostID.self)?.value, 2)
    desk.reach(false)
    desk.delete(post)
    expectEqual(desk.desk.mutations.map(\.kind), [.delete, .delete])
    try desk.history.undo()
    expectEqual(desk.desk.mutations.map(\.kind), [.delete, .update])
    expectEqual(post.get(PostID.self)?.value, 2)
  }

  @Test func `a key that shares a component stays with an entity that goes on`() throws {
    struct Note: Component { var (uuid, text) = ("n", "text") }
    struct Shown: Component {}
    let desk = try Outpost()
    let notes = Resource(
      try Recipe("note") {
        Identity(\Note.uuid)
        Fields(of: Note()) {
          Field(\.uuid, at: "uuid")
          Field(\.text, at: "text")
        }
      }
    ) { baseURL }
    let (history, remote) = (UndoHistory(desk.context, of: Shown.self), desk.remote)
    desk.context.setUniqueComponent(Connectivity(isReachable: false))
    let note = desk.context.createEntity(with: Note(), Shown())
    let token = history.observeSteps(of: desk.context.group(Matcher(all: [Note.cid, Shown.cid]))) {
      remote.changeLater($0, as: notes)
    }
    history.group("Hide") { note.remove(Shown.cid) }
    expectTrue(note.get(Note.self)?.text == "text" && desk.mutations.map(\.kind) == [.delete])
    token.cancel()
  }
}

private struct PinID: Component { var value = 0 }
private struct Pin: Component { var color = "" }
