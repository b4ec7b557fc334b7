import Dispatch
import ECS
import ECSLocalStorage
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Foundation
import Testing

/// What happens to a combination when one half fails.
@Suite(.noHangs, .ownThread) struct LocalFirstTests {
  /// A storage in memory that can be full.
  private final class SmallStorage: KeyValueStorage {
    let values = MemoryStorage()
    let isFull = Switch()

    func value(for key: String) throws(StorageError) -> JSONValue? { try values.value(for: key) }

    func set(_ value: JSONValue, for key: String) throws(StorageError) {
      if isFull.isOn { throw .notWritten(key: key, reason: "the disk is full") }
      try values.set(value, for: key)
    }

    func removeValue(for key: String) throws(StorageError) -> Bool {
      if isFull.isOn { throw .notWritten(key: key, reason: "the disk is full") }
      return try values.removeValue(for: key)
    }

    func keys() throws(StorageError) -> [String] { try values.keys() }
  }

  // Guarded by its lock.
  private final class Failures: @unchecked Sendable {
    private let lock = NSLock()
    private var list: [String] = []
    func add(_ error: BackendError) {
      lock.withLock { list.append("\(error.half.map { "\($0)" } ?? "-") \(error.reason)") }
    }
    var all: [String] { lock.withLock { list } }
  }

  private struct Pair {
    let context = Context()
    let server = ShelfServer()
    let storage = SmallStorage()
    let failures = Failures()
    let remote: RemoteBackend
    let backend: LocalFirstBackend<StorageBackend, RemoteBackend>

    init() throws {
      remote = try server.backend(context)
      backend = LocalFirstBackend(
        StorageBackend(storage, try makeVolumes(), remote.mapper), then: remote,
        didFail: failures.add)
    }

    func volume(_ key: String, _ title: String) -> Entity {
      context.createEntity(with: VolumeID(value: key), Volume(title: title))
    }

    func kept(_ key: String) throws -> String? {
      try storage.value(for: "volume/\(key)")?["title"]?.string
    }

    func keep(_ key: String, _ title: String) throws {
      try storage.values.set(
        ["isbn": .string(key), "title": .string(title), "pages": 1], for: "volume/\(key)")
    }

    func serve(_ key: String, _ title: String) {
      server.rows[key] = ["isbn": .string(key), "title": .string(title), "pages": 1]
    }

    var noted: Int { context.group(RemoteMutation.matcher).count }
  }

  private func title(_ entity: Entity) -> String? { entity.get(Volume.self)?.title }

  private func failure(
    _ body: () async throws -> Void
  ) async -> String? {
    do {
      try await body()
      return nil
    } catch let error as BackendError {
      return "\(error.half.map { "\($0)" } ?? "-") \(error.reason)"
    } catch {
      return "\(error)"
    }
  }

  // MARK: Reading

  @Test func `What is kept here comes first, then what the server says, which is kept`()
    async throws
  {
    let pair = try Pair()
    try pair.keep("a", "old")
    try pair.keep("c", "mine")
    pair.serve("a", "new")
    pair.serve("b", "other")
    let shown = Titles()
    let observation = pair.context.group(Volume.matcher).observe { _ in
      shown.add(
        pair.context.group(Volume.matcher).sorted().compactMap { $0.get(Volume.self)?.title })
    }
    let list = try await pair.backend.list()
    expectTrue(
      shown.all.dropFirst().first == ["old", "mine"] && shown.all.last == ["new", "mine", "other"])
    expectEqual(list.compactMap(title), ["new", "other"])
    try expectTrue(pair.kept("a") == "new" && pair.kept("b") == "other" && pair.kept("c") == "mine")
    pair.serve("b", "newer")
    expectEqual(title(try await pair.backend.fetch(key: "b")), "newer")
    try await expectEqual(pair.backend.fetch(list[0]), .unchanged)
    try expectTrue(pair.kept("b") == "newer" && pair.failures.all == [])
    withExtendedLifetime(observation) {}
  }

  @Test func `Without the server, what is kept here is the answer, and somebody hears why`()
    async throws
  {
    let pair = try Pair()
    try pair.keep("a", "A")
    pair.server.isFailing = .error(.notConnected("away"))
    let list = try await pair.backend.list()
    expectEqual(list.compactMap(title), ["A"])
    try await expectEqual(pair.backend.fetch(list[0]), .unchanged)
    try await expectEqual(pair.backend.fetch(key: "a"), list[0])
    expectEqual(pair.failures.all, .init(repeating: "remote unavailable", count: 3))
    // What is nowhere is an error.
    await expectEqual(
      failure { try await pair.backend.fetch(key: "b") },
      "remote unavailable")
  }

