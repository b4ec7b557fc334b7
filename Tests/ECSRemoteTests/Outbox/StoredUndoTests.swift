#if SQLite
  import ECS
  import ECSHistory
  import ECSRecipes
  import ECSRemote
  import ECSStore
  import ECSTestSupport
  import Foundation
  import Testing

  @Suite(.noHangs, .ownThread) struct StoredUndoTests {
    /// A process: a store with posts and mutations, steps that the outbox follows, a server.
    private struct Program {
      let store: Store
      let session: StoreSession
      let desk: Outpost
      let history: UndoHistory
      let notes: Subscription
      var post: Entity? { session.context.group(Post.matcher).first }

      init(_ file: URL, _ server: PostServer, isReachable: Bool) throws {
        let posts = try Table("post", key: \Post.title) {
          Fields(of: Post()) {
            Field(\.title, at: "title")
            Field(\.text, at: "text")
            Field(\.stars, at: "stars")
          }
          Fields(of: PostID()) { Field(\.value, at: "id") }
          Fields(of: RemoteDraft()) { RemoteDraft.fields }
          Fields(of: ServerCopy()) { ServerCopy.fields }
        }
        let mutations = try Table(RemoteMutation.recipe, key: \RemoteMutation.id)
        store = try Store(
          at: .file(file),
          schema: StoreSchema {
            posts
            mutations
          })
        let session = try store.session()
        self.session = session
        session.context.setUniqueComponent(Connectivity(isReachable: isReachable))
        let desk = try Outpost(server, in: session.context, isKept: { try session.save() })
        self.desk = desk
        history = UndoHistory(session.context, of: Post.self)
        notes = history.observeSteps(of: session.context.group(Post.self)) {
          desk.remote.changeLater($0, as: desk.posts)
        }
      }

      /// Ends as a process that is killed after a save.
      func end() throws {
        try session.save()
        desk.loop.cancel()
        try store.close(savesChanges: false)
      }
    }

    private func rate(_ program: Program, _ stars: Int) {
      program.history.group("Rate") { program.post?.update(Post.self) { $0.stars = stars } }
    }

    @Test func `steps and what they note are kept together, and the next process goes on`()
      async throws
    {
      let file = FileManager.default.temporaryDirectory
        .appendingPathComponent("undo-\(UUID()).sqlite")
      defer {
        for suffix in ["", "-wal", "-shm"] {
          try? FileManager.default.removeItem(atPath: file.path + suffix)
        }
      }
      let server = PostServer()
      // Made offline, undone and redone; the process ends.
      var program = try Program(file, server, isReachable: false)
      program.history.group("Add") {
        program.session.context.createEntity(with: Post(title: "A"))
      }
      try program.history.undo()
      try expectEqual(program.session.save().inserted, 0)
      try program.history.redo()
      try expectEqual(program.session.save().inserted, 2)
      try program.end()
      // The next one sends it, and edits it offline.
      program = try Program(file, server, isReachable: true)
      try expectNil(program.history.undo())
      await program.desk.settled()
      expectTrue(server.made == 1 && program.post?.get(PostID.self)?.value == 1)
      program.session.context.setUniqueComponent(Connectivity(isReachable: false))
      rate(program, 5)
      try program.end()
      // A step back by hand is the same as what the server has: nothing is sent.
      program = try Program(file, server, isReachable: false)
      rate(program, 0)
      program.history.group("Delete") { program.post?.destroy() }
      try program.history.undo()
      expectEqual(program.post?.get(PostID.self)?.value, 1)
      try program.session.save()
      program.session.context.setUniqueComponent(Connectivity(isReachable: true))
      await program.desk.settled()
      expectTrue(program.desk.transport.requests.isEmpty && program.desk.mutations.isEmpty)
      program.session.context.setUniqueComponent(Connectivity(isReachable: false))
      program.history.group("Delete") { program.post?.destroy() }
      try program.end()
      // What was deleted in the process before is not undone any more, and is deleted.
      program = try Program(file, server, isReachable: true)
      expectNil(program.post)
      await program.desk.settled()
      expectTrue(server.rows.isEmpty && program.desk.mutations.isEmpty)
      try program.end()
    }

    @Test func `what a rollback takes back is no step`() throws {
      let file = FileManager.default.temporaryDirectory
        .appendingPathComponent("undo-\(UUID()).sqlite")
      defer {
        for suffix in ["", "-wal", "-shm"] {
          try? FileManager.default.removeItem(atPath: file.path + suffix)
        }
      }
      let program = try Program(file, PostServer(), isReachable: false)
      program.history.group("Add") {
        program.session.context.createEntity(with: Post(title: "A"))
      }
      program.session.rollback()
      expectTrue(program.post == nil && program.desk.mutations.isEmpty)
      try program.end()
    }
  }
#endif
