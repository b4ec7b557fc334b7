import Foundation

/// Writes pictures in the format PNG.
enum PNG {
  /// A picture of rows of pixels with red, green and blue.
  static func encode(width: Int, height: Int, pixel: (_ x: Int, _ y: Int) -> SIMD3<UInt8>) -> Data {
    var rows: [UInt8] = []
    rows.reserveCapacity(height * (3 * width + 1))
    for y in 0..<height {
      // No filter: what is dark is all the same.
      rows.append(0)
      for x in 0..<width {
        let color = pixel(x, y)
        rows += [color.x, color.y, color.z]
      }
    }
    var data = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    data.append(
      chunk("IHDR", bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [8, 2, 0, 0, 0]))
    data.append(chunk("IDAT", [0x78, 0x9C] + Deflate.compress(rows) + bigEndian(adler32(rows))))
    data.append(chunk("IEND", []))
    return data
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> Data {
    let named = Array(name.utf8) + content
    return Data(bigEndian(UInt32(content.count)) + named + bigEndian(crc32(named)))
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static let crcTable: [UInt32] = (0..<256).map { number in
    (0..<8).reduce(UInt32(number)) { rest, _ in
      rest & 1 == 1 ? 0xEDB8_8320 ^ (rest >> 1) : rest >> 1
    }
  }

  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc = UInt32.max
    for byte in bytes { crc = crcTable[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ (crc >> 8) }
    return ~crc
  }

  private static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var (low, high) = (UInt32(1), UInt32(0))
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }
}
