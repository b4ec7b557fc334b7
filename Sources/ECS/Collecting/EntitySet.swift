import Synchronization

/// An ordered collection of unique entities with fast membership tests, as collectors, indexes and
/// contexts return it.
///
/// It is a snapshot: it does not change when entities do. `Array(_:)` and `Set(_:)` convert it.
public struct EntitySet: Sendable {
  @usableFromInline
  let elements: Elements

  @usableFromInline
  enum Elements: Sendable {
    case array(ContiguousArray<Entity>)
    case drained(DrainedEntities)
  }

  // PERFORMANCE: X2: the count alone needs nothing else.
  /// The number of entities.
  public let count: Int

  /// Where the entities of a large set are; nil for small ones, which are searched.
  @usableFromInline
  let lookup: Lookup?

  /// Made with a set, filled when it is first asked.
  @usableFromInline
  final class Lookup: Sendable {
    private let positions = AtomicLazyReference<Positions>()

    /// How often positions were made.
    ///
    /// The thread sanitizer doesn't see into the library what orders the reference; it sees this.
    private let made = Atomic<Int>(0)

    @usableFromInline
    init() {}

    func position(of entity: Entity, in entities: EntitySet) -> Int? {
      kept(of: entities)[entity]
    }

    private func kept(of entities: EntitySet) -> Positions {
      if let kept = positions.load() {
        _ = made.load(ordering: .acquiring)
        return kept
      }
      let new = Positions(entities)
      made.add(1, ordering: .acquiringAndReleasing)
      let kept = positions.storeIfNil(new)
      _ = made.load(ordering: .acquiring)
      return kept
    }
  }

  private final class Positions: Sendable {
    private let positions: [Entity: Int]

    init(_ entities: EntitySet) {
      var positions: [Entity: Int] = [:]
      positions.reserveCapacity(entities.count)
      for (position, entity) in entities.enumerated() { positions[entity] = position }
      self.positions = positions
    }

    subscript(entity: Entity) -> Int? { positions[entity] }
  }

  // PERFORMANCE: X2: an index makes a set for each look-up. To look through so many takes no longer
  // than to hash one.
  @usableFromInline static var smallCount: Int { 128 }

  /// Makes an empty set.
  public init() {
    self.init(unique: [])
  }

  /// Makes a set of entities in the given order; later occurrences of the same entity are dropped.
  ///
  /// - Complexity: O(*n*) on average, where *n* is the number of entities.
  public init(_ entities: some Sequence<Entity>) {
    var seen = Set<Entity>()
    self.init(unique: ContiguousArray(entities.lazy.filter { seen.insert($0).inserted }))
  }

  /// Makes a set of entities that are known to be different.
  @inlinable
  @inline(__always)
  init(unique entities: ContiguousArray<Entity>) {
    count = entities.count
    elements = .array(entities)
    lookup = entities.count > EntitySet.smallCount ? EntitySet.makeLookup() : nil
  }

  @usableFromInline
  @inline(never)
  static func makeLookup() -> Lookup { Lookup() }

  init(_ drained: (entities: DrainedEntities, count: Int)) {
    count = drained.count
    elements = drained.count == 0 ? .array([]) : .drained(drained.entities)
    lookup = drained.count > EntitySet.smallCount ? Lookup() : nil
  }

  /// Whether an entity is in the set.
  ///
  /// - Complexity: O(1) on average; the first test of a large set takes O(*n*).
  public func contains(_ entity: Entity) -> Bool {
    firstIndex(of: entity) != nil
  }

  /// The position of an entity; nil if it is not in the set.
  ///
  /// - Complexity: Same as ``contains(_:)``.
  public func firstIndex(of entity: Entity) -> Int? {
    if let lookup { return lookup.position(of: entity, in: self) }
    return switch elements {
    case .array(let entities): entities.firstIndex(of: entity)
    case .drained(let entities): entities.firstIndex(of: entity, in: count)
    }
  }
}

extension EntitySet: RandomAccessCollection {
  /// 0.
  @inlinable
  public var startIndex: Int { 0 }

  /// The number of entities.
  @inlinable
  public var endIndex: Int { count }

  /// The entity at a position.
  @inlinable
  public subscript(position: Int) -> Entity {
    switch elements {
    case .array(let entities): entities[position]
    case .drained(let entities): entities[position, of: count]
    }
  }
}

extension EntitySet: Hashable {
  /// Whether both have the same entities in the same order.
  public static func == (left: EntitySet, right: EntitySet) -> Bool {
    left.elementsEqual(right)
  }

  /// Hashes the entities in order.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for entity in self { hasher.combine(entity) }
  }
}

extension EntitySet: ExpressibleByArrayLiteral {
  /// Makes a set of entities in the given order.
  public init(arrayLiteral elements: Entity...) { self.init(elements) }
}

extension EntitySet: CustomStringConvertible {
  /// The descriptions of the entities.
  public var description: String { Array(self).description }
}

extension EntitySet {
  init(_ handles: some Collection<Handle>, of core: Core) {
    var entities = ContiguousArray<Entity>()
    entities.reserveCapacity(handles.count)
    for handle in handles { entities.append(Entity(core: core, handle: handle)) }
    self.init(unique: entities)
  }
}
