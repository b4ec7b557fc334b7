/// Commands as Redis reads them, one behind the other.
struct RedisCommands {
  private(set) var bytes: [UInt8] = []

  /// How many there are, which is the number of answers.
  private(set) var count = 0

  /// Adds a command of texts and bytes.
  mutating func add(_ words: RedisWord...) { add(words) }

  mutating func add(_ words: [RedisWord]) {
    count += 1
    bytes.append(UInt8(ascii: "*"))
    append(words.count)
    for word in words {
      bytes.append(UInt8(ascii: "$"))
      switch word {
      case .text(let text):
        append(text.utf8.count)
        bytes += text.utf8
      case .bytes(let part):
        append(part.count)
        bytes += part
      }
      bytes += [13, 10]
    }
  }

  private mutating func append(_ number: Int) {
    bytes += String(number).utf8
    bytes += [13, 10]
  }
}

/// A part of a command.
enum RedisWord: ExpressibleByStringInterpolation {
  case text(String)
  case bytes([UInt8])

  init(stringLiteral value: String) { self = .text(value) }
  init(_ number: some BinaryInteger) { self = .text(String(number)) }
}
