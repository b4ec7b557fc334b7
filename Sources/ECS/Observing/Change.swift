/// A change of an entity, as delivered to observers.
public struct Change: Sendable {
  /// The kinds of changes.
  public enum Kind: Hashable, Sendable {
    /// A group: the entity came to match.
    ///
    /// An entity: it got a component.
    case added

    /// A component was replaced, and the entity belongs to the group as before.
    case updated

    /// A group: the entity no longer matches.
    ///
    /// An entity: it lost a component.
    case removed

    /// An entity was destroyed; for observers of the entity itself.
    case destroyed
  }

  /// The kind of the change.
  public let kind: Kind

  /// The entity.
  ///
  /// It may be dead by now if the kind is `removed` or `destroyed`.
  public let entity: Entity

  /// The component that was written or removed; nil if the entity was created or destroyed, which
  /// concerns all its components at once.
  public let component: CID?

  /// Whether an iteration changed the value in place; see <doc:Iteration>.
  public let isByIteration: Bool

  @usableFromInline
  let values: ChangeValues?

  init(_ change: QueuedChange, isOfEntity: Bool) {
    kind = isOfEntity && change.isEnd ? .destroyed : Kind(change.kind)
    entity = change.entity
    component = change.cause
    isByIteration = change.flags.contains(.isByIteration)
    values = change.core.notifications.keptValues(of: change)
    incarnation = change.core.incarnation
  }

  /// A change that is of no component.
  init(kind: Kind, entity: Entity) {
    self.kind = kind
    self.entity = entity
    component = nil
    isByIteration = false
    values = nil
    incarnation = entity.core.incarnation
  }

  /// Which of the contexts it was that have used the core.
  let incarnation: Int

  /// The value of a component before the change; nil if the change replaced or removed none of this
  /// type.
  ///
  /// - Complexity: O(*c*), where *c* is the number of components that changed.
  @inlinable
  public func old<C: Component>(_ type: C.Type = C.self) -> C? {
    values?.value(of: type, isOld: true)
  }

  /// The value of a component after the change; nil if the change set none of this type.
  ///
  /// - Complexity: O(*c*), where *c* is the number of components that changed.
  @inlinable
  public func new<C: Component>(_ type: C.Type = C.self) -> C? {
    values?.value(of: type, isOld: false)
  }

  /// The values that the change replaced or removed, of all types.
  ///
  /// - Complexity: O(*c*), where *c* is the number of components that changed.
  public func oldComponents() -> [any Component] { values?.components(areOld: true) ?? [] }

  /// The values that the change set, of all types.
  ///
  /// - Complexity: O(*c*), where *c* is the number of components that changed.
  public func newComponents() -> [any Component] { values?.components(areOld: false) ?? [] }
}

extension QueuedChange {
  @inlinable var entity: Entity { Entity(core: core, handle: handle) }

  /// Whether it is the end of an entity.
  var isEnd: Bool { flags.contains(.isEnd) }
}

extension Change.Kind {
  init(_ kind: ReactionKind) {
    switch kind {
    case .added: self = .added
    case .updated: self = .updated
    case .removed: self = .removed
    }
  }
}
