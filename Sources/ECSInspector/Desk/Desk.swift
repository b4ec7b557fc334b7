#if Inspector
  import ECS
  import ECSSnapshots
  import Foundation
  import JSONValues

  /// Answers requests that were let in.
  final class Desk: Sendable {
    let contexts: [ShownContext]
    let isReadOnly: Bool
    private let name: String

    /// How long a search may take.
    static var searchLimit: Duration { .seconds(2) }

    init(_ sources: InspectorSources, isReadOnly: Bool) {
      contexts = sources.contexts
      self.isReadOnly = isReadOnly
      name = ProcessInfo.processInfo.processName
    }

    func answer(_ question: Question) async throws(Failure) -> Answer {
      if question.method != "GET", isReadOnly, question.path.dropFirst().first != "live" {
        throw Failure(403, "the inspector only reads: its program has not allowed more")
      }
      let path = question.path.dropFirst()
      switch path.first {
      case "program" where path.count == 1: return .json(program)
      case "contexts" where path.count >= 3:
        let shown = try shown(path[path.startIndex + 1])
        let rest = Array(path.dropFirst(2))
        if question.method != "GET" { return try change(shown, rest, question) }
        return .json(try read(try shown.living(), shown.schema, rest, question))
      default: throw Failure.unknown("such address")
      }
    }

    /// What is known of a context, whichever time it shows.
    func read(
      _ context: Context, _ schema: Schema?, _ path: [String], _ question: Question
    ) throws(Failure) -> JSONValue {
      switch (path[0], path.count) {
      case ("statistics", 1): return context.shownStatistics
      case ("components", 1): return context.shownComponents(schema)
      case ("entities", 1):
        return try context.shownEntities(question, limit: Desk.searchLimit)
      case ("entities", 2):
        var details = try context.shownDetails(of: try context.shownEntity(path[1]), schema)
        details["changes"] = []
        return .object(details)
      case (let name, 1):
        if let list = context.shownList(name) { return list }
      default: break
      }
      throw Failure.unknown("such address")
    }

    private func change(
      _ shown: ShownContext, _ path: [String], _ question: Question
    ) throws(Failure) -> Answer {
      func entity() throws(Failure) -> Entity { try shown.living().shownEntity(path[1]) }
      guard path[0] == "entities" else { throw Failure(405, "that can't be changed") }
      switch (question.method, path.count) {
      case ("POST", 1): return .json(try shown.create())
      case ("DELETE", 2):
        try shown.destroy(try entity())
        return Answer(status: 204, body: .none)
      case ("PUT", 4) where path[2] == "components":
        return .json(try shown.set(path[3], of: try entity(), to: try question.json()))
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

    private var program: JSONValue {
      [
        "name": .string(name), "readOnly": .bool(isReadOnly),
        "contexts": .array(
          contexts.map {
            [
              "id": .count($0.number), "name": .string($0.name), "ended": .bool($0.context == nil),
            ]
          }),
      ]
    }
  }
#endif
