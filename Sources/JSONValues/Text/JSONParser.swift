/// Parses one JSON text.
///
/// The platform's parser gives dictionaries, which have lost the order of the keys, keeps the last
/// of several values of a key without a word, and refuses numbers that no `Double` holds: it can't
/// keep what ``JSONValue`` promises. This one keeps the open containers in an array instead of
/// calling itself, so no data can exhaust the stack.
package struct JSONParser {
  /// A container that is not closed yet.
  private struct Frame {
    var isObject: Bool
    var key = ""
    var elements: [JSONValue] = []
    var entries = JSONEntries()
  }

  private let bytes: [UInt8]
  private var position: Int
  private let start: Int
  private let end: Int
  private var frames: [Frame] = []

  /// The number of containers around the text.
  private var depth = 0

  /// Prepares to parse the bytes in a range, which must be the whole text.
  init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    (start, end) = (range.lowerBound, range.upperBound)
    position = start
  }

  /// Parses all of a text.
  package static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
    let hasMark = bytes.starts(with: [0xef, 0xbb, 0xbf])
    var parser = JSONParser(bytes, in: 0..<bytes.count)
    if hasMark { parser.position = 3 }
    return try parser.parse()
  }

  /// Parses a text within bytes; errors count from its first one.
  package static func parse(_ bytes: [UInt8], in range: Range<Int>) throws(JSONSyntaxError)
    -> JSONValue
  {
    var parser = JSONParser(bytes, in: range)
    return try parser.parse()
  }

  /// Parses a value that begins a range and stands in some containers; also gives where it ends.
  static func parseValue(
    _ bytes: [UInt8], in range: Range<Int>, depth: Int
  ) throws(JSONSyntaxError) -> (value: JSONValue, end: Int) {
    var parser = JSONParser(bytes, in: range)
    parser.depth = depth
    let value = try parser.parseValue()
    return (value, parser.position)
  }

  private mutating func parse() throws(JSONSyntaxError) -> JSONValue {
    let value = try parseValue()
    try expectEnd()
    return value
  }

  private mutating func parseValue() throws(JSONSyntaxError) -> JSONValue {
    while true {
      guard var value = try parseValueOrOpen() else { continue }
      while true {
        guard !frames.isEmpty else { return value }
        guard let closed = try attach(value) else { break }
        value = closed
      }
    }
  }

  // MARK: Containers

  /// Parses a scalar or an empty container, or opens a container that has something in it.
  private mutating func parseValueOrOpen() throws(JSONSyntaxError) -> JSONValue? {
    skipSpace()
    let byte = try peek()
    guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else { return try parseScalar() }
    guard depth + frames.count < JSONValue.maximumDepth else { throw failure(.tooDeep) }
    let isObject = byte == UInt8(ascii: "{")
    position += 1
    skipSpace()
    if try peek() == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
      position += 1
      return isObject ? .object([:]) : .array([])
    }
    frames.append(Frame(isObject: isObject))
    if isObject { try parseKey() }
    return nil
  }

  /// Puts a value into the innermost container; gives that container if it is closed by now.
  private mutating func attach(_ value: JSONValue) throws(JSONSyntaxError) -> JSONValue? {
    let last = frames.count - 1
    let isObject = frames[last].isObject
    if isObject {
      let key = frames[last].key
      guard frames[last].entries.append(key, value) else { throw failure(.duplicateKey(key)) }
    } else {
      frames[last].elements.append(value)
    }
    skipSpace()
    let byte = try peek()
    let closing = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    guard byte == closing || byte == UInt8(ascii: ",") else {
      throw failure(.unexpected(byte, expected: isObject ? "',' or '}'" : "',' or ']'"))
    }
    position += 1
    if byte == closing {
      let frame = frames.removeLast()
      return isObject ? .object(JSONObject(frame.entries)) : .array(frame.elements)
    }
    if isObject { try parseKey() }
    return nil
  }

  private mutating func parseKey() throws(JSONSyntaxError) {
    skipSpace()
    let byte = try peek()
    guard byte == UInt8(ascii: "\"") else {
      throw failure(.unexpected(byte, expected: "a key in quotes"))
    }
    frames[frames.count - 1].key = try parseString()
    skipSpace()
    let colon = try peek()
    guard colon == UInt8(ascii: ":") else { throw failure(.unexpected(colon, expected: "':'")) }
    position += 1
  }

  // MARK: Scalars

  private mutating func parseScalar() throws(JSONSyntaxError) -> JSONValue {
    let byte = try peek()
    switch byte {
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return .number(try parseNumber())
    case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
    case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
    case UInt8(ascii: "n"): return try parseWord("null", .null)
    default: throw failure(.unexpected(byte, expected: "a value"))
    }
  }

  private mutating func parseWord(
    _ word: StaticString, _ value: JSONValue
  ) throws(JSONSyntaxError) -> JSONValue {
    for expected in word.description.utf8 {
      let byte = try peek()
      guard byte == expected else { throw failure(.unexpected(byte, expected: "\(word)")) }
      position += 1
    }
    return value
  }

  private mutating func parseNumber() throws(JSONSyntaxError) -> JSONNumber {
    if let storage = ShortDecimal.storage(scanning: bytes, at: &position, before: end) {
      return JSONNumber(storage: storage)
    }
    let start = position
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    let digits = position
    try skipDigits(of: start)
    if bytes[digits] == UInt8(ascii: "0"), position > digits + 1 {
      throw failure(.badNumber, at: start)
    }
    try skipFractionAndExponent(of: start)
    guard let scanned = DecimalText(scanning: bytes[start..<position]) else {
      throw failure(.badNumber, at: start)
    }
    return JSONNumber(storage: scanned.storage)
  }

  private mutating func skipFractionAndExponent(of start: Int) throws(JSONSyntaxError) {
    if position < end, bytes[position] == UInt8(ascii: ".") {
      position += 1
      try skipDigits(of: start)
    }
    guard position < end, bytes[position] | 0x20 == UInt8(ascii: "e") else { return }
    position += 1
    if position < end, bytes[position] == UInt8(ascii: "-") || bytes[position] == UInt8(ascii: "+")
    {
      position += 1
    }
    try skipDigits(of: start)
  }

  private mutating func skipDigits(of start: Int) throws(JSONSyntaxError) {
    let first = position
    while position < end, digit(at: position) != nil { position += 1 }
    guard position > first else { throw failure(.badNumber, at: start) }
  }

  private func digit(at position: Int) -> UInt8? {
    let digit = bytes[position] &- UInt8(ascii: "0")
    return digit < 10 ? digit : nil
  }

  // MARK: Strings

  private mutating func parseString() throws(JSONSyntaxError) -> String {
    position += 1
    let start = position
    var all: UInt8 = 0
    while true {
      let byte = try peek()
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\") { return try parseEscapedString(from: start) }
      guard byte >= 0x20 else { throw failure(.unexpected(byte, expected: "a character")) }
      all |= byte
      position += 1
    }
    defer { position += 1 }
    // PERFORMANCE: Validating takes longer than all else (P0.own, P4).
    if all < 0x80 { return String(decoding: bytes[start..<position], as: UTF8.self) }
    return try text(bytes[start..<position], from: start)
  }

  /// Parses a string from its first escape on.
  private mutating func parseEscapedString(from start: Int) throws(JSONSyntaxError) -> String {
    var unescaped = Array(bytes[start..<position])
    while true {
      let byte = try peek()
      if byte == UInt8(ascii: "\"") { break }
      guard byte >= 0x20 else { throw failure(.unexpected(byte, expected: "a character")) }
      position += 1
      if byte == UInt8(ascii: "\\") {
        try parseEscape(into: &unescaped)
      } else {
        unescaped.append(byte)
      }
    }
    position += 1
    return try text(unescaped[...], from: start)
  }

  private func text(
    _ slice: ArraySlice<UInt8>, from start: Int
  ) throws(JSONSyntaxError) -> String {
    guard let text = String(validating: slice, as: UTF8.self) else {
      throw failure(.notUTF8, at: start)
    }
    return text
  }

  private mutating func parseEscape(into text: inout [UInt8]) throws(JSONSyntaxError) {
    let start = position - 1
    let byte = try peek()
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0c)
    case UInt8(ascii: "n"): text.append(0x0a)
    case UInt8(ascii: "r"): text.append(0x0d)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      guard let scalar = UnicodeScalar(try parseCodePoint(start)) else {
        throw failure(.badEscape, at: start)
      }
      text += Array(String(Character(scalar)).utf8)
    default: throw failure(.badEscape, at: start)
    }
  }

  private mutating func parseCodePoint(_ start: Int) throws(JSONSyntaxError) -> UInt32 {
    let high = try parseFourDigits(start)
    guard (0xd800..<0xdc00).contains(high) else { return high }
    guard position + 1 < end, bytes[position] == UInt8(ascii: "\\"),
      bytes[position + 1] == UInt8(ascii: "u")
    else { throw failure(.badEscape, at: start) }
    position += 2
    let low = try parseFourDigits(start)
    guard (0xdc00..<0xe000).contains(low) else { throw failure(.badEscape, at: start) }
    return 0x1_0000 + (high - 0xd800) << 10 + (low - 0xdc00)
  }

  private mutating func parseFourDigits(_ start: Int) throws(JSONSyntaxError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      let character = Character(UnicodeScalar(try peek()))
      guard character.isASCII, let digit = character.hexDigitValue else {
        throw failure(.badEscape, at: start)
      }
      value = value << 4 + UInt32(digit)
      position += 1
    }
    return value
  }

  // MARK: Bytes

  private func peek() throws(JSONSyntaxError) -> UInt8 {
    guard position < end else { throw failure(.endOfData) }
    return bytes[position]
  }

  private mutating func skipSpace() {
    while position < end {
      switch bytes[position] {
      case 0x20, 0x09, 0x0a, 0x0d: position += 1
      default: return
      }
    }
  }

  private mutating func expectEnd() throws(JSONSyntaxError) {
    skipSpace()
    guard position < end else { return }
    throw failure(.unexpected(bytes[position], expected: "the end"))
  }

  private func failure(_ reason: JSONSyntaxError.Reason, at index: Int? = nil) -> JSONSyntaxError {
    JSONSyntaxError(reason, at: index ?? position, of: bytes[start...])
  }
}
