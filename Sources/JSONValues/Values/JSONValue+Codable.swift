import Foundation

// Containers are kept open in arrays, instead of values decoding and encoding those in them: a
// thread with a small stack can take as much nesting as any other.

extension JSONValue: Decodable {
  /// Decodes a value of any kind.
  ///
  /// Decoders don't give the order of keys, so objects are sorted by key, and numbers other than
  /// 64-bit integers are decoded as a `Decimal` or, failing that, a `Double`, with as many digits
  /// as those hold. To keep the order and all digits, parse with ``init(data:)``.
  ///
  /// - Throws: What the decoder throws, and `DecodingError` if containers are nested deeper than
  ///   ``maximumDepth``.
  public init(from decoder: any Decoder) throws {
    var open: [OpenDecoding] = []
    var value = try JSONValue.scalar(from: decoder, orOpening: &open)
    while let last = open.indices.last {
      if let value { open[last].add(value) }
      if let decoder = try open[last].next() {
        value = try JSONValue.scalar(from: decoder, orOpening: &open)
      } else {
        value = open.removeLast().value
      }
    }
    self = value ?? .null
  }

  /// Decodes a scalar; opens a container, and gives nil then.
  private static func scalar(
    from decoder: any Decoder, orOpening open: inout [OpenDecoding]
  ) throws -> JSONValue? {
    guard let container = OpenDecoding(decoder) else {
      return try JSONValue.scalar(from: try decoder.singleValueContainer())
    }
    guard open.count < maximumDepth else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: [], debugDescription: "More than \(maximumDepth) nested containers"))
    }
    open.append(container)
    return nil
  }

  private static func scalar(from container: any SingleValueDecodingContainer) throws -> JSONValue {
    if container.decodeNil() { return .null }
    if let value = try? container.decode(Bool.self) { return .bool(value) }
    if let value = try? container.decode(Int64.self) { return .number(JSONNumber(value)) }
    if let value = try? container.decode(UInt64.self) { return .number(JSONNumber(value)) }
    if let value = try? container.decode(String.self) { return .string(value) }
    if let value = try? container.decode(Decimal.self), let number = JSONNumber(value) {
      return .number(number)
    }
    let value = try container.decode(Double.self)
    guard let number = JSONNumber(value) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(value)")
    }
    return .number(number)
  }
}

/// A container that is being decoded.
private struct OpenDecoding {
  private var list: (any UnkeyedDecodingContainer)?
  private var object: KeyedDecodingContainer<NameKey>?
  private var elements = JSONArray()
  private var entries = JSONObject()

  /// The keys that are still to be decoded, the next one last.
  private var keys: [NameKey] = []
  private var key = ""

  /// Opens a container; nil if there is none.
  init?(_ decoder: any Decoder) {
    if let object = try? decoder.container(keyedBy: NameKey.self) {
      self.object = object
      keys = object.allKeys.sorted { $0.stringValue > $1.stringValue }
    } else if let list = try? decoder.unkeyedContainer() {
      self.list = list
    } else {
      return nil
    }
  }

  /// A decoder of the next value; nil at the end.
  mutating func next() throws -> (any Decoder)? {
    if let object {
      guard let next = keys.popLast() else { return nil }
      key = next.stringValue
      return try object.superDecoder(forKey: next)
    }
    return list?.isAtEnd == false ? try list?.superDecoder() : nil
  }

  mutating func add(_ value: JSONValue) {
    if object == nil { elements.append(value) } else { entries[key] = value }
  }

  var value: JSONValue { object == nil ? .array(elements) : .object(entries) }
}

extension JSONValue: Encodable {
  /// Encodes the value.
  ///
  /// A number is encoded as an integer if it is one of 64 bits, and otherwise as a `Decimal` or a
  /// `Double`, whichever holds it exactly.
  ///
  /// - Throws: What the encoder throws, and `EncodingError` for a number that neither holds, or if
  ///   containers are nested deeper than ``maximumDepth``.
  public func encode(to encoder: any Encoder) throws {
    var open: [OpenEncoding] = []
    if isContainer {
      open.append(OpenEncoding(self, in: encoder))
    } else {
      var container = encoder.singleValueContainer()
      if let scalar = try encodableScalar() {
        try container.encode(scalar)
      } else {
        try container.encodeNil()
      }
    }
    while let last = open.indices.last {
      if open[last].isAtEnd {
        open.removeLast()
      } else if let nested = try open[last].encodeNext() {
        guard open.count < JSONValue.maximumDepth else {
          throw EncodingError.invalidValue(
            JSONValue.null,
            .init(
              codingPath: [],
              debugDescription: "More than \(JSONValue.maximumDepth) nested containers"))
        }
        open.append(nested)
      }
    }
  }

  /// The scalar; nil for `null`.
  fileprivate func encodableScalar() throws -> (any Encodable)? {
    switch self {
    case .bool(let value): return value
    case .string(let value): return value
    case .number(let number):
      if let value = number.int64 { return value }
      if let value = number.uint64 { return value }
      if let value = number.decimal { return value }
      // Large and small ones are beyond a `Decimal`, which has more digits but less range.
      if let value = number.double, JSONNumber(value) == number { return value }
      throw EncodingError.invalidValue(
        number, .init(codingPath: [], debugDescription: "Too many digits: \(number)"))
    case .null, .array, .object: return nil
    }
  }
}

/// A container that is being encoded.
private struct OpenEncoding {
  private var list: (any UnkeyedEncodingContainer)?
  private var object: KeyedEncodingContainer<NameKey>?
  private var elements = JSONArray()
  private var entries = JSONObject()
  private var position = 0

  init(_ value: JSONValue, in encoder: any Encoder) {
    if case .object(let entries) = value {
      self.init(encoder.container(keyedBy: NameKey.self), entries)
    } else {
      self.init(encoder.unkeyedContainer(), JSONArray(value.array ?? []))
    }
  }

  private init(_ list: any UnkeyedEncodingContainer, _ elements: JSONArray) {
    (self.list, self.elements) = (list, elements)
  }

  private init(_ object: KeyedEncodingContainer<NameKey>, _ entries: JSONObject) {
    (self.object, self.entries) = (object, entries)
  }

  var isAtEnd: Bool { position == (object == nil ? elements.count : entries.count) }

  /// Encodes the next value if it is a scalar, and opens it otherwise.
  mutating func encodeNext() throws -> OpenEncoding? {
    defer { position += 1 }
    return object == nil ? try encodeElement() : try encodeEntry()
  }

  private mutating func encodeElement() throws -> OpenEncoding? {
    let value = elements[position]
    switch value {
    case .array(let elements): return (list?.nestedUnkeyedContainer()).map { .init($0, elements) }
    case .object(let entries):
      return (list?.nestedContainer(keyedBy: NameKey.self)).map { .init($0, entries) }
    default:
      if let scalar = try value.encodableScalar() {
        try list?.encode(scalar)
      } else {
        try list?.encodeNil()
      }
      return nil
    }
  }

  private mutating func encodeEntry() throws -> OpenEncoding? {
    let (key, value) = (NameKey(entries[position].key), entries[position].value)
    switch value {
    case .array(let elements):
      return (object?.nestedUnkeyedContainer(forKey: key)).map { .init($0, elements) }
    case .object(let entries):
      return (object?.nestedContainer(keyedBy: NameKey.self, forKey: key)).map {
        .init($0, entries)
      }
    default:
      if let scalar = try value.encodableScalar() {
        try object?.encode(scalar, forKey: key)
      } else {
        try object?.encodeNil(forKey: key)
      }
      return nil
    }
  }
}
