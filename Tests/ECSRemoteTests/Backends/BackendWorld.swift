import ECS
import ECSLocalStorage
import ECSRecipes
import ECSRemote
import ECSTestSupport
import ECSTesting
import Foundation

#if SQLite
  import ECSStore
#endif

struct VolumeID: Component, Hashable { var value = "" }
struct Volume: Component, Hashable {
  var title = ""
  var pages = 0
}

/// The back ends of which a model may choose.
enum BackendKind: String, CaseIterable, Sendable {
  case memory, file, remote, memoryThenRemote
  #if SQLite
    case store, storeOnRequest, storeThenRemote
  #endif

  /// Whether something can be put there that the recipe does not expect.
  var takesAnything: Bool {
    switch self {
    case .memory, .file, .remote, .memoryThenRemote: true
    #if SQLite
      case .store, .storeOnRequest, .storeThenRemote: false
    #endif
    }
  }
}

/// A back end, and what is behind it, which several contexts may use.
final class BackendWorld {
  let kind: BackendKind
  let storage: any KeyValueStorage
  let server: ShelfServer
  #if SQLite
    let store: Store
    let table: Table<VolumeID, String>
  #endif
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("backends-\(UUID())")

  init(_ kind: BackendKind) throws {
    self.kind = kind
    storage = kind == .file ? try FileStorage(folder: folder) : MemoryStorage()
    server = ShelfServer()
    #if SQLite
      let table = try Table(makeVolumes(), key: \VolumeID.value)
      self.table = kind == .storeOnRequest ? table.onRequest() : table
      let mutations = try Table(RemoteMutation.recipe, key: \RemoteMutation.id)
      let rows = self.table
      let schema = try ECSStore.Schema {
        rows
        mutations
      }
      store = try Store(at: .memory, schema: schema)
    #endif
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// A back end in a context of its own, with what is behind the others.
  func backend() throws -> any EntityBackend {
    switch kind {
    case .memory, .file: return StorageBackend(storage, try makeVolumes(), Mapper(Context()))
    case .remote: return try server.backend(Context())
    case .memoryThenRemote:
      let remote = try server.backend(Context())
      return LocalFirstBackend(
        StorageBackend(MemoryStorage(), try makeVolumes(), remote.mapper), then: remote
      ) { _ in }
    #if SQLite
      case .store, .storeOnRequest: return StoreBackend(try store.session(merging: .manual), table)
      case .storeThenRemote:
        // The store is that of this device alone.
        let (store, table) = try BackendWorld(.store).storeAndTable
        let session = try store.session()
        return LocalFirstBackend(
          StoreBackend(session, table), then: try server.backend(session.context)
        ) { _ in }
    #endif
    }
  }

  #if SQLite
    private var storeAndTable: (Store, Table<VolumeID, String>) { (store, table) }
  #endif

  /// Puts something there that no back end has written.
  func put(_ data: JSONValue, for key: String) throws {
    switch kind {
    case .memory, .file: try storage.set(data, for: "volume/\(key)")
    default: server.rows[key] = data
    }
  }
}

func makeVolumes() throws -> Recipe {
  try Recipe("volume") {
    Identity(\VolumeID.value, at: "isbn", of: VolumeID())
    Fields(of: Volume()) {
      Field(\.title, at: "title")
      Field(\.pages, at: "pages")
    }
  }
}

let shelfURL = URL(string: "http://api.example/volumes") ?? URL(fileURLWithPath: "/")

/// A server of volumes in memory, which can be away.
// Guarded by its lock.
final class ShelfServer: @unchecked Sendable {
  private let lock = NSLock()
  private var table: [String: JSONValue] = [:]
  private var fault: Faults.Fault?
  private var log: [String] = []
  private var gate: Gate?

  var rows: [String: JSONValue] {
    get { lock.withLock { table } }
    set { lock.withLock { table = newValue } }
  }

  /// What goes wrong with each request; nil for nothing.
  var isFailing: Faults.Fault? {
    get { lock.withLock { fault } }
    set { lock.withLock { fault = newValue } }
  }

  /// What requests wait at before they are done.
  var barrier: Gate? {
    get { lock.withLock { gate } }
    set { lock.withLock { gate = newValue } }
  }

  /// The requests that were done.
  var requests: [String] { lock.withLock { log } }

  func backend(_ context: Context) throws -> RemoteBackend {
    let transport = StubTransport { request async throws(TransportError) in
      if let gate = self.barrier {
        await gate.pass()
        if Task.isCancelled { throw .cancelled }
      }
      switch self.isFailing {
      case nil: return self.answer(request)
      case .error(let error): throw error
      case .errorAfter(let error):
        _ = self.answer(request)
        throw error
      case .status(let status): return HTTPResponse(status)
      case .broken, .wrong: return .json(#"{"isbn":"a","title":7}"#)
      }
    }
    var configuration = RemoteConfiguration()
    configuration.retry = .never
    configuration.clock = ManualClock().clock
    let remote = Remote(context, transport: transport, configuration: configuration)
    return RemoteBackend(remote, Resource(try makeVolumes()) { shelfURL })
  }

  private func answer(_ request: HTTPRequest) -> HTTPResponse {
    lock.withLock {
      let last = request.url.lastPathComponent
      log.append("\(request.method) \(last)")
      let body = request.body.flatMap { try? JSONValue(data: $0) }?.object ?? [:]
      if last == "volumes" {
        if request.method == .post { return put(body, "new\(table.count)", 201) }
        let all = page(request.url).compactMap { table[$0] }
        return HTTPResponse(200, body: JSONValue.array(all).data())
      }
      switch request.method {
      case .get:
        return table[last].map { HTTPResponse(200, body: $0.data()) } ?? HTTPResponse(404)
      case .delete: return HTTPResponse(table.removeValue(forKey: last) == nil ? 404 : 204)
      default: return put(body, last, 200)
      }
    }
  }

  /// The keys that a URL asks for.
  private func page(_ url: URL) -> some Collection<String> {
    let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    func number(_ name: String) -> Int? {
      items.first { $0.name == name }?.value.flatMap { Int($0) }
    }
    return table.keys.sorted().dropFirst(number("_start") ?? 0).prefix(number("_limit") ?? .max)
  }

  private func put(_ body: JSONObject, _ key: String, _ status: Int) -> HTTPResponse {
    var row = body
    row["isbn"] = .string(key)
    table[key] = .object(row)
    return HTTPResponse(status, body: JSONValue.object(row).data())
  }
}
