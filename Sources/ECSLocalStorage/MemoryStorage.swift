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
    try key.checkAsKey()
    return values.withLock { $0[key] }
  }

  /// Keeps a value for a key, instead of the one before.
  ///
  /// - Complexity: O(1).
  public func set(_ value: JSONValue, for key: String) throws(StorageError) {
    try key.checkAsKey()
    values.withLock { $0[key] = value }
  }

  /// Takes out what is kept for a key; false if nothing is.
  ///
  /// - Complexity: O(1).
  @discardableResult
  public func removeValue(for key: String) throws(StorageError) -> Bool {
    try key.checkAsKey()
    return values.withLock { $0.removeValue(forKey: key) != nil }
  }

  /// The keys that have values, in ascending order.
  public func keys() throws(StorageError) -> [String] { values.withLock { $0.keys.sorted() } }
}

extension String {
  /// Throws if no storage takes the text as a key.
  func checkAsKey() throws(StorageError) {
    if isEmpty { throw StorageError.badKey(self) }
  }
}
