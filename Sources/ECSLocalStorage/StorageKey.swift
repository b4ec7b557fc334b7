import Foundation

extension String {
  /// The text that stands for all that are equal to it, since systems tell them apart.
  ///
  /// - Throws: ``StorageError/badKey(_:)`` if no storage takes it.
  package func asStorageKey() throws(StorageError) -> String {
    if isEmpty { throw .badKey(self) }
    return precomposedStringWithCanonicalMapping
  }
}
