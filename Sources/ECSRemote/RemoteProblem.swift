public import ECSRecipes

/// A server's explanation of a refusal.
public struct RemoteProblem: Sendable, Hashable {
  /// What kind of problem it is, for programs.
  public var code: String?

  /// What is wrong, for people.
  public var message: String

  /// All that it said.
  public var details: JSONValue

  /// Makes a problem.
  public init(code: String? = nil, message: String, details: JSONValue = .null) {
    (self.code, self.message, self.details) = (code, message, details)
  }

  /// A problem as RFC 9457 has it: `type`, and `detail` or `title`; nil for anything else.
  public static func standard(_ data: JSONValue) -> RemoteProblem? {
    guard let message = data["detail"]?.string ?? data["title"]?.string else { return nil }
    return RemoteProblem(code: data["type"]?.string, message: message, details: data)
  }
}

extension RemoteProblem: CustomStringConvertible {
  /// The message, and the code if there is one.
  public var description: String { code.map { "\(message) (\($0))" } ?? message }
}
