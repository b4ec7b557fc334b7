/// Keys of an object that matter, as they are in data.
package struct JSONKeys: Sendable {
  let list: [[UInt8]]

  /// The number of keys; not more than there are bits.
  private static let maximumCount = 64

  /// The number of other keys of an object, each of which is compared with all before it.
  static let maximumOthers = 256

  /// Nil if they are too many, or can't be compared as bytes.
  package init?(_ keys: [String]) {
    guard keys.count <= JSONKeys.maximumCount else { return nil }
    // Those with other characters may be written in several ways.
    guard keys.allSatisfy({ $0.utf8.allSatisfy(JSONScanner.isPlain) }) else { return nil }
    list = keys.map { Array($0.utf8) }
  }
}
