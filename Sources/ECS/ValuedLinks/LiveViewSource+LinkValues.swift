// Views of related entities that are filtered and sorted by the values of the links.
extension LiveViewSource {
  /// A live view of the entities whose links have a value that passes a test, in the same order.
  ///
  /// The link is the one by which an entity is related to the owner of the view: for
  /// ``Entity/sources(_:)`` that from the entity to the owner, for ``Entity/targets(_:)`` that from
  /// the owner to the entity.
  ///
  /// ```swift
  /// let admins = team.sources(MemberOf.self)
  ///   .filtered(byValue: MemberOf.self) { $0.role == .admin }
  /// admins.observe(by: list) { list, change in list.apply(change.difference) }
  ///
  /// ada.relate(MemberOf.self, to: team, Membership(role: .admin))  // comes into the view
  /// ada.update(MemberOf.self, to: team) { $0.role = .guest }  // leaves it
  /// ```
  ///
  /// The view is exact when links come and go and when their values are replaced, inside of
  /// transactions, too, and when these are taken back. A value that is replaced, even by an equal
  /// one, counts as a change of the entity: observers get it as an update, unless it comes, goes or
  /// moves. In views that are neither filtered nor sorted by values it is none. To ask once, use
  /// ``RelatedEntities/entities(where:)``.
  ///
  /// - Parameters:
  ///   - relation: The relation that the view shows, as it does from ``Entity/sources(_:)``,
  ///     ``Entity/targets(_:)`` and ``Group/related(_:to:)`` on.
  ///   - isIncluded: What to test of a value. It has to keep to what ``filtered(_:)-((C)->Bool)``
  ///     says, and to depend only on the value.
  /// - Returns: A new view; this one does not change.
  /// - Precondition: The entities are those related to an entity by this relation, or a view of
  ///   them.
  /// - Complexity: A new value costs a started view as much as a new component of the entity, O(log
  ///   *n*), and finding the link, O(1) on average, as in ``RelatedEntities/contains(_:)``. Views
  ///   of the same relation that don't read values take no longer, and neither do relations without
  ///   values.
  @inlinable
  public func filtered<R: Relation>(
    byValue relation: R.Type, _ isIncluded: @escaping @Sendable (R.Value) -> Bool
  ) -> LiveView where R.Value: Component {
    var definition = view().definition
    let links = definition.readLinkValues(of: relation)
    definition.filters.append(
      LiveViewDefinition.Filter(mentioned: []) { _ in
        let finder = links.finder()
        return { _, handle in
          guard let value = finder.value(of: handle, as: R.Value.self) else { return false }
          return isIncluded(value)
        }
      })
    return LiveView(definition)
  }

  /// A live view of the entities, sorted by a property of the values of their links.
  ///
  /// See ``filtered(byValue:_:)`` for which links these are, and what keeps the view exact.
  /// Everything else is as in ``LiveViewSource/sorted(by:_:)-(KeyPath<C,Key>Sendable,_)``; those
  /// that are equal in all keys come in the order of their links. To put the links themselves into
  /// an order, use ``RelatedEntities/sort(byValue:)``.
  ///
  /// ```swift
  /// let members = team.sources(MemberOf.self)
  ///   .sorted(by: \.since, ofValue: MemberOf.self, .descending)
  ///   .then(by: \Person.name)
  /// ```
  ///
  /// - Parameters:
  ///   - property: What to sort by. A computed one must depend only on the value.
  ///   - relation: The relation that the view shows.
  ///   - order: The direction.
  /// - Returns: A new view; this one does not change.
  /// - Precondition: The entities are those related to an entity by this relation, or a view of
  ///   them.
  /// - Complexity: As ``filtered(byValue:_:)``.
  @inlinable
  public func sorted<R: Relation, Key: Comparable & Sendable>(
    by property: any KeyPath<R.Value, Key> & Sendable, ofValue relation: R.Type,
    _ order: LiveViewOrder = .ascending
  ) -> LiveView where R.Value: Component {
    var definition = view().definition
    let links = definition.readLinkValues(of: relation)
    definition.keys.insert(.init(property, of: links, order), at: 0)
    return LiveView(definition)
  }

