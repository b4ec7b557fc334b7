import Foundation

/// Text that grows at its end.
// PERFORMANCE: N4: an array asks at each byte whether there is another reference.
@safe
struct TextOutput: ~Copyable {
  // INVARIANT: `count` of `capacity` bytes are initialized.
  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = max(64, capacity)
    unsafe base = UnsafeMutablePointer.allocate(capacity: self.capacity)
  }

  deinit { unsafe base.deallocate() }

  /// A copy of all bytes.
  var data: Data { unsafe Data(bytes: base, count: count) }

  @inline(__always)
  private mutating func reserve(_ additional: Int) {
    if capacity &- count < additional { grow(additional) }
  }

  @inline(never)
  private mutating func grow(_ additional: Int) {
    let grown = max(count + additional, capacity * 2)
    let block = UnsafeMutablePointer<UInt8>.allocate(capacity: grown)
    // SAFETY: `count` bytes are initialized, and fit.
    unsafe block.initialize(from: base, count: count)
    unsafe base.deallocate()
    unsafe base = block
    capacity = grown
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    // SAFETY: there is room for it.
    unsafe base[count] = byte
    count &+= 1
  }

  @inline(__always)
  mutating func append(_ bytes: [UInt8]) { append(bytes.rawBytes) }

  @inline(__always)
  mutating func append(_ bytes: RawSpan) {
    reserve(bytes.byteCount)
    unsafe bytes.withUnsafeBytes { bytes in
      guard let source = bytes.baseAddress else { return }
      // SAFETY: there is room for them.
      unsafe UnsafeMutableRawPointer(base + count).copyMemory(from: source, byteCount: bytes.count)
    }
    count &+= bytes.byteCount
  }

  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { text in
      // SAFETY: the span does not leave the closure.
      unsafe append(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(text)))
    }
  }

  /// Appends text in quotes.
  mutating func appendQuoted(_ text: String) {
    var text = text
    text.withUTF8 { text in
      // SAFETY: the span does not leave the closure.
      unsafe appendQuoted(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(text)))
    }
  }

  /// Appends a number in decimal digits.
  mutating func append<Value: FixedWidthInteger>(number value: Value) {
    reserve(21)
    if value < 0 { append(UInt8(ascii: "-")) }
    var rest = UInt64(value.magnitude)
    var length = 1
    var power: UInt64 = 10
    while length < 20, rest >= power {
      length &+= 1
      power = length < 20 ? power &* 10 : power
    }
    var end = count &+ length
    count = end
    repeat {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      end &-= 1
      // SAFETY: room was made for 20 digits and a sign.
      unsafe base[end] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
      rest = quotient
    } while rest > 0
  }
}

extension [UInt8] {
  /// The bytes.
  var rawBytes: RawSpan {
    @_lifetime(borrow self)
    @inline(__always)
    get {
      // SAFETY: there are no bytes between bytes.
      unsafe span.bytes
    }
  }
}

extension [UInt8] {
  /// Where the line that begins at an offset ends: at its last byte, or before that.
  func endOfLine(from start: Int) -> Int {
    unsafe withUnsafeBufferPointer { bytes in
      guard start < bytes.count, let base = bytes.baseAddress else { return bytes.count }
      // SAFETY: so many bytes are left.
      guard let found = unsafe memchr(base + start, 0x0a, bytes.count - start) else {
        return bytes.count
      }
      return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
  }
}
