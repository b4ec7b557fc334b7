/// What happened to an entity, as observers are told.
public struct Change: Sendable {
  /// The kinds of changes.
  public enum Kind: Hashable, Sendable {
    /// A group: the entity came to match.
    ///
    /// An entity: it got a component.
    case added

    /// A component was replaced, and the entity belongs to the group as before.
    case updated

    /// A group: the entity matches no longer.
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

  let values: ChangeValues

  /// The component that was written or removed; nil if the entity was created or destroyed, which
  /// concerns all of its components at once.
  public var component: CID? { values.cause }

  /// The value of a component that the change ended; nil if it ended none of this type.
  ///
  /// - Complexity: O(*c*), where *c* is the number of components that changed.
  public func old<C: Component>(_ type: C.Type = C.self) -> C? {
    Change.first(type, in: values.old)
  }

  /// The value of a component that the change brought; nil if it brought none of this type.
  ///
  /// - Complexity: O(*c*), where *c* is the number of components that changed.
  public func new<C: Component>(_ type: C.Type = C.self) -> C? {
    Change.first(type, in: values.new)
  }

  private static func first<C: Component>(_ type: C.Type, in values: [any Component]) -> C? {
    for case let value as C in values { return value }
    return nil
  }
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

/// A choice of kinds of changes.
public struct ChangeKinds: OptionSet, Hashable, Sendable {
  /// A bit for each kind.
  public let rawValue: UInt8

  /// Makes a choice from bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Entities that come to match.
  public static let added = ChangeKinds(rawValue: 1)

  /// Entities of which a mentioned component is replaced.
  public static let updated = ChangeKinds(rawValue: 2)

  /// Entities that match no longer, or are destroyed.
  public static let removed = ChangeKinds(rawValue: 4)

  /// Entities that come to match, or of which a mentioned component is replaced.
  public static let addedOrUpdated: ChangeKinds = [.added, .updated]

  /// All changes.
  public static let addedUpdatedOrRemoved: ChangeKinds = [.added, .updated, .removed]

  func contains(_ kind: Change.Kind) -> Bool {
    switch kind {
    case .added: contains(ChangeKinds.added)
    case .updated: contains(ChangeKinds.updated)
    case .removed, .destroyed: contains(ChangeKinds.removed)
    }
  }

  init(_ kind: ReactionKind) {
    switch kind {
    case .added: self = .added
    case .updated: self = .updated
    case .removed: self = .removed
    }
  }

  var reactionKinds: [ReactionKind] {
    [ReactionKind.added, .updated, .removed].filter { contains(ChangeKinds($0)) }
  }
}
