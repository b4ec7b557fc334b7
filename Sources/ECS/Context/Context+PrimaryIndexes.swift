extension Context {
  /// Makes an index in which a key identifies at most one entity.
  ///
  /// Keep the result: the index works as long as it is referenced.
  ///
  /// - Parameters:
  ///   - paused: Whether to begin paused.
  ///   - key: Computes the key. It runs in the context's critical section and must not change the
  ///     context, which stops with a message.
  /// - Returns: The index, up to date unless paused.
  /// - Precondition: Unless paused, no two entities have the same key. If existing data may contain
  ///   duplicates, make the index paused and ``PrimaryIndex/resume()`` it.
  /// - Complexity: O(*n*), where *n* is the number of entities with the component; O(1) on average
  ///   for each change of the component afterwards.
  @inlinable
  public func primaryIndex<C: Component, Key: Hashable & Sendable>(
    paused: Bool = false, key: @escaping @Sendable (C) -> Key
  ) -> PrimaryIndex<C, Key> {
    let core = core
    let storage = IndexStorage<Key>(core, of: C.cid, isPrimary: true) { handle in
      core.value(of: C.self, handle).map { [key($0)] } ?? []
    }
    let sink = IndexSink(
      C.self, history: storage,
      update: { handle, address in
        if storage.unsettled > 0 { return }
        let entity = Entity(core: core, handle: handle)
        let key = key(address.value(of: C.self))
        if let holder = storage.first(key) {
          if holder != entity { storage.meetDuplicate(C.cid.name, key) }
          return
        }
        if let current = storage.key(of: handle) {
          let text = key == key ? "\(key)" : "that does not equal itself"
          stopAtChange("\(C.cid.name) of \(entity)", "\(current)", text)
        }
        storage.update(entity, key)
      },
      remove: { storage.remove($0) },
      clear: { storage.removeAll() },
      identify: { (value: C) in
        let key = key(value)
        return (AnyHashable(key), storage.firstSeen(key)?.handle)
      })
    return makePrimaryIndex(
      storage, sink, paused: paused, KeyFunctions(storage, key), key)
  }

  @usableFromInline
  func makePrimaryIndex<C: Component, Key: Hashable & Sendable>(
    _ storage: IndexStorage<Key>, _ sink: IndexSink, paused: Bool,
    _ functions: KeyFunctions<C, Key>, _ key: @escaping @Sendable (C) -> Key
  ) -> PrimaryIndex<C, Key> {
    let registration = IndexRegistration(core: core, sink: sink, paused: paused)
    let index = PrimaryIndex(
      storage: storage, registration: registration, functions: functions, key: key)
    if !paused { core.section { index.settleAfterIteration() } }
    return index
  }
}
