/// Goes through the bytes of a JSON text that is most likely in order.
///
/// Where something is not, or is rare, a step gives nothing, and the position is not to be relied
/// on.
package struct JSONScanner {
  private let bytes: [UInt8]
  private var position: Int
  private var end: Int

  /// The number of containers around what comes next.
  package var depth = 1

  package init(_ bytes: [UInt8], in range: Range<Int>) {
    (self.bytes, position, end) = (bytes, range.lowerBound, range.upperBound)
  }

  /// Goes on elsewhere in the bytes.
  package mutating func move(to range: Range<Int>) {
    (position, end) = (range.lowerBound, range.upperBound)
  }

  /// The byte that comes next and is not space; nil at the end.
  package mutating func peek() -> UInt8? {
    skipSpace()
    return position < end ? bytes[position] : nil
  }

  /// Takes the beginning of a container, unless that would be too deep.
  package mutating func open(_ byte: UInt8) -> Bool {
    guard depth < JSONValue.maximumDepth, take(byte) else { return false }
    depth += 1
    return true
  }

  /// Takes the end of a container.
  package mutating func close(_ byte: UInt8) -> Bool {
    guard take(byte) else { return false }
    depth -= 1
    return true
  }

  /// Takes a byte that is not space, if it comes next.
  package mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard position < end, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// Takes space; false if something else follows.
  package mutating func takeEnd() -> Bool {
    skipSpace()
    return position == end
  }

  private mutating func skipSpace() {
    while position < end {
      switch bytes[position] {
      case 0x20, 0x09, 0x0a, 0x0d: position += 1
      default: return
      }
    }
  }

  // MARK: Keys

  /// Whether a byte of a string is ASCII and stands for itself.
  static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  /// Takes a key with the colon after it.
  ///
  /// - Parameters:
  ///   - keys: The keys that matter.
  ///   - expected: The number of the one that is looked for first.
  ///   - seen: Which of them were taken in the same object.
  ///   - others: What is to be known of other keys.
  ///   - firstOther: The first of those that are of the same object.
  /// - Returns: The number of the key, -1 for any other one, and nil at a failure, such as a key
  ///   that comes twice.
  package mutating func takeKey(
    of keys: JSONKeys, near expected: Int, _ seen: inout UInt64, _ others: inout [UInt64],
    from firstOther: Int
  ) -> Int? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    guard let number = takeNumber(of: keys.list, near: expected) else {
      // Two keys of one hash may be the same key.
      guard let hash = takeHashOfKey(), others.count - firstOther < JSONKeys.maximumOthers,
        !others[firstOther...].contains(hash), take(UInt8(ascii: ":"))
      else { return nil }
      others.append(hash)
      return -1
    }
    let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: number)
    guard seen & bit == 0, take(UInt8(ascii: ":")) else { return nil }
    seen |= bit
    return number
  }

  /// Takes the rest of one of some keys.
  private mutating func takeNumber(of keys: [[UInt8]], near expected: Int) -> Int? {
    if expected < keys.count, takeKey(keys[expected]) { return expected }
    for index in keys.indices where index != expected && takeKey(keys[index]) { return index }
    return nil
  }

  /// Takes the rest of a key, with the closing quote, if it is the one given, of which all is
  /// plain.
  private mutating func takeKey(_ key: [UInt8]) -> Bool {
    let close = position + key.count
    guard close < end, bytes[close] == UInt8(ascii: "\"") else { return false }
    for index in key.indices where bytes[position + index] != key[index] { return false }
    position = close + 1
    return true
  }

  /// Takes a key and the colon behind it, if it is the one given, of which all is plain.
  package mutating func takeMember(_ key: [UInt8]) -> Bool {
    take(UInt8(ascii: "\"")) && takeKey(key) && take(UInt8(ascii: ":"))
  }

  /// Takes a text, if one comes next.
  package mutating func takeText() -> String? {
    skipSpace()
    guard position < end, bytes[position] == UInt8(ascii: "\"") else { return nil }
    return takeValue()?.string
  }

  /// Takes the rest of a key, with the closing quote, and gives a number that few other keys have;
  /// nil if not all of it is plain.
  private mutating func takeHashOfKey() -> UInt64? {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    while position < end {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") { return hash }
      guard JSONScanner.isPlain(byte) else { return nil }
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return nil
  }

  // MARK: Values

  // PERFORMANCE: Validating looks up types at run time, which takes longer than making the text:
  // only what is not ASCII is validated (P4).

  /// Takes a value.
  package mutating func takeValue() -> JSONValue? {
    skipSpace()
    guard position < end else { return nil }
    switch bytes[position] {
    case UInt8(ascii: "\""):
      let start = position + 1
      guard let isASCII = takeString() else { return parseValue() }
      let text = bytes[start..<position - 1]
      if isASCII { return .string(String(decoding: text, as: UTF8.self)) }
      return String(validating: text, as: UTF8.self).map(JSONValue.string)
    case UInt8(ascii: "t"): return takeWord(0x7472_7565) ? .bool(true) : nil
    case UInt8(ascii: "f"):
      guard takeWord(0x6661_6c73), position < end, bytes[position] == UInt8(ascii: "e") else {
        return nil
      }
      position += 1
      return .bool(false)
    case UInt8(ascii: "n"): return takeWord(0x6e75_6c6c) ? .null : nil
    default:
      let number = ShortDecimal.storage(scanning: bytes, at: &position, before: end)
      return number.map { .number(JSONNumber(storage: $0)) } ?? parseValue()
    }
  }

  /// Skips a value; false if it is not in order.
  package mutating func skipValue() -> Bool {
    skipSpace()
    guard position < end, bytes[position] == UInt8(ascii: "\"") else { return takeValue() != nil }
    let start = position + 1
    guard let isASCII = takeString() else { return parseValue() != nil }
    return isASCII || String(validating: bytes[start..<position - 1], as: UTF8.self) != nil
  }

  /// Passes a value and gives where it stands; what is inside of it is not looked at.
  mutating func passValue() -> Range<Int>? {
    skipSpace()
    let start = position
    var depth = 0
    while position < end {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        while position < end, bytes[position] != UInt8(ascii: "\"") {
          position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard position < end else { return nil }
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        // What a scalar is in ends.
        if depth == 0 { return start < position ? start..<position : nil }
        depth -= 1
        if depth == 0 {
          position += 1
          return start..<position
        }
      case UInt8(ascii: ","): if depth == 0 { return start < position ? start..<position : nil }
      default: break
      }
      position += 1
    }
    return nil
  }

  /// Takes a string and tells whether all of it is ASCII; nil, without taking anything, if it has
  /// escapes or is not in order.
  private mutating func takeString() -> Bool? {
    var (next, all) = (position + 1, UInt8(0))
    while next < end {
      let byte = bytes[next]
      next += 1
      if byte == UInt8(ascii: "\"") {
        position = next
        return all < 0x80
      }
      guard byte >= 0x20, byte != UInt8(ascii: "\\") else { return nil }
      all |= byte
    }
    return nil
  }

  /// Takes four characters.
  private mutating func takeWord(_ word: UInt32) -> Bool {
    guard end - position >= 4 else { return false }
    var found: UInt32 = 0
    for offset in 0..<4 { found = found << 8 | UInt32(bytes[position + offset]) }
    position += 4
    return found == word
  }

  private mutating func parseValue() -> JSONValue? {
    do throws(JSONSyntaxError) {
      let (value, next) = try JSONParser.parseValue(bytes, in: position..<end, depth: depth)
      position = next
      return value
    } catch {
      return nil
    }
  }
}
