#if Inspector
  import Foundation
  import JSONValues

  /// A request, taken apart.
  struct Question: Sendable {
    let method: String

    /// The parts of the path, decoded.
    let path: [String]

    /// The values of the query, decoded, by their names.
    let query: [String: String]

    /// By names in lower case.
    let headers: [String: String]
    let body: Data

    /// Whether a stream asks, which asks again.
    private(set) var isWatched = false

    /// The bytes that an address may have.
    ///
    /// FlyingFox takes, for each byte of a line, a time that grows with those before it: seconds for
    /// some thousands, in a build without optimization.
    static var largestTarget: Int { 4_096 }

    /// Takes apart what is before and behind the question mark of a target.
    init(
      method: String, path: String, query: String, headers: [String: String] = [:],
      body: Data = Data()
    ) {
      self.method = method
      self.path = path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
      var values: [String: String] = [:]
      for part in query.split(separator: "&") {
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = Question.decoded(pair[0])
        if values[name] == nil { values[name] = pair.count > 1 ? Question.decoded(pair[1]) : "" }
      }
      self.query = values
      self.headers = headers
      self.body = body
    }

    /// A request for what a target names, as a page that watches it would make it.
    init(watching target: String) {
      let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      self.init(
        method: "GET", path: String(parts.first ?? ""),
        query: parts.count > 1 ? String(parts[1]) : "")
      isWatched = true
    }

    // As forms write it, with plus signs for spaces.
    private static func decoded(_ text: Substring) -> String {
      let spaced = text.replacing("+", with: " ")
      return spaced.removingPercentEncoding ?? String(spaced)
    }

    /// The body.
    func json() throws(Failure) -> JSONValue {
      do throws(JSONSyntaxError) {
        return try JSONValue(data: body)
      } catch {
        throw Failure(400, "the body is no JSON: \(error)")
      }
    }

    /// A number of the query; nil if it is not there.
    func number(_ name: String, in range: ClosedRange<Int>) throws(Failure) -> Int? {
      guard let text = query[name], !text.isEmpty else { return nil }
      guard let number = Int(text) else {
        throw Failure(400, "\(name) is '\(text.prefix(40))', which is no number")
      }
      return min(max(number, range.lowerBound), range.upperBound)
    }
  }
#endif
