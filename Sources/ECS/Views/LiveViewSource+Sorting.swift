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

  /// A live view of the entities, sorted by what the values under them come to in an aggregate.
  ///
  /// ```swift
  /// let turnover = context.sum(of: \Line.cents, byTarget: LineOf.self, OrderedBy.self)
  /// let best = context.group(Customer.matcher).sorted(by: turnover, .descending).limited(to: 10)
  /// ```
  ///
  /// Entities under which there are no values come last, in either direction. The view keeps the
  /// aggregate, and each change of a result brings the entity up to date, as if it had changed
  /// itself. Everything else is as in ``LiveViewSource/sorted(by:_:)-(KeyPath<C,Key>Sendable,_)``.
  ///
  /// - Parameters:
  ///   - aggregate: An aggregate whose keys are entities.
  ///   - order: The direction.
  /// - Returns: A new view; this one does not change.
  /// - Precondition: The aggregate belongs to the same context.
  @inlinable
  public func sorted<Value: Comparable & Sendable>(
    by aggregate: Aggregate<Entity, Value>, _ order: LiveViewOrder = .ascending
  ) -> LiveView {
    var definition = view().definition
    definition.depend(on: aggregate)
    definition.keys.insert(.init(aggregate, order), at: 0)
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

extension LiveView {
  /// The entities of the view, sorted by what the values under them come to in an aggregate where
  /// they were equal so far.
  ///
  /// See ``LiveViewSource/sorted(by:_:)-(Aggregate<Entity,Value>,_)``.
  @inlinable
  public func then<Value: Comparable & Sendable>(
    by aggregate: Aggregate<Entity, Value>, _ order: LiveViewOrder = .ascending
  ) -> LiveView {
    var definition = definition
    definition.depend(on: aggregate)
    definition.keys.append(.init(aggregate, order))
    return LiveView(definition)
  }
}

extension LiveViewDefinition.Key {
  @inlinable
  init<Value: Comparable & Sendable>(
    _ aggregate: Aggregate<Entity, Value>, _ order: LiveViewOrder
  ) {
    self.init(mentioned: nil) { _ in
      SortColumn.make(descending: order == .descending) { core, handle -> Value? in
        aggregate.state.result(Entity(core: core, handle: handle))
      }
    }
  }

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
