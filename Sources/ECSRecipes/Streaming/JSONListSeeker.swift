import JSONValues

/// Finds a list that stands somewhere in a JSON text, byte by byte, without keeping what is before
/// it.
struct JSONListSeeker {
  /// The outcome of a byte.
  enum Step {
    case goOn

    /// It begins the list.
    case list

    /// It is not allowed here; with what is.
    case unexpected(String)

    /// There is no list at the path.
    case absent(RecipeError.Reason, JSONPath)
  }

  private enum State {
    /// Before a value, which is on the way or is skipped.
    case value(isOnWay: Bool)
    case keyOrEnd
    case key
    case colon
    case afterValue
    case skippingString
    case skippingScalar
    case skippingContainer
  }

  private let path: JSONPath

  /// The number of containers on the way that were entered.
  private var entered = 0

  /// The position in the list that was entered last.
  private var index = 0
  private var state = State.value(isOnWay: true)
  private var key: [UInt8] = []
  private var depth = 0
  private var isInString = false
  private var isEscaped = false

  init(_ path: JSONPath) { self.path = path }

  mutating func take(_ byte: UInt8) -> Step {
    switch state {
    case .value(let isOnWay): return isSpace(byte) ? .goOn : value(byte, isOnWay)
    case .keyOrEnd:
      if isSpace(byte) { return .goOn }
      if byte == UInt8(ascii: "}") { return .absent(.missing, path) }
      guard byte == UInt8(ascii: "\"") else { return .unexpected("a key in quotes") }
      key = [byte]
      state = .key
    case .key:
      key.append(byte)
      if endsString(byte) { state = .colon }
    case .colon:
      if isSpace(byte) { return .goOn }
      guard byte == UInt8(ascii: ":") else { return .unexpected("':'") }
      state = .value(isOnWay: isKeyOnWay)
    case .afterValue: return afterValue(byte)
    case .skippingString: if endsString(byte) { state = .afterValue }
    case .skippingScalar:
      if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        return afterValue(byte)
      }
    case .skippingContainer: skip(byte)
    }
    return .goOn
  }

  private mutating func value(_ byte: UInt8, _ isOnWay: Bool) -> Step {
    if isOnWay { return enter(byte) }
    switch byte {
    case UInt8(ascii: "\""): state = .skippingString
    case UInt8(ascii: "{"), UInt8(ascii: "["): (state, depth) = (.skippingContainer, 1)
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: ":"): return .unexpected("a value")
    case UInt8(ascii: "]"): return .absent(.missing, path)
    default: state = .skippingScalar
    }
    return .goOn
  }

  /// Goes into a value on the way.
  private mutating func enter(_ byte: UInt8) -> Step {
    let here = JSONPath(steps: Array(path.steps[..<entered]))
    guard let kind = kind(of: byte) else { return .unexpected("a value") }
    guard entered < path.steps.count else {
      return kind == .array ? .list : .absent(.typeMismatch(expected: "array", found: kind), here)
    }
    switch path.steps[entered] {
    case .key:
      guard kind == .object else {
        return .absent(.typeMismatch(expected: "object", found: kind), here)
      }
      state = .keyOrEnd
    case .index(let wanted):
      guard kind == .array else {
        return .absent(.typeMismatch(expected: "array", found: kind), here)
      }
      index = 0
      state = .value(isOnWay: wanted == 0)
    }
    entered += 1
    return .goOn
  }

  private mutating func afterValue(_ byte: UInt8) -> Step {
    if isSpace(byte) { return .goOn }
    let isList = if case .index = path.steps[entered - 1] { true } else { false }
    if byte == (isList ? UInt8(ascii: "]") : UInt8(ascii: "}")) { return .absent(.missing, path) }
    guard byte == UInt8(ascii: ",") else {
      return .unexpected(isList ? "',' or ']'" : "',' or '}'")
    }
    if case .index(let wanted) = path.steps[entered - 1] {
      index += 1
      state = .value(isOnWay: index == wanted)
    } else {
      state = .keyOrEnd
    }
    return .goOn
  }

  private var isKeyOnWay: Bool {
    guard case .key(let wanted) = path.steps[entered - 1],
      case .string(let found)? = try? JSONParser.parse(key)
    else { return false }
    return wanted == found
  }

  private mutating func skip(_ byte: UInt8) {
    if isInString {
      if endsString(byte) { isInString = false }
      return
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      if depth == 0 { state = .afterValue }
    default: break
    }
  }

  private mutating func endsString(_ byte: UInt8) -> Bool {
    if isEscaped {
      isEscaped = false
      return false
    }
    if byte == UInt8(ascii: "\\") { isEscaped = true }
    return byte == UInt8(ascii: "\"")
  }

  private func kind(of byte: UInt8) -> JSONValue.Kind? {
    switch byte {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
    case UInt8(ascii: "n"): .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
    default: nil
    }
  }

  private func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
  }
}
