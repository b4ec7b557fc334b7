/// Parses the text of a ``JSONPath``.
struct JSONPathParser {
  private let text: String
  private let scalars: [UnicodeScalar]
  private var position = 0

  init(_ text: String) {
    self.text = text
    scalars = Array(text.unicodeScalars)
  }

  mutating func parse() throws(JSONPathError) -> [JSONPath.Step] {
    guard !scalars.isEmpty else { throw failure(.empty) }
    var steps = [scalars[0] == "[" ? try parseIndex() : .key(try parseKey())]
    while position < scalars.count {
      switch scalars[position] {
      case "[": steps.append(try parseIndex())
      case ".":
        position += 1
        steps.append(.key(try parseKey()))
      default: throw failure(.unexpected)
      }
    }
    return steps
  }

  private mutating func parseIndex() throws(JSONPathError) -> JSONPath.Step {
    let bracket = position
    position += 1
    let start = position
    while position < scalars.count, ("0"..."9").contains(scalars[position]) { position += 1 }
    guard position < scalars.count else { throw failure(.openBracket, at: bracket) }
    guard scalars[position] == "]", position > start,
      let index = Int(String(String.UnicodeScalarView(scalars[start..<position])))
    else { throw failure(.badIndex, at: start) }
    position += 1
    return .index(index)
  }

  private mutating func parseKey() throws(JSONPathError) -> String {
    guard position < scalars.count else { throw failure(.missingKey) }
    if scalars[position] == "\"" { return try parseQuotedKey() }
    var key = String.UnicodeScalarView()
    scan: while position < scalars.count {
      switch scalars[position] {
      case ".", "[": break scan
      case "]", "\"": throw failure(.unexpected)
      default: key.append(try parseScalar())
      }
    }
    guard !key.isEmpty else { throw failure(.missingKey) }
    return String(key)
  }

  private mutating func parseQuotedKey() throws(JSONPathError) -> String {
    let quote = position
    position += 1
    var key = String.UnicodeScalarView()
    while position < scalars.count {
      if scalars[position] == "\"" {
        position += 1
        return String(key)
      }
      key.append(try parseScalar())
    }
    throw failure(.openQuote, at: quote)
  }

  /// Takes one scalar, or the one after a backslash.
  private mutating func parseScalar() throws(JSONPathError) -> UnicodeScalar {
    if scalars[position] == "\\" {
      position += 1
      guard position < scalars.count else { throw failure(.openEscape, at: position - 1) }
    }
    defer { position += 1 }
    return scalars[position]
  }

  private func failure(_ reason: JSONPathError.Reason, at index: Int? = nil) -> JSONPathError {
    JSONPathError(reason: reason, text: text, position: index ?? position)
  }
}
