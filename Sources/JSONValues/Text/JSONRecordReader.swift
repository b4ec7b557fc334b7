/// Reads records whose fields are at keys of the outermost object, without making values of the
/// rest.
///
/// It takes what is in order, and leaves everything else to ``JSONParser``: that one tells what is
/// wrong, and reads what is rare, such as escapes in keys.
// PERFORMANCE: Keys are compared as bytes, mostly with the one that came next in the record before,
// and nothing is made of what nobody asks for (P4).
package struct JSONRecordReader: Sendable {
  private let keys: JSONKeys

  /// Nil if the keys of some components are not known, or can't be compared as bytes.
  package init?(_ keys: [[String]?]) {
    let known = keys.compactMap(\.self)
    guard known.count == keys.count, let keys = JSONKeys(Array(known.joined())) else { return nil }
    self.keys = keys
  }

  package var count: Int { keys.list.count }

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
    others.removeAll(keepingCapacity: true)
    var scanner = JSONScanner(bytes, in: range)
    guard scanner.take(UInt8(ascii: "{")) else { return false }
    if scanner.take(UInt8(ascii: "}")) { return scanner.takeEnd() }
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
      return scanner.take(UInt8(ascii: "}")) && scanner.takeEnd()
    }
  }
}
