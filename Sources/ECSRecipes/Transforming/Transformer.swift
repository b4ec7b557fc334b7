public import JSONValues

/// Turns JSON-like values into values of a field, and back.
///
/// ```swift
/// let percent = Transformer<Double>("percent", expects: "number") { value throws(TransformFailure) in
///   guard let number = value.number?.double else {
///     throw .mismatch(expected: "number", found: value)
///   }
///   return number / 100
/// } encode: { value throws(TransformFailure) in
///   guard let number = JSONNumber(value * 100) else { throw .invalid("\(value) is not a number") }
///   return .number(number)
/// }
/// ```
///
/// Without `encode` it only reads: what it has read is not written back.
///
/// Make transformers from others with ``then(_:decode:encode:)``, ``or(_:)``, ``readOnly`` and
/// ``list(_:)``. What a value is in a column of a table follows from what it is in JSON;
/// ``inRows(as:write:read:)`` says otherwise.
public struct Transformer<Value: Sendable>: Sendable {
  /// The name; two transformers with the same type and name count as equal.
  public let name: String

  /// What it takes, for messages: a kind of value, such as `string`, or the name.
  public let expected: String

  /// Whether it is passed `null`, which otherwise clears the field or is an error.
  public let acceptsNull: Bool

  @usableFromInline let decoding: @Sendable (JSONValue) throws(TransformFailure) -> Value
  @usableFromInline let encoding: (@Sendable (Value) throws(TransformFailure) -> JSONValue)?

  /// The form in tables, if it is not made of the JSON form.
  @usableFromInline var ownRows: RowForm<Value>?

  /// Makes a transformer.
  ///
  /// - Parameters:
  ///   - name: Distinguishes it from others of the same type.
  ///   - expected: What it takes, for messages; by default, the name.
  ///   - acceptsNull: Whether it is passed `null`, which otherwise clears the field.
  ///   - decode: Makes the value of the field. It may be called at any time on any thread.
  ///   - encode: Makes the JSON-like value; decoding that must give the value again.
  public init(
    _ name: String, expects expected: String? = nil, acceptsNull: Bool = false,
    decode: @escaping @Sendable (JSONValue) throws(TransformFailure) -> Value,
    encode: (@Sendable (Value) throws(TransformFailure) -> JSONValue)? = nil
  ) {
    self.name = name
    self.expected = expected ?? name
    self.acceptsNull = acceptsNull
    (decoding, encoding) = (decode, encode)
  }

  /// Whether it can only read.
  public var isOneWay: Bool { encoding == nil }

  /// Makes a value from data.
  ///
  /// - Throws: ``TransformFailure``; a mismatch for `null`, unless ``acceptsNull``.
  @inlinable
  public func decode(_ value: JSONValue) throws(TransformFailure) -> Value {
    if case .null = value, !acceptsNull { throw .mismatch(expected: expected, found: value) }
    return try decoding(value)
  }

  /// Makes data from a value.
  ///
  /// - Throws: ``TransformFailure``; with ``RecipeError/Reason/oneWay(_:)`` if it only reads.
  @inlinable
  public func encode(_ value: Value) throws(TransformFailure) -> JSONValue {
    guard let encoding else { throw TransformFailure(.oneWay(name)) }
    return try encoding(value)
  }
}

extension Transformer where Value: Equatable {
  /// Whether two values are the same to the data: equal, or written alike, as a date and the same
  /// date without its microseconds.
  @inlinable
  func areAlike(_ left: Value, _ right: Value) -> Bool {
    if left == right { return SameText.areSame(left, right) }
    guard let encoding, let left = try? encoding(left), let right = try? encoding(right) else {
      return false
    }
    return left == right
  }
}
