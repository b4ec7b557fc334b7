/// Turns JSON-like values into values of a field, and back.
///
/// ```swift
/// let percent = Transformer<Double>("percent") { value in
///   guard let number = value.number?.double else { throw .mismatch(expected: "number", found: value) }
///   return number / 100
/// } encode: { JSONNumber($0 * 100).map(JSONValue.number) ?? .null }
/// ```
///
/// Without `encode` it is one-way: writing the field throws ``RecipeError/Reason/oneWay(_:)``.
public struct Transformer<Value: Sendable>: Sendable {
  /// The name, for messages; two transformers of one type and name count as equal.
  public let name: String

  /// Whether it is given `null`, instead of that clearing the field or being an error.
  @usableFromInline let acceptsNull: Bool

  @usableFromInline let decode: @Sendable (JSONValue) throws(TransformFailure) -> Value
  @usableFromInline let encode: (@Sendable (Value) throws(TransformFailure) -> JSONValue)?

  /// Makes a transformer.
  ///
  /// - Parameters:
  ///   - name: Tells it from others of the same type.
  ///   - acceptsNull: Whether it is given `null`, instead of that clearing the field.
  ///   - decode: Makes the value of the field. It may be called at any time on any thread.
  ///   - encode: Makes the JSON-like value, such that decoding it gives the value again.
  public init(
    _ name: String, acceptsNull: Bool = false,
    decode: @escaping @Sendable (JSONValue) throws(TransformFailure) -> Value,
    encode: (@Sendable (Value) throws(TransformFailure) -> JSONValue)? = nil
  ) {
    self.name = name
    self.acceptsNull = acceptsNull
    self.decode = decode
    self.encode = encode
  }

  /// Whether it can only read.
  public var isOneWay: Bool { encode == nil }

  @inlinable
  func encoded(_ value: Value) throws(TransformFailure) -> JSONValue {
    guard let encode else { throw TransformFailure(.oneWay(name)) }
    return try encode(value)
  }
}

extension Transformer where Value: Equatable {
  /// Whether two values are the same to the data: equal, or written alike, as a date and the same
  /// date without its microseconds.
  @inlinable
  func areAlike(_ left: Value, _ right: Value) -> Bool {
    if left == right { return true }
    guard let encode, let left = try? encode(left), let right = try? encode(right) else {
      return false
    }
    return left == right
  }
}

/// A type that fields can have without naming a transformer.
public protocol RecipeValue: Sendable, Equatable {
  /// What turns JSON-like values into values of this type, and back.
  static var transformer: Transformer<Self> { get }
}
