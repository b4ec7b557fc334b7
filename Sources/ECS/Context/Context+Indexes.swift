extension Context {
  /// Makes an index with one key for each entity that has a component.
  ///
  /// Keep the result: the index works as long as it is referenced.
  ///
  /// - Parameters:
  ///   - paused: Whether to begin paused.
  ///   - key: Computes the key. It runs in the context's critical section and must not change the
  ///     context, which stops with a message.
  /// - Returns: The index, up to date unless paused.
  /// - Complexity: O(*n*), where *n* is the number of entities with the component; O(1) on average
  ///   for each change of the component afterwards.
  @inlinable
  public func index<C: Component, Key: Hashable & Sendable>(
    paused: Bool = false, key: @escaping @Sendable (C) -> Key
  ) -> Index<Key> {
    let core = core
    let storage = IndexStorage<Key>(core, of: C.cid) { handle in
      core.value(of: C.self, handle).map { [key($0)] } ?? []
    }
    let sink = IndexSink(
      C.self, history: storage,
      update: { handle, address in
        storage.update(Entity(core: core, handle: handle), key(address.value(of: C.self)))
      },
      remove: { storage.remove($0) },
      clear: { storage.removeAll() })
    return makeIndex(storage, sink, paused: paused)
  }

  /// Makes an index with any number of keys for each entity that has a component.
  ///
  /// Keys that the closure returns twice count once.
  ///
  /// - Parameters:
  ///   - paused: Whether to begin paused.
  ///   - keys: Computes the keys. It runs in the context's critical section and must not change
  ///     the context, which stops with a message.
  /// - Returns: The index, up to date unless paused.
  /// - Complexity: O(*n* · *k*) on average, where *n* is the number of entities with the component
  ///   and *k* the number of keys of each; O(*k*) for each change of the component afterwards.
  @inlinable
  public func index<C: Component, Keys: Sequence>(
    paused: Bool = false, keys: @escaping @Sendable (C) -> Keys
  ) -> Index<Keys.Element> where Keys.Element: Hashable & Sendable {
    let core = core
    let storage = IndexStorage<Keys.Element>(core, of: C.cid, hasManyKeys: true) { handle in
      core.value(of: C.self, handle).map { Array(keys($0)) } ?? []
    }
    let sink = IndexSink(
      C.self, history: storage,
      update: { handle, address in
        storage.update(Entity(core: core, handle: handle), keys: keys(address.value(of: C.self)))
      },
      remove: { storage.removeFromAll($0) },
      clear: { storage.removeAll() })
    return makeIndex(storage, sink, paused: paused)
  }

  @usableFromInline
  func makeIndex<Key: Hashable & Sendable>(
    _ storage: IndexStorage<Key>, _ sink: IndexSink, paused: Bool
  ) -> Index<Key> {
    let registration = IndexRegistration(core: core, sink: sink, paused: paused)
    return Index(storage: storage, registration: registration)
  }
}
