import Foundation

extension JSONValue: Codable {
  /// Decodes whatever value there is.
  ///
  /// Decoders don't tell the order of keys, so objects come out sorted by key. To keep the order,
  /// parse with ``init(data:)``.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: NameKey.self) {
      self = .object(try JSONValue.object(from: container))
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [JSONValue] = []
      while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
      self = .array(elements)
    } else {
      self = try JSONValue.scalar(from: try decoder.singleValueContainer())
    }
  }

  private static func object(
    from container: KeyedDecodingContainer<NameKey>
  ) throws -> JSONObject {
    var object = JSONObject()
    for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
      object[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
    }
    return object
  }

  private static func scalar(from container: any SingleValueDecodingContainer) throws -> JSONValue {
    if container.decodeNil() { return .null }
    if let value = try? container.decode(Bool.self) { return .bool(value) }
    if let value = try? container.decode(Int64.self) { return .number(JSONNumber(value)) }
    if let value = try? container.decode(UInt64.self) { return .number(JSONNumber(value)) }
    if let value = try? container.decode(String.self) { return .string(value) }
    let value = try container.decode(Decimal.self)
    guard let number = JSONNumber(value) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(value)")
    }
    return .number(number)
  }

  /// Encodes the value.
  ///
  /// A number is encoded as an integer if it is one of 64 bits, and as a `Decimal` otherwise.
  ///
  /// - Throws: `EncodingError` for a number with more digits than a `Decimal` holds.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value): try value.encode(to: encoder)
    case .string(let value): try value.encode(to: encoder)
    case .array(let elements): try elements.encode(to: encoder)
    case .object(let object):
      var container = encoder.container(keyedBy: NameKey.self)
      for entry in object { try container.encode(entry.value, forKey: NameKey(entry.key)) }
    case .number(let number):
      var container = encoder.singleValueContainer()
      if let value = number.int64 {
        try container.encode(value)
      } else if let value = number.uint64 {
        try container.encode(value)
      } else if let value = number.decimal {
        try container.encode(value)
      } else {
        throw EncodingError.invalidValue(
          number,
          .init(codingPath: encoder.codingPath, debugDescription: "Too many digits: \(number)"))
      }
    }
  }
}

/// A coding key that is any name.
struct NameKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ name: String) {
    stringValue = name
    intValue = nil
  }

  init(_ index: Int) {
    stringValue = "\(index)"
    intValue = index
  }

  init?(stringValue: String) { self.init(stringValue) }

  init?(intValue: Int) { self.init(intValue) }
}
