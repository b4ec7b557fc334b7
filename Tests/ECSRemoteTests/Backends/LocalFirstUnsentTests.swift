import Dispatch
import ECS
import ECSLocalStorage
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Testing

#if SQLite
  import ECSStore
#endif

/// What is kept here is older than what waits to be sent.
@Suite(.noHangs, .ownThread) struct LocalFirstUnsentTests {
  /// A process with a storage and a server.
  private struct Process {
    let context = Context()
    let remote: RemoteBackend
    let backend: LocalFirstBackend<StorageBackend, RemoteBackend>

    init(_ storage: any KeyValueStorage, _ server: ShelfServer) throws {
      remote = try server.backend(context)
      let noted = try KeptList(RemoteMutation.recipe, in: storage, remote.mapper)
      backend = LocalFirstBackend(
        StorageBackend(storage, try makeVolumes(), remote.mapper, with: [noted]), then: remote
      ) { _ in }
    }

    /// A volume that both sides have; what is noted from now on waits.
    func saveAndGoAway() async throws -> Entity {
      let entity = context.createEntity(with: VolumeID(value: "a"), Volume(title: "A"))
      try await backend.save(entity)
      context.setUniqueComponent(Connectivity(isReachable: false))
      return entity
    }

    var noted: Int { context.group(RemoteMutation.matcher).count }

    /// Sends what waits.
    func send() async {
      let sender = SendingSystem(remote.remote, [remote.resource])
      let loop = ReactiveLoop(
        ctx: context, queue: DispatchQueue(label: "LocalFirstUnsent"), systems: [sender])
      context.setUniqueComponent(Connectivity(isReachable: true))
      loop.runUntilSettled()
      await sender.settled()
      loop.cancel()
    }
  }

  private func title(_ entity: Entity) -> String? { entity.get(Volume.self)?.title }

  @Test(arguments: ["list", "fetch", "key"], [false, true])
  func `Reading leaves what was edited and noted, and it is sent`(_ way: String, _ isAway: Bool)
    async throws
  {
    let (storage, server) = (MemoryStorage(), ShelfServer())
    let process = try Process(storage, server)
    let entity = try await process.saveAndGoAway()
    process.context.perform {
      entity.update(Volume.self) { $0.title = "A2" }
      expectTrue(process.backend.saveLater(entity))
    }
    server.isFailing = isAway ? .error(.notConnected("away")) : nil
    switch way {
    case "list": try await expectEqual(process.backend.list(), [entity])
    case "fetch": try await expectEqual(process.backend.fetch(entity), .unchanged)
    default: try await expectEqual(process.backend.fetch(key: "a"), entity)
    }
    expectTrue(title(entity) == "A2" && process.noted == 1)
    server.isFailing = nil
    await process.send()
    expectTrue(server.rows["a"]?["title"] == "A2" && process.noted == 0)
  }

  @Test func `What others have changed is not taken back by what is kept here`() async throws {
    let (storage, server) = (MemoryStorage(), ShelfServer())
    let process = try Process(storage, server)
    let entity = process.context.createEntity(
      with: VolumeID(value: "a"), Volume(title: "A", pages: 1))
    try await process.backend.save(entity)
    process.context.setUniqueComponent(Connectivity(isReachable: false))
    server.isFailing = .error(.notConnected("away"))
    entity.update(Volume.self) { $0.title = "A2" }
    try await process.backend.save(entity)
    // Another program gets it, and it is not kept here.
    server.isFailing = nil
    server.rows["a"] = ["isbn": "a", "title": "A", "pages": 2]
    try await process.remote.fetch(entity)
    expectEqual(entity.get(Volume.self), Volume(title: "A2", pages: 2))
    server.isFailing = .error(.notConnected("away"))
    _ = try await process.backend.list()
    try await process.backend.fetch(entity)
    expectEqual(entity.get(Volume.self), Volume(title: "A2", pages: 2))
    server.isFailing = nil
    await process.send()
    expectEqual(server.rows["a"], ["isbn": "a", "title": "A2", "pages": 2])
  }

