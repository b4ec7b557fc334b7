// Each side of each entity has an order of its own: moving a link among the targets of its source
// leaves it where it is among the sources of its target.
extension RelatedEntities {
  // MARK: Inserting

  /// Links an entity so that it comes at a position; moves it there if it is already linked.
  ///
  /// Otherwise as ``insert(_:)``: among the related entities of the other one, this one is the last
  /// if the link is new, and stays where it is if not.
  ///
  /// ```swift
  /// playlist.targets(Plays.self).insert(song, at: 0)
  /// ```
  ///
  /// - Parameters:
  ///   - other: The entity.
  ///   - index: Its position afterwards. Others may go at any time, so one that is too large is the
  ///     end.
  /// - Precondition: The position is not negative.
  /// - Complexity: O(*i*), where *i* is the position, and as ``move(_:before:)``.
  public func insert(_ other: Entity, at index: Int) {
    entity.core.section {
      insert(other)
      move(other, to: index)
    }
  }

  /// Links an entity so that it comes right before another one; moves it there if it is already
  /// linked.
  ///
  /// If the other one is not among them, it comes last. See ``insert(_:at:)``.
  ///
  /// - Complexity: As ``move(_:before:)``.
  public func insert(_ other: Entity, before next: Entity) {
    entity.core.section {
      insert(other)
      move(other, before: next)
    }
  }

  // MARK: Moving

  /// Moves an entity to another position; does nothing if it is not among them.
  ///
  /// See ``move(_:before:)`` for what is notified.
  ///
  /// - Parameters:
  ///   - other: The entity.
  ///   - index: Its position afterwards. Others may go at any time, so one that is too large is the
  ///     end.
  /// - Precondition: The position is not negative.
  /// - Complexity: O(*i*), where *i* is the position, and as ``move(_:before:)``.
  public func move(_ other: Entity, to index: Int) {
    require(
      index >= 0,
      "\(other) was to come at the position \(index) of the \(self): the first one is 0.")
    move(other, to: .position(index))
  }

  /// Moves an entity to the position before another one; does nothing if it is not among them.
  ///
  /// Observers of ``entity`` and of this side run once, if the order changes; those of the other
  /// entity do not, since nothing has changed there. Live views move it, journals tell
  /// ``CommittedChange/Kind/moved``, collectors that ``Collector/collectLinks(of:)`` collect the
  /// source of the link, and transactions that are rolled back put it back. Inside a closure or
  /// chunk iteration it waits until that ends.
  ///
  /// - Parameters:
  ///   - other: The entity.
  ///   - next: The one that it is to come before; if that is nil, or not among them, it comes last.
  /// - Complexity: O(1) on average; for each live view of these entities O(log *k*) more, where *k*
  ///   is their number, and O(*k* log *k*) once in a while if entities are moved to the same
  ///   position over and over.
  public func move(_ other: Entity, before next: Entity?) { move(other, to: .before(next)) }

  /// Turns the order of the entities round.
  ///
  /// Observers run once. See ``move(_:before:)``.
  ///
  /// - Complexity: O(*k*) moves, where *k* is the number of entities.
  public func reverse() {
    let core = entity.core
    core.section {
      guard core.acceptsChanges else { return core.commands.add { reverse() } }
      arrange(entities().reversed())
    }
  }

  /// Sorts the entities as they are now; those that are equal stay in their order.
  ///
  /// What is linked later comes last. For a list that stays sorted take a live view, and
  /// `sorted(by:)`. Observers run once, if the order changes. Inside a closure or chunk iteration,
  /// it sorts those that are linked at this moment, and moves them when the iteration ends. See
  /// ``move(_:before:)``.
  ///
  /// - Parameter areInIncreasingOrder: Whether one entity comes before another one. It runs in the
  ///   context's critical section.
  /// - Complexity: O(*k* log *k*) comparisons and O(*k*) moves, where *k* is the number of
  ///   entities.
  public func sort(by areInIncreasingOrder: (Entity, Entity) -> Bool) {
    entity.core.section { arrange(entities().sorted(by: areInIncreasingOrder)) }
  }

  // MARK: Links

  /// The position that a link is to come to.
  private enum Destination {
    case position(Int)
    case before(Entity?)
  }

  /// The last entities, at most so many, in their order.
  ///
  /// - Complexity: O(*k*), where *k* is that number.
  package func last(_ count: Int) -> [Entity] {
    entity.core.read {
      guard let (store, relations, slot) = location else { return [] }
      var entities: [Entity] = []
      var link = store.links.last(slot, side)
      while let current = link, entities.count < count {
        entities.append(relations.entity(store.links.slot(of: current, side)))
        link = store.links.previous(before: current, side)
      }
      return entities.reversed()
    }
  }

  func arrange(_ wanted: [Entity]) {
    let kept = zip(entities(), wanted).prefix { $0 == $1 }.count
    for other in wanted[kept...] { move(other, before: nil) }
  }

  private func move(_ other: Entity, to wanted: Destination) {
    let core = entity.core
    core.section {
      guard core.acceptsChanges else { return core.commands.add { move(other, to: wanted) } }
      guard let (store, relations, slot) = location, let link = link(to: other, of: slot, store)
      else {
        return
      }
      let next =
        switch wanted {
        case .position(let position): self.link(at: position, without: link, of: slot, store)
        case .before(let next): next.flatMap { self.link(to: $0, of: slot, store) }
        }
      if store.move(link, side, before: next) { relations.noteMove(store, link, side) }
    }
  }

  private func link(
    to other: Entity, of slot: UInt32, _ store: RelationStore
  ) -> RelationLinks.ID? {
    guard other.core == entity.core, other.core.isAlive(other.handle) else { return nil }
    let (source, target) =
      side == .targets ? (slot, other.handle.index) : (other.handle.index, slot)
    return store.links.find(source: source, target: target)
  }

  /// The link at a position among those that there are besides one; nil if that is behind the last.
  private func link(
    at position: Int, without left: RelationLinks.ID, of slot: UInt32, _ store: RelationStore
  ) -> RelationLinks.ID? {
    guard position < store.links.count(slot, side) - 1 else { return nil }
    var (link, passed) = (store.links.first(slot, side), 0)
    while let current = link {
      if current != left {
        if passed == position { break }
        passed += 1
      }
      link = store.links.next(after: current, side)
    }
    return link
  }
}
