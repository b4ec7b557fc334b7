/// A name or path exactly as Git has it: bytes that are mostly, but need not be, UTF-8.
///
/// Strings would not do as keys: Swift takes the composed and the decomposed "é" for the same
/// text, and all invalid bytes look alike, where Git sees different files.
struct RawText: Hashable, Sendable, Comparable, CustomStringConvertible {
  let bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  /// The text, with a replacement character for what is not UTF-8.
  var string: String { String(decoding: bytes, as: UTF8.self) }

  var description: String { string }

  /// The path of the directory that a path is in, empty for the top level.
  var directory: RawText {
    RawText(bytes[..<(bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0)])
  }

  /// Whether bytes occur, which are a text in lower case; letters beyond ASCII are what they are.
  func containsIgnoringCase(_ text: [UInt8]) -> Bool {
    guard let first = text.first, text.count <= bytes.count else { return text.isEmpty }
    func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
    return bytes.indices.dropLast(text.count - 1).contains { start in
      lower(bytes[start]) == first
        && text.indices.allSatisfy { lower(bytes[start + $0]) == text[$0] }
    }
  }

  func hash(into hasher: inout Hasher) {
    unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }

  static func < (left: RawText, right: RawText) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
