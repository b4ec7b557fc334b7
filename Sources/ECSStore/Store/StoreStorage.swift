#if SQLite
  public import ECSLocalStorage
  public import ECSRecipes

  /// The values of a store as a storage like any other: entities are kept in it by their recipes,
  /// in the same file as the tables.
  ///
  /// ```swift
  /// try mapper.save(draft, with: drafts, to: StoreStorage(store))
  /// ```
  ///
  /// What ``StoreError`` would tell is the reason in the `StorageError`; ``Store/values`` throws it
  /// as it is.
  public struct StoreStorage: KeyValueStorage {
    private let values: StoreValues

    /// Uses the values of a store.
    public init(_ store: Store) { values = store.values }

    /// The value that is kept for a key; nil if there is none.
    public func value(for key: String) throws(StorageError) -> JSONValue? {
      let key = try key.asStorageKey()
      do throws(StoreError) {
        return try values.value(for: key)
      } catch {
        throw .unreadable(key: key, reason: error.description)
      }
    }

    /// Keeps a value for a key, instead of the one before, in one transaction.
    public func set(_ value: JSONValue, for key: String) throws(StorageError) {
      let key = try key.asStorageKey()
      do throws(StoreError) {
        try values.set(value, for: key)
      } catch {
        throw .notWritten(key: key, reason: error.description)
      }
    }

    /// Takes out what is kept for a key, readable or not; false if nothing is.
    @discardableResult
    public func removeValue(for key: String) throws(StorageError) -> Bool {
      let key = try key.asStorageKey()
      do throws(StoreError) {
        return try values.removeValue(for: key)
      } catch {
        throw .notWritten(key: key, reason: error.description)
      }
    }

    /// The keys that have values, in ascending order.
    public func keys() throws(StorageError) -> [String] {
      do throws(StoreError) {
        return try values.keys()
      } catch {
        throw .unavailable(error.description)
      }
    }
  }
#endif
