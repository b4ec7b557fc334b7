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
    #expect(copy.get(Volume.self) == Volume(title: "Flatland", pages: 96))
    let again = try await there.fetch(key: "a")
    #expect(again == copy)
    copy.update(Volume.self) { $0.pages = 97 }
    try await there.save(copy)
    #expect(try await here.fetch(first) == .updated)
    #expect(first.get(Volume.self)?.pages == 97)
    #expect(try await here.fetch(first) == .unchanged)
    let all = try await there.list()
    #expect(all.compactMap { $0.get(VolumeID.self)?.value }.sorted() == ["a", "b"])
    #expect(all.contains(copy))
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
    #expect(changes.value == before)
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
    #expect(title(entity) == "Flatland")
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
    #expect(!first.isAlive)
    try await backend.delete(key: "b")
    try await backend.delete(key: "b")
    #expect(!second.isAlive)
    #expect(
      await reason { try await backend.fetch(key: "a") }
        == .notFound)
    #expect(try await world.backend().list() == [])
    #expect(try await backend.list() == [])
  }

  @Test(arguments: BackendKind.allCases)
  func `What is not there, has no key or is dead is told in the same words`(_ kind: BackendKind)
    async throws
  {
    let world = try BackendWorld(kind)
    defer { withExtendedLifetime(world) {} }
    let backend = try world.backend()
    let entity = volume(backend, "a", "A")
    #expect(
      await reason { try await backend.fetch(entity) } == .notFound
    )
    #expect(title(entity) == "A")
    #expect(
      await reason { try await backend.fetch(key: "x") }
        == .notFound)
    #expect(
      await reason { try await backend.fetch(key: ["x"]) }
        == .missingKey)
    #expect(
      await reason { try await backend.delete(key: ["x"]) }
        == .missingKey)
    let nameless = backend.context.createEntity(with: Volume(title: "B"))
    #expect(
      await reason { try await backend.fetch(nameless) }
        == .missingKey)
    entity.destroy()
    #expect(
      await reason { try await backend.fetch(entity) }
        == .deadEntity)
    #expect(
      await reason { try await backend.save(entity) }
        == .deadEntity)
    #expect(
      await reason { try await backend.delete(entity) }
        == .deadEntity)
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
      #expect(error.path.description.hasSuffix("title"))
    }
    #expect(title(entity) == "A" && backend.context.group(Volume.matcher).count == 1)
  }
}
