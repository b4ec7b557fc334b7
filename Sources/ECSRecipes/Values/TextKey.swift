public import ECS

/// A text that is a key: bytes count, as for all that is saved, merged or applied; see
/// ``SameText``.
@usableFromInline
package struct TextKey: Hashable, Sendable, CustomStringConvertible {
  @usableFromInline package let text: String

  @inlinable
  package init(_ text: String) { self.text = text }

  @usableFromInline package var description: String { text }

  @inlinable
  package static func == (left: TextKey, right: TextKey) -> Bool {
    left.text == right.text && left.text.utf8.elementsEqual(right.text.utf8)
  }

  // Texts that are equal to Swift have the same hash value, whatever their bytes.
  @inlinable
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// A key, as a ``TextKey`` if it is a text.
  package static func comparable(_ key: AnyHashable) -> AnyHashable {
    (key.base as? String).map { AnyHashable(TextKey($0)) } ?? key
  }
}

/// A reader of keys in components.
@usableFromInline
protocol KeyReader: Sendable {
  associatedtype Root: Component
  associatedtype Value: Hashable & Sendable

  func get(_ root: Root) -> Value
}

/// A reader of keys that are no texts, or of texts that are compared as an index of one's own does.
@usableFromInline
struct FieldKeyReader<Root: Component, Value: Hashable & Sendable>: KeyReader {
  @usableFromInline let reader: FieldReader<Root, Value>

  @inlinable
  init(_ reader: FieldReader<Root, Value>) { self.reader = reader }

  @inlinable
  func get(_ root: Root) -> Value { reader.get(root) }
}

/// A reader of keys that are texts.
@usableFromInline
struct TextKeyReader<Root: Component, Text: Hashable & Sendable>: KeyReader {
  @usableFromInline let reader: FieldReader<Root, Text>

  @inlinable
  init(_ reader: FieldReader<Root, Text>) { self.reader = reader }

  @inlinable
  func get(_ root: Root) -> TextKey { TextKey(reader.get(root) as? String ?? "") }
}
