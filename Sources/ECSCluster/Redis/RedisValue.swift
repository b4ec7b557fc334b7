/// An answer of Redis.
package enum RedisValue: Hashable, Sendable {
  case simple(String)
  case error(String)
  case integer(Int64)
  case bulk([UInt8])
  case array([RedisValue])
  case null
}

extension RedisValue {
  /// A number, also as a text; nil if it is 2^53 or more, which nothing that Redis counts ever is:
  /// one can be added to it.
  var number: UInt64? { anyNumber.flatMap { $0 < RedisValue.firstTooGreat ? $0 : nil } }

  /// The first number that scripts do not tell from the next one.
  static var firstTooGreat: UInt64 { 1 << 53 }

  /// A number of any size, also as a text.
  var anyNumber: UInt64? {
    switch self {
    case .integer(let value): UInt64(exactly: value)
    case .bulk(let bytes): UInt64(String(decoding: bytes, as: UTF8.self))
    case .simple(let text): UInt64(text)
    default: nil
    }
  }

  var text: String? {
    switch self {
    case .simple(let text): text
    case .bulk(let bytes): String(decoding: bytes, as: UTF8.self)
    default: nil
    }
  }

  var bytes: [UInt8]? {
    if case .bulk(let bytes) = self { bytes } else { nil }
  }

  var elements: [RedisValue]? {
    switch self {
    case .array(let elements): elements
    case .null: []
    default: nil
    }
  }

  /// What it is, for messages.
  var kind: String {
    switch self {
    case .simple(let text): "the text \"\(text.prefix(80))\""
    case .error(let text): "the error \"\(text.prefix(80))\""
    case .integer(let value): "the number \(value)"
    case .bulk(let bytes): "\(bytes.count) bytes"
    case .array(let elements): "\(elements.count) elements"
    case .null: "nothing"
    }
  }
}
