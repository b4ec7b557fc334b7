#if SQLite
  import ECS

  /// A field, to be compared with values.
  public struct FieldReference<Value: Sendable>: Sendable {
    private let component: CID
    private let keyPath: any AnyKeyPath & Sendable

    /// The field of an entity; nil if the entity has no such component.
    private let read: @Sendable (Entity) -> Value?
    private let writer: ColumnWriter<Value>

    init<C: Component>(_ path: any KeyPath<C, Value> & Sendable) {
      let reader = FieldReader(path)
      (component, keyPath, writer) = (C.cid, path, ColumnWriter(path))
      read = { entity in entity.get(C.self).map { reader.get($0) } }
    }

    private func test(
      _ operation: FieldTest.Operation, _ values: [Value],
      _ evaluate: @escaping @Sendable (Value) -> Bool?
    ) -> Condition {
      let writer = writer
      let operand = FieldTest.Operand.values { (column, table) throws(TransformFailure) in
        var written: [RowValue] = []
        for value in values { written.append(try writer(value, column, in: table)) }
        return written
      }
      return test(operation, operand, evaluate)
    }

    private func test(
      _ operation: FieldTest.Operation, _ operand: FieldTest.Operand,
      _ evaluate: @escaping @Sendable (Value) -> Bool?
    ) -> Condition {
      let read = read
      return Condition(
        .test(
          FieldTest(
            component: component, keyPath: keyPath, operation: operation, operand: operand
          ) { entity in read(entity).flatMap(evaluate) }))
    }

    /// A comparison of what an optional field holds; neither true nor false if it is nil.
    private func testWrapped<Wrapped: Sendable>(
      _ operation: FieldTest.Operation, _ value: Wrapped,
      _ evaluate: @escaping @Sendable (Wrapped) -> Bool
    ) -> Condition where Value == Wrapped? {
      test(operation, [value]) { $0.map(evaluate) }
    }

    private func testText(
      _ operation: FieldTest.Operation, _ text: String,
      _ evaluate: @escaping @Sendable (String) -> Bool
    ) -> Condition where Value == String? {
      test(operation, .text(text)) { $0.map(evaluate) }
    }
  }

  extension FieldReference where Value: Equatable {
    /// Whether the field has a value; nil is one.
    public static func == (left: FieldReference, right: Value) -> Condition {
      left.test(.equal, [right]) { FieldReference.areSame($0, right) }
    }

    /// Whether the field has another value; nil is one.
    public static func != (left: FieldReference, right: Value) -> Condition {
      left.test(.notEqual, [right]) { !FieldReference.areSame($0, right) }
    }

    /// Whether the field has one of some values.
    public func isIn(_ values: some Sequence<Value>) -> Condition {
      let values = Array(values)
      return test(.isIn, values) { value in values.contains { FieldReference.areSame(value, $0) } }
    }

    /// As the file compares them: texts byte by byte.
    private static func areSame(_ left: Value, _ right: Value) -> Bool {
      guard left == right else { return false }
      guard let left = left as? String, let right = right as? String else { return true }
      return left.hasSameBytes(as: right)
    }
  }

  extension FieldReference where Value: Comparable {
    /// Whether the field is less than a value.
    public static func < (left: FieldReference, right: Value) -> Condition {
      left.test(.less, [right]) { $0 < right }
    }

    /// Whether the field is at most a value.
    public static func <= (left: FieldReference, right: Value) -> Condition {
      left.test(.lessOrEqual, [right]) { $0 <= right }
    }

    /// Whether the field is greater than a value.
    public static func > (left: FieldReference, right: Value) -> Condition {
      left.test(.greater, [right]) { $0 > right }
    }

    /// Whether the field is at least a value.
    public static func >= (left: FieldReference, right: Value) -> Condition {
      left.test(.greaterOrEqual, [right]) { $0 >= right }
    }
  }

  extension FieldReference {
    /// Whether the field is not nil, and less than a value.
    public static func < <Wrapped: Comparable & Sendable>(
      left: FieldReference, right: Wrapped
    ) -> Condition where Value == Wrapped? {
      left.testWrapped(.less, right) { $0 < right }
    }

    /// Whether the field is not nil, and at most a value.
    public static func <= <Wrapped: Comparable & Sendable>(
      left: FieldReference, right: Wrapped
    ) -> Condition where Value == Wrapped? {
      left.testWrapped(.lessOrEqual, right) { $0 <= right }
    }

    /// Whether the field is not nil, and greater than a value.
    public static func > <Wrapped: Comparable & Sendable>(
      left: FieldReference, right: Wrapped
    ) -> Condition where Value == Wrapped? {
      left.testWrapped(.greater, right) { $0 > right }
    }

    /// Whether the field is not nil, and at least a value.
    public static func >= <Wrapped: Comparable & Sendable>(
      left: FieldReference, right: Wrapped
    ) -> Condition where Value == Wrapped? {
      left.testWrapped(.greaterOrEqual, right) { $0 >= right }
    }
  }

  extension FieldReference where Value == String {
    /// Whether the text begins with another one, character by character of Unicode.
    public func hasPrefix(_ text: String) -> Condition {
      test(.hasPrefix, .text(text)) { TextMatch.hasPrefix($0, text) }
    }

    /// Whether the text has another one in it.
    public func contains(_ text: String) -> Condition {
      test(.contains, .text(text)) { TextMatch.contains($0, text) }
    }

    /// As SQL's `LIKE`: `%` for anything, `_` for one character, ASCII letters of either case.
    public func like(_ pattern: String) -> Condition {
      test(.like, .text(pattern)) { TextMatch.like($0, pattern) }
    }
  }

  extension FieldReference where Value == String? {
    /// Whether there is a text that begins with another one, character by character of Unicode.
    public func hasPrefix(_ text: String) -> Condition {
      testText(.hasPrefix, text) { TextMatch.hasPrefix($0, text) }
    }

    /// Whether there is a text that has another one in it.
    public func contains(_ text: String) -> Condition {
      testText(.contains, text) { TextMatch.contains($0, text) }
    }

    /// As SQL's `LIKE`: `%` for anything, `_` for one character, ASCII letters of either case.
    public func like(_ pattern: String) -> Condition {
      testText(.like, pattern) { TextMatch.like($0, pattern) }
    }
  }
#endif
