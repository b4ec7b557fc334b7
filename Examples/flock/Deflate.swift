/// Compresses bytes as RFC 1951 says, and as PNG wants it: repetitions, then Huffman codes made for
/// what is to be written.
struct Deflate {
  /// The compressed bytes, without any header.
  private(set) var output: [UInt8] = []
  private var bits: UInt64 = 0
  private var bitCount = 0

  /// A byte, or a repetition of what was so far back.
  private enum Token {
    case literal(UInt8)
    case copy(length: Int, distance: Int)
  }

  private static let endOfBlock = 256
  private static let lengths = Ranges(
    first: 3,
    extraBits: [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5])
  private static let distances = Ranges(
    first: 1, extraBits: [0, 0, 0, 0] + (1...13).flatMap { [$0, $0] })

  /// Compresses all bytes at once.
  static func compress(_ bytes: [UInt8]) -> [UInt8] {
    var deflate = Deflate()
    let size = 1 << 16
    let tokens = Deflate.tokens(of: bytes)
    for start in stride(from: 0, to: max(tokens.count, 1), by: size) {
      let end = min(start + size, tokens.count)
      deflate.writeBlock(tokens[start..<end], isLast: end == tokens.count)
    }
    deflate.write(0, 7)
    return deflate.output
  }

  /// Finds repetitions of three bytes and more by a hash of their beginning.
  private static func tokens(of bytes: [UInt8]) -> [Token] {
    var tokens: [Token] = []
    var places = [Int](repeating: -1, count: 1 << 15)
    var position = 0
    while position < bytes.count {
      var length = 0
      var distance = 0
      if position + 3 <= bytes.count {
        let start =
          UInt32(bytes[position]) << 16 | UInt32(bytes[position + 1]) << 8
          | UInt32(bytes[position + 2])
        let hash = Int((start &* 2_654_435_761) >> 17)
        let earlier = places[hash]
        places[hash] = position
        if earlier >= 0, position - earlier <= 32_768 {
          let longest = min(258, bytes.count - position)
          while length < longest, bytes[earlier + length] == bytes[position + length] {
            length += 1
          }
          distance = position - earlier
        }
      }
      if length >= 3 {
        tokens.append(.copy(length: length, distance: distance))
        position += length
      } else {
        tokens.append(.literal(bytes[position]))
        position += 1
      }
    }
    return tokens
  }

  private mutating func writeBlock(_ tokens: ArraySlice<Token>, isLast: Bool) {
    var counts = [Int](repeating: 0, count: 286)
    var distanceCounts = [Int](repeating: 0, count: 30)
    counts[Deflate.endOfBlock] = 1
    for token in tokens {
      switch token {
      case .literal(let byte): counts[Int(byte)] += 1
      case .copy(let length, let distance):
        counts[257 + Deflate.lengths.place(of: length)] += 1
        distanceCounts[Deflate.distances.place(of: distance)] += 1
      }
    }
    let symbols = HuffmanCode(counts, maximumLength: 15)
    let distances = HuffmanCode(distanceCounts, maximumLength: 15)
    write(isLast ? 1 : 0, 1)
    write(2, 2)
    writeLengths(symbols.lengths, distances.lengths)
    for token in tokens {
      switch token {
      case .literal(let byte): write(symbols, Int(byte))
      case .copy(let length, let distance):
        let place = Deflate.lengths.place(of: length)
        write(symbols, 257 + place)
        write(length - Deflate.lengths.starts[place], Deflate.lengths.extraBits[place])
        let distancePlace = Deflate.distances.place(of: distance)
        write(distances, distancePlace)
        write(
          distance - Deflate.distances.starts[distancePlace],
          Deflate.distances.extraBits[distancePlace])
      }
    }
    write(symbols, Deflate.endOfBlock)
  }

