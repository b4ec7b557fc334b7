import ECS

/// A context that is made equal to another one by what that one's journal tells, and nothing else.
// Guarded by the context that is replicated: its journal tells commits in there only.
final class JournalReplica: @unchecked Sendable {
  let context = Context()
  private let text: (any Component) -> String
  private var copies: [Entity: Entity] = [:]

  /// What was delivered that cannot be.
  private(set) var failures: [String] = []

  init(text: @escaping (any Component) -> String) { self.text = text }

  func apply(_ commit: Commit) {
    context.perform { for change in commit { apply(change) } }
  }

  private func apply(_ change: CommittedChange) {
    switch change.kind {
    case .created:
      if copies[change.entity]?.isAlive == true { fail(change, "lives already") }
      let copy = context.createEntity()
      copies[change.entity] = copy
      for component in change.newComponents() { put(component, on: copy) }
    case .destroyed:
      // What was related to it by a rule that says so has gone with it here, too.
      guard let copy = copies[change.entity], copy.isAlive else { return }
      check(change.oldComponents(), copy.components(), change)
      copy.destroy()
    case .added:
      guard let copy = copy(change), let cid = change.component else { return }
      if copy.has(cid) { fail(change, "has it already") }
      for component in change.newComponents() { put(component, on: copy) }
    case .replaced:
      guard let copy = copy(change), let cid = change.component else { return }
      check(change.oldComponents(), copy.components().filter { type(of: $0) == cid.type }, change)
      for component in change.newComponents() { put(component, on: copy) }
    case .removed:
      guard let copy = copy(change), let cid = change.component else { return }
      check(change.oldComponents(), copy.components().filter { type(of: $0) == cid.type }, change)
      copy.remove(cid)
    case .linked, .unlinked, .linkUpdated:
      guard let relation = change.relation, let target = change.target.flatMap({ copies[$0] }),
        let source = copies[change.entity]
      else { return fail(change, "is not known") }
      link(source, target, relation, change)
    case .moved:
      guard let relation = change.relation, let target = change.target.flatMap({ copies[$0] }),
        let source = copies[change.entity], let move = change.move
      else { return fail(change, "is not known") }
      self.move(source, target, relation, move)
    }
  }

  private func copy(_ change: CommittedChange) -> Entity? {
    guard let copy = copies[change.entity], copy.isAlive else {
      fail(change, "does not live")
      return nil
    }
    return copy
  }

  private func put<C: Component>(_ component: C, on entity: Entity) { entity.set(component) }

  private func link<R: Relation>(
    _ source: Entity, _ target: Entity, _ relation: R.Type, _ change: CommittedChange
  ) {
    // Links of an entity that was destroyed have gone with it here, too.
    guard source.isAlive, target.isAlive else { return }
    let links = source.links().filter { $0.relation == relation && $0.target == target }
    if links.count != (change.kind == .linked ? 0 : 1) { fail(change, "was linked otherwise") }
    check(
      [change.oldLinkValue].compactMap { $0 }, links.compactMap(\.value), change)
    if change.kind == .unlinked {
      source.unrelate(relation, from: target)
    } else {
      source.relate(relation, to: target, anyValue: change.newLinkValue)
    }
  }

  private func move<R: Relation>(
    _ source: Entity, _ target: Entity, _ relation: R.Type, _ move: LinkMove
  ) {
    guard source.isAlive, target.isAlive else { return }
    let (related, other) =
      move.isAmongTargets
      ? (source.targets(relation), target) : (target.sources(relation), source)
    let all = Array(related)
    let next = all.firstIndex(of: other).flatMap { $0 + 1 < all.count ? all[$0 + 1] : nil }
    if next != move.earlierNext.flatMap({ copies[$0] }) {
      failures.append("\(relation): was moved from elsewhere")
    }
    related.move(other, before: move.next.flatMap { copies[$0] })
  }

  private func check(
    _ told: [any Component], _ found: [any Component], _ change: CommittedChange
  ) {
    if told.map(text).sorted() != found.map(text).sorted() {
      fail(change, "was \(found.map(text)), not \(told.map(text))")
    }
  }

  private func fail(_ change: CommittedChange, _ what: String) {
    failures.append("\(change.kind) \(change.entity): \(what)")
  }

  // MARK: What there is to see

  /// What there is, with entities by the order of their creation.
  func digest() -> [String] { JournalReplica.digest(of: context, text) }

  static func digest(of context: Context, _ text: (any Component) -> String) -> [String] {
    context.perform {
      let entities = context.entities()
      let numbers = Dictionary(uniqueKeysWithValues: entities.enumerated().map { ($1, $0) })
      return entities.map { entity in
        let links = entity.links().map {
          "\($0.relation) \(numbers[$0.target] ?? -1) \($0.value.map(text) ?? "")"
        }
        let likes = entity.targets(TransactionWorld.Likes.self).map { numbers[$0] ?? -1 }
        let sources = entity.sources(TransactionWorld.Likes.self).map { numbers[$0] ?? -1 }
        return "\(entity.components().map(text).sorted()) \(links.sorted()) \(likes) \(sources)"
      }
    }
  }
}