  @Test func `An answer of another shape is an error of the server, and what is kept stays`()
    async throws
  {
    let pair = try Pair()
    try pair.keep("a", "A")
    pair.server.isFailing = .wrong
    let entity = pair.volume("a", "edited")
    await expectEqual(
      failure { try await pair.backend.fetch(entity) },
      "remote does not fit")
    await expectEqual(
      failure { _ = try await pair.backend.list() },
      "remote does not fit")
    expectEqual(title(entity), "A")
    try expectTrue(pair.kept("a") == "A" && pair.failures.all == [])
  }

  @Test func `What can't be read here is fetched, and what can't be kept is told`() async throws {
    let pair = try Pair()
    try pair.storage.values.set(["isbn": "a", "title": 7], for: "volume/a")
    pair.serve("a", "A")
    pair.storage.isFull.isOn = true
    let entity = try await pair.backend.fetch(key: "a")
    expectEqual(title(entity), "A")
    expectEqual(pair.failures.all, ["local does not fit", "local unavailable"])
    // When there is room again, it is repaired.
    pair.storage.isFull.isOn = false
    try await pair.backend.fetch(entity)
    try expectEqual(pair.kept("a"), "A")
  }

  @Test func `What the server has deleted is not found, and stays here until it is deleted`()
    async throws
  {
    let pair = try Pair()
    try pair.keep("a", "A")
    await expectEqual(
      failure { try await pair.backend.fetch(key: "a") },
      "remote not found")
    try expectEqual(pair.kept("a"), "A")
    try await pair.backend.delete(key: "a")
    try expectTrue(pair.kept("a") == nil && pair.context.group(Volume.matcher).isEmpty)
  }

  // MARK: Saving

  @Test func `What can't be kept here is not sent, and the edit is not lost`() async throws {
    let pair = try Pair()
    pair.storage.isFull.isOn = true
    let entity = pair.volume("a", "A")
    await expectEqual(
      failure { try await pair.backend.save(entity) },
      "local unavailable")
    expectTrue(pair.server.requests == [] && title(entity) == "A")
    pair.storage.isFull.isOn = false
    try await pair.backend.save(entity)
    try expectTrue(pair.kept("a") == "A" && pair.server.rows["a"]?["title"] == "A")
  }

  @Test func `Without the server, an edit is kept, noted, and sent later`() async throws {
    let pair = try Pair()
    let sender = SendingSystem(pair.remote.remote, [pair.remote.resource])
    let loop = ReactiveLoop(
      ctx: pair.context, queue: DispatchQueue(label: "LocalFirst"), systems: [sender])
    pair.context.setUniqueComponent(Connectivity(isReachable: false))
    pair.server.isFailing = .error(.notConnected("away"))
    let entity = pair.volume("a", "A")
    try await pair.backend.save(entity)
    try expectTrue(
      pair.kept("a") == "A" && pair.noted == 1 && pair.failures.all == ["remote unavailable"])
    // The next edit waits behind it, and is the same request.
    entity.update(Volume.self) { $0.title = "B" }
    pair.server.isFailing = nil
    try await pair.backend.save(entity)
    expectTrue(pair.server.requests == [] && pair.noted == 1)
    pair.context.setUniqueComponent(Connectivity(isReachable: true))
    loop.runUntilSettled()
    await sender.settled()
    expectTrue(pair.server.requests == ["PUT a"] && pair.noted == 0)
    expectTrue(pair.server.rows["a"]?["title"] == "B" && entity.isAlive)
    loop.cancel()
  }

  @Test func `What the server refuses is kept here, told, and not noted`() async throws {
    let pair = try Pair()
    pair.server.isFailing = .status(422)
    let entity = pair.volume("a", "A")
    await expectEqual(
      failure { try await pair.backend.save(entity) },
      "remote refused")
    try expectTrue(pair.kept("a") == "A" && pair.noted == 0 && pair.failures.all == [])
  }

