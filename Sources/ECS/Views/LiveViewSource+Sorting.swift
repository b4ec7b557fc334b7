extension LiveViewSource {
  /// A live view of the entities, sorted by a property of a component.
  ///
  /// Sort keys that a view already has break ties of this one, and the order of creation breaks
  /// those that remain. Entities without the component come last, in either direction, and so do
  /// those whose property does not equal itself (not a number).
  ///
  /// - Parameters:
  ///   - property: What to sort by. A computed one must depend only on the component.
  ///   - order: The direction.
  /// - Returns: A new view; this one does not change.
  @inlinable
  public func sorted<C: Component, Key: Comparable & Sendable>(
    by property: any KeyPath<C, Key> & Sendable, _ order: LiveViewOrder = .ascending
  ) -> LiveView {
    var definition = view().definition
    definition.keys.insert(.init(property, order), at: 0)
    return LiveView(definition)
  }

  /// A live view of the entities, sorted by a property that may be nil, which comes last.
  ///
  /// See ``LiveViewSource/sorted(by:_:)-(KeyPath<C,Key>Sendable,_)``.
  @inlinable
  public func sorted<C: Component, Key: Comparable & Sendable>(
    by property: any KeyPath<C, Key?> & Sendable, _ order: LiveViewOrder = .ascending
  ) -> LiveView {
    var definition = view().definition
    definition.keys.insert(.init(optional: property, order), at: 0)
    return LiveView(definition)
  }
}

extension LiveView {
  /// The entities of the view, sorted by a further property where they were equal so far.
  ///
  /// See ``LiveViewSource/sorted(by:_:)-(KeyPath<C,Key>Sendable,_)``.
  @inlinable
  public func then<C: Component, Key: Comparable & Sendable>(
    by property: any KeyPath<C, Key> & Sendable, _ order: LiveViewOrder = .ascending
  ) -> LiveView {
    var definition = definition
    definition.keys.append(.init(property, order))
    return LiveView(definition)
  }

  /// The entities of the view, sorted by a further property that may be nil, which comes last.
  ///
  /// See ``LiveViewSource/sorted(by:_:)-(KeyPath<C,Key>Sendable,_)``.
  @inlinable
  public func then<C: Component, Key: Comparable & Sendable>(
    by property: any KeyPath<C, Key?> & Sendable, _ order: LiveViewOrder = .ascending
  ) -> LiveView {
    var definition = definition
    definition.keys.append(.init(optional: property, order))
    return LiveView(definition)
  }
}

extension LiveViewDefinition.Key {
  @inlinable
  init<C: Component, Key: Comparable & Sendable>(
    _ property: any KeyPath<C, Key> & Sendable, _ order: LiveViewOrder
  ) {
    let offset = MemoryLayout<C>.offset(of: property)
    self.init(mentioned: C.cid) { _ in
      SortColumn.make(descending: order == .descending) { core, handle -> Key? in
        core.property(property, offset: offset, of: handle)
      }
    }
  }

  @inlinable
  init<C: Component, Key: Comparable & Sendable>(
    optional property: any KeyPath<C, Key?> & Sendable, _ order: LiveViewOrder
  ) {
    let offset = MemoryLayout<C>.offset(of: property)
    self.init(mentioned: C.cid) { _ in
      SortColumn.make(descending: order == .descending) { core, handle -> Key? in
        core.property(property, offset: offset, of: handle).flatMap { $0 }
      }
    }
  }
}
