#if SQLite
  public import ECS

  /// Names the fields of a row in a condition: `$0.pages`, `$0[\Rating.stars]`.
  @dynamicMemberLookup
  public struct RowReference<Root: Component>: Sendable {
    /// A field of the root component.
    public subscript<Value: Sendable>(
      dynamicMember path: any KeyPath<Root, Value> & Sendable
    ) -> FieldReference<Value> {
      FieldReference(path)
    }

    /// A field of another component of the entity; entities without it fulfil no comparison.
    public subscript<C: Component, Value: Sendable>(
      _ path: any KeyPath<C, Value> & Sendable
    ) -> FieldReference<Value> {
      FieldReference(path)
    }

    /// Whether the entity has a component.
    public func has<C: Component>(_ component: C.Type) -> Condition {
      Condition(
        .test(
          FieldTest(component: C.cid, keyPath: \C.self, operation: .notEqual, operand: ()) {
            $0.has(C.self)
          }))
    }

    /// Whether the entity is linked to another one.
    public func isRelated<R: Relation>(_ relation: R.Type, to target: Entity) -> Condition {
      Condition(
        .related(
          RelationTest(relation: relation, target: target) { $0.isRelated(R.self, to: target) }))
    }
  }

  /// A field, to be compared with values.
  public struct FieldReference<Value: Sendable>: Sendable {
    private let component: CID
    private let keyPath: any AnyKeyPath & Sendable

    /// The field of an entity; nil if the entity has no such component.
    private let read: @Sendable (Entity) -> Value?

    init<C: Component>(_ path: any KeyPath<C, Value> & Sendable) {
      let reader = FieldReader(path)
      (component, keyPath) = (C.cid, path)
      read = { entity in entity.get(C.self).map { reader.get($0) } }
    }

    private func test(
      _ operation: FieldTest.Operation, _ operand: any Sendable,
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
      _ operation: FieldTest.Operation, _ operand: any Sendable,
      _ evaluate: @escaping @Sendable (Wrapped) -> Bool
    ) -> Condition where Value == Wrapped? {
      test(operation, operand) { $0.map(evaluate) }
    }
  }

  extension FieldReference where Value: Equatable {
    /// Whether the field has a value; nil is one.
    public static func == (left: FieldReference, right: Value) -> Condition {
      left.test(.equal, right) { $0 == right }
    }

    /// Whether the field has another value; nil is one.
    public static func != (left: FieldReference, right: Value) -> Condition {
      left.test(.notEqual, right) { $0 != right }
    }

    /// Whether the field has one of some values.
    public func isIn(_ values: some Sequence<Value>) -> Condition {
      let values = Array(values)
      return test(.isIn, values) { values.contains($0) }
    }
  }

  extension FieldReference where Value: Comparable {
    /// Whether the field is less than a value.
    public static func < (left: FieldReference, right: Value) -> Condition {
      left.test(.less, right) { $0 < right }
    }

    /// Whether the field is at most a value.
    public static func <= (left: FieldReference, right: Value) -> Condition {
      left.test(.lessOrEqual, right) { $0 <= right }
    }

    /// Whether the field is greater than a value.
    public static func > (left: FieldReference, right: Value) -> Condition {
      left.test(.greater, right) { $0 > right }
    }

    /// Whether the field is at least a value.
    public static func >= (left: FieldReference, right: Value) -> Condition {
      left.test(.greaterOrEqual, right) { $0 >= right }
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
      test(.hasPrefix, text) { TextMatch.hasPrefix($0, text) }
    }

    /// Whether the text has another one in it.
    public func contains(_ text: String) -> Condition {
      test(.contains, text) { TextMatch.contains($0, text) }
    }

    /// As SQL's `LIKE`: `%` for anything, `_` for one character, ASCII letters of either case.
    public func like(_ pattern: String) -> Condition {
      test(.like, pattern) { TextMatch.like($0, pattern) }
    }
  }

  extension FieldReference where Value == String? {
    /// Whether there is a text that begins with another one, character by character of Unicode.
    public func hasPrefix(_ text: String) -> Condition {
      testWrapped(.hasPrefix, text) { TextMatch.hasPrefix($0, text) }
    }

    /// Whether there is a text that has another one in it.
    public func contains(_ text: String) -> Condition {
      testWrapped(.contains, text) { TextMatch.contains($0, text) }
    }

    /// As SQL's `LIKE`: `%` for anything, `_` for one character, ASCII letters of either case.
    public func like(_ pattern: String) -> Condition {
      testWrapped(.like, pattern) { TextMatch.like($0, pattern) }
    }
  }

  /// Comparisons of texts as SQL makes them.
  enum TextMatch {
    static func hasPrefix(_ text: String, _ prefix: String) -> Bool {
      text.utf8.starts(with: prefix.utf8)
    }

    static func contains(_ text: String, _ part: String) -> Bool {
      let (text, part) = (Array(text.utf8), Array(part.utf8))
      guard let first = part.first else { return true }
      guard part.count <= text.count else { return false }
      return (0...text.count - part.count).contains { start in
        text[start] == first && text[start...].starts(with: part)
      }
    }

    /// - Complexity: O(*n* · *m*) at most, where *n* and *m* are the lengths.
    static func like(_ text: String, _ pattern: String) -> Bool {
      let (text, pattern) = (text.unicodeScalars.map(folded), pattern.unicodeScalars.map(folded))
      var (place, at) = (0, 0)
      // Where the last % was, and what it takes so far.
      var (anyAt, anyPlace): (Int?, Int) = (nil, 0)
      while place < text.count {
        if at < pattern.count, pattern[at] == "%" {
          (anyAt, anyPlace) = (at, place)
          at += 1
        } else if at < pattern.count, pattern[at] == "_" || pattern[at] == text[place] {
          at += 1
          place += 1
        } else if let start = anyAt {
          anyPlace += 1
          (at, place) = (start + 1, anyPlace)
        } else {
          return false
        }
      }
      return pattern[at...].allSatisfy { $0 == "%" }
    }

    private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
      guard ("A"..."Z").contains(scalar) else { return scalar }
      return Unicode.Scalar(UInt8(scalar.value) + 32)
    }
  }
#endif
