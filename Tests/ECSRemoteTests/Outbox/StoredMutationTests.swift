#if SQLite
  import ECS
  import ECSRecipes
  import ECSRemote
  import ECSStore
  import ECSTestSupport
  import Foundation
  import Testing

  @Suite(.noHangs, .ownThread) struct StoredMutationTests {
    private func open(_ file: URL) throws -> (Store, StoreSession) {
      let posts = try Recipe("post") {
        Identity(\LocalNumber.value, at: "number", of: LocalNumber())
        Fields(of: PostID()) { Field(\.value, at: "id") }
        Fields(of: Post()) {
          Field(\.title, at: "title")
          Field(\.text, at: "text")
          Field(\.stars, at: "stars")
        }
        Fields(of: RemoteDraft()) { RemoteDraft.fields }
        Fields(of: ServerCopy()) { ServerCopy.fields }
      }
      let table = try Table(posts, key: \LocalNumber.value)
      let mutations = try Table(RemoteMutation.recipe, key: \RemoteMutation.id)
      let schema = try StoreSchema {
        table
        mutations
      }
      let store = try Store(at: .file(file), schema: schema)
      return (store, try store.session())
    }

    private func desk(
      _ session: StoreSession, _ server: PostServer, _ faults: Faults = Faults([])
    ) throws -> Outpost {
      try Outpost(
        server, in: session.context, isKept: { try session.save() },
        transport: { request async throws(TransportError) -> HTTPResponse in
          try faults.answer(request, server)
        })
    }

    @Test func `A store keeps what was not sent, and another process sends it, once`()
      async throws
    {
      let file = FileManager.default.temporaryDirectory
        .appendingPathComponent("mutations-\(UUID()).sqlite")
      defer { try? FileManager.default.removeItem(at: file) }
      let server = PostServer()
      // The server makes it, and the answer is lost.
      var (store, session) = try open(file)
      var desk = try desk(session, server, Faults([.errorAfter(.timedOut)]))
      let post = session.context.perform {
        let post = session.context.createEntity(with: Post(title: "A"), LocalNumber(value: 1))
        desk.remote.saveLater(post, as: desk.posts)
        return post
      }
      await desk.settled()
      desk.edit(post) { $0.stars = 2 }
      expectTrue(server.made == 1 && desk.mutations.map(\.attempts) == [1, 0])
      let name = desk.transport.requests.first?.headers["Idempotency-Key"]
      try session.save()
      desk.loop.cancel()
      try store.close(savesChanges: false)

      (store, session) = try open(file)
      // Before there is a loop, which sends at once.
      let again = try #require(session.context.group(Post.matcher).first)
      expectTrue(again.has(RemoteDraft.cid) && !again.has(PostID.cid))
      desk = try self.desk(session, server)
      await desk.settled()
      expectEqual(desk.transport.requests.first?.headers["Idempotency-Key"], name)
      expectTrue(server.made == 1 && server.rows[1]?.fields["stars"] == 2)
      expectTrue(again.get(PostID.self)?.value == 1 && desk.mutations.isEmpty)
      try session.save()
      desk.loop.cancel()
      try store.close(savesChanges: false)

      // What the server has is known after a restart, so that only what changed is sent.
      (store, session) = try open(file)
      desk = try self.desk(session, server)
      let last = try #require(session.context.group(Post.matcher).first)
      expectTrue(!last.has(RemoteDraft.cid) && desk.mutations.isEmpty)
      desk.edit(last) { $0.title = "B" }
      await desk.settled()
      expectEqual(desk.lines, [#"PATCH http://api.example/v1/posts/1 {"title":"B"}"#])
      expectEqual(desk.transport.requests.first?.headers["If-Match"], "\"2\"")
      desk.loop.cancel()
      try store.close(savesChanges: false)
    }
  }
#endif
