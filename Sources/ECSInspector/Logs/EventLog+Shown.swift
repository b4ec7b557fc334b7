#if Inspector
  import ECS
  import ECSHistory
  import JSONValues

  extension EventLog {
    /// The answer to a query, the newest events last.
    func shown(_ question: Question) throws(Failure) -> JSONValue {
      let text = question.query["query"] ?? ""
      let limit = try question.number("limit", in: 1...1_000) ?? 200
      let result: EventQueryResult
      do throws(EventQueryError) {
        result = try query(text.allSatisfy(\.isWhitespace) ? "events" : text, limit: limit)
      } catch {
        throw Failure(400, "\(error)", at: text.prefix(error.position).utf16.count)
      }
      guard case .events(let events, let total) = result else {
        // Counts are a line each.
        let lines = "\(result)".split(separator: "\n")
        let shown = lines.prefix(limit).enumerated().map { number, line -> JSONValue in
          [
            "number": .count(number), "seconds": .null, "kind": "count",
            "text": .string(ValueText(String(line)).text), "entity": .null, "cause": .null,
          ]
        }
        return ["events": .array(shown), "more": .bool(lines.count > limit)]
      }
      return [
        "events": .array(events.map(\.shown)), "more": .bool(total > events.count),
      ]
    }
  }

  extension LoggedEvent {
    fileprivate var shown: JSONValue {
      var words = [component, text].compactMap(\.self)
      if let key { words.append("'\(key)'") }
      if let duration { words.append("\(duration)") }
      let loopName = loop.map { " of loop \($0)" } ?? ""
      return [
        "number": .count(number), "seconds": .seconds(time), "kind": .string(kind.rawValue),
        "text": .string(ValueText(words.joined(separator: " ")).text),
        "entity": .optional(entity), "cause": cause.map { .short($0 + loopName) } ?? .null,
        "context": .optional(context),
        "commit": commit.map { .count($0) } ?? .null, "tick": .count(tick),
      ]
    }
  }
#endif
