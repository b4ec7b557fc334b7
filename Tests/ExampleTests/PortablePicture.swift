import ECSTestSupport
import Foundation
import Testing

/// A PNG picture of red, green and blue without filters, decoded by a reader that shares nothing
/// with the one that has written it.
struct PortablePicture {
  let width: Int
  let height: Int
  let pixels: [SIMD3<UInt8>]

  init(_ data: Data) throws {
    let bytes = [UInt8](data)
    try #require(bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    var (position, chunks) = (8, [String: [UInt8]]())
    while position < bytes.count {
      let length = PortablePicture.number(bytes[position..<position + 4])
      let name = bytes[position + 4..<position + 8]
      let content = bytes[position + 8..<position + 8 + length]
      let sum = PortablePicture.number(bytes[position + 8 + length..<position + 12 + length])
      expectEqual(PortablePicture.crc(bytes[position + 4..<position + 8 + length]), sum)
      chunks[String(decoding: name, as: UTF8.self)] = Array(content)
      position += 12 + length
    }
    let header = try #require(chunks["IHDR"])
    (width, height) = (
      PortablePicture.number(header[0..<4]), PortablePicture.number(header[4..<8])
    )
    expectTrue(header[8...] == [8, 2, 0, 0, 0] && chunks["IEND"] == [])
    let packed = try #require(chunks["IDAT"])
    expectTrue(packed.count > 6 && (Int(packed[0]) << 8 | Int(packed[1])) % 31 == 0)
    var inflater = Inflater(packed[2..<(packed.count - 4)])
    let rows = try inflater.inflate()
    try #require(rows.count == height * (3 * width + 1))
    var (low, high) = (1, 0)
    for byte in rows {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    expectEqual(high << 16 | low, PortablePicture.number(packed.suffix(4)))
    var pixels: [SIMD3<UInt8>] = []
    for row in stride(from: 0, to: rows.count, by: 3 * width + 1) {
      expectEqual(rows[row], 0)
      for place in stride(from: row + 1, to: row + 3 * width, by: 3) {
        pixels.append(SIMD3(rows[place], rows[place + 1], rows[place + 2]))
      }
    }
    self.pixels = pixels
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  private static func crc(_ bytes: ArraySlice<UInt8>) -> Int {
    var crc = UInt32.max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ (crc >> 1) : crc >> 1 }
    }
    return Int(~crc)
  }
}

/// Reads blocks of RFC 1951 that have codes of their own, bit by bit.
private struct Inflater {
  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private var bit = 0

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  private struct Invalid: Error {}

  mutating func inflate() throws -> [UInt8] {
    var output: [UInt8] = []
    var isLast = false
    while !isLast {
      isLast = try bits(1) == 1
      guard try bits(2) == 2 else { throw Invalid() }
      let (symbols, distances) = try codes()
      while true {
        let symbol = try next(symbols)
        if symbol == 256 { break }
        if symbol < 256 {
          output.append(UInt8(symbol))
          continue
        }
        let length = try value(
          symbol - 257,
          [
            3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59,
            67, 83, 99, 115, 131, 163, 195, 227, 258,
          ],
          extra: symbol == 285 ? 0 : max(0, (symbol - 261) / 4))
        let code = try next(distances)
        let distance = try value(
          code,
          [
            1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769,
            1025, 1537, 2049, 3073, 4097, 6145, 8193, 12_289, 16_385, 24_577,
          ],
          extra: max(0, code / 2 - 1))
        guard distance <= output.count else { throw Invalid() }
        for _ in 0..<length { output.append(output[output.count - distance]) }
      }
    }
    return output
  }

  private mutating func value(_ place: Int, _ starts: [Int], extra: Int) throws -> Int {
    guard starts.indices.contains(place) else { throw Invalid() }
    return starts[place] + (try bits(extra))
  }

  private mutating func codes() throws -> (symbols: [String: Int], distances: [String: Int]) {
    let (symbolCount, distanceCount) = (try bits(5) + 257, try bits(5) + 1)
    var lengths = [Int](repeating: 0, count: 19)
    let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    for symbol in order.prefix(try bits(4) + 4) { lengths[symbol] = try bits(3) }
    let code = Inflater.code(lengths)
    var all: [Int] = []
    while all.count < symbolCount + distanceCount {
      let symbol = try next(code)
      guard symbol < 16 else { throw Invalid() }
      all.append(symbol)
    }
    return (
      Inflater.code(Array(all.prefix(symbolCount))),
      Inflater.code(Array(all.dropFirst(symbolCount)))
    )
  }

  /// The symbols by the bits of their codes, written as text.
  private static func code(_ lengths: [Int]) -> [String: Int] {
    var (next, codes) = (0, [String: Int]())
    for length in 1...15 {
      next <<= 1
      for (symbol, own) in lengths.enumerated() where own == length {
        let digits = String(next, radix: 2)
        codes[String(repeating: "0", count: length - digits.count) + digits] = symbol
        next += 1
      }
    }
    return codes
  }

  private mutating func next(_ code: [String: Int]) throws -> Int {
    var digits = ""
    while digits.count < 16 {
      digits += try bits(1) == 1 ? "1" : "0"
      if let symbol = code[digits] { return symbol }
    }
    throw Invalid()
  }

  private mutating func bits(_ count: Int) throws -> Int {
    var result = 0
    for place in 0..<count {
      guard position < bytes.endIndex else { throw Invalid() }
      result |= Int(bytes[position] >> UInt8(bit) & 1) << place
      bit += 1
      if bit == 8 { (bit, position) = (0, position + 1) }
    }
    return result
  }
}
