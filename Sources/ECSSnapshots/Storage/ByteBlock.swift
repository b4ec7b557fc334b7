import ECS
import Foundation

/// Bytes of a snapshot: written once, from the front to the back, and then read by anybody.
@safe
// Written by who makes it, before anybody else has it.
final class ByteBlock: @unchecked Sendable {
  private var base: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 0) {
    self.capacity = max(64, capacity)
    unsafe base = UnsafeMutableRawPointer.allocate(byteCount: self.capacity, alignment: 64)
  }

  deinit { unsafe base.deallocate() }

  /// Makes room for so many further bytes.
  func reserve(_ additional: Int) {
    guard count + additional > capacity else { return }
    let grown = max(count + additional, capacity * 2)
    let block = UnsafeMutableRawPointer.allocate(byteCount: grown, alignment: 64)
    // SAFETY: `count` bytes are initialized, and fit.
    unsafe block.copyMemory(from: base, byteCount: count)
    unsafe base.deallocate()
    unsafe base = block
    capacity = grown
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
  // PERFORMANCE: N1: a loop in which nothing is checked, of which processors do several steps at once.
  func appendLowerHalves(of numbers: Span<UInt64>) -> (least: UInt64, most: UInt64) {
    reserve(numbers.count * 4)
    var (least, most) = (UInt64.max, UInt64(0))
    unsafe numbers.withUnsafeBufferPointer { numbers in
      let places = unsafe base + count
      for offset in 0..<numbers.count {
        let number = unsafe numbers[offset]
        least = min(least, number)
        most = max(most, number)
        // SAFETY: there is room for it.
        unsafe (places + offset &* 4).storeBytes(
          of: UInt32(truncatingIfNeeded: number).littleEndian, as: UInt32.self)
      }
    }
    count += numbers.count * 4
    return (least, most)
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
      let place = unsafe base + offset
      let number = unsafe UInt32(littleEndian: place.loadUnaligned(as: UInt32.self))
      unsafe place.storeBytes(of: (number &- value).littleEndian, as: UInt32.self)
    }
  }

  /// Replaces a number.
  func replace<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value, at offset: Int) {
    require(
      offset >= 0 && offset + MemoryLayout<Value>.size <= count,
      "Bytes at \(offset) were to be replaced in a block of \(count): append them first.")
    // SAFETY: the place was checked.
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
  // PERFORMANCE: N2: a loop in which nothing is checked, of which processors do several steps at once.
  func countsUp() -> Bool {
    unsafe withUnsafeBytes { bytes in
      guard bytes.count >= 4 else { return true }
      let first = unsafe UInt32(
        littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
      var difference: UInt32 = 0
      for number in 0..<bytes.count / 4 {
        // SAFETY: four bytes are there.
        let found = unsafe UInt32(
          littleEndian: (bytes.baseAddress.unsafelyUnwrapped + number &* 4)
            .loadUnaligned(as: UInt32.self))
        difference |= found ^ (first &+ UInt32(truncatingIfNeeded: number))
      }
      return difference == 0
    }
  }

  /// Text; nil if it is not UTF-8.
  ///
  /// Stops if it is not within the bytes.
  func text(in range: Range<Int>) -> String? {
    unsafe extracting(range).withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) }
  }
}

extension NewColumns {
  /// Fills a column with bytes of which ``FieldsCodec`` knows that they are values: those of numbers,
  /// which may have any, and of Booleans, which were looked at, without any between them.
  func copyChecked(_ bytes: RawSpan, of cid: CID) {
    // SAFETY: see above.
    unsafe copyBytes(bytes, of: cid)
  }
}
