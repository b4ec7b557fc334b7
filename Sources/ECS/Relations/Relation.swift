/// A kind of link between entities of one context, declared as a type.
///
/// A link leads from a source to a target. A type that conforms to `Relation` itself relates any
/// number of sources to any number of targets; see ``ToOneRelation`` and ``OneToOneRelation``
/// for fewer.
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
/// the order in which they were linked, or in one of your own, which each end has for itself: see
/// ``RelatedEntities/move(_:before:)``. An entity's links are removed when it is destroyed; the
/// ``DeleteRule`` says what else happens to the sources of a destroyed target.
public protocol Relation: SendableMetatype {
  /// What happens to the sources when their target is destroyed; `.nullify` unless declared.
  static var deleteRule: DeleteRule { get }

  /// What links the copy of a source gets; `.keep` unless declared.
  static var copyRule: CopyRule { get }
}

extension Relation {
  /// `.nullify`.
  public static var deleteRule: DeleteRule { .nullify }

  /// `.keep`.
  public static var copyRule: CopyRule { .keep }
}