  @Test(arguments: [false, true])
  func `What was deleted and noted is not made again of what is kept here`(_ isAway: Bool)
    async throws
  {
    let (storage, server) = (MemoryStorage(), ShelfServer())
    let process = try Process(storage, server)
    let entity = try await process.saveAndGoAway()
    expectTrue(process.backend.deleteLater(entity))
    server.isFailing = isAway ? .error(.notConnected("away")) : nil
    try await expectEqual(process.backend.list(), [])
    expectTrue(process.context.group(Volume.matcher).isEmpty && process.noted == 1)
  }

  // MARK: Entities without keys

  /// It is noted, and not kept here, which is no success.
  private func expectMissingKey(_ save: () async throws -> RecipeOutcome) async {
    do {
      _ = try await save()
      Issue.record("it was said to be kept")
    } catch {
      let error = error as? BackendError
      expectTrue(error?.reason == .missingKey && error?.half == .local)
    }
  }

  @Test func `What is noted of an entity without a key is kept, and made by the next process`()
    async throws
  {
    let (storage, server) = (MemoryStorage(), ShelfServer())
    var process = try Process(storage, server)
    server.isFailing = .error(.notConnected("away"))
    await expectMissingKey {
      try await process.backend.save(process.context.createEntity(with: Volume(title: "A")))
    }
    try expectEqual(storage.value(for: "remote_mutation[]")?.array?.count, 1)
    server.isFailing = nil
    process = try Process(storage, server)
    await process.send()
    expectEqual(server.rows.values.map { $0["title"] }, ["A"])
  }

  @Test func `What is deleted before it has a key is not made by the next process`()
    async throws
  {
    let (storage, server) = (MemoryStorage(), ShelfServer())
    var process = try Process(storage, server)
    server.isFailing = .error(.notConnected("away"))
    let entity = process.context.createEntity(with: Volume(title: "A"))
    let other = process.context.createEntity(with: VolumeID(value: "b"), Volume(title: "B"))
    await expectMissingKey { try await process.backend.save(entity) }
    try await process.backend.save(other)
    try expectEqual(storage.value(for: "remote_mutation[]")?.array?.count, 2)
    try await process.backend.delete(entity)
    try expectEqual(storage.value(for: "remote_mutation[]")?.array?.count, 1)
    server.isFailing = nil
    process = try Process(storage, server)
    await process.send()
    expectEqual(server.rows.keys.sorted(), ["b"])
  }

  @Test func `A key that is kept here only is deleted later, like its entity`() async throws {
    let (storage, server) = (MemoryStorage(), ShelfServer())
    var process = try Process(storage, server)
    let entity = process.context.createEntity(with: VolumeID(value: "a"), Volume(title: "A"))
    try await process.backend.save(entity)
    process = try Process(storage, server)
    process.context.setUniqueComponent(Connectivity(isReachable: false))
    server.isFailing = .error(.notConnected("away"))
    try await process.backend.delete(key: "a")
    try expectTrue(storage.keys() == ["remote_mutation[]"] && process.noted == 1)
    expectTrue(process.context.group(Volume.matcher).isEmpty)
    server.isFailing = nil
    await process.send()
    expectTrue(server.rows.isEmpty)
    // What is nowhere can't be deleted later.
    server.isFailing = .error(.notConnected("away"))
    await #expect(throws: BackendError.self) { try await process.backend.delete(key: "b") }
  }

  #if SQLite
    @Test func `A row does not overwrite what was edited and noted`() async throws {
      let world = try BackendWorld(.store)
      let session = try world.store.session(merging: .manual)
      let remote = try world.server.backend(session.context)
      let backend = LocalFirstBackend(StoreBackend(session, world.table), then: remote) { _ in }
      let entity = session.context.createEntity(with: VolumeID(value: "a"), Volume(title: "A"))
      try await backend.save(entity)
      session.context.perform {
        entity.update(Volume.self) { $0.title = "A2" }
        expectTrue(backend.saveLater(entity))
      }
      try await backend.fetch(entity)
      expectEqual(title(entity), "A2")
      try await expectEqual(backend.fetch(key: "a"), entity)
      try await expectEqual(backend.list(), [entity])
      expectEqual(title(entity), "A2")
    }
  #endif
}
