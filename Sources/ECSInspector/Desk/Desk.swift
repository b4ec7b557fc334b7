#if Inspector
  import ECS
  import Foundation
  import JSONValues

  /// Answers requests that were let in.
  final class Desk: Sendable {
    let contexts: [ShownContext]
    let isReadOnly: Bool
    private let name: String

    init(_ sources: InspectorSources, isReadOnly: Bool) {
      contexts = sources.contexts
      self.isReadOnly = isReadOnly
      name = ProcessInfo.processInfo.processName
    }

    func answer(_ question: Question) async throws(Failure) -> Answer {
      switch question.path.dropFirst().first {
      case "program" where question.path.count == 2:
        return .json(program)
      default:
        throw Failure.unknown("such address")
      }
    }

    private var program: JSONValue {
      [
        "name": .string(name), "readOnly": .bool(isReadOnly),
        "contexts": .array(
          contexts.map {
            [
              "id": .number(JSONNumber($0.number)), "name": .string($0.name),
              "ended": .bool($0.context == nil),
            ]
          }),
      ]
    }
  }
#endif
