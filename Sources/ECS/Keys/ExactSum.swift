/// A sum of floating-point values that is exact, whatever was added and taken away in whatever
/// order: what was taken away again leaves nothing behind.
///
/// It is a number with a fixed point, as long as all values are wide. The limbs are worth 2^32 each
/// of the one before, the first one 2^-1074, and may be out of their range until carries are worked
/// off.
@usableFromInline
struct ExactSum {
  /// Empty until there is something to add.
  private var limbs: ContiguousArray<Int64> = []

  /// How many values came since carries were worked off.
  private var additions = 0

  // Values that are not finite are counted: they can be taken away, too.
  private var infinities = 0
  private var negativeInfinities = 0
  private var nans = 0

  private static var limbCount: Int { 68 }
  private static var mostAdditions: Int { 1 << 30 }

  @usableFromInline
  init() {}

  @usableFromInline
  mutating func add(_ value: Double) { add(value, isTakenAway: false) }

  @usableFromInline
  mutating func subtract(_ value: Double) { add(value, isTakenAway: true) }

  private mutating func add(_ value: Double, isTakenAway: Bool) {
    guard value.isFinite else { return count(value, isTakenAway ? -1 : 1) }
    if value == 0 { return }
    if limbs.isEmpty { limbs = ContiguousArray(repeating: 0, count: ExactSum.limbCount) }
    let exponent = Int(value.exponentBitPattern)
    let significand =
      value.significandBitPattern | (exponent == 0 ? 0 : 1 << Double.significandBitCount)
    let shift = max(0, exponent - 1)
    let (limb, offset) = (shift / 32, UInt64(shift % 32))
    let low = significand << offset
    let high = offset == 0 ? 0 : significand >> (64 - offset)
    let sign: Int64 = (value < 0) == isTakenAway ? 1 : -1
    limbs[limb] += sign * Int64(low & 0xFFFF_FFFF)
    limbs[limb + 1] += sign * Int64(low >> 32)
    limbs[limb + 2] += sign * Int64(high)
    additions += 1
    if additions == ExactSum.mostAdditions { carry() }
  }

  private mutating func count(_ value: Double, _ change: Int) {
    if value.isNaN {
      nans += change
    } else if value > 0 {
      infinities += change
    } else {
      negativeInfinities += change
    }
  }

  /// Brings all limbs but the last one, which has the sign, into their range.
  private mutating func carry() {
    additions = 0
    for index in 0..<limbs.count - 1 {
      limbs[index + 1] += limbs[index] >> 32
      limbs[index] &= 0xFFFF_FFFF
    }
  }

  /// The value that is nearest to the sum; of two, the one that ends with an even digit.
  @usableFromInline
  var value: Double {
    if nans > 0 || (infinities > 0 && negativeInfinities > 0) { return .nan }
    if infinities > 0 { return .infinity }
    if negativeInfinities > 0 { return -.infinity }
    var sum = self
    guard !sum.limbs.isEmpty else { return 0 }
    sum.carry()
    let isNegative = (sum.limbs.last ?? 0) < 0
    if isNegative {
      for index in sum.limbs.indices { sum.limbs[index].negate() }
      sum.carry()
    }
    let magnitude = sum.roundedMagnitude
    return isNegative ? -magnitude : magnitude
  }

  private var roundedMagnitude: Double {
    guard let last = limbs.lastIndex(where: { $0 != 0 }) else { return 0 }
    let top = last * 32 + 63 - limbs[last].leadingZeroBitCount
    let digits = Double.significandBitCount
    // As many digits as there are below this: then the digits are the bits of the value.
    if top <= digits { return Double(bitPattern: bits(from: 0)) }
    var lowest = top - digits
    var significand = bits(from: lowest)
    if isSet(lowest - 1), significand & 1 == 1 || isAnySet(below: lowest - 1) {
      significand += 1
      if significand == 2 << digits {
        significand >>= 1
        lowest += 1
      }
    }
    let exponent = lowest + 1
    if exponent >= Int(Double.infinity.exponentBitPattern) { return .infinity }
    return Double(
      sign: .plus, exponentBitPattern: UInt(exponent),
      significandBitPattern: significand & ((1 << digits) - 1))
  }

  /// So many bits as a significand has, from one on.
  private func bits(from lowest: Int) -> UInt64 {
    func limb(_ index: Int) -> UInt64 { index < limbs.count ? UInt64(limbs[index]) : 0 }
    let (first, offset) = (lowest / 32, UInt64(lowest % 32))
    let low = (limb(first) | limb(first + 1) << 32) >> offset
    let high = offset == 0 ? 0 : limb(first + 2) << (64 - offset)
    return (low | high) & ((2 << UInt64(Double.significandBitCount)) - 1)
  }

  private func isSet(_ bit: Int) -> Bool { limbs[bit / 32] >> Int64(bit % 32) & 1 == 1 }

  private func isAnySet(below bit: Int) -> Bool {
    limbs[..<(bit / 32)].contains { $0 != 0 }
      || limbs[bit / 32] & ((1 << Int64(bit % 32)) - 1) != 0
  }
}
