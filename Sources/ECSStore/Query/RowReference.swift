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
          FieldTest(component: C.cid, keyPath: \C.self, operation: .notEqual, operand: .presence) {
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
      var (index, at) = (0, 0)
      // Where the last % was, and what it takes so far.
      var (anyAt, anyIndex): (Int?, Int) = (nil, 0)
      while index < text.count {
        if at < pattern.count, pattern[at] == "%" {
          (anyAt, anyIndex) = (at, index)
          at += 1
        } else if at < pattern.count, pattern[at] == "_" || pattern[at] == text[index] {
          at += 1
          index += 1
        } else if let start = anyAt {
          anyIndex += 1
          (at, index) = (start + 1, anyIndex)
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
