#if Inspector
  import JSONValues

  /// A request that is refused: the status, and why, for people.
  struct Failure: Error {
    let status: Int
    let text: String

    /// Where the query is wrong, as UTF-16 counts.
    let at: Int?

    /// Which part of the query is wrong.
    var parameter: String?

    init(_ status: Int, _ text: String, at: Int? = nil) {
      (self.status, self.text, self.at) = (status, text, at)
    }

    /// Reads a part of the query, and says which one that is if it is wrong.
    static func reading<Value>(
      _ name: String, of question: Question, _ body: (String) throws(Failure) -> Value
    ) throws(Failure) -> Value {
      do throws(Failure) {
        return try body(question.query[name] ?? "")
      } catch {
        var failure = error
        failure.parameter = name
        throw failure
      }
    }

    static func unknown(_ what: String) -> Failure { Failure(404, "there is no \(what)") }

    var json: JSONValue {
      var object: JSONObject = ["error": .string(text)]
      if let at { object["at"] = .number(JSONNumber(at)) }
      if let parameter { object["parameter"] = .string(parameter) }
      return .object(object)
    }
  }
#endif
