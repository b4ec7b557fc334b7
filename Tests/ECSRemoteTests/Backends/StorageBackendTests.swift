import Dispatch
import ECS
import ECSLocalStorage
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Foundation
import Synchronization
import Testing

/// What is kept when several save at once, when writing fails, and in which order things are
/// written.
@Suite(.noHangs, .ownThread) struct StorageBackendTests {
  private struct ID: Component, Hashable {
    var value = UUID()
  }

  private func volume(_ context: Context, _ key: String, _ pages: Int = 1) -> Entity {
    context.createEntity(with: VolumeID(value: key), Volume(title: key, pages: pages))
  }

  private func reason(_ body: () async throws(BackendError) -> Void) async -> BackendError.Reason? {
    do throws(BackendError) {
      try await body()
      return nil
    } catch {
      return error.reason
    }
  }

  // MARK: Order

  @Test func `A list is never written over by an older one, whoever saves at once`() throws {
    let (context, storage) = (Context(), WatchedStorage())
    let list = try KeptList(makeVolumes(), in: storage, Mapper(context))
    let entities = (0..<8).map { volume(context, "\($0)", 0) }
    let failures = Counter()
    DispatchQueue.concurrentPerform(iterations: entities.count) { number in
      for pages in 1...40 {
        entities[number].update(Volume.self) { $0.pages = pages }
        do {
          try list.save()
          let kept = try storage.value(for: "volume[]")?.array ?? []
          let own = kept.first { $0["isbn"] == .string("\(number)") }
          if own?["pages"] != .number(JSONNumber(pages)) { failures.add(1) }
        } catch {
          failures.add(1)
        }
      }
    }
    expectTrue(failures.value == 0 && storage.older == 0)
  }

  @Test func `What an entity was is never written over what it is`() async throws {
    let (context, storage) = (Context(), WatchedStorage())
    let backend = StorageBackend(storage, try makeVolumes(), Mapper(context))
    let entity = volume(context, "a", 0)
    let later = Mutex<Task<Void, Never>?>(nil)
    // While one is about to write, another thread saves something newer.
    storage.onRead { () in
      entity.update(Volume.self) { $0.pages = 2 }
      later.withLock { $0 = Task { _ = try? await backend.save(entity) } }
      for _ in 0..<20_000 where storage.takeWrites().isEmpty { sched_yield() }
    }
    entity.update(Volume.self) { $0.pages = 1 }
    try await backend.save(entity)
    await later.withLock { $0 }?.value
    expectEqual(storage.older, 0)
    try expectEqual(storage.value(for: "volume/a")?["pages"], 2)
  }

  @Test(arguments: ["fetch", "key", "list"])
  func `What was kept is not put over what is saved meanwhile`(_ way: String) async throws {
    let (context, storage) = (Context(), WatchedStorage())
    let backend = StorageBackend(storage, try makeVolumes(), Mapper(context))
    let entity = volume(context, "a", 1)
    try await backend.save(entity)
    entity.update(Volume.self) { $0.pages = 2 }
    storage.takeWrites()
    let later = Mutex<Task<Void, Never>?>(nil)
    storage.onRead { () in
      later.withLock { $0 = Task { _ = try? await backend.save(entity) } }
      for _ in 0..<20_000 where storage.takeWrites().isEmpty { sched_yield() }
    }
    switch way {
    case "fetch": try await backend.fetch(entity)
    case "key": try await expectEqual(backend.fetch(key: "a"), entity)
    default: try await expectEqual(backend.list(), [entity])
    }
    await later.withLock { $0 }?.value
    let kept = try storage.value(for: "volume/a")?["pages"]?.number?.int
    expectEqual(kept, entity.get(Volume.self)?.pages)
  }

