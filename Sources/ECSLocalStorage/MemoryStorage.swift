public import JSONValues
import Synchronization

/// Values that go with the process, for tests and previews.
public final class MemoryStorage: KeyValueStorage {
  private let values = Mutex<[String: JSONValue]>([:])

  /// Makes a storage without values.
  public init() {}

  /// The value that is kept for a key; nil if there is none.
  ///
  /// - Complexity: O(1).
  public func value(for key: String) throws(StorageError) -> JSONValue? {
    let key = try key.asStorageKey()
    return values.withLock { $0[key] }
  }

  /// Keeps a value for a key, instead of the one before.
  ///
  /// - Complexity: O(1).
  public func set(_ value: JSONValue, for key: String) throws(StorageError) {
    let key = try key.asStorageKey()
    values.withLock { $0[key] = value }
  }

  /// Takes out what is kept for a key; false if nothing is.
  ///
  /// - Complexity: O(1).
  @discardableResult
  public func removeValue(for key: String) throws(StorageError) -> Bool {
    let key = try key.asStorageKey()
    return values.withLock { $0.removeValue(forKey: key) != nil }
  }

  /// The keys that have values, in ascending order.
  public func keys() throws(StorageError) -> [String] { values.withLock { $0.keys.sorted() } }
}
