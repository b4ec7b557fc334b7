import Foundation

/// Computes checksums in a way of its own, so that they can be made right again after damage.
enum Checksum {
  static func xxh64(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    let p: [UInt64] = [
      11_400_714_785_074_694_791, 14_029_467_366_897_019_727, 1_609_587_929_392_839_161,
      9_650_029_242_287_828_579, 2_870_177_450_012_600_261,
    ]
    func rotate(_ x: UInt64, _ n: UInt64) -> UInt64 { (x << n) | (x >> (64 - n)) }
    func round(_ lane: UInt64, _ x: UInt64) -> UInt64 { rotate(lane &+ x &* p[1], 31) &* p[0] }
    func word(_ at: Int, _ size: Int) -> UInt64 {
      (0..<size).reduce(0) { $0 | UInt64(bytes[at + $1]) << UInt64(8 * $1) }
    }
    var at = bytes.startIndex
    var hash: UInt64
    if bytes.count >= 32 {
      var lanes = [p[0] &+ p[1], p[1], 0, 0 &- p[0]]
      while bytes.endIndex - at >= 32 {
        for lane in 0..<4 { lanes[lane] = round(lanes[lane], word(at + lane * 8, 8)) }
        at += 32
      }
      hash =
        rotate(lanes[0], 1) &+ rotate(lanes[1], 7) &+ rotate(lanes[2], 12) &+ rotate(lanes[3], 18)
      for lane in lanes { hash = (hash ^ round(0, lane)) &* p[0] &+ p[3] }
    } else {
      hash = p[4]
    }
    hash &+= UInt64(bytes.count)
    while bytes.endIndex - at >= 8 {
      hash = rotate(hash ^ round(0, word(at, 8)), 27) &* p[0] &+ p[3]
      at += 8
    }
    if bytes.endIndex - at >= 4 {
      hash = rotate(hash ^ (word(at, 4) &* p[0]), 23) &* p[1] &+ p[2]
      at += 4
    }
    while at < bytes.endIndex {
      hash = rotate(hash ^ (word(at, 1) &* p[4]), 11) &* p[0]
      at += 1
    }
    hash = (hash ^ (hash >> 33)) &* p[1]
    hash = (hash ^ (hash >> 29)) &* p[2]
    return hash ^ (hash >> 32)
  }

  /// Makes the checksums of a file right, as far as its parts are where they should be.
  static func repair(_ bytes: inout [UInt8]) {
    func number(_ at: Int, _ size: Int = 8) -> Int? {
      guard at >= 0, at + size <= bytes.count else { return nil }
      let value = (0..<size).reduce(UInt64(0)) { $0 | UInt64(bytes[at + $1]) << UInt64(8 * $1) }
      return Int(exactly: value)
    }
    func put(_ value: UInt64, _ at: Int) {
      for byte in 0..<8 { bytes[at + byte] = UInt8(truncatingIfNeeded: value >> UInt64(8 * byte)) }
    }
    guard bytes.count >= 64 else { return }
    if let start = number(24), let length = number(32), length <= bytes.count,
      start <= bytes.count - length
    {
      // The list of blocks ends the directory: 24 bytes each, behind their number.
      var count = 0
      while true {
        let at = start + length - 24 * count - 4
        if at < start { break }
        if number(at, 4) == count {
          for block in 0..<count {
            let entry = at + 4 + block * 24
            if let from = number(entry), let size = number(entry + 8), size <= bytes.count,
              from <= bytes.count - size
            {
              put(xxh64(bytes[from..<from + size]), entry + 16)
            }
          }
          break
        }
        count += 1
      }
      put(xxh64(bytes[start..<start + length]), 40)
    }
    put(xxh64(bytes[0..<56]), 56)
  }
}
