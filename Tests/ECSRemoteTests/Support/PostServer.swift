import ECSRecipes
import ECSRemote
import Foundation

/// A server of posts in memory: keys, tags, conditions, names of requests, and a record of what was
/// done.
// Guarded by its lock.
final class PostServer: @unchecked Sendable {
  struct Row: Equatable {
    var fields: JSONObject
    var version = 1
  }

  /// A field that a client has written.
  struct Change: Hashable {
    let id: Int
    let field: String
    let value: JSONValue
  }

  private let lock = NSLock()
  private var table: [Int: Row] = [:]
  private var lastID = 0
  private var answers: [String: HTTPResponse] = [:]
  private var record: [Change] = []
  private var creations = 0
  private var events: [String] = []

  /// What is sent of each change: the name of the event, and its data.
  private var told: [(name: String, data: JSONValue)] = []

  private static let blank: JSONObject = [
    "title": "", "text": .null, "stars": 0, "parent": .null,
  ]

  /// Whether a request with a name that it has seen is answered as then, and not done.
  let knowsNames: Bool

  init(knowsNames: Bool = true) { self.knowsNames = knowsNames }

  var rows: [Int: Row] { lock.withLock { table } }
  var changes: [Change] { lock.withLock { record } }

  /// What it was asked, for messages.
  var history: [String] { lock.withLock { events } }
  var made: Int { lock.withLock { creations } }

  /// Notes something for messages.
  func note(_ event: String) { lock.withLock { events.append(event) } }

  /// Whether it has done a request with a name, so that it would not refuse it.
  func hasDone(_ name: String?) -> Bool {
    lock.withLock { name.map { answers[$0] != nil } ?? false }
  }

  // MARK: What others do

  @discardableResult
  func insert(_ fields: JSONObject) -> Int {
    lock.withLock {
      lastID += 1
      var row = PostServer.blank
      for entry in fields { row[entry.key] = entry.value }
      table[lastID] = Row(fields: row)
      tell("created", lastID)
      return lastID
    }
  }

  func change(_ id: Int, _ field: String, _ value: JSONValue) {
    lock.withLock {
      table[id]?.fields[field] = value
      table[id]?.version += 1
      tell("updated", id)
      events.append("elsewhere \(id).\(field) = \(value)")
    }
  }

  func delete(_ id: Int) { lock.withLock { remove(id) } }

  private func remove(_ id: Int) {
    table[id] = nil
    told.append(("deleted", ["id": .number(JSONNumber(id))]))
    for (other, row) in table where row.fields["parent"] == .number(JSONNumber(id)) {
      table[other]?.fields["parent"] = .null
      table[other]?.version += 1
      tell("updated", other)
    }
  }

  // MARK: What it tells

  private func tell(_ name: String, _ id: Int) {
    let tag = "\"\(table[id]?.version ?? 0)\""
    told.append((name, ["etag": .string(tag), "post": data(id)]))
  }

  var lastEvent: Int { lock.withLock { told.count } }

  /// What is sent behind an event, each with its number.
  func feed(after number: Int) -> String {
    lock.withLock {
      told.indices.dropFirst(number).map { place in
        event(told[place].name, told[place].data.json(), "\(place + 1)")
      }.joined()
    }
  }

  // MARK: What clients do

  func answer(_ request: HTTPRequest) -> HTTPResponse {
    lock.withLock {
      let name = request.headers["Idempotency-Key"]
      if knowsNames, let name, let answer = answers[name] {
        events.append("again \(request.line) \(name)")
        return answer
      }
      let answer = act(request)
      events.append("\(answer.status) \(request.line) \(name ?? "")")
      if let name, answer.status < 400 { answers[name] = answer }
      return answer
    }
  }

  private func act(_ request: HTTPRequest) -> HTTPResponse {
    let last = request.url.lastPathComponent
    let body = request.body.flatMap { try? JSONValue(data: $0) }?.object ?? [:]
    guard last != "posts" else {
      if request.method == .get { return list() }
      lastID += 1
      creations += 1
      table[lastID] = Row(fields: PostServer.blank)
      write(body, to: lastID)
      return one(lastID, 201)
    }
    guard let id = Int(last), let row = table[id] else { return HTTPResponse(404) }
    if let tag = request.headers["If-Match"], tag != "\"\(row.version)\"" {
      return HTTPResponse(412)
    }
    switch request.method {
    case .get: return one(id, 200)
    case .delete:
      remove(id)
      return HTTPResponse(204)
    default:
      table[id]?.version += 1
      write(body, to: id)
      return one(id, 200)
    }
  }

  private func write(_ body: JSONObject, to id: Int) {
    for entry in body {
      var value = entry.value
      if entry.key == "parent", let key = value.number.flatMap({ Int("\($0)") }), table[key] == nil
      {
        value = .null
      }
      if table[id]?.fields[entry.key] != value {
        record.append(Change(id: id, field: entry.key, value: value))
      }
      table[id]?.fields[entry.key] = value
    }
    tell("updated", id)
  }

  private func data(_ id: Int) -> JSONValue {
    var fields = table[id]?.fields ?? [:]
    fields["id"] = .number(JSONNumber(id))
    return .object(fields)
  }

  private func one(_ id: Int, _ status: Int) -> HTTPResponse {
    HTTPResponse(
      status, headers: ["ETag": "\"\(table[id]?.version ?? 0)\""], body: data(id).data())
  }

  private func list() -> HTTPResponse {
    HTTPResponse(200, body: JSONValue.array(table.keys.sorted().map(data)).data())
  }
}
