import Dispatch
import ECS
import ECSLocalStorage
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Testing

@Suite(.noHangs, .ownThread) struct KeptListTests {
  /// A process with a storage and a server.
  private struct Process {
    let context = Context()
    let backend: LocalFirstBackend<StorageBackend, RemoteBackend>
    let noted: KeptList
    let sender: SendingSystem
    let loop: ReactiveLoop

    init(_ storage: any KeyValueStorage, _ server: ShelfServer) throws {
      let remote = try server.backend(context)
      let noted = try KeptList(RemoteMutation.recipe, in: storage, remote.mapper)
      backend = LocalFirstBackend(
        StorageBackend(storage, try makeVolumes(), remote.mapper, with: [noted]), then: remote
      ) { _ in }
      let sender = SendingSystem(
        remote.remote, [remote.resource], isKept: { try noted.save() })
      (self.noted, self.sender) = (noted, sender)
      loop = ReactiveLoop(
        ctx: context, queue: DispatchQueue(label: "KeptList"), systems: [noted, sender])
    }
  }

  @Test func `What was noted beside a storage is sent by the next process, once`() async throws {
    let (storage, server) = (MemoryStorage(), ShelfServer())
    server.rows["a"] = ["isbn": "a", "title": "A", "pages": 1]
    var process = try Process(storage, server)
    process.context.setUniqueComponent(Connectivity(isReachable: false))
    let entity = try await process.backend.fetch(key: "a")
    let other = process.context.createEntity(with: VolumeID(value: "b"), Volume(title: "B"))
    try await process.backend.save(other)
    server.isFailing = .error(.notConnected("away"))
    entity.update(Volume.self) { $0.title = "A2" }
    try await process.backend.save(entity)
    try await process.backend.delete(other)
    try expectEqual(storage.value(for: "remote_mutation[]")?.array?.count, 2)
    try expectEqual(storage.keys(), ["remote_mutation[]", "volume/a"])
    process.loop.cancel()

    // The server does not bring back what was deleted, nor take back what was edited.
    server.isFailing = nil
    process = try Process(storage, server)
    let list = try await process.backend.list()
    expectEqual(list.compactMap { $0.get(Volume.self)?.title }, ["A2"])
    process.loop.runUntilSettled()
    await process.sender.settled()
    expectTrue(server.rows.count == 1 && server.rows["a"]?["title"] == "A2")
    process.loop.runUntilSettled()
    try expectEqual(storage.value(for: "remote_mutation[]"), .array([]))
    process.loop.cancel()

    let requests = server.requests.count
    process = try Process(storage, server)
    process.loop.runUntilSettled()
    await process.sender.settled()
    expectEqual(server.requests.count, requests)
    process.loop.cancel()
  }

  @Test func `A list that does not fit is told, and nothing is made of it`() throws {
    let storage = MemoryStorage()
    try storage.set([["isbn": "a", "title": "A", "pages": 1], ["isbn": 7]], for: "volume[]")
    let context = Context()
    #expect(throws: StorageError.self) {
      try KeptList(makeVolumes(), in: storage, Mapper(context))
    }
    expectTrue(context.group(Volume.matcher).isEmpty)
    try storage.set([["isbn": "a", "title": "A", "pages": 1]], for: "mine")
    let list = try KeptList(makeVolumes(), in: storage, Mapper(context), key: "mine")
    expectEqual(context.group(Volume.matcher).count, 1)
    context.createEntity(with: VolumeID(value: "b"), Volume(title: "B"))
    try list.save()
    try expectEqual(storage.value(for: "mine")?.array?.count, 2)
  }

  private struct NoteID: Component { var value = 0 }
  private struct Note: Component { var text = "" }
  private struct Label: Component { var text = "" }
  private enum LabelledBy: ToOneRelation {}

  @Test func `A list is kept when any component, nested entity or link of it changes`() throws {
    let (context, storage) = (Context(), MemoryStorage())
    let labels = try Recipe("label") { Fields(of: Label()) { Field(\.text, at: "text") } }
    let notes = try Recipe("note") {
      Identity(\NoteID.value, at: "id", of: NoteID())
      Fields(of: Note()) { Field(\.text, at: "text") }
      Nested(one: labels, at: "label", through: .targets(of: LabelledBy.self))
    }
    let list = try KeptList(notes, in: storage, Mapper(context))
    let loop = ReactiveLoop(ctx: context, queue: DispatchQueue(label: "notes"), systems: [list])
    func kept() throws -> String? {
      loop.runUntilSettled()
      return try storage.value(for: "note[]")?[0]?.json()
    }
    let note = context.createEntity(with: NoteID(value: 1))
    try expectEqual(kept(), #"{"id":1,"label":null}"#)
    note.set(Note(text: "a"))
    try expectEqual(kept(), #"{"id":1,"text":"a","label":null}"#)
    note.set(Note(text: "b"))
    try expectEqual(kept(), #"{"id":1,"text":"b","label":null}"#)
    let label = context.createEntity(with: Label(text: "new"))
    note.relate(LabelledBy.self, to: label)
    try expectEqual(kept(), #"{"id":1,"text":"b","label":{"text":"new"}}"#)
    label.set(Label(text: "old"))
    try expectEqual(kept(), #"{"id":1,"text":"b","label":{"text":"old"}}"#)
    note.unrelate(LabelledBy.self, from: label)
    try expectEqual(kept(), #"{"id":1,"text":"b","label":null}"#)
    note.destroy()
    try expectNil(kept())
    loop.cancel()
  }
}
