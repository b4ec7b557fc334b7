extension Context {
  /// Makes an index by which entities that have a component are found by ranges of a key, in its
  /// order.
  ///
  /// Keep the result: the index works as long as it is referenced.
  ///
  /// - Parameter key: Computes the key, from the component only. It runs in the context's critical
  ///   section, after the component has changed and before the order can be seen, and must not
  ///   change the context, which stops with a message.
  /// - Returns: The index, up to date.
  /// - Complexity: O(*n* log *n*), where *n* is the number of entities with the component; O(log
  ///   *n*) for each change of the component afterwards, and less for each of many changes in one
  ///   section.
  @inlinable
  public func orderedIndex<C: Component, Key: Comparable & Sendable>(
    key: @escaping @Sendable (C) -> Key
  ) -> OrderedIndex<Key> {
    orderedIndex(optional: key)
  }

  /// Makes an index of those entities for which there is a key.
  ///
  /// See ``orderedIndex(key:)-((C)->Key)``.
  @_disfavoredOverload  // No choice for closures that might return either.
  @inlinable
  public func orderedIndex<C: Component, Key: Comparable & Sendable>(
    key: @escaping @Sendable (C) -> Key?
  ) -> OrderedIndex<Key> {
    orderedIndex(optional: key)
  }

  @inlinable
  @inline(__always)
  func orderedIndex<C: Component, Key: Comparable & Sendable>(
    optional key: @escaping @Sendable (C) -> Key?
  ) -> OrderedIndex<Key> {
    OrderedIndex(
      of: C.cid, in: group(C.matcher),
      LiveViewDefinition.Key(mentioned: C.cid) { _ in
        SortColumn.make(descending: false, keepsKeys: true) { core, handle -> Key? in
          core.value(of: C.self, handle).flatMap(key)
        }
      })
  }
}
