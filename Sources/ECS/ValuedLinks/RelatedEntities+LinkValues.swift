extension RelatedEntities where R.Value: Component {
  // MARK: Reading

  /// The value of the link to or from an entity; nil if it is not among them.
  ///
  /// - Complexity: As ``contains(_:)``.
  public func value(of other: Entity) -> R.Value? {
    var value: R.Value?
    withValue(of: other) { value = $0.value(of: $1, as: R.Value.self) }
    return value
  }

  /// The links, in the order of the entities, with their values at this moment.
  ///
  /// ```swift
  /// for link in ada.targets(MemberOf.self).links() { print(link.target, link.value.role) }
  /// ```
  ///
  /// - Complexity: O(*k*), where *k* is their number.
  public func links() -> [ValuedLink<R>] {
    entity.core.readingSection(keepsNothing: true) {
      guard let (store, relations, slot) = location, let values = store.values else { return [] }
      var all: [ValuedLink<R>] = []
      all.reserveCapacity(store.links.count(slot, side))
      var next = store.links.first(slot, side)
      while let link = next {
        let other = relations.entity(store.links.slot(of: link, side))
        let (source, target) = side == .targets ? (entity, other) : (other, entity)
        all.append(
          ValuedLink(
            source: source, target: target, value: values.value(of: link, as: R.Value.self)))
        next = store.links.next(after: link, side)
      }
      return all
    }
  }

  /// Those of the entities whose links have a value that meets a condition.
  ///
  /// ```swift
  /// let admins = team.sources(MemberOf.self).entities { $0.role == .admin }
  /// ```
  ///
  /// - Parameter isIncluded: Says whether a value meets the condition. It runs after the links were
  ///   read, outside of the context's critical section.
  /// - Returns: The entities, in their order.
  /// - Complexity: O(*k*), where *k* is the number of related entities.
  public func entities(where isIncluded: (R.Value) -> Bool) -> EntitySet {
    EntitySet(
      unique: ContiguousArray(links().filter { isIncluded($0.value) }.map(other)))
  }

  private func other(_ link: ValuedLink<R>) -> Entity {
    side == .targets ? link.target : link.source
  }

  // MARK: Changing

  /// Links an entity with a value, as the last one; replaces the value, where it is, if it is
  /// already linked.
  ///
  /// See ``Entity/relate(_:to:_:)``.
  public func insert(_ other: Entity, _ value: R.Value) {
    if side == .targets {
      entity.relate(R.self, to: other, value)
    } else {
      other.relate(R.self, to: entity, value)
    }
  }

  /// Links an entity with a value so that it comes at a position; replaces the value and moves it
  /// there if it is already linked.
  ///
  /// - Parameters:
  ///   - other: The entity.
  ///   - value: The value of the link.
  ///   - index: Its position afterwards. Others may go at any time, so one that is too large is the
  ///     end.
  /// - Precondition: The position is not negative.
  /// - Complexity: O(*i*), where *i* is the position, and as ``move(_:before:)``.
  public func insert(_ other: Entity, _ value: R.Value, at index: Int) {
    entity.core.section {
      insert(other, value)
      move(other, to: index)
    }
  }

  /// Links an entity with a value so that it comes right before another one; replaces the value and
  /// moves it there if it is already linked.
  ///
  /// If the other one is not among them, it comes last.
  ///
  /// - Complexity: As ``move(_:before:)``.
  public func insert(_ other: Entity, _ value: R.Value, before next: Entity) {
    entity.core.section {
      insert(other, value)
      move(other, before: next)
    }
  }

  /// Links these entities, in this order, and no others: those that are linked already keep their
  /// values, and all others get those that are given.
  ///
  /// One without a value is linked only if it is so already. Observers run only if something
  /// changed.
  ///
  /// - Complexity: As ``replaceAll(with:)``.
  package func replaceAll(with others: [(entity: Entity, newValue: R.Value?)]) {
    let core = entity.core
    core.section {
      guard core.acceptsChanges else {
        if let relations = core.relationsMadeIfNeeded() {
          relations.noteComingLoss(R.self, of: entity.handle, side)
          for other in others where other.entity.core == core {
            noteComing(other.entity, relations)
          }
        }
        return core.commands.add { replaceAll(with: others) }
      }
      let (present, wanted) = (entities(), EntitySet(others.map(\.entity)))
      for other in present where !wanted.contains(other) { remove(other) }
      for case (let other, let value?) in others where !present.contains(other) {
        insert(other, value)
      }
      arrange(Array(wanted))
    }
  }

  /// Sorts the entities by the values of their links as they are now; those that are equal stay in
  /// their order.
  ///
  /// What is linked, or gets another value, later is not sorted in. See ``sort(by:)``.
  ///
  /// - Parameter areInIncreasingOrder: Whether one value comes before another one. It runs in the
  ///   context's critical section.
  /// - Complexity: As ``sort(by:)``.
  public func sort(byValue areInIncreasingOrder: (R.Value, R.Value) -> Bool) {
    entity.core.section {
      let core = entity.core
      let sorted = core.callUser {
        links().sorted { areInIncreasingOrder($0.value, $1.value) }
      }
      arrange(sorted.map(other))
    }
  }
}
