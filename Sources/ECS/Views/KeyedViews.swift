/// Live views of a source, one for each value of a key, with one listener for all of them.
///
/// ```swift
/// let rooms = context.group(Message.matcher).sorted(by: \Message.time).views(by: \Message.room)
/// rooms[7].last
/// rooms[7].observe(by: list) { list, change in list.apply(change.difference) }
/// ```
///
/// The view of a key shows what ``LiveViewSource/filtered(_:)-((C)->Bool)`` would with a test for
/// that key, and is used as any ``LiveView`` is. But views that are filtered each listen to all
/// changes of the group. These don't: a change concerns the view of the key that its entity had,
/// and of the key that it has, if these are at work, and costs the same however many others are. An
/// entity whose key changes leaves one view and enters the other in one change. Keys that no entity
/// has have an empty view.
///
/// Each call of the subscript makes a view, which is at work from ``LiveView/start()`` on, or since
/// it was first observed, until nothing refers to it or observes it, as other views are: keep it,
/// or the subscription. The listener begins its work with the first of the views, in O(*n*), where
/// *n* is the number of entities of the group, and has the entities of each key from then on; a
/// further view is filled with those of its key. It ends when nothing refers to these views any
/// more, nor to what ``LiveViewSource/views(by:)`` has returned. Until the first one is at work,
/// nothing listens, and views are read as others are that are not.
///
/// A view may be filtered, sorted and limited further. If that names components that neither the
/// group nor the views so far mention, the new view listens by itself; so does each view of a
/// source that is related to an entity, or filtered or sorted by an aggregate, or by what entities
/// are linked to.
public struct KeyedViews<Key: Hashable & Sendable>: Sendable {
  @usableFromInline let base: LiveViewDefinition
  @usableFromInline let routing: KeyRouting
  @usableFromInline let interner: KeyInterner<Key>
  @usableFromInline let makeFilter: @Sendable (Key) -> LiveViewDefinition.Filter

  @inlinable
  init(
    _ base: LiveViewDefinition, _ routing: KeyRouting, _ interner: KeyInterner<Key>,
    makeFilter: @escaping @Sendable (Key) -> LiveViewDefinition.Filter
  ) {
    (self.base, self.routing, self.interner) = (base, routing, interner)
    self.makeFilter = makeFilter
  }

  /// A new view of the entities that have a key.
  ///
  /// - Complexity: O(1). Beginning its work takes O(*k* log *k*), where *k* is the number of
  ///   entities of the key, and O(*n*) the first time, where *n* is that of the group; each change
  ///   of an entity of the group takes O(1) from then on, and O(log *k*) for each view at work that
  ///   it concerns.
  @inlinable
  public subscript(key: Key) -> LiveView {
    var definition = base
    definition.route = KeyRoute(routing, makeFilter(key)) { [interner] givingOut in
      givingOut ? interner.id(of: key) : interner.ids[key]
    }
    return LiveView(definition)
  }
}

extension LiveViewSource {
  /// Live views of the entities, one for each key that a closure makes of a component, in the same
  /// order.
  ///
  /// ```swift
  /// let rooms = context.group(Message.matcher).sorted(by: \Message.time).views(by: \Message.room)
  /// let subscription = rooms[7].observe { print($0.view.count) }
  /// ```
  ///
  /// - Parameter key: What to divide by; entities without the component, and those for which it is
  ///   nil, or does not equal itself (not a number), are in no view. It runs when the component has
  ///   changed, before a view can be seen, in the context's critical section, and must not change
  ///   the context, which stops with a message. It must depend only on the component.
  /// - Returns: The views.
  /// - Complexity: O(1); see ``KeyedViews``.
  @inlinable
  public func views<C: Component, Key: Hashable & Sendable>(
    by key: @escaping @Sendable (C) -> Key?
  ) -> KeyedViews<Key> {
    let base = view().definition.withKeyAsFilter
    let interner = KeyInterner<Key>()
    let access = KeyAccess { core, handle, last in
      guard let key = core.value(of: C.self, handle).flatMap(key) else { return nil }
      return interner.id(of: key, mostly: last)
    } free: {
      interner.free($0)
    }
    return KeyedViews(base, KeyRouting(base, of: C.cid, access), interner) { wanted in
      LiveViewDefinition.Filter(mentioned: [C.cid]) { _ in
        { core, handle in core.value(of: C.self, handle).flatMap(key) == wanted }
      }
    }
  }
}
