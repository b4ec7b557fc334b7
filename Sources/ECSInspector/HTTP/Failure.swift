#if Inspector
  import JSONValues

  /// A request that is refused: the status, and why, for people.
  struct Failure: Error {
    let status: Int
    let text: String

    /// Where the query is wrong, as UTF-16 counts.
    let at: Int?

    init(_ status: Int, _ text: String, at: Int? = nil) {
      (self.status, self.text, self.at) = (status, text, at)
    }

    static func unknown(_ what: String) -> Failure { Failure(404, "there is no \(what)") }

    var json: JSONValue {
      var object: JSONObject = ["error": .string(text)]
      if let at { object["at"] = .number(JSONNumber(at)) }
      return .object(object)
    }
  }
#endif
