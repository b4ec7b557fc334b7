import Foundation
public import JSONValues
import Synchronization

/// The platform's user defaults, each value as JSON text: for what is small, and for what earlier
/// programs have left there.
///
/// Values that other programs have set are read as far as JSON has them: texts, numbers, Booleans,
/// lists and dictionaries; a text that is not JSON is that text. Dates and bytes are
/// ``StorageError/unreadable(key:reason:)``.
///
/// On Apple's systems the system brings values to the disk when it likes. On Linux each change
/// writes the whole suite, some ten milliseconds, and of two processes that change one suite only
/// the values of one survive, whatever their keys: take a ``FileStorage`` there.
public final class UserDefaultsStorage: KeyValueStorage {
  private let suite: String?
  private let turn = Mutex(())

  /// Uses the defaults of the program, or those of a suite.
  ///
  /// - Throws: ``StorageError/unavailable(_:)`` if the system does not take the name.
  public init(suite: String? = nil) throws(StorageError) {
    self.suite = suite
    _ = try defaults()
  }

  /// The value that is kept for a key; nil if there is none.
  public func value(for key: String) throws(StorageError) -> JSONValue? {
    let name = try key.asStorageKey()
    return try turn.withLock { _ throws(StorageError) in try value(for: key, named: name) }
  }

  private func value(for key: String, named name: String) throws(StorageError) -> JSONValue? {
    guard let object = try defaults().object(forKey: name) else { return nil }
    if let text = object as? String { return (try? JSONValue(json: text)) ?? .string(text) }
    guard JSONSerialization.isValidJSONObject([object]),
      let data = try? JSONSerialization.data(withJSONObject: [object]),
      let value = (try? JSONValue(data: data))?[0]
    else { throw StorageError.unreadable(key: key, reason: "JSON has no \(type(of: object))") }
    return value
  }

  /// Keeps a value for a key, instead of the one before.
  public func set(_ value: JSONValue, for key: String) throws(StorageError) {
    let name = try key.asStorageKey()
    let text: String
    do throws(JSONSyntaxError) {
      text = try value.textToKeep()
    } catch {
      throw StorageError.notWritten(key: key, reason: "it could not be read again: \(error)")
    }
    try turn.withLock { _ throws(StorageError) in
      let defaults = try defaults()
      defaults.set(text, forKey: name)
      try bringToDisk(defaults, key)
    }
  }

  /// Takes out what is kept for a key, readable or not; false if nothing is.
  @discardableResult
  public func removeValue(for key: String) throws(StorageError) -> Bool {
    let name = try key.asStorageKey()
    return try turn.withLock { _ throws(StorageError) in
      let defaults = try defaults()
      guard defaults.object(forKey: name) != nil else { return false }
      defaults.removeObject(forKey: name)
      try bringToDisk(defaults, key)
      return true
    }
  }

  /// The keys that have values in the suite, in ascending order; those of the system are left out.
  public func keys() throws(StorageError) -> [String] {
    let domain = suite ?? Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    return try turn.withLock { _ throws(StorageError) in
      (try defaults().persistentDomain(forName: domain) ?? [:]).keys.sorted()
    }
  }

  // Not kept, since not every platform says that it may go from thread to thread.
  private func defaults() throws(StorageError) -> UserDefaults {
    guard let defaults = UserDefaults(suiteName: suite) else {
      throw StorageError.unavailable("'\(suite ?? "")' can't be the name of user defaults")
    }
    return defaults
  }

  private func bringToDisk(_ defaults: UserDefaults, _ key: String) throws(StorageError) {
    #if !canImport(Darwin)
      // Nothing else writes them before the process ends.
      if !defaults.synchronize() {
        throw StorageError.notWritten(key: key, reason: "the defaults can't be written")
      }
    #endif
  }
}
