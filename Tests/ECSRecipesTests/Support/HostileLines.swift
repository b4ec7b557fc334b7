/// Random records as lines of JSON: most keys and values are those that recipes of the tests ask
/// for, the others are what a parser has to be careful with.
struct HostileLines {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  static let numbers = [
    "0", "-0", "7", "-12", "1.5", "-0.25", "10.00", "1e2", "1.5E-3", "123456789012345678",
    "1234567890123456789", "0.1234567890123456789", "1e400", "01", "1.", "-", "-.5", "+1", "1e",
    "99999999999999999999", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "-9223372036854775809", "18446744073709551615", "18446744073709551616", "1e999999999999", "0e9",
    "0.000000000000000001", "4.35", "9007199254740993", "900719925474099.3", "-0.0", "1e-400",
    "123456789012345678.5", "0.123456789012345678", "1.10", "NaN",
  ]
  static let strings = [
    #""""#, #""a""#, #""Grüße""#, #""\n\"\\""#, #""\u00e9\ud83d\ude00""#, #""\ud800""#, #""\x""#,
    #""a longer text that is not small""#, #""1""#, "\"\u{1}\"", #""open"#, "\"\u{7f}\"",
    #""\udc00""#, #""\ud800\u0041""#, #""\u0000""#, #""\u12""#, "\"\u{feff}\"",
    #""2024-05-01T12:00:00Z""#,
  ]
  static let others = [
    "true", "false", "null", "tru", "nul", "nulL", "truee", "[]", "{}", #"[1,"a",{"b":[null]}]"#,
    #"{"a":1,"a":2}"#, #"{"a":{"b":"\ud800"}}"#, "[1,]", "", "[[[[]]]]", "[1 2]", "{a:1}", "1 2",
    "[1}",
    "[1,2,3]",
  ]
  static let keys = [
    "id", "name", "note", "price", "is_active", "data", "width", "height", "other", "Name", "na",
    "names", #"n\u0061me"#, "größe", "gro\u{308}ße", #"a\"b"#, "", "\u{212a}", "K",
  ]

  private mutating func pick(_ list: [String]) -> String {
    list.randomElement(using: &generator) ?? ""
  }

  private mutating func value(of key: String) -> String {
    let isFitting = Int.random(in: 0..<8, using: &generator) > 0
    switch isFitting ? key : "" {
    case "id": return "\(Int.random(in: 0..<30, using: &generator))"
    case "name", "note":
      return Bool.random(using: &generator) ? pick(HostileLines.strings) : #""n""#
    case "price", "height": return pick(HostileLines.numbers)
    case "is_active": return Bool.random(using: &generator) ? "true" : "false"
    case "width": return "\(Int.random(in: -3..<3, using: &generator))"
    default:
      return pick([
        pick(HostileLines.numbers), pick(HostileLines.strings), pick(HostileLines.others),
      ])
    }
  }

  private mutating func record() -> String {
    let space = pick([" ", "", "", "\t", " \r"])
    var chosen = HostileLines.keys.prefix(8).filter { _ in
      Int.random(in: 0..<10, using: &generator) > 0
    }
    if Int.random(in: 0..<4, using: &generator) == 0 { chosen.shuffle(using: &generator) }
    for _ in 0..<Int.random(in: 0..<3, using: &generator) {
      let place = Int.random(in: 0...chosen.count, using: &generator)
      chosen.insert(pick(HostileLines.keys), at: place)
    }
    var members: [String] = []
    for key in chosen { members.append("\"\(key)\"\(space):\(space)\(value(of: key))") }
    return "{" + space + members.joined(separator: space + "," + space) + "}" + space
  }

  /// The bytes of a line, some of them changed.
  private mutating func mutated(_ line: String) -> [UInt8] {
    var bytes = Array(line.utf8)
    let interesting = Array(#"{}[]",:\ 0159-+.eEtfnu/"#.utf8) + [0, 0x1f, 0x80, 0xc3, 0xef, 0xff]
    for _ in 0..<Int.random(in: 0..<3, using: &generator) {
      let byte = interesting.randomElement(using: &generator) ?? 0
      // The first byte tells a record from a list.
      let place = Int.random(in: 1..<max(2, bytes.count), using: &generator)
      guard bytes.indices.contains(place) else { continue }
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: bytes[place] = byte
      case 1: bytes.insert(byte, at: place)
      case 2: bytes.remove(at: place)
      default: bytes.removeSubrange(place...)
      }
    }
    return bytes
  }

  /// Lines, in which single bytes are changed if asked for.
  mutating func lines(_ count: Int, areMutated: Bool) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for _ in 0..<count {
      let record = record()
      lines.append(areMutated ? mutated(record) : Array(record.utf8))
    }
    return lines
  }
}
