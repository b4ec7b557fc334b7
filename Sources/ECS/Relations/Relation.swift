/// A kind of link between entities of one context, declared by a type.
///
/// A link leads from a source to a target. A type that conforms to `Relation` itself relates any
/// number of sources to any number of targets; see ``ToOneRelation`` and ``OneToOneRelation``
/// for less.
///
/// ```swift
/// enum TaggedWith: Relation {}
/// enum WrittenBy: ToOneRelation { static let deleteRule = DeleteRule.deny }
///
/// article.relate(WrittenBy.self, to: author)
/// article.targets(TaggedWith.self).insert(tag)
/// author.sources(WrittenBy.self).count  // 1
/// ```
///
/// Both ends always agree, whichever end a link is made or removed from. Related entities come in
/// the order in which they were linked. When an entity is destroyed its links go with it: what
/// else happens to the sources of a destroyed target, the ``DeleteRule`` says.
public protocol Relation: SendableMetatype {
  /// What happens to the sources when their target is destroyed; `.nullify` unless declared.
  static var deleteRule: DeleteRule { get }
}

extension Relation {
  /// `.nullify`.
  public static var deleteRule: DeleteRule { .nullify }
}

/// A relation in which each source has at most one target.
///
/// A new target takes the place of the one before.
public protocol ToOneRelation: Relation {}

/// A relation in which each source has at most one target, and each target at most one source.
///
/// A new link takes the place of those that both ends had.
public protocol OneToOneRelation: ToOneRelation {}

/// A relation from children to their parents, without cycles.
///
/// See ``ChildOf`` for a ready-made one.
public protocol Hierarchy: ToOneRelation {}

/// The ready-made hierarchy: an entity is a child of another, and is destroyed with it.
public enum ChildOf: Hierarchy {
  /// `.cascade`: children are destroyed with their parent.
  public static var deleteRule: DeleteRule { .cascade }
}

/// What happens to the sources of a relation when their target is destroyed.
public enum DeleteRule: Hashable, Sendable {
  /// The sources lose the link.
  case nullify

  /// The sources are destroyed, too, and whatever they are targets of by this rule.
  case cascade

  /// ``Entity/destroyIfAllowed()`` refuses to destroy the target.
  ///
  /// ``Entity/destroy()`` is unconditional: the sources lose the link then.
  case deny
}

/// An entity was not destroyed because other entities are related to it.
public struct DestructionDenied: Error, Hashable, Sendable {
  /// The entity that has to stay: the one to be destroyed, or one that would go with it.
  public let target: Entity

  /// The entity that is related to it, the first one if there are several.
  public let source: Entity

  /// The name of the relation.
  public let relation: String
}

extension DestructionDenied: CustomStringConvertible {
  /// Which entity has to stay, and because of what.
  public var description: String {
    "\(target) cannot be destroyed, because \(source) is related to it by \(relation): remove that link first."
  }
}

/// An entity was to become a child of itself or of one of its descendants.
public struct HierarchyCycle: Error, Hashable, Sendable {
  /// The entity.
  public let child: Entity

  /// What was to be its parent.
  public let parent: Entity
}

extension HierarchyCycle: CustomStringConvertible {
  /// What was to be whose parent.
  public var description: String {
    "\(parent) cannot be the parent of \(child), because it is the same entity or a descendant of it."
  }
}
