package import ECS

/// The entities whose links have changed, for a log of changes.
///
/// What is written of each source is all its targets, in their order; of a target only which
/// sources are the last ones, and only if that may have changed: many may be linked to it.
package struct ChangedLinks {
  private struct Ends {
    var sources: [Entity] = []
    var knownSources: Set<Entity> = []
    var targets: [Entity] = []

    /// The sources of each target whose positions may have changed; nil if all may.
    var moved: [Entity: Set<Entity>?] = [:]

    mutating func add(source: Entity) {
      if knownSources.insert(source).inserted { sources.append(source) }
    }

    mutating func add(_ sources: [Entity]?, of target: Entity) {
      guard let known = moved[target] else {
        targets.append(target)
        moved[target] = .some(sources.map { Set($0) })
        return
      }
      // Nil is "all", so that it has to stay.
      if let sources, let known {
        moved[target] = .some(known.union(sources))
      } else {
        moved.updateValue(nil, forKey: target)
      }
    }
  }

  private let codecs: [any LinkCodec]
  private let numbers: [ObjectIdentifier: Int]
  private var ends: [Ends]

  /// Whether a link has come, gone or changed.
  private var hasChange = false

  /// Begins without any.
  package init(_ schema: Schema) {
    codecs = schema.links
    var numbers: [ObjectIdentifier: Int] = [:]
    for (number, codec) in schema.links.enumerated() { numbers[codec.typeID] = number }
    self.numbers = numbers
    ends = Array(repeating: Ends(), count: codecs.count)
  }

  /// All links of some entities, which are to have no others.
  package init(of entities: [Entity], _ schema: Schema) {
    self.init(schema)
    for (number, codec) in codecs.enumerated() {
      for entity in entities {
        if codec.targetCount(of: entity) > 0 { ends[number].add(source: entity) }
        if codec.sourceCount(of: entity) > 1 { ends[number].add(nil, of: entity) }
      }
    }
  }

  /// Notes a change; does nothing if the schema does not keep the relation.
  package mutating func note(
    _ relation: Any.Type, _ change: NotedLinkChange, _ source: Entity, _ target: Entity
  ) {
    guard let number = numbers[ObjectIdentifier(relation)] else { return }
    hasChange = true
    switch change {
    case .linked:
      ends[number].add(source: source)
      ends[number].add([source], of: target)
    case .unlinked, .updated, .movedAmongTargets: ends[number].add(source: source)
    case .movedAmongSources: ends[number].add(nil, of: target)
    }
  }

  /// Notes that an entity is another one by its key: all its links may be others, at both ends.
  package mutating func noteAll(of entity: Entity) {
    for (number, codec) in codecs.enumerated() {
      ends[number].add(source: entity)
      for target in codec.targets(of: entity) { ends[number].add([entity], of: target) }
      for source in codec.sources(of: entity) { ends[number].add(source: source) }
      ends[number].add(nil, of: entity)
    }
  }

  /// Reads the links as they are now; called within a section.
  ///
  /// - Parameters:
  ///   - isKept: Whether an entity is kept.
  ///   - isLinkKept: Whether a link is, by its source and its target; it throws if the link must
  ///     not be there.
  /// - Returns: The links.
  /// - Throws: What the closures throw.
  package func present<Failure: Error>(
    _ isKept: (Entity) throws(Failure) -> Bool,
    _ isLinkKept: (Entity, Entity) throws(Failure) -> Bool
  ) throws(Failure) -> PresentLinks {
    var present = PresentLinks()
    for (number, codec) in codecs.enumerated() {
      var relation = PresentLinks.Relation(codec: codec)
      for source in ends[number].sources where source.isAlive {
        let isSourceKept = try isKept(source)
        if isSourceKept { relation.sources.append(source) }
        for target in codec.targets(of: source) where try isLinkKept(source, target) {
          relation.links.append((source, target, codec.value(of: source, to: target)))
        }
      }
      for target in ends[number].targets where target.isAlive {
        guard try isKept(target), let moved = ends[number].moved[target] else { continue }
        var last: [Entity] = []
        for source in codec.lastSources(of: target, with: moved)
        where try isLinkKept(source, target) {
          last.append(source)
        }
        if !last.isEmpty { relation.ends.append((target, last)) }
      }
      if !relation.sources.isEmpty || !relation.ends.isEmpty { present.relations.append(relation) }
    }
    // Without a change, those that have another key now had no links under the one before.
    let isEmpty = present.relations.allSatisfy { $0.links.isEmpty && $0.ends.isEmpty }
    return isEmpty && !hasChange ? PresentLinks() : present
  }
}

/// Links as they are, to be written to a log of changes.
package struct PresentLinks {
  struct Relation {
    let codec: any LinkCodec

    /// Those whose targets are these, and no others.
    var sources: [Entity] = []
    var links: [FrozenLinks.Link] = []

    /// Targets, and the sources that are their last ones.
    var ends: [(target: Entity, sources: [Entity])] = []
  }

  var relations: [Relation] = []

  /// Makes a value without any.
  package init() {}

  /// Whether there is nothing to be written.
  package var isEmpty: Bool { relations.isEmpty }
}

extension LinkCodec {
  /// The last sources of a target, from the first of some that are among them; all if there are no
  /// such.
  fileprivate func lastSources(of target: Entity, with some: Set<Entity>?) -> [Entity] {
    guard let some else { return sources(of: target) }
    let wanted = some.filter { isLinked($0, to: target) }
    if wanted.isEmpty { return [] }
    // Usually they are the last ones.
    var count = wanted.count
    while true {
      let last = lastSources(count, of: target)
      if last.count < count || wanted.isSubset(of: last) {
        return Array(last.drop { !wanted.contains($0) })
      }
      count *= 2
    }
  }
}
