public import ECS
public import JSONValues

/// A field of a component or another value, and where it is in the data.
///
/// ```swift
/// Field(\Article.title, at: "title")
/// Field(\Article.published, at: "meta.published_at", as: .iso8601)
/// Field(\Article.homepage, at: "links[0].url")
/// ```
public struct Field<Root: Sendable>: Sendable {
  /// The key path.
  public let keyPath: any PartialKeyPath<Root> & Sendable

  /// Reads and writes the field: a `FieldAccess` from `Root` to the type of the field, the optional
  /// included.
  public let access: any Sendable

  /// Where the field stands; nil if this only gives a transformer to a field.
  @usableFromInline var path: String?
  @usableFromInline var parsedPath: JSONPath?

  /// Whether the path begins outermost, whatever stands around the field.
  var isAbsolute = false

  let transformer: FieldTransformer
  var isRequired = false

  /// Where the field stands in the data; nil if this only gives a transformer to a field.
  public var dataPath: String? { path ?? parsedPath?.description }

  /// The type of its values, without the optional.
  public var valueType: any Sendable.Type { transformer.valueType }

  /// Whether it may be nil, which is written as `null`.
  public var isOptional: Bool { transformer.isOptional }
  /// Whether it is only read from data and never written.
  public var isOneWay: Bool { transformer.isOneWay }

  @usableFromInline let decode: @Sendable (JSONValue, inout Root) throws(TransformFailure) -> Void
  @usableFromInline let encode: @Sendable (Root) throws(TransformFailure) -> JSONValue

  /// Copies the field from the first value to the second; false if it has that value already.
  @usableFromInline let merge: @Sendable (Root, inout Root) -> Bool

  /// How the field is put into a column of a table.
  public let rows: RowField<Root>

  @usableFromInline
  init(
    _ keyPath: any PartialKeyPath<Root> & Sendable, _ access: any Sendable,
    _ transformer: FieldTransformer,
    decode: @escaping @Sendable (JSONValue, inout Root) throws(TransformFailure) -> Void,
    encode: @escaping @Sendable (Root) throws(TransformFailure) -> JSONValue,
    merge: @escaping @Sendable (Root, inout Root) -> Bool, rows: RowField<Root>
  ) {
    (self.keyPath, self.access, self.transformer) = (keyPath, access, transformer)
    self.rows = rows
    (self.decode, self.encode, self.merge) = (decode, encode, merge)
  }

  /// The field must be in the data for the component to be made.
  ///
  /// - Returns: A field that must not be absent.
  public func required() -> Field {
    var field = self
    field.isRequired = true
    return field
  }

  /// The field at another place.
  func moved(to path: JSONPath) -> Field {
    var field = self
    (field.path, field.parsedPath, field.isAbsolute) = (nil, path, true)
    return field
  }

  /// The field of a value, as data.
  ///
  /// - Throws: ``TransformFailure`` if the transformer can't write it.
  public func data(of value: Root) throws(TransformFailure) -> JSONValue { try encode(value) }

  /// Sets the field of a value from data; `null` clears an optional one.
  ///
  /// - Throws: ``TransformFailure`` if the transformer does not take it; the value is as before.
  public func set(_ data: JSONValue, in value: inout Root) throws(TransformFailure) {
    try decode(data, &value)
  }

  /// What the field is called in messages, such as `Article.title`.
  public var name: String { "\(Root.self).\("\(keyPath)".drop { $0 != "." }.dropFirst())" }
}

// PERFORMANCE: Inlinable, so that values are copied and compared by code specialized for their
// types, where the fields are listed (P1, P2).

extension Field {
  /// Maps a field whose type needs no transformer.
  @inlinable
  public init<Value: RecipeValue>(
    _ keyPath: any WritableKeyPath<Root, Value> & Sendable, at path: String
  ) {
    self.init(keyPath, at: path, as: Value.transformer)
  }

  /// Maps an optional field whose type needs no transformer; `null` clears it.
  @inlinable
  public init<Value: RecipeValue>(
    _ keyPath: any WritableKeyPath<Root, Value?> & Sendable, at path: String
  ) {
    self.init(keyPath, at: path, as: Value.transformer)
  }

  /// Maps a field through a transformer.
  @inlinable
  @_disfavoredOverload
  public init<Value: Equatable & Sendable>(
    _ keyPath: any WritableKeyPath<Root, Value> & Sendable, at path: String,
    as transformer: Transformer<Value>
  ) {
    self.init(keyPath: keyPath, transformer)
    self.path = path
  }

