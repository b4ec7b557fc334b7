/// Goes through bytes whose every length is compared with what is left before anything is made of
/// it.
struct ByteReader: ~Escapable {
  private let bytes: RawSpan

  /// Where in the data the bytes begin.
  let start: Int

  /// What they are, for messages.
  let name: String?

  private(set) var position = 0

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, start: Int, name: String?) {
    (self.bytes, self.start, self.name) = (bytes, start, name)
  }

  var left: Int { bytes.byteCount - position }

  func error(_ reason: SnapshotError.Reason) -> SnapshotError {
    SnapshotError(reason, name: name, offset: start + position)
  }

  func malformed(_ why: String) -> SnapshotError { error(.malformed(why)) }

  /// Makes sure that so many values of so many bytes each are left.
  @inline(__always)
  func check(_ count: Int, of size: Int = 1) throws(SnapshotError) {
    let (needed, overflow) = count.multipliedReportingOverflow(by: size)
    if overflow || needed < 0 || needed > left {
      throw error(
        .truncated(needed: overflow ? .max : UInt64(bitPattern: Int64(needed)), available: left))
    }
  }

  @inline(__always)
  @_lifetime(self: copy self)
  mutating func read<Value: FixedWidthInteger & BitwiseCopyable>(
    _ type: Value.Type
  ) throws(SnapshotError) -> Value {
    try check(MemoryLayout<Value>.size)
    return take(type)
  }

  /// Reads a number, of which it is certain that it is there.
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func take<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type) -> Value {
    let value = bytes.load(type, at: position)
    position &+= MemoryLayout<Value>.size
    return value
  }

  /// Reads how many values follow, each of which takes some bytes at least.
  @_lifetime(self: copy self)
  mutating func readCount(ofAtLeast size: Int) throws(SnapshotError) -> Int {
    let count = Int(try read(UInt32.self))
    try check(count, of: size)
    return count
  }

  @_lifetime(self: copy self)
  mutating func readText(
    _ length: Int, isASCII: Bool = false
  ) throws(SnapshotError) -> String {
    try check(length)
    guard let text = bytes.text(in: position..<position + length, isASCII: isASCII) else {
      throw malformed("Text is not UTF-8")
    }
    position += length
    return text
  }

  @_lifetime(self: copy self)
  mutating func readText() throws(SnapshotError) -> String {
    try readText(Int(try read(UInt32.self)))
  }

  /// A number elsewhere in the bytes, of which it is certain that it is there.
  @inline(__always)
  func peek<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type, at offset: Int) -> Value
  {
    bytes.load(type, at: offset)
  }

  @_lifetime(self: copy self)
  mutating func skip(_ count: Int) throws(SnapshotError) {
    try check(count)
    position += count
  }

  /// Makes sure that nothing is left.
  func finish() throws(SnapshotError) {
    if left != 0 { throw malformed("\(left) bytes are left over") }
  }
}
