/// A field of a component or another value, and where it stands in the data.
///
/// ```swift
/// Field(\Article.title, at: "title")
/// Field(\Article.published, at: "meta.published_at", as: .iso8601)
/// Field(\Article.homepage, at: "links[0].url")
/// ```
public struct Field<Root: Sendable>: Sendable {
  let keyPath: any PartialKeyPath<Root> & Sendable

  /// Where the field stands; nil if this only gives a transformer to a field.
  @usableFromInline var path: String?
  @usableFromInline var parsedPath: JSONPath?

  let transformer: String
  let isOptional: Bool
  var isRequired = false
  let isOneWay: Bool

  let decode: @Sendable (JSONValue, inout Root) throws(TransformFailure) -> Void
  let encode: @Sendable (Root) throws(TransformFailure) -> JSONValue

  /// Copies the field from the first value to the second; false if it has that value already.
  let merge: @Sendable (Root, inout Root) -> Bool

  @usableFromInline
  init(
    _ keyPath: any PartialKeyPath<Root> & Sendable, transformer: String, isOptional: Bool,
    isOneWay: Bool,
    decode: @escaping @Sendable (JSONValue, inout Root) throws(TransformFailure) -> Void,
    encode: @escaping @Sendable (Root) throws(TransformFailure) -> JSONValue,
    merge: @escaping @Sendable (Root, inout Root) -> Bool
  ) {
    (self.keyPath, self.transformer, self.isOptional) = (keyPath, transformer, isOptional)
    (self.isOneWay, self.decode, self.encode, self.merge) = (isOneWay, decode, encode, merge)
  }

  /// The field must be in the data when the component is made.
  ///
  /// - Returns: A field that must not be absent.
  public func required() -> Field {
    var field = self
    field.isRequired = true
    return field
  }

  /// What the field is called in messages, such as `Article.title`.
  var name: String { "\(Root.self).\("\(keyPath)".drop { $0 != "." }.dropFirst())" }
}

// PERFORMANCE: Inlinable, so that values are copied and compared by code that knows their types, where
// the fields are listed (P1, P2).

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

  /// Maps a field to a path that is made already.
  @inlinable
  public init<Value: RecipeValue>(
    _ keyPath: any WritableKeyPath<Root, Value> & Sendable, at path: JSONPath
  ) {
    self.init(keyPath: keyPath, Value.transformer)
    parsedPath = path
  }

  /// Gives a transformer to a field that is mapped beside it.
  @inlinable
  public static func transforming<Value: Equatable & Sendable>(
    _ keyPath: any WritableKeyPath<Root, Value> & Sendable, by transformer: Transformer<Value>
  ) -> Field {
    Field(keyPath: keyPath, transformer)
  }

  /// Gives a transformer to an optional field that is mapped beside it.
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
    self.init(
      keyPath, transformer: transformer.name, isOptional: false, isOneWay: transformer.isOneWay,
      decode: { (value, root) throws(TransformFailure) in
        if case .null = value, !transformer.acceptsNull {
          throw .mismatch(expected: transformer.name, found: value)
        }
        root[keyPath: keyPath] = try transformer.decode(value)
      },
      encode: { (root) throws(TransformFailure) in
        try transformer.encoded(root[keyPath: keyPath])
      },
      merge: { source, target in
        let new = source[keyPath: keyPath]
        if transformer.areAlike(new, target[keyPath: keyPath]) { return false }
        target[keyPath: keyPath] = new
        return true
      })
  }

  @inlinable
  init<Value: Equatable & Sendable>(
    optional keyPath: any WritableKeyPath<Root, Value?> & Sendable,
    _ transformer: Transformer<Value>
  ) {
    self.init(
      keyPath, transformer: transformer.name, isOptional: true, isOneWay: transformer.isOneWay,
      decode: { (value, root) throws(TransformFailure) in
        if case .null = value, !transformer.acceptsNull {
          root[keyPath: keyPath] = nil
        } else {
          root[keyPath: keyPath] = try transformer.decode(value)
        }
      },
      encode: { (root) throws(TransformFailure) in
        guard let value = root[keyPath: keyPath] else {
          if transformer.isOneWay { throw TransformFailure(.oneWay(transformer.name)) }
          return .null
        }
        return try transformer.encoded(value)
      },
      merge: { source, target in
        let (new, old) = (source[keyPath: keyPath], target[keyPath: keyPath])
        if new == old { return false }
        if let new, let old, transformer.areAlike(new, old) { return false }
        target[keyPath: keyPath] = new
        return true
      })
  }
}

/// Lists fields.
@resultBuilder
public enum FieldsBuilder<Root: Sendable> {
  /// Takes a field.
  public static func buildExpression(_ field: Field<Root>) -> [Field<Root>] { [field] }

  /// Takes fields that are listed elsewhere.
  public static func buildExpression(_ fields: [Field<Root>]) -> [Field<Root>] { fields }

  /// Joins the fields.
  public static func buildBlock(_ fields: [Field<Root>]...) -> [Field<Root>] {
    fields.flatMap(\.self)
  }

  /// Takes fields that are listed under a condition.
  public static func buildOptional(_ fields: [Field<Root>]?) -> [Field<Root>] { fields ?? [] }

  /// Takes the fields of a condition that holds.
  public static func buildEither(first fields: [Field<Root>]) -> [Field<Root>] { fields }

  /// Takes the fields of a condition that does not hold.
  public static func buildEither(second fields: [Field<Root>]) -> [Field<Root>] { fields }

  /// Takes fields that are listed in a loop.
  public static func buildArray(_ fields: [[Field<Root>]]) -> [Field<Root>] {
    fields.flatMap(\.self)
  }
}
