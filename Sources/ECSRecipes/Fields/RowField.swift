public import ECS

// PERFORMANCE: K1, K3: an object, since passing a struct of closures on copies each of them.
/// The way of a field of a component into a column of a table, and out of it.
public final class RowField<Root: Sendable>: Sendable {
  /// What its column holds.
  public let kind: RowValue.Kind

  /// Whether the field may be nil, or has a value of its own for no value, so that its column may
  /// be NULL.
  public let isOptional: Bool

  /// Whether a value is in the column as it is; see ``RowForm/isPlain``.
  public let isPlain: Bool

  /// Whether it is only read.
  public let isOneWay: Bool

  /// Reads and writes the field: a `FieldAccess` from `Root` to the type of the field, the optional
  /// included.
  public let access: any Sendable

  @usableFromInline let writing: @Sendable (Root) throws(TransformFailure) -> RowValue
  @usableFromInline let reading: @Sendable (RowValue, inout Root) throws(TransformFailure) -> Void
  @usableFromInline let comparing: @Sendable (Root, Root) -> Bool
  @usableFromInline let copying: @Sendable (Root, inout Root) -> Void

  @usableFromInline
  init(
    _ kind: RowValue.Kind, isOptional: Bool, isPlain: Bool, isOneWay: Bool, access: any Sendable,
    write: @escaping @Sendable (Root) throws(TransformFailure) -> RowValue,
    read: @escaping @Sendable (RowValue, inout Root) throws(TransformFailure) -> Void,
    compare: @escaping @Sendable (Root, Root) -> Bool,
    copy: @escaping @Sendable (Root, inout Root) -> Void
  ) {
    (self.kind, self.isOptional, self.isPlain) = (kind, isOptional, isPlain)
    (self.isOneWay, self.access) = (isOneWay, access)
    (writing, reading, comparing, copying) = (write, read, compare, copy)
  }

  /// What stands for the field of a value in its column; NULL for nil.
  @inlinable
  public func write(_ root: Root) throws(TransformFailure) -> RowValue { try writing(root) }

  /// Sets the field to what something in its column stands for.
  @inlinable
  public func read(_ value: RowValue, into root: inout Root) throws(TransformFailure) {
    try reading(value, &root)
  }

  /// Whether the field of two values is the same, or written alike.
  @inlinable
  public func areAlike(_ left: Root, _ right: Root) -> Bool { comparing(left, right) }

  /// Copies the field from one value to another.
  @inlinable
  public func copy(_ source: Root, to target: inout Root) { copying(source, &target) }
}

extension RowField {
  @inlinable
  convenience init<Value: Equatable & Sendable>(
    _ access: FieldAccess<Root, Value>, _ transformer: Transformer<Value>
  ) {
    let (rows, acceptsNull) = (transformer.rows, transformer.acceptsNull)
    self.init(
      rows.kind, isOptional: acceptsNull, isPlain: rows.isPlain && !acceptsNull,
      isOneWay: transformer.isOneWay && transformer.ownRows == nil, access: access,
      write: { (root) throws(TransformFailure) in try rows.write(access.get(root)) },
      read: { (value, root) throws(TransformFailure) in
        if case .null = value, !acceptsNull {
          throw .mismatch(expected: transformer.expected, inColumn: value)
        }
        access.set(try rows.read(value), in: &root)
      },
      compare: { left, right in
        RowField.areAlike(access.get(left), access.get(right), rows)
      },
      copy: { source, target in access.set(access.get(source), in: &target) })
  }

  @inlinable
  convenience init<Value: Equatable & Sendable>(
    optional access: FieldAccess<Root, Value?>, _ transformer: Transformer<Value>
  ) {
    let rows = transformer.rows
    self.init(
      rows.kind, isOptional: true, isPlain: rows.isPlain && !transformer.acceptsNull,
      isOneWay: transformer.isOneWay && transformer.ownRows == nil, access: access,
      write: { (root) throws(TransformFailure) in
        guard let value = access.get(root) else { return .null }
        return try rows.write(value)
      },
      read: { (value, root) throws(TransformFailure) in
        if case .null = value {
          access.set(nil, in: &root)
        } else {
          access.set(try rows.read(value), in: &root)
        }
      },
      compare: { left, right in
        switch (access.get(left), access.get(right)) {
        case (nil, nil): return true
        case (let left?, let right?): return RowField.areAlike(left, right, rows)
        default: return false
        }
      },
      copy: { source, target in access.set(access.get(source), in: &target) })
  }

  @inlinable
  static func areAlike<Value: Equatable & Sendable>(
    _ left: Value, _ right: Value, _ rows: RowForm<Value>
  ) -> Bool {
    let areEqual = left == right
    if rows.isPlain { return areEqual && SameText.areSame(left, right) }
    if areEqual, rows.kind != .text { return true }
    guard let first = try? rows.write(left), let second = try? rows.write(right) else {
      return areEqual
    }
    if case .text(let first) = first, case .text(let second) = second, areEqual {
      // Equal values may be written in several ways, which is no change, apart from the bytes of
      // their texts.
      return first != second || SameText.areSame(first, second)
    }
    return first == second
  }
}
