/// A JSON-like value: what recipes read and write.
///
/// ```swift
/// let value: JSONValue = ["id": 7, "name": "Ada", "tags": ["a", "b"], "boss": .null]
/// let parsed = try JSONValue(json: #"{"id": 18446744073709551615}"#)
/// parsed["id"]?.number?.uint64  // 18446744073709551615, exactly
/// ```
///
/// Numbers keep every digit, and objects keep the order of their keys. Two objects are equal if
/// they have equal values for the same keys, in any order.
///
/// There is no literal for `null`: `nil` is the absence of a value, which is something else, and in
/// `isKnown ? value : nil` the compiler would have to guess which one you mean.
public enum JSONValue: Sendable {
  /// The value `null`.
  case null

  /// `true` or `false`.
  case bool(Bool)

  /// A number, exact.
  case number(JSONNumber)

  /// A string.
  case string(String)

  /// A list of values.
  case array(JSONArray)

  /// Values by key, in a stable order.
  case object(JSONObject)

  /// How deep containers may be nested in data that is parsed or encoded.
  ///
  /// Values made in other ways may be nested as deep as memory allows: no operation on them
  /// runs out of stack.
  public static let maximumDepth = 512
}

extension JSONValue {
  /// Makes a list.
  ///
  /// - Complexity: O(1).
  public static func array(_ elements: [JSONValue]) -> JSONValue { .array(JSONArray(elements)) }

  /// The kind of a value.
  public enum Kind: String, Sendable, Hashable, CustomStringConvertible {
    /// The value `null`.
    case null

    /// A Boolean.
    case bool

    /// A number.
    case number

    /// A string.
    case string

    /// A list.
    case array

    /// An object.
    case object

    /// The name of the kind.
    public var description: String { rawValue }
  }

  /// What kind of value this is.
  public var kind: Kind {
    switch self {
    case .null: .null
    case .bool: .bool
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  /// Whether this is `null`.
  public var isNull: Bool { if case .null = self { true } else { false } }

  /// The Boolean, if this is one.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The number, if this is one.
  public var number: JSONNumber? { if case .number(let value) = self { value } else { nil } }

  /// The string, if this is one.
  public var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The elements, if this is a list.
  public var array: [JSONValue]? {
    if case .array(let value) = self { value.elements } else { nil }
  }

  /// The object, if this is one.
  public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

  /// The value of a key; nil if this is not an object or has no such key.
  ///
  /// - Complexity: O(1) on average.
  public subscript(key: String) -> JSONValue? { object?[key] }

  /// The element at a position; nil if this is not a list or is too short.
  ///
  /// - Complexity: O(1).
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let array) = self, array.indices.contains(index) else { return nil }
    return array[index]
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as JSON, in one line.
  public var description: String { json() }
}

extension JSONValue: ExpressibleByBooleanLiteral {
  /// Makes a Boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  /// Makes a number.
  public init(integerLiteral value: Int128) { self = .number(JSONNumber(value)) }
}

extension JSONValue: ExpressibleByFloatLiteral {
  /// Makes a number: the shortest decimal number that gives the same `Double`.
  public init(floatLiteral value: Double) {
    self = JSONNumber(value).map(JSONValue.number) ?? .null
  }
}

extension JSONValue: ExpressibleByStringInterpolation {
  /// Makes a string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
  /// Makes a list.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  /// Makes an object.
  ///
  /// - Precondition: No key comes twice.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(uniqueKeysWithValues: elements))
  }
}
