#if SQLite
  import Dispatch
  import ECS
  import ECSRecipes
  import ECSRemote
  import ECSStore
  import ECSTestSupport
  import Foundation
  import Testing

  /// The program of the article about working offline, with a store: it is killed twice, and goes
  /// on.
  @Suite(.noHangs, .ownThread) struct OfflineProgramTests {
    struct LocalNote: Component { var number: Int64 = 0 }
    struct NoteID: Component { var value = 0 }
    struct Note: Component, Equatable {
      var title = ""
      var stars = 0
    }

    private struct Program {
      let store: Store
      let session: StoreSession
      let remote: Remote
      let notes: Resource
      var context: Context { session.context }

      init(_ path: String, _ server: any HTTPTransport) throws {
        let recipe = try Recipe("note") {
          Identity(\NoteID.value, at: "id", of: NoteID())
          Fields(of: Note()) {
            Field(\.title, at: "title")
            Field(\.stars, at: "stars")
          }
        }
        // The server's key is one field among others.
        let table = try Table(
          "note", of: Note.self, generatedKey: \LocalNote.number, in: LocalNote()
        ) {
          Fields(of: NoteID()) { Field(\.value, at: "server_id") }
          Fields(of: Note()) {
            Field(\.title, at: "title")
            Field(\.stars, at: "stars")
          }
          Fields(of: RemoteDraft()) { RemoteDraft.fields }
          Fields(of: ServerCopy()) { ServerCopy.fields }
        }
        let mutations = try Table(RemoteMutation.recipe, key: \RemoteMutation.id)
        let schema = try ECSStore.Schema {
          table
          mutations
        }
        store = try Store(at: .file(URL(fileURLWithPath: path)), schema: schema)
        session = try store.session()
        let address = URL(string: "http://notes.example/notes") ?? URL(fileURLWithPath: "/")
        notes = Resource(recipe, update: .patching) { address }
        remote = Remote(session.context, transport: server)
      }

      var note: Entity? { context.group(Note.matcher).sorted().first }

      func send() async throws {
        let sender = SendingSystem(remote, [notes], isKept: { [session] in try session.save() })
        let loop = ReactiveLoop(
          ctx: context, queue: DispatchQueue(label: "OfflineProgram"), systems: [sender])
        await loop.settled()
        await sender.settled()
        loop.cancel()
        try session.save()
      }
    }

    /// Ends the process as nothing else does: no code of it runs any more.
    private static func end() { kill(getpid(), SIGKILL) }

    @Test
    func `A note that was made offline is kept, sent and known after each end of the process`()
      async throws
    {
      let path = FileManager.default.temporaryDirectory
        .appendingPathComponent("offline-\(UUID()).sqlite").path
      defer {
        for suffix in ["", "-wal", "-shm", ".name"] {
          try? FileManager.default.removeItem(atPath: path + suffix)
        }
      }
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
        let program = try Program(path, StubTransport { _ in HTTPResponse(503) })
        program.context.setUniqueComponent(Connectivity(isReachable: false))
        program.context.perform {
          let note = program.context.createEntity(with: Note(title: "Milk"))
          program.remote.saveLater(note, as: program.notes)
        }
        try program.session.save()
        OfflineProgramTests.end()
      }
      // The server makes it, and the process ends before it hears of that.
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
        let program = try Program(
          path,
          StubTransport { request in
            let name = request.headers["Idempotency-Key"] ?? ""
            try? Data(name.utf8).write(to: URL(fileURLWithPath: path + ".name"))
            OfflineProgramTests.end()
            return HTTPResponse(201)
          })
        expectEqual(program.note?.get(Note.self), Note(title: "Milk"))
        try await program.send()
      }
      let server = StubTransport { request in
        request.method == .post
          ? HTTPResponse(201, headers: ["ETag": #""1""#], body: Data(#"{"id":7}"#.utf8))
          : HTTPResponse(204)
      }
      let program = try Program(path, server)
      let note = try #require(program.note)
      expectNil(note.get(NoteID.self))
      expectEqual(program.context.group(RemoteMutation.matcher).count, 1)
      try await program.send()
      try expectEqual(
        server.requests.map { $0.headers["Idempotency-Key"] ?? "" },
        [String(contentsOfFile: path + ".name", encoding: .utf8)])
      expectTrue(note.get(NoteID.self)?.value == 7 && !note.has(RemoteState.Unsent.self))
      try program.store.close()

      let later = try Program(path, server)
      let known = try #require(later.note)
      expectTrue(known.get(NoteID.self)?.value == 7 && known.get(Note.self) == Note(title: "Milk"))
      expectTrue(later.context.group(RemoteMutation.matcher).isEmpty)
      later.context.perform {
        known.update(Note.self) { $0.stars = 5 }
        later.remote.saveLater(known, as: later.notes)
      }
      try await later.send()
      expectEqual(server.requests.map { "\($0.method)" }.last, "PATCH")
      expectEqual(server.requests.last?.headers["If-Match"], #""1""#)
      try later.store.close()
    }
  }
#endif
