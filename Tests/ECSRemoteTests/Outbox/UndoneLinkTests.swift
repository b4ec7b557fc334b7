import ECS
import ECSHistory
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Testing

/// Steps that change links only, which an outbox follows.
@Suite(.noHangs) struct UndoneLinkTests {
  private let desk: Outpost
  private let history: UndoHistory
  private let notes: Subscription
  private var context: Context { desk.context }

  init() throws {
    let desk = try Outpost()
    self.desk = desk
    history = UndoHistory(desk.context, of: Post.self, relations: [ReplyTo.self])
    notes = history.observeSteps(of: desk.context.group(Post.self)) { [desk] in
      desk.remote.changeLater($0, as: desk.posts)
    }
  }

  /// Posts that the server has.
  private func sent(_ titles: String...) async -> [Entity] {
    let posts = titles.map { title in
      history.group("Add") { context.createEntity(with: Post(title: title)) }
    }
    await desk.settled()
    return posts
  }

  /// What the server has as the parent of a post.
  private func parent(_ post: Entity) throws -> JSONValue? {
    let key = try #require(post.get(PostID.self)).value
    return desk.server.rows[key]?.fields["parent"]
  }

  @Test func `a link that a step makes is sent, and so are its undo and its redo`() async throws {
    let posts = await sent("A", "B")
    let key = JSONValue.number(JSONNumber(try #require(posts[0].get(PostID.self)).value))
    history.group("Reply") { posts[1].relate(ReplyTo.self, to: posts[0]) }
    await desk.settled()
    try expectEqual(parent(posts[1]), key)
    try history.undo()
    await desk.settled()
    try expectEqual(parent(posts[1]), .null)
    try history.redo()
    await desk.settled()
    try expectEqual(parent(posts[1]), key)
    expectTrue(desk.mutations.isEmpty)
  }

  @Test func `a link that is undone while it waits is not sent`() async throws {
    let posts = await sent("A", "B")
    let count = desk.lines.count
    context.setUniqueComponent(Connectivity(isReachable: false))
    history.group("Reply") { posts[1].relate(ReplyTo.self, to: posts[0]) }
    await desk.settled()
    expectEqual(desk.mutations.count, 1)
    try history.undo()
    context.setUniqueComponent(Connectivity(isReachable: true))
    await desk.settled()
    expectEqual(desk.lines.count, count)
    expectTrue(desk.mutations.isEmpty)
  }

  @Test func `links that go with their target are sent, and so is their return`() async throws {
    let posts = await sent("A", "B")
    history.group("Reply") { posts[1].relate(ReplyTo.self, to: posts[0]) }
    await desk.settled()
    history.group("Delete") { posts[0].destroy() }
    await desk.settled()
    try expectEqual(parent(posts[1]), .null)
    expectTrue(desk.lines.contains { $0.hasPrefix("PATCH") && $0.hasSuffix(#"{"parent":null}"#) })
    try history.undo()
    await desk.settled()
    let key = JSONValue.number(JSONNumber(try #require(posts[0].get(PostID.self)).value))
    try expectEqual(parent(posts[1]), key)
    expectTrue(desk.mutations.isEmpty)
  }
}
