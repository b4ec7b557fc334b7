import ECS
import Foundation

/// Bytes of a snapshot: written once, from the front to the back, and then read from anywhere.
///
/// They come from where contexts have their memory.
// PERFORMANCE: N1: to touch small pages for the first time takes longer than copying and checksums.
@safe
// Written by its maker, before there is another reference.
final class ByteBlock: @unchecked Sendable {
  private var base: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 0) {
    self.capacity = max(64, capacity)
    unsafe base = Memory.allocate(byteCount: self.capacity, alignment: 64)
  }

  deinit { unsafe Memory.free(base, byteCount: capacity) }

  /// Makes room for so many further bytes.
  func reserve(_ additional: Int) {
    guard count + additional > capacity else { return }
    let grown = max(count + additional, capacity * 2)
    defer { capacity = grown }
    if unsafe Memory.extend(base, from: capacity, to: grown) { return }
    let block = unsafe Memory.allocate(byteCount: grown, alignment: 64)
    // SAFETY: `count` bytes are initialized, and fit.
    unsafe block.copyMemory(from: base, byteCount: count)
    unsafe Memory.free(base, byteCount: capacity)
    unsafe base = block
  }

  /// Appends what a body writes behind the other bytes, for which there is room; it says how much
  /// that is.
  func append<Failure: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) {
    // SAFETY: so many bytes are left.
    let added = try unsafe body(
      UnsafeMutableRawBufferPointer(start: base + count, count: capacity - count))
    require(
      added >= 0 && added <= capacity - count,
      "\(added) bytes were appended, but there is room for \(capacity - count).")
    count += added
  }

  func append(_ bytes: RawSpan) {
    reserve(bytes.byteCount)
    unsafe bytes.withUnsafeBytes { bytes in
      guard let source = bytes.baseAddress else { return }
      // SAFETY: there is room for them.
      unsafe (base + count).copyMemory(from: source, byteCount: bytes.count)
    }
    count += bytes.byteCount
  }

  /// Appends a number, the lowest byte first.
  @inline(__always)
  func append<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value) {
    let size = MemoryLayout<Value>.size
    if count &+ size > capacity { reserve(size) }
    // SAFETY: there is room for it.
    unsafe (base + count).storeBytes(of: value.littleEndian, as: Value.self)
    count &+= size
  }

  /// Appends the lower halves of numbers, and gives the least and the greatest of them.
  // PERFORMANCE: N1: loops in which nothing is checked, of which processors do several steps at
  // once.
  func appendLowerHalves(of numbers: Span<UInt64>) -> (least: UInt64, most: UInt64) {
    reserve(numbers.count * 4)
    defer { count += numbers.count * 4 }
    return unsafe numbers.withUnsafeBufferPointer { numbers in
      guard let first = unsafe numbers.first else { return (.max, 0) }
      let copies = unsafe base + count
      // Mostly each is by one more than the last.
      var difference: UInt64 = 0
      for offset in 0..<numbers.count {
        let number = unsafe numbers[offset]
        difference |= number ^ (first &+ UInt64(truncatingIfNeeded: offset))
        // SAFETY: there is room for it.
        unsafe (copies + offset &* 4).storeBytes(
          of: UInt32(truncatingIfNeeded: number).littleEndian, as: UInt32.self)
      }
      if difference == 0 { return (first, first &+ UInt64(numbers.count - 1)) }
      var (least, most) = (first, first)
      for unsafe(number) in unsafe numbers {
        (least, most) = (min(least, number), max(most, number))
      }
      return (least, most)
    }
  }

  func append(_ text: String) {
    var text = text
    text.withUTF8 { text in
      reserve(text.count)
      guard let source = text.baseAddress else { return }
      // SAFETY: there is room for them.
      unsafe (base + count).copyMemory(from: source, byteCount: text.count)
      count += text.count
    }
  }

  /// Subtracts a number from all numbers, of four bytes each.
  func subtract(_ value: UInt32) {
    for offset in stride(from: 0, to: count, by: 4) {
      // SAFETY: `count` bytes are initialized, four of them for each number.
      let address = unsafe base + offset
      let number = unsafe UInt32(littleEndian: address.loadUnaligned(as: UInt32.self))
      unsafe address.storeBytes(of: (number &- value).littleEndian, as: UInt32.self)
    }
  }

  /// Replaces a number.
  func replace<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value, at offset: Int) {
    require(
      offset >= 0 && offset + MemoryLayout<Value>.size <= count,
      "Bytes at \(offset) were to be replaced in a block of \(count): append them first.")
    // SAFETY: the offset was checked.
    unsafe (base + offset).storeBytes(of: value.littleEndian, as: Value.self)
  }

  var bytes: RawSpan {
    @_lifetime(borrow self)
    get {
      // SAFETY: `count` bytes are initialized, and stay while the block lives.
      let bytes = unsafe RawSpan(_unsafeStart: base, byteCount: count)
      return unsafe _overrideLifetime(bytes, borrowing: self)
    }
  }
}

