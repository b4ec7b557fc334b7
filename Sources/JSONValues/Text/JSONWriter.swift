/// Writes values as JSON, with the open containers in an array: no value exhausts the stack.
struct JSONWriter {
  private enum Open {
    case array(JSONArray, Int)
    case object(JSONObject, Int)
  }

  private let isPretty: Bool
  private var open: [Open] = []
  private(set) var bytes: [UInt8] = []

  init(pretty: Bool) { isPretty = pretty }

  mutating func write(_ value: JSONValue) {
    begin(value)
    while let container = open.popLast() {
      switch container {
      case .array(let elements, let next):
        guard next < elements.count else {
          close("]")
          continue
        }
        separate(first: next == 0)
        open.append(.array(elements, next + 1))
        begin(elements[next])
      case .object(let object, let next):
        guard next < object.count else {
          close("}")
          continue
        }
        separate(first: next == 0)
        open.append(.object(object, next + 1))
        write(object[next].key)
        append(isPretty ? ": " : ":")
        begin(object[next].value)
      }
    }
  }

  /// Writes a scalar or an empty container; opens one that has something in it.
  private mutating func begin(_ value: JSONValue) {
    switch value {
    case .null: append("null")
    case .bool(let value): append(value ? "true" : "false")
    case .number(let number): append(number.description)
    case .string(let text): write(text)
    case .array(let elements):
      append(elements.isEmpty ? "[]" : "[")
      if !elements.isEmpty { open.append(.array(elements, 0)) }
    case .object(let object):
      append(object.isEmpty ? "{}" : "{")
      if !object.isEmpty { open.append(.object(object, 0)) }
    }
  }

  private mutating func separate(first: Bool) {
    if !first { append(",") }
    guard isPretty else { return }
    append("\n")
    indent(open.count + 1)
  }

  private mutating func close(_ bracket: String) {
    if isPretty {
      append("\n")
      indent(open.count)
    }
    append(bracket)
  }

  private mutating func indent(_ depth: Int) {
    for _ in 0..<depth { append("  ") }
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0a: append("\\n")
      case 0x0d: append("\\r")
      case 0x09: append("\\t")
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
