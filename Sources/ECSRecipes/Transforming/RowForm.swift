/// The form in which a transformer writes values to columns of tables, and reads them from there.
///
/// All transformers have one: the ready types a form of their own, others one that is made of their
/// JSON form. Give a transformer another one with
/// ``Transformer/inRows(as:write:read:)``.
public struct RowForm<Value: Sendable>: Sendable {
  /// What its column holds.
  public let kind: RowValue.Kind

  /// Whether a value is in its column as it is, such as an `Int` or a `String`, so that code that
  /// has the type needs not ask.
  public let isPlain: Bool

  @usableFromInline let writing: @Sendable (Value) throws(TransformFailure) -> RowValue
  @usableFromInline let reading: @Sendable (RowValue) throws(TransformFailure) -> Value

  @inlinable
  init(
    _ kind: RowValue.Kind, isPlain: Bool = false,
    write: @escaping @Sendable (Value) throws(TransformFailure) -> RowValue,
    read: @escaping @Sendable (RowValue) throws(TransformFailure) -> Value
  ) {
    (self.kind, self.isPlain) = (kind, isPlain)
    (writing, reading) = (write, read)
  }

  /// What stands for a value in its column.
  ///
  /// - Throws: ``TransformFailure`` if nothing does: for what is not a number, and for integers
  ///   beyond 64 bits with a sign.
  @inlinable
  public func write(_ value: Value) throws(TransformFailure) -> RowValue { try writing(value) }

  /// The value that something in its column stands for.
  ///
  /// - Throws: ``TransformFailure`` if there is none.
  @inlinable
  public func read(_ value: RowValue) throws(TransformFailure) -> Value { try reading(value) }
}

extension RowForm {
  /// The form of a transformer that has none of its own.
  ///
  /// Strings, whole numbers, numbers and Booleans have columns of their kind; all else, lists and
  /// objects above all, is JSON in a column of texts.
  @usableFromInline
  init(_ transformer: Transformer<Value>) {
    let (kind, isJSON): (RowValue.Kind, Bool) =
      switch transformer.expected {
      case "string": (.text, false)
      case "integer", "bool": (.integer, false)
      case "number": (.real, false)
      default: (.text, true)
      }
    let isBool = transformer.expected == "bool"
    self.init(kind) { (value) throws(TransformFailure) in
      try RowValue(try transformer.encode(value), as: kind, isJSON: isJSON)
    } read: { (value) throws(TransformFailure) in
      if isBool, case .integer(let integer) = value, integer == 0 || integer == 1 {
        return try transformer.decode(.bool(integer == 1))
      }
      if case .bytes = value { throw .mismatch(expected: transformer.expected, inColumn: value) }
      return try transformer.decode(try value.json(isJSON: isJSON))
    }
  }

  /// The form of values that are made of others.
  func mapped<Other>(
    write: @escaping @Sendable (Other) throws(TransformFailure) -> Value,
    read: @escaping @Sendable (Value) throws(TransformFailure) -> Other
  ) -> RowForm<Other> {
    let form = self
    return RowForm<Other>(kind) { (other) throws(TransformFailure) in
      try form.write(try write(other))
    } read: { (value) throws(TransformFailure) in
      try read(try form.read(value))
    }
  }
}

extension Transformer {
  /// How it writes values to columns of tables, and reads them from there.
  public var rows: RowForm<Value> { ownRows ?? RowForm(self) }

  /// The transformer with another form in tables.
  ///
  /// ```swift
  /// let cents = Decimal.transformer.inRows(as: .integer) { .integer(cents(of: $0)) } read: { … }
  /// ```
  ///
  /// - Parameters:
  ///   - kind: What the column holds.
  ///   - write: Makes what stands for a value. It must not be `null`, which stands for no value,
  ///     unless the transformer accepts that.
  ///   - read: Makes the value again.
  /// - Returns: The transformer.
  public func inRows(
    as kind: RowValue.Kind,
    write: @escaping @Sendable (Value) throws(TransformFailure) -> RowValue,
    read: @escaping @Sendable (RowValue) throws(TransformFailure) -> Value
  ) -> Transformer {
    with(RowForm(kind, write: write, read: read))
  }

  @inlinable
  func with(_ rows: RowForm<Value>?) -> Transformer {
    var transformer = self
    transformer.ownRows = rows
    return transformer
  }
}
