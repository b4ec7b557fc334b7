/// All entities of a context that match a ``Matcher`` at any moment.
///
/// ```swift
/// let moving = context.group(Matcher(all: [Position.cid, Velocity.cid]))
/// for entity in moving where entity.get(Position.self)?.x ?? 0 > 100 { entity.destroy() }
/// ```
///
/// A group is always exact, and costs nothing to keep so: membership is decided once for each
/// combination of component types, not for each entity. Equal matchers give the same group.
///
/// Iterating over a group visits a snapshot of it: any change is allowed in the meantime and takes
/// effect at once; entities that die are skipped, and new ones are not visited. For speed, iterate
/// with closures over values or with chunks over spans: see <doc:Iteration>.
public final class Group: Sendable {
  /// Which entities belong to the group.
  public let matcher: Matcher

  @usableFromInline
  let core: Core

  @usableFromInline
  let tables: TableSet

  let sortedCache = SortedCache()

  init(core: Core, matcher: Matcher, tables: TableSet) {
    self.core = core
    self.matcher = matcher
    self.tables = tables
  }

  /// The number of entities.
  ///
  /// - Complexity: O(*t*), where *t* is the number of combinations of component types that match.
  public var count: Int {
    core.read { tables.count }
  }

  /// Whether no entity matches.
  ///
  /// - Complexity: O(*t*), where *t* is the number of combinations of component types that match.
  public var isEmpty: Bool {
    core.read { tables.isEmpty }
  }

  /// Some entity of the group, always the same while nothing changes; nil if it is empty.
  ///
  /// The first one that iteration visits, which need not be the oldest: see ``sorted()``.
  public var first: Entity? {
    core.read {
      core.first(of: tables).map { Entity(core: core, handle: $0) }
    }
  }

  /// Whether an entity is alive and belongs to the group.
  ///
  /// - Complexity: O(1).
  public func contains(_ entity: Entity) -> Bool {
    guard entity.core == core else { return false }
    return core.read { core.isMember(entity.handle, of: tables) }
  }
}

extension Group: Hashable {
  /// Whether both are the same group.
  public static func == (left: Group, right: Group) -> Bool { left === right }

  /// Hashes the identity of the group.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Group: CustomStringConvertible {
  /// The matcher and the number of entities.
  public var description: String { "Group \(matcher) (\(count) entities)" }
}

extension Group: Sequence {
  /// Visits the entities that were in a group when the iteration began and are still alive.
  public struct Iterator: IteratorProtocol, Sendable {
    @usableFromInline let entities: ContiguousArray<Entity>
    @usableFromInline var position = 0

    init(_ entities: ContiguousArray<Entity>) {
      self.entities = entities
    }

    /// The next entity that is still alive.
    @inlinable
    public mutating func next() -> Entity? {
      while position < entities.count {
        let entity = entities[position]
        position += 1
        if entity.core.knowsAlive(entity.handle) || entity.isAlive { return entity }
      }
      return nil
    }
  }

  /// Takes a snapshot of the group and visits its entities.
  ///
  /// - Complexity: O(*n*), where *n* is the number of entities.
  public func makeIterator() -> Iterator { Iterator(snapshot()) }

  /// A number that is at most the number of entities.
  public var underestimatedCount: Int { 0 }

  func snapshot() -> ContiguousArray<Entity> {
    let turn = core.pointer.pointee.lock.beginLongRead { tables.count }
    defer { core.pointer.pointee.lock.endLongRead(turn) }
    var entities = ContiguousArray<Entity>()
    entities.reserveCapacity(tables.count)
    core.forEach(in: tables) { entities.append(Entity(core: core, handle: $0)) }
    return entities
  }
}