extension Data {
  /// Calls a body with some of the bytes.
  func withBytes<Result, Failure: Error>(
    _ range: Range<Int>, _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(bytes.extracting(range))
  }

  /// Appends bytes.
  mutating func append(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }
}

extension RawSpan {
  /// A number, the lowest byte first.
  ///
  /// Stops if it is not within the bytes.
  @inline(__always)
  func load<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type, at offset: Int) -> Value
  {
    // SAFETY: the standard library compares the offset with the count, and any bytes are a number.
    unsafe Value(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: type))
  }

  /// Whether the bytes are numbers of four bytes each of which is by one more than the last.
  // PERFORMANCE: N2: a loop in which nothing is checked, of which processors do several steps at
  // once.
  func countsUp() -> Bool {
    unsafe withUnsafeBytes { bytes in
      guard bytes.count >= 4 else { return true }
      let first = unsafe UInt32(
        littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
      var difference: UInt32 = 0
      for index in 0..<bytes.count / 4 {
        // SAFETY: four bytes are there.
        let found = unsafe UInt32(
          littleEndian: (bytes.baseAddress.unsafelyUnwrapped + index &* 4)
            .loadUnaligned(as: UInt32.self))
        difference |= found ^ (first &+ UInt32(truncatingIfNeeded: index))
      }
      return difference == 0
    }
  }

  /// Whether all bytes from an offset on are ASCII.
  // PERFORMANCE: N5.load: as above.
  func isASCII(from offset: Int) -> Bool {
    unsafe extracting(offset..<byteCount).withUnsafeBytes { bytes in
      var found: UInt8 = 0
      for unsafe(byte) in unsafe bytes { found |= byte }
      return found < 0x80
    }
  }

  /// Text; nil if it is not UTF-8, which ASCII always is.
  ///
  /// Stops if it is not within the bytes.
  // PERFORMANCE: N5.load: what validates is generic, and takes longer than making the text.
  func text(in range: Range<Int>, isASCII: Bool = false) -> String? {
    unsafe extracting(range).withUnsafeBytes { bytes in
      // What is not UTF-8 is replaced by something else.
      let text = unsafe bytes.withMemoryRebound(to: UInt8.self) {
        unsafe String(decoding: $0, as: UTF8.self)
      }
      if isASCII { return text }
      if text.utf8.count != bytes.count { return nil }
      guard let base = bytes.baseAddress else { return text }
      // SAFETY: both have so many bytes.
      let isSame = unsafe text.utf8.withContiguousStorageIfAvailable { made in
        unsafe memcmp(made.baseAddress.unsafelyUnwrapped, base, bytes.count) == 0
      }
      return isSame == true ? text : nil
    }
  }
}

extension NewColumns {
  /// Fills a column with bytes that are values for certain, as ``FieldsCodec`` says: those of
  /// numbers, which may have any, and of Booleans, which were looked at, without any between them.
  func copyChecked(_ bytes: RawSpan, of cid: CID) {
    // SAFETY: see above.
    unsafe copyBytes(bytes, of: cid)
  }
}
