#if Inspector
  import ECS
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
      let path = question.path.dropFirst()
      guard question.method == "GET" else { throw Failure(405, "that can't be done here") }
      switch path.first {
      case "program" where path.count == 1:
        return .json(program)
      case "contexts" where path.count >= 3:
        let context = try shown(path[path.startIndex + 1]).living()
        return .json(try read(context, Array(path.dropFirst(2)), question))
      default:
        throw Failure.unknown("such address")
      }
    }

    /// What is known of a context, whichever time it shows.
    func read(
      _ context: Context, _ path: [String], _ question: Question
    ) throws(Failure) -> JSONValue {
      switch (path[0], path.count) {
      case ("statistics", 1): return context.shownStatistics
      case ("components", 1): return context.shownComponents
      case ("entities", 1):
        return try context.shownEntities(question, limit: Desk.searchLimit)
      case ("entities", 2):
        var details = try context.shownDetails(of: try context.shownEntity(path[1]))
        details["changes"] = []
        return .object(details)
      case (let name, 1):
        if let list = context.shownList(name) { return list }
      default: break
      }
      throw Failure.unknown("such address")
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