  /// A live view of the entities, sorted by a property of the values of their links that may be
  /// nil, which comes last.
  ///
  /// See ``filtered(byValue:_:)`` for which links these are, and what keeps the view exact.
  @inlinable
  public func sorted<R: Relation, Key: Comparable & Sendable>(
    by property: any KeyPath<R.Value, Key?> & Sendable, ofValue relation: R.Type,
    _ order: LiveViewOrder = .ascending
  ) -> LiveView where R.Value: Component {
    var definition = view().definition
    let links = definition.readLinkValues(of: relation)
    definition.keys.insert(.init(optional: property, of: links, order), at: 0)
    return LiveView(definition)
  }
}

extension LiveView {
  /// The entities of the view, sorted by a further property, one of the values of their links,
  /// where they were equal so far.
  ///
  /// See ``LiveViewSource/filtered(byValue:_:)`` for which links these are.
  @inlinable
  public func then<R: Relation, Key: Comparable & Sendable>(
    by property: any KeyPath<R.Value, Key> & Sendable, ofValue relation: R.Type,
    _ order: LiveViewOrder = .ascending
  ) -> LiveView where R.Value: Component {
    var definition = definition
    let links = definition.readLinkValues(of: relation)
    definition.keys.append(.init(property, of: links, order))
    return LiveView(definition)
  }

  /// The entities of the view, sorted by a further property, one of the values of their links that
  /// may be nil, which comes last.
  ///
  /// See ``LiveViewSource/filtered(byValue:_:)`` for which links these are.
  @inlinable
  public func then<R: Relation, Key: Comparable & Sendable>(
    by property: any KeyPath<R.Value, Key?> & Sendable, ofValue relation: R.Type,
    _ order: LiveViewOrder = .ascending
  ) -> LiveView where R.Value: Component {
    var definition = definition
    let links = definition.readLinkValues(of: relation)
    definition.keys.append(.init(optional: property, of: links, order))
    return LiveView(definition)
  }

  /// The sections of the view at this moment, by what a closure makes of the values of the
  /// entities' links.
  ///
  /// ```swift
  /// let members = team.sources(MemberOf.self).sorted(by: \.role, ofValue: MemberOf.self)
  /// let byRole = members.sections(by: \.role, ofValue: MemberOf.self)
  /// ```
  ///
  /// See ``LiveViewSource/filtered(byValue:_:)`` for which links these are. Everything else is as
  /// in ``sections(by:)``.
  ///
  /// - Parameters:
  ///   - key: What to divide by.
  ///   - relation: The relation that the view shows.
  /// - Returns: The sections at this moment.
  /// - Precondition: It is a view of the entities related to an entity by this relation.
  /// - Complexity: Same as ``sections(by:)``.
  @inlinable
  public func sections<R: Relation, Key: Hashable & Sendable>(
    by key: (R.Value) -> Key?, ofValue relation: R.Type
  ) -> LiveViewSections<Key> where R.Value: Component {
    var definition = definition
    let finder = definition.readLinkValues(of: relation).finder()
    return sections { _, handle in finder.value(of: handle, as: R.Value.self).flatMap(key) }
  }
}

extension LiveViewDefinition.Key {
  @inlinable
  init<Value: Component, Key: Comparable & Sendable>(
    _ property: any KeyPath<Value, Key> & Sendable, of links: ViewLinks, _ order: LiveViewOrder
  ) {
    self.init(mentioned: nil) { _ in
      let finder = links.finder()
      return SortColumn.make(descending: order == .descending) { _, handle -> Key? in
        finder.value(of: handle, as: Value.self)?[keyPath: property]
      }
    }
  }

  @inlinable
  init<Value: Component, Key: Comparable & Sendable>(
    optional property: any KeyPath<Value, Key?> & Sendable, of links: ViewLinks,
    _ order: LiveViewOrder
  ) {
    self.init(mentioned: nil) { _ in
      let finder = links.finder()
      return SortColumn.make(descending: order == .descending) { _, handle -> Key? in
        finder.value(of: handle, as: Value.self).flatMap { $0[keyPath: property] }
      }
    }
  }
}
