public import ECS
public import ECSRecipes

/// An ordered list of entities, each once: those that an entity, its owner, is related to as
/// ``ListMember``.
///
/// ```swift
/// let list = EntityList(in: context)
/// try await list.fetch(posts, with: remote)
/// let token = list.members.observe { members in show(members) }
/// ```
///
/// It is a handle, not a copy. Members that are destroyed are gone from it; ``members`` is what to
/// observe and to make live views of; and the owner has the ``RemoteState`` of the list's requests.
///
/// Positions count from 0. Each edit is one section, and observers run once, if anything changed.
/// An edit that can't be made, because there is no such position, or the owner or the entity is
/// dead or of another context, returns false and changes nothing.
public struct EntityList: Sendable, Hashable {
  /// The entity that stands for the list.
  public let owner: Entity

  /// The list that an entity stands for.
  public init(_ owner: Entity) { self.owner = owner }

  /// Makes an empty list, with an entity of its own.
  public init(in context: Context) { owner = context.createEntity() }

  // MARK: Reading

  /// The members, to observe and to make live views of.
  public var members: RelatedEntities<ListMember> { owner.targets(ListMember.self) }

  /// The number of members.
  ///
  /// - Complexity: O(1).
  public var count: Int { members.count }

  /// Whether there are none.
  ///
  /// - Complexity: O(1).
  public var isEmpty: Bool { members.isEmpty }

  /// A snapshot of the members, in their order.
  ///
  /// - Complexity: O(*n*), where *n* is the number of members.
  public func entities() -> EntitySet { members.entities() }

  /// The member at a position; nil if there is none.
  ///
  /// - Complexity: O(*n*), where *n* is the number of members: to visit them all, iterate.
  public func member(at position: Int) -> Entity? {
    let entities = entities()
    return entities.indices.contains(position) ? entities[position] : nil
  }

  /// The members in a range of positions; nil if it goes beyond the end.
  ///
  /// - Complexity: O(*n*), where *n* is the number of members.
  public func members(in range: Range<Int>) -> [Entity]? {
    let entities = entities()
    guard range.lowerBound >= 0, range.upperBound <= entities.count else { return nil }
    return Array(entities[range])
  }

  /// The position of a member; nil if it is none.
  ///
  /// - Complexity: O(*n*), where *n* is the number of members.
  public func position(of entity: Entity) -> Int? { entities().firstIndex(of: entity) }

  /// The member with a key; nil if there is none.
  ///
  /// - Parameters:
  ///   - key: The key, as the recipe writes it.
  ///   - recipe: The recipe, whose identity the key is.
  ///   - mapper: A mapper of the context.
  /// - Returns: The member.
  /// - Complexity: O(*n*), where *n* is the number of members.
  public func member(key: JSONValue, of recipe: Recipe, _ mapper: Mapper) -> Entity? {
    guard let field = recipe.key else { return nil }
    let fields: [AnyKeyPath]? = field.keyPath.map { [$0] }
    return entities().first { entity in
      guard entity.has(field.component) else { return false }
      let data = try? mapper.decompose(entity, with: recipe, only: fields)
      return data?[field.path] == key
    }
  }
}

extension EntityList: Sequence {
  /// Visits a snapshot of the members.
  public func makeIterator() -> Group.Iterator { members.makeIterator() }

  /// A number that is at most the number of members.
  public var underestimatedCount: Int { 0 }
}
