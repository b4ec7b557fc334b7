import Dispatch
import ECS
import ECSLocalStorage
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Testing

/// What a server's failures are in the words that all back ends share.
@Suite(.noHangs, .ownThread) struct RemoteBackendTests {
  struct Case: Sendable {
    let fault: Faults.Fault
    let fetching: BackendError.Reason
    let creating: BackendError.Reason

    init(
      _ fault: Faults.Fault, _ fetching: BackendError.Reason, creating: BackendError.Reason? = nil
    ) {
      (self.fault, self.fetching, self.creating) = (fault, fetching, creating ?? fetching)
    }
  }

  static let cases = [
    Case(.error(.notConnected("away")), .unavailable),
    Case(.error(.interrupted("away")), .unavailable, creating: .uncertain),
    Case(.error(.timedOut), .unavailable, creating: .uncertain),
    Case(.error(.badResponse("large")), .unreadable, creating: .uncertain),
    Case(.error(.badRequest("odd")), .refused), Case(.status(400), .refused),
    Case(.status(403), .refused), Case(.status(404), .notFound), Case(.status(410), .notFound),
    Case(.status(429), .unavailable), Case(.status(500), .unavailable, creating: .uncertain),
    Case(.status(503), .unavailable, creating: .uncertain), Case(.status(501), .refused),
    Case(.status(524), .unavailable, creating: .uncertain),
  ]

  private func reason(_ body: () async throws -> Void) async -> BackendError.Reason? {
    do {
      try await body()
    } catch {
      return (error as? BackendError)?.reason
    }
    return nil
  }

  @Test(arguments: cases)
  func `A failure has the reason that tells what to do about it`(_ one: Case) async throws {
    let server = ShelfServer()
    server.isFailing = one.fault
    let backend = try server.backend(Context())
    let known = backend.context.createEntity(with: VolumeID(value: "a"), Volume(title: "A"))
    await expectEqual(reason { try await backend.fetch(known) }, one.fetching)
    await expectEqual(reason { try await backend.save(known) }, one.fetching)
    // What has no key is made: whether that was done can't be asked.
    let new = backend.context.createEntity(with: Volume(title: "B"))
    await expectEqual(reason { try await backend.save(new) }, one.creating)
  }

  @Test func `What waits to be sent is not saved or deleted past it`() async throws {
    let backend = try ShelfServer().backend(Context())
    let entity = backend.context.createEntity(with: VolumeID(value: "a"), Volume(title: "A"))
    expectTrue(backend.saveLater(entity))
    await expectEqual(reason { try await backend.save(entity) }, .unavailable)
    await expectEqual(reason { try await backend.delete(entity) }, .unavailable)
    expectTrue(entity.isAlive && backend.deleteLater(entity) && !entity.isAlive)
    expectTrue(!backend.saveLater(entity) && !backend.deleteLater(entity))
  }

  @Test func `A key is deleted with what waits for it`() async throws {
    let server = ShelfServer()
    server.rows["a"] = ["isbn": "a", "title": "A"]
    let backend = try server.backend(Context())
    let entity = backend.context.createEntity(with: VolumeID(value: "a"), Volume(title: "B"))
    let mutation = try #require(backend.remote.saveLater(entity, as: backend.resource))
    entity.destroy()
    server.isFailing = .error(.notConnected("away"))
    await expectEqual(reason { try await backend.delete(key: "a") }, .unavailable)
    expectTrue(mutation.isAlive)
    server.isFailing = nil
    try await backend.delete(key: "a")
    expectTrue(!mutation.isAlive && server.rows.isEmpty && server.requests == ["DELETE a"])
    try await backend.delete(key: "a")
  }

  @Test func `A key is not deleted past a change that the server may have heard of`() async throws {
    let server = ShelfServer()
    server.rows["a"] = ["isbn": "a", "title": "A"]
    server.isFailing = .errorAfter(.timedOut)
    let backend = try server.backend(Context())
    let entity = backend.context.createEntity(with: VolumeID(value: "a"), Volume(title: "B"))
    let mutation = try #require(backend.remote.saveLater(entity, as: backend.resource))
    let sender = SendingSystem(backend.remote, [backend.resource])
    let loop = ReactiveLoop(
      ctx: backend.context, queue: DispatchQueue(label: "RemoteBackend"), systems: [sender])
    loop.runUntilSettled()
    await sender.settled()
    entity.destroy()
    server.isFailing = nil
    await expectEqual(reason { try await backend.delete(key: "a") }, .unavailable)
    expectTrue(mutation.isAlive && server.requests == ["PUT a"])
    loop.cancel()
  }

  @Test(arguments: [401, 403, 404, 425, 429])
  func `What was made is not made again because what it led to was refused`(
    _ status: Int
  ) async throws {
    let transport = StubTransport { request in
      request.method == .post
        ? HTTPResponse(303, headers: ["Location": "/made"]) : HTTPResponse(status)
    }
    let context = Context()
    let remote = RemoteBackend(
      Remote(context, transport: transport), Resource(try makeVolumes()) { shelfURL })
    let entity = context.createEntity(with: Volume(title: "A"))
    await expectEqual(reason { try await remote.save(entity) }, .uncertain)
    let backend = LocalFirstBackend(
      StorageBackend(MemoryStorage(), try makeVolumes(), remote.mapper), then: remote
    ) { _ in }
    await expectEqual(reason { try await backend.save(entity) }, .uncertain)
    expectTrue(context.group(RemoteMutation.matcher).isEmpty)
    expectEqual(transport.requests.map(\.method), [.post, .get, .post, .get])
  }

  @Test func `A list of pages is all of them, each entity once`() async throws {
    let server = ShelfServer()
    for number in 0..<7 { server.rows["\(number)"] = ["isbn": .string("\(number)"), "title": "T"] }
    let whole = try server.backend(Context())
    let backend = RemoteBackend(
      whole.remote, whole.resource.paged(by: .offset()), pageSize: 3)
    let all = try await backend.list()
    expectEqual(all.compactMap { $0.get(VolumeID.self)?.value }, (0..<7).map { "\($0)" })
    expectEqual(server.requests.count, 3)
  }
}
