#if SQLite
  import ECS
  import ECSRecipes
  import ECSRemote
  import ECSStore
  import ECSTestSupport
  import Testing

  @Suite(.noHangs, .ownThread) struct StoredFirstTests {
    @Test func `A store keeps what is noted for later with what it is about`() async throws {
      let world = try BackendWorld(.store)
      let session = try world.store.session()
      let remote = try world.server.backend(session.context)
      let backend = LocalFirstBackend(StoreBackend(session, world.table), then: remote) { _ in }
      world.server.isFailing = .error(.notConnected("away"))
      let entity = session.context.createEntity(
        with: VolumeID(value: "a"), Volume(title: "Flatland"))
      try await backend.save(entity)
      expectFalse(session.hasChanges)
      let other = try world.store.session()
      let noted = other.context.group(RemoteMutation.matcher).sorted()
      expectEqual(noted.compactMap { $0.get(RemoteMutation.self)?.key }, ["a"])
      try await backend.delete(entity)
      try other.refresh()
      expectTrue(other.context.group(Volume.matcher).isEmpty)
      expectEqual(
        other.context.group(RemoteMutation.matcher).compactMap {
          $0.get(RemoteMutation.self)?.kind
        }, [.delete])
    }

    @Test(arguments: [true, false])
    func `Without the server, a store that needs a key does not pass for having kept a new entity`(
      _ isNamed: Bool
    ) async throws {
      let recipe = try makeVolumes()
      let named = try Table(recipe, of: Volume.self, key: \VolumeID.value)
      let found = try Table(recipe, key: \VolumeID.value)
      let mutations = try Table(RemoteMutation.recipe, key: \RemoteMutation.id)
      let schema = try ECSStore.Schema {
        if isNamed { named }
        if !isNamed { found }
        mutations
      }
      let (store, server) = (try Store(at: .memory, schema: schema), ShelfServer())
      let session = try store.session()
      let remote = try server.backend(session.context)
      let kept: any EntityBackend =
        isNamed
        ? LocalFirstBackend(StoreBackend(session, named), then: remote) { _ in }
        : LocalFirstBackend(StoreBackend(session, found), then: remote) { _ in }
      server.isFailing = .error(.notConnected("away"))
      let entity = session.context.createEntity(with: Volume(title: "Flatland"))
      for _ in 0..<2 {
        do throws(BackendError) {
          try await kept.save(entity)
          Issue.record("it was said to be kept")
        } catch {
          expectTrue(error.reason == .missingKey && error.half == .local)
        }
        expectTrue(session.hasChanges && entity.has(Volume.self))
        let next = try store.session()
        expectTrue(next.context.group(Volume.matcher).isEmpty)
        expectEqual(next.context.group(RemoteMutation.matcher).count, 1)
      }
      // With a key that is made here, it is kept.
      session.context.createEntity(with: VolumeID(value: "a"), Volume(title: "A"))
      entity.set(VolumeID(value: "b"))
      try await kept.save(entity)
      expectFalse(session.hasChanges)
      let last = try store.session()
      expectEqual(last.context.group(Volume.matcher).count, 2)
    }

    @Test func `A row that can't be saved is told, and what was edited is still here`()
      async throws
    {
      let world = try BackendWorld(.store)
      let session = try world.store.session()
      let backend = StoreBackend(session, world.table)
      let entity = session.context.createEntity(with: VolumeID(value: "a"), Volume(title: "A"))
      try await backend.save(entity)
      session.context.createEntity(with: VolumeID(value: "a"), Volume(title: "again"))
      entity.update(Volume.self) { $0.title = "B" }
      do throws(BackendError) {
        try await backend.save(entity)
        Issue.record("it was saved")
      } catch {
        expectTrue(error.reason == .refused && error.underlying is StoreError && error.half == nil)
      }
      expectTrue(entity.get(Volume.self)?.title == "B" && session.hasChanges)
    }
  }
#endif
