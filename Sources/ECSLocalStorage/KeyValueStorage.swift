public import JSONValues

/// Keeps JSON values by key: settings, drafts, whole entities by their recipes.
///
/// All storages behave alike, so that code is written for `any KeyValueStorage` and tests give it a
/// ``MemoryStorage``:
///
/// - A key is any text but an empty one. Texts that are equal are one key.
/// - A value is kept whole or not at all: after an error, what was kept before still is.
/// - `null` is a value: ``value(for:)`` returns it, unlike the `nil` of a key without a value.
/// - Calls may come from any thread, each is done when it returns, and the last one wins.
public protocol KeyValueStorage: Sendable {
  /// The value that is kept for a key; nil if there is none.
  ///
  /// - Throws: ``StorageError/unreadable(key:reason:)`` if something is kept that is no such value,
  ///   ``StorageError/badKey(_:)``.
  func value(for key: String) throws(StorageError) -> JSONValue?

  /// Keeps a value for a key, instead of the one before.
  ///
  /// - Throws: ``StorageError/notWritten(key:reason:)``, ``StorageError/badKey(_:)``.
  func set(_ value: JSONValue, for key: String) throws(StorageError)

  /// Takes out what is kept for a key, readable or not; false if nothing is.
  ///
  /// - Throws: ``StorageError/notWritten(key:reason:)``, ``StorageError/badKey(_:)``.
  @discardableResult
  func removeValue(for key: String) throws(StorageError) -> Bool

  /// The keys that have values, in ascending order.
  ///
  /// - Throws: ``StorageError/unavailable(_:)``.
  func keys() throws(StorageError) -> [String]
}