  @Test func `What the server is to name is kept when it has its name`() async throws {
    let pair = try Pair()
    let entity = pair.context.createEntity(with: Volume(title: "A"))
    try await expectEqual(pair.backend.save(entity), .updated)
    expectEqual(entity.get(VolumeID.self)?.value, "new0")
    try expectEqual(pair.kept("new0"), "A")
    // It is not known whether this one was made, so that it is not made again.
    pair.server.isFailing = .errorAfter(.interrupted("away"))
    let other = pair.context.createEntity(with: Volume(title: "B"))
    await expectEqual(
      failure { try await pair.backend.save(other) },
      "remote nobody knows whether it was done")
    expectTrue(pair.noted == 0 && title(other) == "B")
    // One that was certainly not made is made later, but it is not kept here.
    pair.server.isFailing = .error(.notConnected("away"))
    for _ in 0..<2 {
      await expectEqual(failure { try await pair.backend.save(other) }, "local no key")
      expectEqual(pair.noted, 1)
    }
    try await pair.backend.delete(other)
    expectTrue(pair.noted == 0 && !other.isAlive)
  }

  @Test func `What the server has taken and nobody can keep here is told`() async throws {
    let pair = try Pair()
    pair.storage.isFull.isOn = true
    let entity = pair.context.createEntity(with: Volume(title: "A"))
    await expectEqual(
      failure { try await pair.backend.save(entity) },
      "local unavailable")
    expectTrue(entity.get(VolumeID.self)?.value == "new0" && pair.server.rows.count == 1)
  }

  // MARK: Deleting

  @Test func `Without the server, what is deleted is deleted there later`() async throws {
    let pair = try Pair()
    let sender = SendingSystem(pair.remote.remote, [pair.remote.resource])
    let loop = ReactiveLoop(
      ctx: pair.context, queue: DispatchQueue(label: "LocalFirst"), systems: [sender])
    let entity = pair.volume("a", "A")
    try await pair.backend.save(entity)
    pair.context.setUniqueComponent(Connectivity(isReachable: false))
    pair.server.isFailing = .error(.notConnected("away"))
    try await pair.backend.delete(entity)
    try expectTrue(!entity.isAlive && pair.kept("a") == nil && pair.noted == 1)
    expectTrue(pair.server.rows.count == 1 && pair.failures.all == ["remote unavailable"])
    pair.server.isFailing = nil
    pair.context.setUniqueComponent(Connectivity(isReachable: true))
    loop.runUntilSettled()
    await sender.settled()
    expectTrue(pair.server.rows.isEmpty && pair.noted == 0)
    loop.cancel()
  }

  @Test func `What the server keeps is not deleted here, and the other way round`() async throws {
    let pair = try Pair()
    let entity = pair.volume("a", "A")
    try await pair.backend.save(entity)
    pair.server.isFailing = .status(403)
    await expectEqual(
      failure { try await pair.backend.delete(entity) },
      "remote refused")
    try expectTrue(entity.isAlive && pair.kept("a") == "A")
    pair.server.isFailing = nil
    pair.storage.isFull.isOn = true
    await expectEqual(
      failure { try await pair.backend.delete(entity) },
      "local unavailable")
    try expectTrue(!entity.isAlive && pair.server.rows.isEmpty && pair.kept("a") == "A")
    pair.storage.isFull.isOn = false
    try await pair.backend.delete(key: "a")
    try expectNil(pair.kept("a"))
  }

  // MARK: Cancellation

  @Test func `Whoever stops waiting for the server keeps what is kept here, and nothing is noted`()
    async throws
  {
    let pair = try Pair()
    let gate = Gate()
    pair.server.barrier = gate
    let entity = pair.volume("a", "A")
    let saving = Task {
      await failure { try await pair.backend.save(entity) }
    }
    await gate.waitForArrivals(1)
    saving.cancel()
    await gate.open()
    await expectEqual(saving.value, "remote cancelled")
    try expectTrue(pair.kept("a") == "A" && pair.noted == 0 && pair.server.requests == [])
    let closed = Gate()
    pair.server.barrier = closed
    let reading = Task {
      await failure { try await pair.backend.fetch(entity) }
    }
    await closed.waitForArrivals(1)
    reading.cancel()
    await closed.open()
    await expectEqual(reading.value, "remote cancelled")
    expectEqual(title(entity), "A")
  }
}

/// What was shown, one after the other.
// Guarded by its lock.
private final class Titles: @unchecked Sendable {
  private let lock = NSLock()
  private var list: [[String]] = []
  func add(_ titles: [String]) { lock.withLock { list.append(titles) } }
  var all: [[String]] { lock.withLock { list } }
}
