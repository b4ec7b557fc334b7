/// Takes answers of Redis apart, in the protocol RESP 2.
///
/// Bytes may come in pieces of any size, and each is looked at once. No bytes crash it, or make it
/// take more memory than some times their number.
package struct RedisParser {
  /// How deep answers may nest.
  private static let deepest = 16
  private static let longestLine = 64 << 10
  private static let longestBulk = 512 << 20
  private static let longestArray = 16 << 20

  /// An array of which not all elements are there.
  private struct OpenArray {
    var elements: [RedisValue] = []
    var missing: Int
  }

  /// The content of a place of an answer.
  private enum Part {
    case value(RedisValue)
    case array(Int)
  }

  private let longestAnswer: Int
  private var bytes: [UInt8] = []

  /// Where the next value begins.
  private var start = 0

  /// Up to where the end of its line was looked for.
  private var looked = 0

  /// How many bytes there have to be before it makes sense to look again.
  private var needed = 1

  /// The arrays that the next value is part of, the innermost last.
  private var open: [OpenArray] = []

  /// How many bytes of the present answer are taken apart.
  private var taken = 0

  /// The number of bytes of answers that are not complete.
  package var waiting: Int { taken + bytes.count - start }

  /// - Parameter longestAnswer: How many bytes an answer may have.
  package init(longestAnswer: Int = 1 << 30) { self.longestAnswer = longestAnswer }

  package mutating func append(_ piece: ArraySlice<UInt8>) { bytes += piece }

  /// The next answer; nil if not all of it is there.
  ///
  /// - Throws: ``BrokerError/protocolViolation(_:)``.
  package mutating func next() throws(BrokerError) -> RedisValue? {
    defer { forgetTaken() }
    while let part = try part() {
      switch part {
      case .array(let count):
        guard open.count < RedisParser.deepest else {
          throw .protocolViolation("Arrays nest too deeply")
        }
        open.append(OpenArray(missing: count))
      case .value(let value):
        guard let answer = put(value) else { continue }
        taken = 0
        return answer
      }
    }
    guard waiting <= longestAnswer else { throw .protocolViolation("An answer is too long") }
    return nil
  }

  /// Puts a value where it belongs; gives the answer that it completes.
  private mutating func put(_ value: RedisValue) -> RedisValue? {
    var value = value
    while var array = open.popLast() {
      array.elements.append(value)
      array.missing -= 1
      if array.missing > 0 {
        open.append(array)
        return nil
      }
      value = .array(array.elements)
    }
    return value
  }

  private mutating func forgetTaken() {
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= 4 << 20)
    } else if start > 1 << 20 {
      bytes.removeFirst(start)
    } else {
      return
    }
    (looked, needed) = (looked - start, needed - start)
    start = 0
  }

  // MARK: Values

  /// The next value, or the beginning of an array with elements; nil if not all of it is there.
  private mutating func part() throws(BrokerError) -> Part? {
    guard bytes.count >= needed, let line = try line() else { return nil }
    let next = line.upperBound + 2
    switch bytes[start] {
    case UInt8(ascii: "+"):
      defer { go(to: next) }
      return .value(.simple(String(decoding: bytes[line], as: UTF8.self)))
    case UInt8(ascii: "-"):
      defer { go(to: next) }
      return .value(.error(String(decoding: bytes[line], as: UTF8.self)))
    case UInt8(ascii: ":"):
      defer { go(to: next) }
      return .value(.integer(try number(line)))
    case UInt8(ascii: "$"):
      let count = try count(line, atMost: RedisParser.longestBulk)
      if count < 0 {
        go(to: next)
        return .value(.null)
      }
      let end = next + count
      guard end + 2 <= bytes.count else {
        needed = end + 2
        return nil
      }
      guard bytes[end] == 13, bytes[end + 1] == 10 else {
        throw .protocolViolation("\(count) bytes do not end where they should")
      }
      defer { go(to: end + 2) }
      return .value(.bulk(Array(bytes[next..<end])))
    default:
      let count = try count(line, atMost: RedisParser.longestArray)
      go(to: next)
      if count > 0 { return .array(count) }
      return .value(count < 0 ? .null : .array([]))
    }
  }

  /// Goes on behind a value.
  private mutating func go(to position: Int) {
    taken += position - start
    (start, looked, needed) = (position, position, position + 1)
  }

  /// The rest of the next value's line behind its first byte; nil if its end is not there.
  private mutating func line() throws(BrokerError) -> Range<Int>? {
    // What begins wrongly is known without its end.
    guard "+-:$*".utf8.contains(bytes[start]) else {
      throw .protocolViolation("A value begins with the byte \(bytes[start])")
    }
    var end = max(looked, start + 1)
    while end + 1 < bytes.count, bytes[end] != 13 { end += 1 }
    looked = end
    guard end - start <= RedisParser.longestLine else {
      throw .protocolViolation("A line is too long")
    }
    guard end + 1 < bytes.count else {
      needed = bytes.count + 1
      return nil
    }
    guard bytes[end + 1] == 10 else {
      throw .protocolViolation("A line has a carriage return inside")
    }
    return start + 1..<end
  }

  private func count(_ line: Range<Int>, atMost most: Int) throws(BrokerError) -> Int {
    let count = try number(line)
    guard count >= -1, count <= most else {
      throw .protocolViolation("There are to be \(count) of something")
    }
    return Int(count)
  }

  private func number(_ line: Range<Int>) throws(BrokerError) -> Int64 {
    guard let value = Int64(String(decoding: bytes[line], as: UTF8.self)) else {
      throw .protocolViolation("A number is none")
    }
    return value
  }
}
