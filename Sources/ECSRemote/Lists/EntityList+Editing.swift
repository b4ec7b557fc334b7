public import ECS

extension EntityList {
  /// Adds entities at the end, without those that are members already.
  ///
  /// - Complexity: O(*m*), where *m* is the number of entities.
  public func append(_ entities: some Sequence<Entity>) {
    let entities = Array(entities)
    owner.context?.perform {
      for entity in entities where isPossible(entity) { members.insert(entity) }
    }
  }

  /// Inserts an entity before a position, or moves it there.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - position: The position of a member, or the end.
  /// - Returns: Whether there is such a position.
  /// - Complexity: O(*n*), where *n* is the number of members.
  public func insert(_ entity: Entity, before position: Int) -> Bool {
    edit { entities in
      guard (0...entities.count).contains(position), isPossible(entity) else { return false }
      // Its own place is before those that come after it.
      let next = entities[position...].first { $0 != entity }
      entities.removeAll { $0 == entity }
      let index = next.flatMap { entities.firstIndex(of: $0) } ?? entities.count
      entities.insert(entity, at: index)
      return true
    }
  }

  /// Inserts an entity behind a position, or moves it there.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - position: The position of a member.
  /// - Returns: Whether there is such a position.
  /// - Complexity: O(*n*), where *n* is the number of members.
  public func insert(_ entity: Entity, after position: Int) -> Bool {
    guard position >= 0, position < .max else { return false }
    return owner.context?.perform {
      position < count && insert(entity, before: position + 1)
    } ?? false
  }

  /// Removes the member at a position.
  ///
  /// - Returns: Whether there was one.
  /// - Complexity: O(*n*), where *n* is the number of members.
  public func remove(at position: Int) -> Bool {
    owner.context?.perform { member(at: position).map(remove) ?? false } ?? false
  }

  /// Removes a member; it lives on.
  ///
  /// - Returns: Whether it was one.
  /// - Complexity: O(1) on average.
  public func remove(_ entity: Entity) -> Bool {
    owner.context?.perform {
      guard members.contains(entity) else { return false }
      members.remove(entity)
      return true
    } ?? false
  }

  /// Removes the members in a range of positions.
  ///
  /// - Returns: Whether there are such positions.
  /// - Complexity: O(*n*), where *n* is the number of members.
  public func remove(in range: Range<Int>) -> Bool {
    owner.context?.perform {
      guard let removed = members(in: range) else { return false }
      for entity in removed { members.remove(entity) }
      return true
    } ?? false
  }

  /// Removes all members; they live on.
  ///
  /// - Complexity: O(*n*), where *n* is the number of members.
  public func removeAll() { members.removeAll() }

  /// Has these entities as members, in this order, and no others.
  ///
  /// - Complexity: O(*n*), where *n* is the number of members before and after.
  public func replaceAll(with entities: some Sequence<Entity>) {
    let entities = Array(entities)
    owner.context?.perform { members.replaceAll(with: entities.filter(isPossible)) }
  }

  /// Sorts the members as they are now; those that are equal stay in their order.
  ///
  /// - Parameter areInIncreasingOrder: Whether one comes before another one. It runs in the
  ///   context's critical section.
  /// - Complexity: O(*n* log *n*), where *n* is the number of members.
  public func sort(by areInIncreasingOrder: (Entity, Entity) -> Bool) {
    _ = edit {
      $0.sort(by: areInIncreasingOrder)
      return true
    }
  }

  /// Turns the order of the members round.
  ///
  /// - Complexity: O(*n*), where *n* is the number of members.
  public func reverse() {
    _ = edit {
      $0.reverse()
      return true
    }
  }

  private func isPossible(_ entity: Entity) -> Bool {
    owner.isAlive && entity.isAlive && entity.context === owner.context
  }

  private func edit(_ body: (inout [Entity]) -> Bool) -> Bool {
    owner.context?.perform {
      guard owner.isAlive else { return false }
      var entities = Array(members.entities())
      guard body(&entities) else { return false }
      members.replaceAll(with: entities)
      return true
    } ?? false
  }
}