  @Test func `A list is kept while its entities come and go`() throws {
    let (context, storage) = (Context(), MemoryStorage())
    let list = try KeptList(makeVolumes(), in: storage, Mapper(context))
    let failures = Counter()
    let isOver = Switch()
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      if number == 0 {
        for _ in 0..<2000 where (try? list.save()) == nil { failures.add(1) }
        isOver.isOn = true
      } else {
        var entity = volume(context, "\(number)")
        while !isOver.isOn {
          context.perform {
            entity.destroy()
            entity = volume(context, "\(number)")
          }
        }
      }
    }
    expectEqual(failures.value, 0)
  }

  // MARK: Deleting

  @Test func `What can't be noted is not deleted, and stays as it was`() async throws {
    let (context, storage) = (Context(), WatchedStorage())
    let mapper = Mapper(context)
    let list = try KeptList(makeVolumes(), in: storage, mapper)
    let backend = StorageBackend(storage, try makeVolumes(), mapper, with: [list])
    let entity = volume(context, "a")
    try await backend.save(entity)
    let other = volume(context, "b")
    storage.isFull.isOn = true
    await expectEqual(
      reason { () async throws(BackendError) in try await backend.delete(entity) },
      .unavailable)
    try expectTrue(entity.isAlive && storage.value(for: "volume/a") != nil)
    storage.isFull.isOn = false
    try await backend.delete(entity)
    try expectTrue(storage.keys() == ["volume[]"] && other.isAlive)
    try expectEqual(storage.value(for: "volume[]")?.array?.count, 1)
  }

  @Test func `The note of a deletion is kept before what it is about is taken out`() async throws {
    let (context, storage, server) = (Context(), WatchedStorage(), ShelfServer())
    let remote = try server.backend(context)
    let noted = try KeptList(RemoteMutation.recipe, in: storage, remote.mapper)
    let backend = LocalFirstBackend(
      StorageBackend(storage, try makeVolumes(), remote.mapper, with: [noted]), then: remote
    ) { _ in }
    let entity = volume(context, "a")
    try await backend.save(entity)
    server.isFailing = .error(.notConnected("away"))
    storage.takeWrites()
    try await backend.delete(entity)
    expectEqual(storage.takeWrites(), ["set remote_mutation[]", "remove volume/a"])
  }

  // MARK: Several

  @Test func `Saving many keeps each that can be kept, and the lists once`() async throws {
    let (context, storage) = (Context(), WatchedStorage())
    let mapper = Mapper(context)
    let list = try KeptList(makeVolumes(), in: storage, mapper)
    let backend = StorageBackend(storage, try makeVolumes(), mapper, with: [list])
    let entities = (0..<5).map { volume(context, "\($0)") }
    try await backend.save(entities)
    expectEqual(storage.takeWrites().filter { $0 == "set volume[]" }.count, 1)
    expectEqual(storage.reads(of: "volume[]"), 2)
    for entity in entities { entity.update(Volume.self) { $0.pages = 2 } }
    entities[1].destroy()
    await expectEqual(
      reason { () async throws(BackendError) in try await backend.save(entities) },
      .deadEntity)
    try expectTrue(
      ["0", "2", "3", "4"].allSatisfy { try storage.value(for: "volume/\($0)")?["pages"] == 2 })
    try expectEqual(storage.value(for: "volume[]")?.array?.count, 4)
  }

  // MARK: Keys

  @Test func `A key is found and deleted however it is written`() async throws {
    let storage = MemoryStorage()
    let recipe = try Recipe("volume") {
      Identity(\ID.value, at: "id", of: ID())
      Fields(of: Volume()) { Field(\.title, at: "title") }
    }
    let backend = StorageBackend(storage, recipe, Mapper(Context()))
    let id = UUID()
    let entity = backend.context.createEntity(with: ID(value: id), Volume(title: "A"))
    try await backend.save(entity)
    let (upper, lower) = (id.uuidString, id.uuidString.lowercased())
    try await expectEqual(backend.fetch(key: .string(lower)), entity)
    try await expectEqual(backend.fetch(key: .string(upper)), entity)
    try await backend.delete(key: .string(lower))
    try expectTrue(storage.keys() == [] && !entity.isAlive)
    try await expectEqual(backend.list(), [])
    // What other code has put there.
    try storage.set(["id": .string(lower), "title": "B"], for: "volume/\(lower)")
    try await expectEqual(backend.list().count, 1)
  }
}

/// A storage in memory that can be full, and notes what was written, in which order, and whether
/// older values came after newer ones: those with fewer pages.
// Guarded by its lock.
private final class WatchedStorage: KeyValueStorage, @unchecked Sendable {
  let isFull = Switch()
  private let values = MemoryStorage()
  private let lock = NSLock()
  private var pages = 0
  private var late = 0
  private var writes: [String] = []
  private var looks: [String: Int] = [:]
  private var reading: (() -> Void)?

  var older: Int { lock.withLock { late } }

  func reads(of key: String) -> Int { lock.withLock { looks[key, default: 0] } }

  /// Does something once, when a value was read.
  func onRead(_ action: @escaping () -> Void) { lock.withLock { reading = action } }

  /// What was written since the last call.
  @discardableResult
  func takeWrites() -> [String] {
    lock.withLock {
      defer { writes = [] }
      return writes
    }
  }

  func value(for key: String) throws(StorageError) -> JSONValue? {
    let action = lock.withLock {
      looks[key, default: 0] += 1
      defer { reading = nil }
      return reading
    }
    let value = try values.value(for: key)
    action?()
    return value
  }

  func set(_ value: JSONValue, for key: String) throws(StorageError) {
    if isFull.isOn { throw .notWritten(key: key, reason: "the disk is full") }
    let sum = (value.array ?? [value]).reduce(0) { $0 + ($1["pages"]?.number?.int ?? 0) }
    // A thread with an older value has time to come late.
    sched_yield()
    lock.withLock {
      if sum < pages { late += 1 }
      pages = sum
      writes.append("set \(key)")
    }
    try values.set(value, for: key)
  }

  func removeValue(for key: String) throws(StorageError) -> Bool {
    lock.withLock { writes.append("remove \(key)") }
    return try values.removeValue(for: key)
  }

  func keys() throws(StorageError) -> [String] { try values.keys() }
}
