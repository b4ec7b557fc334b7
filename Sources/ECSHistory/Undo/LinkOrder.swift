import ECS

/// The order of the links that operations touch, after or before these.
///
/// Those that they leave alone stay in their order. What is known of a list is which of the touched
/// ones come directly before each of these, or at the end. So an operation may name another link
/// that is there in between only.
struct LinkOrder {
  private struct Key: Hashable {
    let owner: Entity
    let relationID: ObjectIdentifier
    let isOfTargets: Bool
  }

  /// The links of one entity on one side.
  struct List {
    let owner: Entity
    let relation: any Relation.Type
    let isOfTargets: Bool
    var chain = LinkChain()
  }

  private(set) var lists: [List] = []
  private var indices: [Key: Int] = [:]

  private init(after operations: [LinkOperation]) {
    for operation in operations { make(operation) }
  }

  /// The order at one end of operations.
  init(_ side: UndoSide, _ operations: [LinkOperation]) {
    self.init(after: operations)
    if side == .before { takeBack(operations) }
  }

  /// Whether operations, which link and unlink the same in the end, change an order.
  static func isChanged(
    by operations: [LinkOperation], besides isLeftOut: (Entity) -> Bool
  ) -> Bool {
    var after = LinkOrder(after: operations)
    var before = after
    before.takeBack(operations)
    for index in after.lists.indices where !isLeftOut(after.lists[index].owner) {
      after.lists[index].chain.removeAll(where: isLeftOut)
      before.lists[index].chain.removeAll(where: isLeftOut)
      if after.lists[index].chain.next != before.lists[index].chain.next { return true }
    }
    return false
  }

  private mutating func make(_ operation: LinkOperation) {
    forEachEnd(of: operation) { chain, other, isAmongTargets in
      switch operation.kind {
      case .linked: chain.insert(other, before: nil)
      case .unlinked(let nextTarget, let nextSource):
        chain.touch(other, before: isAmongTargets ? nextTarget : nextSource)
        chain.remove(other)
      case .moved(_, let earlierNext, let next):
        chain.touch(other, before: earlierNext)
        chain.insert(other, before: next)
      }
    }
  }

  private mutating func takeBack(_ operations: [LinkOperation]) {
    for operation in operations.reversed() {
      forEachEnd(of: operation) { chain, other, isAmongTargets in
        switch operation.kind {
        case .linked: chain.remove(other)
        case .unlinked(let nextTarget, let nextSource):
          chain.insert(other, before: isAmongTargets ? nextTarget : nextSource)
        case .moved(_, let earlierNext, _): chain.insert(other, before: earlierNext)
        }
      }
    }
  }

  private mutating func forEachEnd(
    of operation: LinkOperation, _ body: (inout LinkChain, Entity, _ isAmongTargets: Bool) -> Void
  ) {
    let link = operation.link
    for isOfTargets in [true, false] {
      if case .moved(let isAmongTargets, _, _) = operation.kind, isAmongTargets != isOfTargets {
        continue
      }
      // There is but one.
      if isOfTargets
        ? operation.relation is any ToOneRelation.Type
        : operation.relation is any OneToOneRelation.Type
      {
        continue
      }
      let (owner, other) = isOfTargets ? (link.source, link.target) : (link.target, link.source)
      let key = Key(owner: owner, relationID: link.relationID, isOfTargets: isOfTargets)
      let index = indices[key] ?? lists.count
      if index == lists.count {
        indices[key] = index
        lists.append(List(owner: owner, relation: operation.relation, isOfTargets: isOfTargets))
      }
      body(&lists[index].chain, other, isOfTargets)
    }
  }
}

/// The touched links of a list, by the entities at their other ends: sequences of which each ends
/// before one that was not touched, or at the end of the list.
struct LinkChain {
  /// What comes after each touched one that is there; nil at the end of the list.
  private(set) var next: [Entity: Entity?] = [:]

  /// The touched one that comes directly before another one, or before the end.
  private var previous: [Entity?: Entity] = [:]

  private var touched: Set<Entity> = []

  /// In the order in which they were touched.
  private var order: [Entity] = []

  /// Notes that one was there, until it is touched now.
  mutating func touch(_ entity: Entity, before follower: Entity?) {
    guard touched.insert(entity).inserted else { return }
    order.append(entity)
    // There is something only if others have changed the list between the operations.
    if let last = previous[follower] {
      var head = entity
      for _ in 0..<next.count {
        guard let before = previous[head], before != entity else { break }
        head = before
      }
      previous[head] = last
      next.updateValue(head, forKey: last)
    }
    next.updateValue(follower, forKey: entity)
    previous[follower] = entity
  }

  mutating func insert(_ entity: Entity, before follower: Entity?) {
    remove(entity)
    if touched.insert(entity).inserted { order.append(entity) }
    let last = previous[follower]
    previous[entity] = last
    if let last { next.updateValue(entity, forKey: last) }
    next.updateValue(follower, forKey: entity)
    previous[follower] = entity
  }

  mutating func remove(_ entity: Entity) {
    guard let follower = next.removeValue(forKey: entity) else { return }
    let last = previous.removeValue(forKey: entity)
    previous[follower] = last
    if let last { next.updateValue(follower, forKey: last) }
  }

  mutating func removeAll(where isLeftOut: (Entity) -> Bool) {
    for entity in order where isLeftOut(entity) { remove(entity) }
  }

  /// Calls a closure with all that are there, each with what comes next, the next ones first.
  func forEachPresent(_ body: (Entity, _ follower: Entity?, _ isFollowerTouched: Bool) -> Void) {
    for entity in order {
      guard let follower = next[entity] else { continue }
      if let follower, next[follower] != nil { continue }
      body(entity, follower, false)
      var current = entity
      for _ in 1..<next.count {
        guard let last = previous[current] else { break }
        body(last, current, true)
        current = last
      }
    }
  }
}
