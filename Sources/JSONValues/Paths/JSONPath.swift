/// The path to a place in a ``JSONValue``, such as `user.emails[0].address`.
///
/// ```swift
/// let path = try JSONPath("user.emails[0].address")
/// value[path]
/// ```
///
/// Keys may contain any characters: put a backslash before `.`, `[`, `]`, `"` and `\`, or put the
/// key in quotes, in which only `"` and `\` need one: `"a.b"[0]."c[d]"`. The empty key is `""`.
public struct JSONPath: Sendable, Hashable {
  /// One step of a path.
  public enum Step: Sendable, Hashable {
    /// To the value of a key of an object.
    case key(String)

    /// To an element of a list, counted from 0.
    case index(Int)
  }

  /// The steps from the outermost value.
  public let steps: [Step]

  /// Makes a path from steps.
  ///
  /// - Precondition: No index is negative.
  public init(steps: [Step]) {
    for case .index(let index) in steps {
      require(index >= 0, "\(index) is not a position in a list: use one that is at least 0.")
    }
    self.steps = steps
  }

  /// Parses a path.
  ///
  /// - Throws: ``JSONPathError``, with the position of what is wrong.
  public init(_ text: String) throws(JSONPathError) {
    var parser = JSONPathParser(text)
    steps = try parser.parse()
  }

  /// The largest index in a path of a recipe, since the elements before it have to be written, too.
  public static let maximumIndex = 65_535

  /// The outermost value.
  public static let root = JSONPath(steps: [])

  /// The path with a key after it.
  public func appending(key: String) -> JSONPath { JSONPath(steps: steps + [.key(key)]) }

  /// The path with an index after it.
  ///
  /// - Precondition: `index >= 0`.
  public func appending(index: Int) -> JSONPath { JSONPath(steps: steps + [.index(index)]) }

  /// The path with another one after it.
  public func appending(_ path: JSONPath) -> JSONPath { JSONPath(steps: steps + path.steps) }
}

extension JSONPath: CustomStringConvertible {
  /// The path as text that can be parsed; `$` for the outermost value.
  public var description: String {
    if steps.isEmpty { return "$" }
    var text = ""
    for step in steps {
      switch step {
      case .index(let index): text += "[\(index)]"
      case .key(let key):
        if !text.isEmpty { text += "." }
        text += JSONPath.written(key)
      }
    }
    return text
  }

  private static func written(_ key: String) -> String {
    let special: Set<UnicodeScalar> = [".", "[", "]", "\"", "\\"]
    if !key.isEmpty, key != "$", !key.unicodeScalars.contains(where: special.contains) {
      return key
    }
    let escaped = key.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }
    return "\"\(escaped.joined())\""
  }
}

extension JSONValue {
  /// The value at a path; nil if there is none.
  ///
  /// - Complexity: O(*d*) on average, where *d* is the number of steps.
  public subscript(path: JSONPath) -> JSONValue? {
    var value = self
    for step in path.steps {
      let next: JSONValue? =
        switch step {
        case .key(let key): value[key]
        case .index(let index): value[index]
        }
      guard let next else { return nil }
      value = next
    }
    return value
  }
}
