/// A name or path exactly as Git has it: bytes that are mostly, but need not be, UTF-8.
///
/// Strings would not do as keys: Swift takes the composed and the decomposed "é" for the same
/// text, and all invalid bytes look alike, where Git sees different files.
struct RawText: Hashable, Sendable, Comparable {
  let bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  /// The text, with a replacement character for what is not UTF-8.
  var string: String { String(decoding: bytes, as: UTF8.self) }

  /// The path of the directory that a path is in, empty for the top level.
  var directory: RawText {
    RawText(bytes[..<(bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0)])
  }

  static func < (left: RawText, right: RawText) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
