extension FrozenContext {
  /// The number of entities that match.
  ///
  /// - Parameter matcher: Which components they had, of any type; nil for all entities.
  /// - Returns: Their number.
  /// - Complexity: O(*t*), where *t* is the number of combinations of component types.
  public func count(matching matcher: Matcher?) -> Int {
    tables(matcher, []).reduce(0) { $0 + $1.count }
  }

  /// The entities that match, in the order in which groups have them.
  ///
  /// - Parameter matcher: Which components they had, of any type; nil for all entities.
  /// - Returns: The entities.
  /// - Complexity: O(*n*), where *n* is the number of these entities.
  public func entities(matching matcher: Matcher? = nil) -> EntitySet {
    var entities: ContiguousArray<Entity> = []
    forEachPage(of: tables(matcher, [])) { page in
      for row in 0..<page.count { entities.append(entity(row, of: page)) }
    }
    return EntitySet(unique: entities)
  }

  /// The entities that had a component, in the order of one of its fields.
  ///
  /// ```swift
  /// for entity in frozen.sorted(by: \Order.cents) { … }
  /// ```
  ///
  /// - Parameters:
  ///   - property: The key. Equal ones are in the order in which groups have them.
  ///   - matcher: Which components they had besides, of any type; nil for any.
  /// - Returns: The entities.
  /// - Precondition: The picture was made of the component.
  /// - Complexity: O(*n* log *n*), where *n* is the number of these entities.
  public func sorted<C: Component, Key: Comparable>(
    by property: KeyPath<C, Key>, matching matcher: Matcher? = nil
  ) -> EntitySet {
    var keys: [(key: Key, entity: Entity)] = []
    withEach(matching: matcher) { (entity: Entity, component: C) in
      keys.append((component[keyPath: property], entity))
    }
    // The standard library's sort is stable, as its documentation is not to say.
    keys.sort { $0.key < $1.key }
    return EntitySet(unique: ContiguousArray(keys.map(\.entity)))
  }

  @inlinable
  @inline(__always)
  func entity(_ row: Int, of page: FrozenPage) -> Entity {
    Entity(core: core, handle: page.handle(row))
  }
}
