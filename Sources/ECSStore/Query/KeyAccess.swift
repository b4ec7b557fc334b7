#if SQLite
  import ECS

  /// How the entities of a table have keys.
  struct KeyAccess<Root: Component, Key: Sendable>: Sendable {
    /// The key that a root component holds; nil if another component does.
    let key: (@Sendable (Root) -> Key)?

    /// Makes an index of the keys.
    ///
    /// It takes keys that come twice, which saving refuses: data must not stop a program.
    let makeIndex: @Sendable (Context) -> KeyIndex<Key>

    /// Where the row of a key is in the table.
    let address: @Sendable (Key, TableDefinition) throws(TransformFailure) -> RowKey
  }

  extension KeyAccess where Key: Hashable {
    /// Keys in the component that makes an entity a row.
    init(
      address: @escaping @Sendable (Key, TableDefinition) throws(TransformFailure) -> RowKey,
      _ key: @escaping @Sendable (Root) -> Key
    ) {
      (self.key, self.address) = (key, address)
      makeIndex = { KeyIndex($0.index { (root: Root) in key(root) }) }
    }

    /// Keys in a component of their own.
    init<K: Component>(
      address: @escaping @Sendable (Key, TableDefinition) throws(TransformFailure) -> RowKey,
      beside key: @escaping @Sendable (K) -> Key
    ) {
      (self.key, self.address) = (nil, address)
      makeIndex = { KeyIndex($0.index { (component: K) in key(component) }) }
    }
  }

  /// The entities of a table by their keys.
  final class KeyIndex<Key: Sendable>: Sendable {
    /// All entities that have a key.
    let entities: @Sendable (Key) -> EntitySet

    init(_ index: ECS.Index<Key>) where Key: Hashable { entities = { index[$0] } }
  }
#endif
