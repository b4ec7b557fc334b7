/// Mixes bytes to a number that is the same in all programs and versions, unlike that of `Hasher`.
public struct PartitionHasher: Sendable {
  // FNV-1a, and in the end the last step of MurmurHash3, since the lowest bits alone are too much
  // alike.
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  init() {}

  /// Adds a byte.
  public mutating func combine(_ byte: UInt8) {
    state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }

  /// Adds the bytes of a number, the lowest first.
  public mutating func combine(_ number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      combine(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  func finish() -> UInt64 { PartitionHasher.mixed(state) }

  static func mixed(_ number: UInt64) -> UInt64 {
    var number = number
    number = (number ^ (number >> 33)) &* 0xff51_afd7_ed55_8ccd
    number = (number ^ (number >> 33)) &* 0xc4ce_b9fe_1a85_ec53
    return number ^ (number >> 33)
  }
}
