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
/// A link may have a value, of a type that is a ``Component``, such as the role of a member in a
/// team: what belongs to neither of both ends alone.
///
/// ```swift
/// struct Membership: Component { var role: Role }
/// enum MemberOf: Relation { typealias Value = Membership }
///
/// ada.relate(MemberOf.self, to: team, Membership(role: .admin))
/// ada.value(of: MemberOf.self, to: team)?.role  // admin
/// ```
///
/// Both ends always agree, whichever end a link is made or removed from. Related entities come in
/// the order in which they were linked, or in one of your own, which each end has for itself: see
/// ``RelatedEntities/move(_:before:)``. An entity's links are removed when it is destroyed; the
/// ``DeleteRule`` says what else happens to the sources of a destroyed target.
public protocol Relation: SendableMetatype {
  /// The type of the values that links have; they have none unless it is declared.
  ///
  /// It is a ``Component``, of which each link of the relation has one value. What the type
  /// requires of entities, or whether it is unique among them, does not matter for links.
  associatedtype Value: Sendable = NoValue

  /// What happens to the sources when their target is destroyed; `.nullify` unless declared.
  static var deleteRule: DeleteRule { get }

  /// What links the copy of a source gets; `.keep` unless declared.
  static var copyRule: CopyRule { get }
}

extension Relation {
  /// `.nullify`.
  public static var deleteRule: DeleteRule { .nullify }

  /// The type of the values of links; nil if they have none.
  package static var valueIdentifier: CID? {
    if Value.self == NoValue.self { return nil }
    guard let type = Value.self as? any Component.Type else {
      stop("\(Value.self), of which links of \(self) have values, is no Component: make it one.")
    }
    return type.cid
  }

  /// `.keep`.
  public static var copyRule: CopyRule { .keep }
}
