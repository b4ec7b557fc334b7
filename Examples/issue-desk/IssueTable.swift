#if ExampleServer
  import ECSRecipes
  import Foundation

  /// A request, as the rules of the server see it; names of headers are in small letters.
  struct Question: Sendable {
    var method: String
    var path: String
    var query: [String: String] = [:]
    var headers: [String: String] = [:]
    var body = Data()
  }

  struct Answer: Sendable {
    var status: Int
    var headers: [String: String] = [:]
    var body = Data()

    init(_ status: Int, _ headers: [String: String] = [:], _ body: JSONValue? = nil) {
      self.status = status
      self.headers = headers
      if let body {
        self.headers["Content-Type"] =
          status < 400 ? "application/json" : "application/problem+json"
        self.body = body.data()
      }
    }
  }

  /// The issues of the server, and its rules: tags, conditions, pages, and what is done once.
  // Guarded by its lock.
  final class IssueTable: @unchecked Sendable {
    private struct Row {
      var fields: JSONObject
      var version = 1
      var tag: String { "\"\(version)\"" }
    }

    private let lock = NSLock()
    private var rows: [Int: Row] = [:]
    private var lastID = 0
    private var named: [String: Answer] = [:]
    private var names: [String] = []
    private let isLogging: Bool
    private var log: [String] = []

    /// The issue of each event, by the event's number less one.
    private var events: [Int] = []
    private var listeners: [Int: AsyncStream<Data>.Continuation] = [:]
    private var lastListener = 0

    // More than any desk needs: a client that does not read, or forgets its listeners, gets no more memory than this.
    private static let mostNames = 1000
    private static let mostListeners = 100
    private static let mostUnread = 1000

    private static let blank: JSONObject = [
      "title": .null, "text": .null, "open": true, "assignee": .null,
    ]

    init(_ titles: [String] = [], isLogging: Bool = false) {
      self.isLogging = isLogging
      for title in titles { insert(["title": .string(title)]) }
    }

    /// What was asked since the last call, and how it was answered; nothing unless that is logged.
    func takeLog() -> [String] {
      lock.withLock {
        defer { log = [] }
        return log
      }
    }

    /// The number of the last event.
    var lastEvent: Int { lock.withLock { events.count } }

    /// What happens to issues from now on, or behind an event that was received before, as server-sent events.
    ///
    /// Each says what the issue is now, so that of several about one issue only the last one is sent again. A client
    /// that leaves too many unread is sent no more after those, and may come again with the last that it has read.
    ///
    /// - Returns: What happens; nil if too many listen.
    func feed(after last: Int?) -> AsyncStream<Data>? {
      let (stream, continuation) = AsyncStream.makeStream(
        of: Data.self, bufferingPolicy: .bufferingOldest(IssueTable.mostUnread))
      return lock.withLock {
        guard listeners.count < IssueTable.mostListeners else { return nil }
        lastListener += 1
        let number = lastListener
        listeners[number] = continuation
        continuation.onTermination = { _ in
          self.lock.withLock { _ = self.listeners.removeValue(forKey: number) }
        }
        // A client that has received nothing gets where to go on.
        continuation.yield(Data("id: \(last ?? events.count)\n\n".utf8))
        var seen: Set<Int> = []
        let missed = events.indices.dropFirst(max(last ?? .max, 0)).reversed()
          .filter { seen.insert(events[$0]).inserted }
        for event in missed.reversed() where listeners[number] != nil {
          tell(text(of: event), number)
        }
        return stream
      }
    }

    func answer(_ question: Question) -> Answer {
      lock.withLock {
        // What was done under a name is answered as then, and not done again.
        let name = question.headers["idempotency-key"]
        if let name, let earlier = named[name] { return earlier }
        let answer = act(question)
        if let name, answer.status < 400 { note(answer, name) }
        if isLogging {
          let condition = question.headers["if-match"].map { " if \($0)" } ?? ""
          log.append("\(question.method) \(question.path)\(condition): \(answer.status)")
        }
        return answer
      }
    }

    /// Remembers an answer, and forgets old ones, many at a time.
    private func note(_ answer: Answer, _ name: String) {
      named[name] = answer
      names.append(name)
      if names.count < 2 * IssueTable.mostNames { return }
      for name in names.prefix(IssueTable.mostNames) { named[name] = nil }
      names.removeFirst(IssueTable.mostNames)
    }

    // MARK: Rules

    private func act(_ question: Question) -> Answer {
      let parts = question.path.split(separator: "/")
      guard parts.first == "issues", parts.count <= 2 else { return Answer(404) }
      guard parts.count == 2 else {
        switch question.method {
        case "GET": return list(question)
        case "POST": return create(question)
        default: return Answer(405)
        }
      }
      guard let id = Int(parts[1]), let row = rows[id] else { return Answer(404) }
      if let tag = question.headers["if-match"], tag != row.tag {
        return problem(412, "somebody has changed it")
      }
      switch question.method {
      case "GET":
        if question.headers["if-none-match"] == row.tag { return Answer(304, ["ETag": row.tag]) }
        return one(id, 200)
      case "PATCH":
        return change(id, question)
      case "DELETE":
        rows[id] = nil
        tell(id)
        return Answer(204)
      default: return Answer(405)
      }
    }

    private func list(_ question: Question) -> Answer {
      let size = min(max(Int(question.query["limit"] ?? "") ?? 20, 1), 100)
      let page = max(Int(question.query["page"] ?? "") ?? 1, 1)
      let (skipped, isTooFar) = (page - 1).multipliedReportingOverflow(by: size)
      let ids = rows.keys.sorted().dropFirst(isTooFar ? .max : skipped).prefix(size)
      return Answer(200, [:], .array(ids.map(data)))
    }

    private func create(_ question: Question) -> Answer {
      guard let fields = fields(question.body), fields["title"] != nil else {
        return problem(422, "an issue needs a title")
      }
      let id = insert(fields)
      tell(id)
      return one(id, 201)
    }

    private func change(_ id: Int, _ question: Question) -> Answer {
      guard let fields = fields(question.body) else {
        return problem(422, "an issue needs a title")
      }
      for field in fields { rows[id]?.fields[field.key] = field.value }
      rows[id]?.version += 1
      tell(id)
      return one(id, 200)
    }

    /// The fields of a body; nil if one of them can't be what it is to be.
    private func fields(_ body: Data) -> JSONObject? {
      guard let object = (try? JSONValue(data: body))?.object else { return nil }
      var fields: JSONObject = [:]
      for (key, value) in object.map({ ($0.key, $0.value) }) {
        let fits =
          switch key {
          case "title": value.string?.isEmpty == false
          case "text", "assignee": value == .null || value.string != nil
          case "open": value == true || value == false
          default: true
          }
        if !fits { return nil }
        if IssueTable.blank[key] != nil { fields[key] = value }
      }
      return fields
    }

    @discardableResult
    private func insert(_ fields: JSONObject) -> Int {
      lastID += 1
      var row = IssueTable.blank
      for field in fields { row[field.key] = field.value }
      rows[lastID] = Row(fields: row)
      return lastID
    }

    private func tell(_ id: Int) {
      events.append(id)
      let text = text(of: events.count - 1)
      for listener in listeners.keys { tell(text, listener) }
    }

    /// Tells one listener something, or, if it has left too much unread, that this is all.
    private func tell(_ text: Data, _ listener: Int) {
      guard let continuation = listeners[listener], case .dropped = continuation.yield(text) else {
        return
      }
      listeners[listener] = nil
      // It would wait for the lock.
      continuation.onTermination = nil
      continuation.finish()
    }

    /// An event with what its issue is now, and the tag of that.
    private func text(of event: Int) -> Data {
      let id = events[event]
      let said =
        if let row = rows[id] {
          ("saved", JSONValue.object(["issue": data(id), "tag": .string(row.tag)]))
        } else {
          ("deleted", JSONValue.number(JSONNumber(id)))
        }
      return Data("id: \(event + 1)\nevent: \(said.0)\ndata: \(said.1.json())\n\n".utf8)
    }

    private func data(_ id: Int) -> JSONValue {
      var fields: JSONObject = ["id": .number(JSONNumber(id))]
      for field in rows[id]?.fields ?? [:] { fields[field.key] = field.value }
      return .object(fields)
    }

    private func one(_ id: Int, _ status: Int) -> Answer {
      Answer(status, ["ETag": rows[id]?.tag ?? ""], data(id))
    }

    private func problem(_ status: Int, _ title: String) -> Answer {
      Answer(status, [:], ["title": .string(title)])
    }
  }
#endif