  /// Writes how long the codes are, which is all that a reader needs to rebuild them.
  private mutating func writeLengths(_ symbols: [Int], _ distances: [Int]) {
    let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    let lengths = symbols + distances
    var counts = [Int](repeating: 0, count: 19)
    for length in lengths { counts[length] += 1 }
    let code = HuffmanCode(counts, maximumLength: 7)
    write(symbols.count - 257, 5)
    write(distances.count - 1, 5)
    write(order.count - 4, 4)
    for symbol in order { write(code.lengths[symbol], 3) }
    for length in lengths { write(code, length) }
  }

  private mutating func write(_ code: HuffmanCode, _ symbol: Int) {
    write(code.codes[symbol], code.lengths[symbol])
  }

  /// Writes the lowest bits of a value, the very lowest first.
  private mutating func write(_ value: Int, _ count: Int) {
    bits |= UInt64(value) << UInt64(bitCount)
    bitCount += count
    while bitCount >= 8 {
      output.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      bitCount -= 8
    }
  }

  /// Numbers in ranges whose size is a power of two.
  private struct Ranges {
    let starts: [Int]
    let extraBits: [Int]

    /// The range of each number.
    private let places: [UInt8]

    init(first: Int, extraBits: [Int]) {
      // The longest repetition has a code of its own, without further bits.
      let isLengths = first == 3
      var (starts, places) = ([Int](), [UInt8](repeating: 0, count: first))
      for (place, bits) in extraBits.enumerated() {
        starts.append(places.count)
        places += Array(repeating: UInt8(place), count: 1 << bits)
      }
      if isLengths {
        places[258] = UInt8(starts.count)
        starts.append(258)
      }
      self.starts = starts
      self.places = places
      self.extraBits = isLengths ? extraBits + [0] : extraBits
    }

    func place(of number: Int) -> Int { Int(places[number]) }
  }
}

/// Short codes for what is frequent, of limited length.
struct HuffmanCode {
  /// The number of bits of each symbol's code; 0 for those that do not occur.
  let lengths: [Int]

  /// The codes, in the order in which their bits are written.
  let codes: [Int]

  init(_ counts: [Int], maximumLength: Int) {
    var counts = counts
    // One symbol needs a code of one bit too, and readers want no fewer than two.
    for symbol in counts.indices where counts.count(where: { $0 > 0 }) < 2 {
      counts[symbol] = max(counts[symbol], 1)
    }
    var lengths = HuffmanCode.lengths(counts)
    // Where a code is too long, counts that differ less give shorter ones.
    while lengths.contains(where: { $0 > maximumLength }) {
      counts = counts.map { $0 > 0 ? $0 / 2 + 1 : 0 }
      lengths = HuffmanCode.lengths(counts)
    }
    self.lengths = lengths
    var codes = [Int](repeating: 0, count: lengths.count)
    var next = 0
    for length in 1...maximumLength {
      next <<= 1
      for symbol in lengths.indices where lengths[symbol] == length {
        codes[symbol] = HuffmanCode.reversed(next, length)
        next += 1
      }
    }
    self.codes = codes
  }

  private static func lengths(_ counts: [Int]) -> [Int] {
    var lengths = [Int](repeating: 0, count: counts.count)
    var trees = counts.indices.filter { counts[$0] > 0 }.map { (count: counts[$0], symbols: [$0]) }
    trees.sort { $0.count > $1.count }
    // The two rarest trees become one until there is only one.
    while trees.count > 1 {
      let (one, other) = (trees.removeLast(), trees.removeLast())
      let symbols = one.symbols + other.symbols
      for symbol in symbols { lengths[symbol] += 1 }
      let count = one.count + other.count
      let place = trees.firstIndex { $0.count < count } ?? trees.count
      trees.insert((count, symbols), at: place)
    }
    return lengths
  }

  private static func reversed(_ code: Int, _ length: Int) -> Int {
    var (rest, result) = (code, 0)
    for _ in 0..<length {
      result = result << 1 | rest & 1
      rest >>= 1
    }
    return result
  }
}
