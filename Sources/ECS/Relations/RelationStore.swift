/// The links of one relation in a context.
// Guarded by the lock of the core.
final class RelationStore: @unchecked Sendable {
  let id: ObjectIdentifier
  let type: any Relation.Type
  let name: String
  let rule: DeleteRule
  private let isToOne: Bool
  private let isOneToOne: Bool
  private let isHierarchy: Bool

  var links = RelationLinks()

  /// The live views of related entities, once there was one.
  var views: RelatedViews?

  init(_ relation: any Relation.Type) {
    id = ObjectIdentifier(relation)
    type = relation
    name = String(describing: relation)
    rule = relation.deleteRule
    isToOne = relation is any ToOneRelation.Type
    isOneToOne = relation is any OneToOneRelation.Type
    isHierarchy = relation is any Hierarchy.Type
  }

  /// A link that came or went, by slots.
  struct Step {
    let source: UInt32
    let target: UInt32

    /// Whether the link came.
    let isLinked: Bool
  }

  /// Links two slots, unless they are linked, in the place of links that cannot stay beside.
  ///
  /// The closure is notified of each link that comes or goes.
  func link(source: UInt32, target: UInt32, _ changed: (Step) -> Void) {
    guard links.find(source: source, target: target) == nil else { return }
    if isToOne, let old = links.first(source, .targets) { remove(old, changed) }
    if isOneToOne, let old = links.first(target, .sources) { remove(old, changed) }
    links.insert(source: source, target: target)
    changed(Step(source: source, target: target, isLinked: true))
  }

  func unlink(source: UInt32, target: UInt32, _ changed: (Step) -> Void) {
    if let link = links.find(source: source, target: target) { remove(link, changed) }
  }

  func unlinkAll(_ slot: UInt32, _ side: RelationSide, _ changed: (Step) -> Void) {
    while let link = links.first(slot, side) { remove(link, changed) }
  }

  private func remove(_ link: RelationLinks.Number, _ changed: (Step) -> Void) {
    let step = Step(
      source: links.slot(of: link, .sources), target: links.slot(of: link, .targets),
      isLinked: false)
    links.remove(link)
    changed(step)
  }

  /// Whether a link would close a cycle in a hierarchy.
  ///
  /// Only who has children can come to be below itself: trees that grow at their leaves or from
  /// their root upwards cost nothing here.
  func wouldCycle(source: UInt32, target: UInt32) -> Bool {
    guard isHierarchy else { return false }
    if source == target { return true }
    guard links.count(source, .sources) > 0 else { return false }
    var ancestor: UInt32? = target
    while let current = ancestor {
      if current == source { return true }
      ancestor = links.first(current, .targets).map { links.slot(of: $0, .targets) }
    }
    return false
  }
}
