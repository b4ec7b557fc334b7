/// Reads records whose fields are at keys of the outermost object, without making values of the
/// rest.
///
/// It takes what is in order, and leaves everything else to ``JSONParser``: that one tells what is
/// wrong, and reads what is rare, such as escapes in keys.
// PERFORMANCE: Keys are compared as bytes, mostly with the one that came next in the record before,
// and nothing is made of what is not asked for (P4).
package struct JSONRecordReader: Sendable {
  private let keys: JSONKeys

  /// Nil if the keys can't be compared as bytes.
  package init?(_ keys: [String]) {
    guard let keys = JSONKeys(keys) else { return nil }
    self.keys = keys
  }

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
    guard scanner.take(UInt8(ascii: "{")) else { return false }
    if scanner.take(UInt8(ascii: "}")) { return true }
    var (seen, expected): (UInt64, Int) = (0, 0)
    while true {
      guard let number = scanner.takeKey(of: keys, near: expected, &seen, &others, from: 0) else {
        return false
      }
      if number >= 0 {
        guard let value = scanner.takeValue() else { return false }
        values[number] = value
        expected = number + 1
      } else {
        guard scanner.skipValue() else { return false }
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
  ///   - ranges: One range for each key; empty ranges for those that are not there.
  /// - Returns: False if it can't tell, or there are other keys.
  package func find(
    _ bytes: [UInt8], in range: Range<Int>, into ranges: inout [Range<Int>]
  ) -> Bool {
    for index in ranges.indices { ranges[index] = 0..<0 }
    var scanner = JSONScanner(bytes, in: range)
    guard scanner.take(UInt8(ascii: "{")) else { return false }
    if scanner.take(UInt8(ascii: "}")) { return scanner.takeEnd() }
    var (seen, expected, others): (UInt64, Int, [UInt64]) = (0, 0, [])
    while true {
      guard let number = scanner.takeKey(of: keys, near: expected, &seen, &others, from: 0),
        number >= 0, let found = scanner.passValue()
      else { return false }
      ranges[number] = found
      expected = number + 1
      if scanner.take(UInt8(ascii: ",")) { continue }
      return scanner.take(UInt8(ascii: "}")) && scanner.takeEnd()
    }
  }
}
