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
      #expect(!session.hasChanges)
      let other = try world.store.session()
      let noted = other.context.group(RemoteMutation.matcher).sorted()
      #expect(noted.compactMap { $0.get(RemoteMutation.self)?.key } == ["a"])
      try await backend.delete(entity)
      try other.refresh()
      #expect(other.context.group(Volume.matcher).isEmpty)
      #expect(
        other.context.group(RemoteMutation.matcher).compactMap {
          $0.get(RemoteMutation.self)?.kind
        } == [.delete])
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
        #expect(error.reason == .refused && error.underlying is StoreError && error.half == nil)
      }
      #expect(entity.get(Volume.self)?.title == "B" && session.hasChanges)
    }
  }
#endif
