/// Reads records whose fields are at keys of the outermost object, without making values of the
/// rest.
///
/// It takes what is in order, and leaves everything else to ``JSONParser``: that one tells what is
/// wrong, and reads what is rare, such as escapes in keys.
// PERFORMANCE: Keys are compared as bytes, mostly with the one that came next in the record before,
// and nothing is made of what nobody asks for (P4).
package struct JSONRecordReader: Sendable {
  /// The keys, as they are in data.
  private let keys: [[UInt8]]

  /// The number of keys; not more than there are bits.
  static let maximumKeys = 64

  /// The number of other keys of a record, each of which is compared with all before it.
  private static let maximumOthers = 256

  /// Nil if the keys of some components are not known, or can't be compared as bytes.
  package init?(_ keys: [[String]?]) {
    var all: [[UInt8]] = []
    for keys in keys {
      guard let keys else { return nil }
      for key in keys {
        // Those with other characters may be written in several ways.
        guard key.utf8.allSatisfy(JSONScanner.isPlain) else { return nil }
        all.append(Array(key.utf8))
      }
    }
    guard all.count <= JSONRecordReader.maximumKeys else { return nil }
    self.keys = all
  }

  package var count: Int { keys.count }

  /// Puts the values of the keys at their places, which are empty before.
  ///
  /// - Parameters:
  ///   - bytes: What the record is part of.
  ///   - range: Where the record stands.
  ///   - values: One place for each key.
  ///   - others: Memory for what is to be known of other keys.
  /// - Returns: False if it can't tell; there may be some of the values then.
  package func read(
    _ bytes: [UInt8], in range: Range<Int>, into values: inout [JSONValue?],
    others: inout [UInt64]
  ) -> Bool {
    var scanner = JSONScanner(bytes, in: range)
    return read(from: &scanner, into: &values, others: &others) && scanner.takeEnd()
  }

  /// Like ``read(_:in:into:others:)``, of a record that comes next.
  package func read(
    from scanner: inout JSONScanner, into values: inout [JSONValue?], others: inout [UInt64]
  ) -> Bool {
    others.removeAll(keepingCapacity: true)
    scanner.hasFailed = false
    guard scanner.take(UInt8(ascii: "{")) else { return false }
    if scanner.take(UInt8(ascii: "}")) { return true }
    var (seen, expected): (UInt64, Int) = (0, 0)
    while true {
      guard scanner.take(UInt8(ascii: "\"")) else { return false }
      if let number = number(expected, &scanner, &others) {
        let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: number)
        guard seen & bit == 0, scanner.take(UInt8(ascii: ":")), let value = scanner.takeValue()
        else {
          return false
        }
        values[number] = value
        (seen, expected) = (seen | bit, number + 1)
      } else {
        guard !scanner.hasFailed, scanner.take(UInt8(ascii: ":")), scanner.skipValue() else {
          return false
        }
      }
      if scanner.take(UInt8(ascii: ",")) { continue }
      return scanner.take(UInt8(ascii: "}"))
    }
  }

  /// Finds where the values of the keys stand, without a look at what is inside of containers.
  ///
  /// - Parameters:
  ///   - bytes: What the record is part of.
  ///   - range: Where the record stands.
  ///   - places: One place for each key; empty ranges for those that are not there.
  /// - Returns: False if it can't tell, or there are other keys.
  package func find(
    _ bytes: [UInt8], in range: Range<Int>, into places: inout [Range<Int>]
  ) -> Bool {
    for number in places.indices { places[number] = 0..<0 }
    var scanner = JSONScanner(bytes, in: range)
    guard scanner.take(UInt8(ascii: "{")) else { return false }
    if scanner.take(UInt8(ascii: "}")) { return scanner.takeEnd() }
    var (expected, others): (Int, [UInt64]) = (0, [])
    while true {
      guard scanner.take(UInt8(ascii: "\"")), let number = number(expected, &scanner, &others),
        places[number].isEmpty, scanner.take(UInt8(ascii: ":")), let place = scanner.passValue()
      else {
        return false
      }
      places[number] = place
      expected = number + 1
      if scanner.take(UInt8(ascii: ",")) { continue }
      return scanner.take(UInt8(ascii: "}")) && scanner.takeEnd()
    }
  }

  /// The number of the key that comes next; nil if it is another one, and at a failure.
  private func number(
    _ expected: Int, _ scanner: inout JSONScanner, _ others: inout [UInt64]
  ) -> Int? {
    if expected < keys.count, scanner.takeKey(keys[expected]) { return expected }
    for number in keys.indices where number != expected && scanner.takeKey(keys[number]) {
      return number
    }
    // Two keys of one hash may be the same key.
    guard let hash = scanner.takeHashOfKey(), !others.contains(hash),
      others.count < JSONRecordReader.maximumOthers
    else {
      scanner.hasFailed = true
      return nil
    }
    others.append(hash)
    return nil
  }
}
