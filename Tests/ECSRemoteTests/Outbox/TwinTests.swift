import Dispatch
import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import ECSTesting
import Foundation
import Testing

#if SQLite
  import ECSStore
#endif

struct Tag: Component, Hashable { var value = "" }

/// A new entity, of which the server tells before it has answered, is one entity at once, if the
/// client has given it a key.
@Suite(.noHangs, .ownThread) struct TwinTests {
  /// What has the key of the client.
  enum Keeper: Sendable, CaseIterable {
    case index, recipe
    #if SQLite
      case store
    #endif
  }

  /// How the server tells.
  enum Way: Sendable, CaseIterable { case list, feed, fetch }

  /// A client with notes that have tags.
  struct Client {
    let context: Context
    let time: ManualClock
    let remote: Remote
    let notes: Resource
    let sender: SendingSystem
    let loop: ReactiveLoop
    let transport: StubTransport
    let keep: @Sendable () throws -> Void

    func note(_ title: String, _ tag: String) -> Entity {
      context.perform {
        let note = context.createEntity(with: Tag(value: tag), Post(title: title))
        remote.saveLater(note, as: notes)
        return note
      }
    }

    func settled() async {
      loop.runUntilSettled()
      await sender.settled()
    }

    /// Waits for longer than a failure keeps others waiting.
    func settledLater() async {
      time.advance(by: .seconds(60))
      await settled()
    }

    var mutations: Int { context.group(RemoteMutation.matcher).count }
    var found: [Entity] { context.group(Post.matcher).sorted() }
  }