  /// Maps an optional field through a transformer of what it wraps; `null` clears it.
  @inlinable
  public init<Value: Equatable & Sendable>(
    _ keyPath: any WritableKeyPath<Root, Value?> & Sendable, at path: String,
    as transformer: Transformer<Value>
  ) {
    self.init(optional: keyPath, transformer)
    self.path = path
  }

  /// Maps a field to an existing path.
  @inlinable
  public init<Value: RecipeValue>(
    _ keyPath: any WritableKeyPath<Root, Value> & Sendable, at path: JSONPath
  ) {
    self.init(keyPath: keyPath, Value.transformer)
    parsedPath = path
  }

  /// Gives a transformer to a field that is mapped elsewhere in the list.
  @inlinable
  @_disfavoredOverload
  public static func transforming<Value: Equatable & Sendable>(
    _ keyPath: any WritableKeyPath<Root, Value> & Sendable, by transformer: Transformer<Value>
  ) -> Field {
    Field(keyPath: keyPath, transformer)
  }

  /// Gives a transformer to an optional field that is mapped elsewhere in the list.
  @inlinable
  public static func transforming<Value: Equatable & Sendable>(
    _ keyPath: any WritableKeyPath<Root, Value?> & Sendable, by transformer: Transformer<Value>
  ) -> Field {
    Field(optional: keyPath, transformer)
  }

  @inlinable
  init<Value: Equatable & Sendable>(
    keyPath: any WritableKeyPath<Root, Value> & Sendable, _ transformer: Transformer<Value>
  ) {
    let access = FieldAccess(keyPath)
    self.init(
      keyPath, access,
      FieldTransformer(
        name: transformer.name, expected: transformer.expected, valueType: Value.self,
        isOptional: false, isOneWay: transformer.isOneWay),
      decode: { (value, root) throws(TransformFailure) in
        access.set(try transformer.decode(value), in: &root)
      },
      encode: { (root) throws(TransformFailure) in try transformer.encode(access.get(root)) },
      merge: { source, target in
        let new = access.get(source)
        if transformer.areAlike(new, access.get(target)) { return false }
        access.set(new, in: &target)
        return true
      }, rows: RowField(access, transformer))
  }

  @inlinable
  init<Value: Equatable & Sendable>(
    optional keyPath: any WritableKeyPath<Root, Value?> & Sendable,
    _ transformer: Transformer<Value>
  ) {
    let access = FieldAccess(keyPath)
    self.init(
      keyPath, access,
      FieldTransformer(
        name: transformer.name, expected: transformer.expected, valueType: Value.self,
        isOptional: true, isOneWay: transformer.isOneWay),
      decode: { (value, root) throws(TransformFailure) in
        if case .null = value, !transformer.acceptsNull {
          access.set(nil, in: &root)
        } else {
          access.set(try transformer.decode(value), in: &root)
        }
      },
      encode: { (root) throws(TransformFailure) in
        guard let value = access.get(root) else {
          if transformer.isOneWay { throw TransformFailure(.oneWay(transformer.name)) }
          return .null
        }
        return try transformer.encode(value)
      },
      merge: { source, target in
        let (new, old) = (access.get(source), access.get(target))
        switch (new, old) {
        case (nil, nil): return false
        case (let new?, let old?) where transformer.areAlike(new, old): return false
        default: break
        }
        access.set(new, in: &target)
        return true
      }, rows: RowField(optional: access, transformer))
  }
}

extension Field {
  @inlinable
  init<Value: Equatable & Sendable>(
    keyPath: any WritableKeyPath<Root, Value> & Sendable, _ transformer: Transformer<Value>,
    at path: String
  ) {
    self.init(keyPath: keyPath, transformer)
    self.path = path
  }
}

/// The properties of the transformer of a field, whatever its type.
@usableFromInline
struct FieldTransformer: Sendable {
  let name: String
  let expected: String

  /// The type of the field's values, without the optional.
  let valueType: any Sendable.Type
  let isOptional: Bool
  let isOneWay: Bool

  @usableFromInline
  init(
    name: String, expected: String, valueType: any Sendable.Type, isOptional: Bool, isOneWay: Bool
  ) {
    (self.name, self.expected, self.valueType) = (name, expected, valueType)
    (self.isOptional, self.isOneWay) = (isOptional, isOneWay)
  }
}
