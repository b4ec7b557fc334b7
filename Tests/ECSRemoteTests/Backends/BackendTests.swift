import ECS
import ECSRecipes
import ECSTestSupport
import Testing

/// One model, written once, with each of the back ends.
@Suite(.noHangs, .ownThread) struct BackendTests {
  private func volume(
    _ backend: any EntityBackend, _ key: String, _ title: String, _ pages: Int = 1
  ) -> Entity {
    backend.context.createEntity(
      with: VolumeID(value: key), Volume(title: title, pages: pages))
  }

  private func title(_ entity: Entity) -> String? { entity.get(Volume.self)?.title }

  private func reason(
    _ body: () async throws -> Void
  ) async -> BackendError.Reason? {
    do {
      try await body()
    } catch {
      return (error as? BackendError)?.reason
    }
    return nil
  }

  @Test(arguments: BackendKind.allCases)
  func `What one has saved, another one fetches, edits and saves`(_ kind: BackendKind)
    async throws
  {
    let world = try BackendWorld(kind)
    defer { withExtendedLifetime(world) {} }
    let (here, there) = (try world.backend(), try world.backend())
    let first = volume(here, "a", "Flatland", 96)
    let second = volume(here, "b", "Emma", 512)
    try await here.save(first)
    try await here.save([first, second])
    let copy = try await there.fetch(key: "a")
    expectEqual(copy.get(Volume.self), Volume(title: "Flatland", pages: 96))
    let again = try await there.fetch(key: "a")
    expectEqual(again, copy)
    copy.update(Volume.self) { $0.pages = 97 }
    try await there.save(copy)
    try await expectEqual(here.fetch(first), .updated)
    expectEqual(first.get(Volume.self)?.pages, 97)
    try await expectEqual(here.fetch(first), .unchanged)
    let all = try await there.list()
    expectEqual(all.compactMap { $0.get(VolumeID.self)?.value }.sorted(), ["a", "b"])
    expectTrue(all.contains(copy))
  }

  @Test(arguments: BackendKind.allCases)
  func `What is fetched a second time notifies nobody`(_ kind: BackendKind) async throws {
    let world = try BackendWorld(kind)
    defer { withExtendedLifetime(world) {} }
    let (here, there) = (try world.backend(), try world.backend())
    for key in ["a", "b"] { try await here.save(volume(here, key, key)) }
    let entities = try await there.list()
    let changes = Counter()
    let observation = there.context.group(Volume.matcher).observe { _ in changes.add(1) }
    // It hears at once of what is there.
    let before = changes.value
    _ = try await there.list()
    for entity in entities { try await there.fetch(entity) }
    try await there.fetch(key: "b")
    expectEqual(changes.value, before)
    withExtendedLifetime(observation) {}
  }

  @Test(arguments: BackendKind.allCases)
  func `Fetching takes back what was edited and not saved`(_ kind: BackendKind) async throws {
    let world = try BackendWorld(kind)
    defer { withExtendedLifetime(world) {} }
    let backend = try world.backend()
    let entity = volume(backend, "a", "Flatland")
    try await backend.save(entity)
    entity.update(Volume.self) { $0.title = "Flatlnd" }
    try await backend.fetch(entity)
    expectEqual(title(entity), "Flatland")
  }

  @Test(arguments: BackendKind.allCases)
  func `What is deleted is gone here and there, once or twice`(_ kind: BackendKind)
    async throws
  {
    let world = try BackendWorld(kind)
    defer { withExtendedLifetime(world) {} }
    let backend = try world.backend()
    let (first, second) = (volume(backend, "a", "A"), volume(backend, "b", "B"))
    try await backend.save([first, second])
    try await backend.delete(first)
    expectFalse(first.isAlive)
    try await backend.delete(key: "b")
    try await backend.delete(key: "b")
    expectFalse(second.isAlive)
    await expectEqual(
      reason { try await backend.fetch(key: "a") },
      .notFound)
    try await expectEqual(world.backend().list(), [])
    try await expectEqual(backend.list(), [])
  }

  @Test(arguments: BackendKind.allCases)
  func `What is not there, has no key or is dead is told in the same words`(_ kind: BackendKind)
    async throws
  {
    let world = try BackendWorld(kind)
    defer { withExtendedLifetime(world) {} }
    let backend = try world.backend()
    let entity = volume(backend, "a", "A")
    await expectEqual(
      reason { try await backend.fetch(entity) }, .notFound
    )
    expectEqual(title(entity), "A")
    await expectEqual(
      reason { try await backend.fetch(key: "x") },
      .notFound)
    await expectEqual(
      reason { try await backend.fetch(key: ["x"]) },
      .missingKey)
    await expectEqual(
      reason { try await backend.delete(key: ["x"]) },
      .missingKey)
    let nameless = backend.context.createEntity(with: Volume(title: "B"))
    await expectEqual(
      reason { try await backend.fetch(nameless) },
      .missingKey)
    entity.destroy()
    await expectEqual(
      reason { try await backend.fetch(entity) },
      .deadEntity)
    await expectEqual(
      reason { try await backend.save(entity) },
      .deadEntity)
    await expectEqual(
      reason { try await backend.delete(entity) },
      .deadEntity)
  }

  @Test(arguments: BackendKind.allCases.filter(\.takesAnything))
  func `What does not fit changes nothing, and says where it is wrong`(_ kind: BackendKind)
    async throws
  {
    let world = try BackendWorld(kind)
    defer { withExtendedLifetime(world) {} }
    let backend = try world.backend()
    let entity = volume(backend, "a", "A")
    try await backend.save(entity)
    try world.put(["isbn": "a", "title": 7], for: "a")
    try world.put(["isbn": "b", "title": "B"], for: "b")
    let wrong = await [
      reason { try await backend.fetch(entity) },
      reason { try await backend.fetch(key: "a") },
      reason { _ = try await backend.list() },
    ]
    for reason in wrong {
      guard case .doesNotFit(let error)? = reason else {
        Issue.record("it was \(String(describing: reason))")
        continue
      }
      expectTrue(error.path.description.hasSuffix("title"))
    }
    expectTrue(title(entity) == "A" && backend.context.group(Volume.matcher).count == 1)
  }
}