  private func client(
    _ keeper: Keeper?, _ server: PostServer, losing lost: Int = 1
  ) throws -> Client {
    let recipe = try Recipe("note") {
      Identity(\PostID.value, at: "id", of: PostID())
      Fields(of: Tag()) { Field(\.value, at: "tag") }
      Fields(of: Post()) {
        Field(\.title, at: "title")
        Field(\.stars, at: "stars")
      }
    }
    var context = Context()
    var mapper: Mapper?
    var keep: @Sendable () throws -> Void = {}
    switch keeper {
    case nil: break
    case .index:
      let made = Mapper(context)
      made.use(context.primaryIndex { (tag: Tag) in tag.value }, for: \Tag.value)
      mapper = made
    case .recipe:
      let local = try Recipe("local") { Identity(\Tag.value, at: "tag", of: Tag()) }
      let made = Mapper(context)
      _ = try made.entity(withKey: "x", of: local)
      mapper = made
    #if SQLite
      case .store:
        let table = try Table("note", key: \Tag.value) {
          Fields(of: Tag()) { Field(\.value, at: "tag") }
          Fields(of: PostID()) { Field(\.value, at: "server_id") }
          Fields(of: Post()) {
            Field(\.title, at: "title")
            Field(\.stars, at: "stars")
          }
          Fields(of: RemoteDraft()) { RemoteDraft.fields }
          Fields(of: ServerCopy()) { ServerCopy.fields }
        }
        let mutations = try Table(RemoteMutation.recipe, key: \RemoteMutation.id)
        let session = try Store(
          at: .memory,
          schema: ECSStore.Schema {
            table
            mutations
          }
        ).session()
        context = session.context
        keep = { try session.save() }
    #endif
    }
    let posts = Counter()
    let transport = StubTransport { request throws(TransportError) in
      if request.url.lastPathComponent == "events" {
        if request.headers["Last-Event-ID"] != nil { return HTTPResponse(204) }
        let body = server.answer(HTTPRequest(.get, baseURL.appendingPathComponent("1"))).body
        return .json(
          event("updated", String(decoding: body, as: UTF8.self)), 200,
          ["Content-Type": "text/event-stream"])
      }
      let answer = server.answer(request)
      if request.method == .post, posts.add(1) <= lost { throw .interrupted("lost") }
      return answer
    }
    let time = ManualClock()
    var configuration = RemoteConfiguration()
    configuration.clock = time.clock
    configuration.random = { 1 }
    let remote = Remote(context, mapper: mapper, transport: transport, configuration: configuration)
    let notes = Resource(recipe) { baseURL }
    let kept = keep
    let sender = SendingSystem(remote, [notes], isKept: { try kept() })
    let loop = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "TwinTests"), systems: [sender])
    return Client(
      context: context, time: time, remote: remote, notes: notes, sender: sender, loop: loop,
      transport: transport, keep: keep)
  }

  private func tell(_ client: Client, _ way: Way) async throws {
    switch way {
    case .list: _ = try await client.remote.list(client.notes)
    case .fetch: try await client.remote.fetch(key: 1, as: client.notes)
    case .feed:
      let owner = client.remote.feed(named: "feed")
      let feed = RemoteFeed(of: client.notes, named: "feed") {
        baseURL.appendingPathComponent("events")
      }
      let task = Task { try await client.remote.follow(feed) }
      while owner.get(RemoteFeedPosition.self)?.lastID != "1" { await pause() }
      task.cancel()
      _ = try? await task.value
    }
  }

  @Test(arguments: Keeper.allCases, Way.allCases)
  func `What the server has made and not answered is one, and nothing waits for it`(
    _ keeper: Keeper, _ way: Way
  ) async throws {
    for isChanged in [false, true] {
      // The server would make it again.
      let server = PostServer(knowsNames: false)
      let client = try client(keeper, server)
      let milk = client.note("Milk", "a")
      await client.settled()
      expectTrue(server.made == 1 && client.mutations == 1)
      if isChanged { server.change(1, "stars", 5) }
      try await tell(client, way)
      expectTrue(client.found == [milk] && milk.get(PostID.self)?.value == 1)
      expectEqual(milk.get(Post.self), Post(title: "Milk", stars: isChanged ? 5 : 0))
      expectTrue(client.mutations == 0 && !milk.has(RemoteState.Unsent.cid))
      try client.keep()
      let eggs = client.note("Eggs", "b")
      await client.settledLater()
      expectTrue(eggs.get(PostID.self)?.value == 2 && server.made == 2)
      expectTrue(!milk.has(RemoteDraft.cid) && !milk.has(RemoteState.Failed.cid))
      client.loop.cancel()
    }
  }

  @Test(arguments: Keeper.allCases)
  func `What was edited since is merged, and sent as a change`(_ keeper: Keeper) async throws {
    let server = PostServer(knowsNames: false)
    let client = try client(keeper, server)
    let milk = client.note("Milk", "a")
    await client.settled()
    client.context.perform {
      milk.update(Post.self) { $0.title = "Oat milk" }
      client.remote.saveLater(milk, as: client.notes)
    }
    server.change(1, "stars", 5)
    try await expectEqual(client.remote.list(client.notes), [milk])
    expectEqual(milk.get(Post.self), Post(title: "Oat milk", stars: 5))
    server.change(1, "stars", 6)
    await client.settledLater()
    expectTrue(server.rows.count == 1 && server.rows[1]?.fields["title"] == "Oat milk")
    expectTrue(server.rows[1]?.fields["stars"] == 6 && client.mutations == 0)
  }

  @Test(arguments: Keeper.allCases)
  func `What was deleted meanwhile does not come back`(_ keeper: Keeper) async throws {
    let server = PostServer(knowsNames: false)
    let client = try client(keeper, server)
    let milk = client.note("Milk", "a")
    await client.settled()
    client.remote.deleteLater(milk, as: client.notes)
    try await expectTrue(client.remote.list(client.notes).isEmpty)
    expectTrue(client.found.isEmpty)
    await client.settledLater()
    expectTrue(server.rows.isEmpty && client.mutations == 0 && server.made == 1)
  }

  @Test(arguments: Keeper.allCases)
  func `What has come to the server in another way is changed, and not made again`(_ keeper: Keeper)
    async throws
  {
    let server = PostServer()
    let client = try client(keeper, server, losing: 0)
    server.insert(["title": "Other", "tag": "z"])
    client.context.setUniqueComponent(Connectivity(isReachable: false))
    let milk = client.note("Milk", "a")
    // It is kept on another device, which has sent it.
    server.insert(["title": "Milk there", "tag": "a", "stars": 3])
    let listed = try await client.remote.list(client.notes)
    expectTrue(listed.count == 2 && listed.last == milk && client.found.count == 2)
    expectTrue(milk.get(PostID.self)?.value == 2 && milk.get(Post.self)?.title == "Milk")
    client.context.setUniqueComponent(Connectivity(isReachable: true))
    await client.settled()
    expectTrue(server.made == 0 && server.rows[2]?.fields["title"] == "Milk")
    expectTrue(server.rows.count == 2 && client.mutations == 0)
  }

  @Test func `Without a key of the client there is a second one until the server has answered`()
    async throws
  {
    let server = PostServer()
    let client = try client(nil, server)
    let milk = client.note("Milk", "a")
    await client.settled()
    try await expectNotEqual(client.remote.list(client.notes), [milk])
    await client.settledLater()
    expectTrue(client.found == [milk] && milk.get(PostID.self)?.value == 1)
  }

  #if SQLite
    @Test func `An entity that can't be kept holds up itself only`() async throws {
      let server = PostServer()
      let table = try Table("note", key: \Tag.value) {
        Fields(of: Tag()) { Field(\.value, at: "tag") }
        Fields(of: Post()) { Field(\.title, at: "title") }
      }
      let mutations = try Table(RemoteMutation.recipe, key: \RemoteMutation.id)
      let session = try Store(
        at: .memory,
        schema: ECSStore.Schema {
          table
          mutations
        }
      ).session()
      let desk = try Outpost(
        server, in: session.context, isKept: { try session.saveWhatFits() })
      func write(_ title: String, _ tag: String) -> Entity {
        desk.context.perform {
          let post = desk.context.createEntity(with: Post(title: title), Tag(value: tag))
          desk.remote.saveLater(post, as: desk.posts)
          return post
        }
      }
      let posts = [write("A", "a"), write("B", "a"), write("C", "c")]
      await desk.settled()
      expectEqual(server.rows.values.map { $0.fields["title"] ?? .null }.count, 2)
      expectTrue(posts.filter { $0.has(PostID.cid) }.count == 2 && posts[2].has(PostID.cid))
      let held = try #require(posts.first { !$0.has(PostID.cid) })
      expectTrue(held.has(RemoteState.Failed.cid) && desk.mutations.count == 1)
      #expect(throws: UnsavedEntities.self) { try session.saveWhatFits() }
      #expect(throws: StoreError.self) { try session.save() }
      held.update(Tag.self) { $0.value = "b" }
      desk.time.advance(by: .seconds(30))
      await desk.settled()
      expectTrue(held.has(PostID.cid) && desk.mutations.isEmpty && server.rows.count == 3)
      try session.save()
    }
  #endif
}
