#if SQLite
  import ECS

  /// The access to the keys of a table's entities.
  struct KeyAccess<Root: Component, Key: Sendable>: Sendable {
    /// The key that a root component holds; nil if another component does.
    let key: (@Sendable (Root) -> Key)?

    /// Makes an index of the keys.
    ///
    /// It takes keys that come twice, which saving refuses: data must not stop a program.
    let makeIndex: @Sendable (Context) -> KeyIndex<Key>

    /// Where the row of a key is in the table.
    let address: @Sendable (Key, TableDefinition) throws(TransformFailure) -> RowKey

    /// Whether two keys that are equal to Swift are those of one row: texts are, byte by byte.
    func areSame(_ left: Key, _ right: Key, in table: TableDefinition) -> Bool {
      if let left = left as? String, let right = right as? String {
        return left.hasSameBytes(as: right)
      }
      guard table.keyColumns.contains(where: { table.columns[$0].description.type == .text }),
        let left = try? address(left, table), let right = try? address(right, table)
      else { return true }
      return left == right
    }
  }

  extension KeyAccess where Key: Hashable {
    /// Keys in the component that makes an entity a row.
    init(
      address: @escaping @Sendable (Key, TableDefinition) throws(TransformFailure) -> RowKey,
      _ key: @escaping @Sendable (Root) -> Key
    ) {
      (self.key, self.address) = (key, address)
      makeIndex = { context in
        KeyIndex(context.index { (root: Root) in key(root) }) { $0.get(Root.self).map(key) }
      }
    }

    /// Keys in a component of their own.
    init<K: Component>(
      address: @escaping @Sendable (Key, TableDefinition) throws(TransformFailure) -> RowKey,
      beside key: @escaping @Sendable (K) -> Key
    ) {
      (self.key, self.address) = (nil, address)
      makeIndex = { context in
        KeyIndex(context.index { (component: K) in key(component) }) { $0.get(K.self).map(key) }
      }
    }
  }

  /// The entities of a table by their keys.
  final class KeyIndex<Key: Sendable>: Sendable {
    /// All entities that have a key.
    let entities: @Sendable (Key) -> EntitySet

    /// The key that an entity has.
    let key: @Sendable (Entity) -> Key?

    init(_ index: ECS.Index<Key>, _ key: @escaping @Sendable (Entity) -> Key?) where Key: Hashable {
      entities = { index[$0] }
      self.key = key
    }
  }
#endif
