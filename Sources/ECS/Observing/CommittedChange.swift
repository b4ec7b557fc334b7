/// A single change, as a ``Commit`` tells it.
public struct CommittedChange: Sendable {
  /// The kinds of changes.
  public enum Kind: Hashable, Sendable {
    /// An entity was created, with the components that are its new ones.
    case created

    /// An entity was destroyed, with the components that are its old ones.
    ///
    /// The ends of its links follow.
    case destroyed

    /// A component was added.
    case added

    /// A component was replaced, or an iteration changed its value in place.
    case replaced

    /// A component was removed.
    case removed

    /// The entity was linked to the target.
    case linked

    /// The entity's link to the target went.
    case unlinked

    /// The entity's link to the target has another position among those of one of its ends; see
    /// ``CommittedChange/move``.
    case moved

    /// The value of the entity's link to the target was replaced; see
    /// ``CommittedChange/newValue(of:)``.
    case linkUpdated
  }

  let noted: NotedChange
  private let choice: JournalFilter

  init(_ noted: NotedChange, _ choice: JournalFilter) {
    self.noted = noted
    self.choice = choice
  }

  /// The kind of the change.
  public var kind: Kind {
    switch noted.kind {
    case .created, .createdMany: .created
    case .destroyed: .destroyed
    case .added: .added
    case .removed: .removed
    // Holders are not delivered.
    case .replaced, .column, .holder: .replaced
    case .linked: .linked
    case .unlinked: .unlinked
    case .moved: .moved
    case .linkUpdated: .linkUpdated
    }
  }

  /// The entity, which may be dead by now; of a link, its source.
  public var entity: Entity { Entity(core: noted.commit.core, handle: noted.handle) }

  /// The target of a link, which may be dead by now; nil of changes that are not of links.
  public var target: Entity? {
    noted.link.map { Entity(core: noted.commit.core, handle: $0.target) }
  }

  /// Where a link was moved to; nil of other changes.
  public var move: LinkMove? {
    noted.move.map { move in
      func entity(_ handle: Handle) -> Entity { Entity(core: noted.commit.core, handle: handle) }
      return LinkMove(
        isAmongTargets: move.isAmongTargets, earlierNext: move.earlierNext.map(entity),
        next: move.next.map(entity))
    }
  }

  /// The component that was added, replaced or removed; else nil.
  public var component: CID? { noted.component }

  /// Whether an iteration changed the value in place; see <doc:Iteration>.
  public var isByIteration: Bool { noted.kind == .column }

  /// The value that a link had before it went, or before its value was replaced; nil of other
  /// changes, and of relations without values.
  ///
  /// ``CommittedChange/oldValue(of:)`` has it with its type.
  public var oldLinkValue: (any Component)? { noted.linkValue(isOld: true) }

  /// The value of a link that came, or the one that it got instead of another one; nil of other
  /// changes, and of relations without values.
  ///
  /// ``CommittedChange/newValue(of:)`` has it with its type.
  public var newLinkValue: (any Component)? { noted.linkValue(isOld: false) }

  /// Why it was made.
  public var cause: Cause { noted.cause }

  /// The value of a component before the change; nil if the change replaced or removed none of this
  /// type, or if it was in the hands of a closure at that time.
  ///
  /// - Complexity: O(*c*), where *c* is the number of components that changed.
  public func old<C: Component>(_ type: C.Type = C.self) -> C? {
    noted.value(of: type, isOld: true, choice)
  }

  /// The value of a component after the change; nil if the change set none of this type.
  ///
  /// - Complexity: O(*c*), where *c* is the number of components that changed.
  public func new<C: Component>(_ type: C.Type = C.self) -> C? {
    noted.value(of: type, isOld: false, choice)
  }

  /// The values that the change replaced or removed, of all types that the journal tells.
  ///
  /// - Complexity: O(*c*), where *c* is the number of components that changed.
  public func oldComponents() -> [any Component] {
    noted.components(areOld: true, choice.takesIn)
  }

  /// The values that the change set, of all types that the journal tells.
  ///
  /// - Complexity: O(*c*), where *c* is the number of components that changed.
  public func newComponents() -> [any Component] {
    noted.components(areOld: false, choice.takesIn)
  }
}

extension CommittedChange: CustomStringConvertible {
  /// The kind, the entity, and the values before and after.
  public var description: String {
    let link = noted.link.map { " \($0.relation) \(target.map { "\($0)" } ?? "")" } ?? ""
    func text(_ values: [any Component], _ linkValue: (any Component)?) -> String {
      (values + [linkValue].compactMap { $0 }).map { "\($0)" }.joined(separator: ", ")
    }
    let old = text(oldComponents(), oldLinkValue)
    let new = text(newComponents(), newLinkValue)
    let arrow = old.isEmpty ? "" : " \(old) ->"
    return "\(kind) \(entity)\(link)\(arrow)\(new.isEmpty ? "" : " \(new)")"
  }
}
