#if Inspector
  import Dispatch
  import ECS
  import ECSHistory
  import ECSSnapshots
  import Foundation
  import JSONValues

  /// Answers requests that were let in.
  final class Desk: Sendable {
    let contexts: [ShownContext]
    let loops: [ShownLoop]
    let isReadOnly: Bool
    let timelines: [ShownTimeline]
    private let log: EventLog?
    private let streams = LiveStreams()
    private let name: String

    /// Where contexts, logs and recorders are read and changed, so that what takes long, or waits
    /// for sections of the program, takes no thread of its tasks.
    private let queues = (
      streams: DispatchQueue(label: "ECSInspector.streams", qos: .utility),
      requests: DispatchQueue(label: "ECSInspector.requests", qos: .utility),
      changes: DispatchQueue(label: "ECSInspector.changes", qos: .utility)
    )

    /// How long a search may take.
    static var searchLimit: Duration { .seconds(2) }

    init(_ sources: InspectorSources, isReadOnly: Bool) {
      (contexts, loops, log) = (sources.contexts, sources.loops, sources.log)
      timelines = sources.timelines
      self.isReadOnly = isReadOnly
      name = ProcessInfo.processInfo.processName
    }

    /// Removes loggers from loops, and ends replays.
    func end() {
      for loop in loops { loop.end() }
      for timeline in timelines { timeline.end() }
    }

    func answer(_ question: Question) async throws(Failure) -> Answer {
      let path = question.path.dropFirst()
      if question.method != "GET", isReadOnly, path.first != "live" {
        throw Failure(403, "the inspector only reads: its program has not allowed more")
      }
      let rest = Array(path.dropFirst(2))
      switch (path.first, path.count) {
      case ("program", 1): return .json(try question.reading { program })
      case ("contexts", 3...):
        let shown = try shown(path[path.startIndex + 1])
        if question.method != "GET" {
          return try await queued(queues.changes) { () throws(Failure) in
            try self.change(shown, rest, question)
          }
        }
        return .json(try await read(shown, rest, question))
      case ("loops", 1):
        return .json(try question.reading { .array(loops.map(json)) })
      case ("loops", 3): return .json(try await turn(path[path.startIndex + 1], rest[0], question))
      case ("timelines", 2...):
        return .json(try await look(path[path.startIndex + 1], rest, question))
      case ("log", 1):
        guard let log else { throw Failure.unknown("event log") }
        guard question.method == "GET" else { throw Failure(405, "that can't be done here") }
        return .json(
          try await queued(queue(for: question)) { () throws(Failure) in try log.shown(question) })
      case ("live", _): return try live(Array(path.dropFirst()), question)
      default: throw Failure.unknown("such address")
      }
    }

    // MARK: Queues

    private func queue(for question: Question) -> DispatchQueue {
      question.isWatched ? queues.streams : queues.requests
    }

    private func queued<Value: Sendable>(
      _ queue: DispatchQueue, _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
      let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: Result(catching: body)) }
      }
      return try result.get()
    }

    // MARK: Contexts

    private func read(
      _ shown: ShownContext, _ path: [String], _ question: Question
    ) async throws(Failure) -> JSONValue {
      try await queued(queue(for: question)) { [timelines] () throws(Failure) in
        let context = try shown.living()
        return try Desk.read(context, shown.schema, path, question) { entity in
          timelines.first { $0.context === context }?.changes(of: entity) ?? []
        }
      }
    }

    /// What is known of a context, whichever time it shows.
    static func read(
      _ context: Context, _ schema: Schema?, _ path: [String], _ question: Question,
      isPast: Bool = false, changes: (Entity) -> [JSONValue]
    ) throws(Failure) -> JSONValue {
      switch (path[0], path.count) {
      case ("statistics", 1): return ContextLists(context).statistics
      case ("components", 1): return ContextLists(context).components(schema)
      case ("entities", 1):
        return try EntityPages(context).page(question, limit: Desk.searchLimit)
      case ("entities", 2):
        let pages = EntityPages(context)
        let entity = try pages.entity(path[1])
        var details = try pages.details(of: entity, schema, isPast: isPast)
        details["changes"] = .array(changes(entity))
        return .object(details)
      case (let name, 1):
        if let list = ContextLists(context).list(name) { return list }
      default: break
      }
      throw Failure.unknown("such address")
    }

    private func change(
      _ shown: ShownContext, _ path: [String], _ question: Question
    ) throws(Failure) -> Answer {
      func entity() throws(Failure) -> Entity { try EntityPages(shown.living()).entity(path[1]) }
      guard path[0] == "entities" else { throw Failure(405, "that can't be changed") }
      let condition = EditCondition(question)
      guard question.method == "PUT" || condition.isEmpty else {
        throw Failure(400, "only a value that is set can have a condition")
      }
      switch (question.method, path.count) {
      case ("POST", 1): return .json(try shown.create())
      case ("DELETE", 2):
        try shown.destroy(try entity())
        return Answer(status: 204, body: .none)
      case ("PUT", 4) where path[2] == "components":
        return .json(
          try shown.set(
            path[3], of: try entity(), to: try question.json(), if: condition))
      case ("DELETE", 4) where path[2] == "components":
        try shown.remove(path[3], of: try entity())
        return Answer(status: 204, body: .none)
      default: throw Failure(405, "that can't be done here")
      }
    }

    private func shown(_ number: String) throws(Failure) -> ShownContext {
      guard let number = Int(number), contexts.indices.contains(number) else {
        throw Failure.unknown("context \(number.prefix(40))")
      }
      return contexts[number]
    }

    private func number(of context: Context?) -> Int? {
      guard let context else { return nil }
      return contexts.first { $0.context === context }?.number
    }

    // MARK: Loops

    private func json(_ loop: ShownLoop) -> JSONValue {
      loop.json(context: number(of: loop.context))
    }

    private func turn(
      _ number: String, _ what: String, _ question: Question
    ) async throws(Failure) -> JSONValue {
      guard let number = Int(number), loops.indices.contains(number) else {
        throw Failure.unknown("loop \(number.prefix(40))")
      }
      guard question.method == "POST" else { throw Failure(405, "that can't be done here") }
      let loop = loops[number]
      switch what {
      case "pause": try loop.pause()
      case "resume": try loop.resume()
      case "step":
        let hasStepped = try await loop.step()
        var answer = json(loop).object ?? [:]
        answer["stepped"] = .bool(hasStepped)
        return .object(answer)
      default: throw Failure.unknown("such address")
      }
      return json(loop)
    }

    // MARK: Timelines

    private func look(
      _ number: String, _ path: [String], _ question: Question
    ) async throws(Failure) -> JSONValue {
      guard let number = Int(number), timelines.indices.contains(number) else {
        throw Failure.unknown("timeline \(number.prefix(40))")
      }
      let timeline = timelines[number]
      if path == ["run"], question.method == "POST" || question.method == "DELETE" {
        return try await run(timeline, question)
      }
      guard question.method == "GET" else { throw Failure(405, "that can't be done here") }
      if path.count >= 3, path[0] == "at" {
        guard let commit = Int(path[1]), commit >= 0 else {
          throw Failure(400, "'\(path[1].prefix(40))' is no commit")
        }
        return try await then(timeline, commit, Array(path.dropFirst(2)), question)
      }
      guard path.count <= 1 else { throw Failure.unknown("such address") }
      switch timeline.kind {
      case .flight(let recorder):
        return try await queued(queue(for: question)) { () throws(Failure) in
          try recorder.shown(path.first, question)
        }
      case .run(let run, _): return try await run.shown(path.first, question)
      }
    }

    /// What there was after a commit.
    private func then(
      _ timeline: ShownTimeline, _ commit: Int, _ path: [String], _ question: Question
    ) async throws(Failure) -> JSONValue {
      guard case .run(let run, _) = timeline.kind else {
        throw Failure(409, "\(timeline.name) keeps changes, and not what there was")
      }
      // What a page watches ends no other request, and is asked for again.
      let seek = question.isWatched ? run.presentSeek : run.noteSeek()
      return try await run.after(commit, seek: seek) { (context, schema, commits) throws(Failure) in
        try Desk.read(context, schema, path, question, isPast: true) { entity in
          commits.reversed().lazy.flatMap { $0.changes.reversed() }
            .about(EntityName(entity), nil)
        }
      }
    }

    private func run(
      _ timeline: ShownTimeline, _ question: Question
    ) async throws(Failure) -> JSONValue {
      guard case .run(let run, _) = timeline.kind else {
        throw Failure(409, "\(timeline.name) can't be replayed")
      }
      if question.method == "DELETE" {
        _ = run.noteRun()
        return [:]
      }
      let body = try question.json()
      guard let loop = body["loop"]?.string, let from = body["from"]?.number?.int else {
        throw Failure(400, "the name of a loop and a commit are expected in 'loop' and 'from'")
      }
      return try await run.run(loop, from: from, number: run.noteRun())
    }

    // MARK: Pages

    private func live(_ path: [String], _ question: Question) throws(Failure) -> Answer {
      switch (question.method, path.count) {
      case ("GET", 0):
        let stream = try streams.open { [weak self] question in
          guard let self else { return Answer(Failure(410, "the inspector has ended")) }
          do throws(Failure) { return try await answer(question) } catch { return Answer(error) }
        }
        return Answer(body: .lines { await stream.nextLine() })
      case ("POST", 1):
        try streams.watch(path[0], try question.json())
        return Answer(status: 204, body: .none)
      default: throw Failure(405, "that can't be done here")
      }
    }

    private var program: JSONValue {
      [
        "name": .string(name), "readOnly": .bool(isReadOnly),
        "contexts": .array(
          contexts.map {
            [
              "id": .count($0.number), "name": .string($0.name), "ended": .bool($0.context == nil),
            ]
          }),
        "loops": .array(
          loops.map {
            [
              "id": .count($0.number), "name": .string($0.name),
              "context": number(of: $0.context).map { .count($0) } ?? .null,
            ]
          }),
        "timelines": .array(timelines.map { $0.json(context: number(of: $0.context)) }),
        "log": .bool(log != nil),
      ]
    }
  }

  extension Question {
    /// Refuses all but reading.
    fileprivate func reading(
      _ body: () throws(Failure) -> JSONValue
    ) throws(Failure) -> JSONValue {
      guard method == "GET" else { throw Failure(405, "that can't be done here") }
      return try body()
    }
  }
#endif
