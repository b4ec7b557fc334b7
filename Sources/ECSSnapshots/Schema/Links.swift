public import ECS

/// A relation whose links snapshots keep.
///
/// ```swift
/// Links(WrittenBy.self, as: "writtenBy")
/// ```
///
/// Links between entities of the snapshot are kept, with the orders of targets and of sources. If
/// links of the relation have values, the schema says how these are kept:
///
/// ```swift
/// Links(
///   MemberOf.self, as: "memberOf",
///   values: Stored(of: Membership(role: .guest), as: "membership") { Field(\.role, at: "role") })
/// ```
///
/// Programs from before links had values refuse files with some, and text, as of a later format.
public struct Links<R: Relation>: Sendable {
  let name: String
  let formerNames: [String]

  /// What keeps the values; nil if links have none.
  let storedValues: (any ComponentPart)?
  var values: (any ComponentCodec)?

  /// The value of links in files from before links had values; nil if such files are refused.
  let defaultValue: (any Component)?

  /// Keeps the links of a relation.
  ///
  /// - Parameters:
  ///   - relation: The relation.
  ///   - name: What it is called in snapshots.
  ///   - formerNames: What it was called before.
  /// - Precondition: Links of the relation have no values.
  public init(_ relation: R.Type, as name: String, formerly formerNames: String...) {
    require(
      relation.valueIdentifier == nil,
      "The schema keeps \(relation) without the values that its links have: say how they are kept, by \"values\"."
    )
    (self.name, self.formerNames) = (name, formerNames)
    (storedValues, defaultValue) = (nil, nil)
  }

  /// Keeps the links of a relation with their values.
  ///
  /// - Parameters:
  ///   - relation: The relation.
  ///   - name: What it is called in snapshots.
  ///   - formerNames: What it was called before.
  ///   - values: How values are kept. Its name is another one than those of all components and
  ///     relations of the schema.
  ///   - value: The value of links in files that were written when links of the relation had no
  ///     values. If it is nil, such files are refused, unless they have no links of it.
  public init(
    _ relation: R.Type, as name: String, formerly formerNames: String..., values: Stored<R.Value>,
    default value: R.Value? = nil
  ) where R.Value: Component {
    (self.name, self.formerNames) = (name, formerNames)
    (storedValues, defaultValue) = (values, value)
  }

  /// Keeps the links of a relation of a recipe, with values if they have some.
  init(
    ofRecipe relation: R.Type, values: (any ComponentPart)?, default value: (any Component)?
  ) {
    (name, formerNames) = ("\(relation)", [])
    (storedValues, defaultValue) = (values, value)
  }
}

/// The links of a relation, and those whose sources are to become the last ones then, in turn.
typealias CapturedLinks = (
  links: [FrozenLinks.Link], moves: [(source: Entity, target: Entity)]
)

/// A relation of a schema, whatever its type.
protocol LinkCodec: Sendable {
  var name: String { get }
  var formerNames: [String] { get }
  var typeID: ObjectIdentifier { get }
  var relation: any Relation.Type { get }

  /// What writes and reads the values; nil if links have none.
  var values: (any ComponentCodec)? { get }
  var defaultValue: (any Component)? { get }

  /// The same with what writes and reads its values.
  func withValues(in schema: String) throws(SchemaError) -> any LinkCodec

  func freeze(_ context: Context) -> FrozenLinks

  /// Throws if links can't be made, one after the other, so that all are there in the end.
  ///
  /// The closure returns the offset of an entity, for the error.
  func check(
    _ links: [(source: Int, target: Int)], _ count: Int, _ offset: (Int) -> Int?
  ) throws(SnapshotError)

  /// Throws if links that replace those of entities that are there already would be a cycle.
  func checkCycles(
    _ links: [(source: Int, target: Int)], _ found: FoundEntities) throws(SnapshotError)

  func targets(of source: Entity) -> [Entity]
  func sources(of target: Entity) -> [Entity]

  /// The last sources, at most so many.
  func lastSources(_ count: Int, of target: Entity) -> [Entity]
  func targetCount(of source: Entity) -> Int
  func sourceCount(of target: Entity) -> Int
  func isLinked(_ source: Entity, to target: Entity) -> Bool

  /// Whether a link would make an entity its own ancestor.
  func wouldCycle(_ source: Entity, to target: Entity) -> Bool
  func link(_ source: Entity, to target: Entity, _ value: (any Component)?)

  /// The value of a link; nil if there is none.
  func value(of source: Entity, to target: Entity) -> (any Component)?

  /// Lets a source become the last one of its target.
  func moveToEnd(_ source: Entity, ofSourcesOf target: Entity)

  /// Lets a target become the last one of its source.
  func moveToEnd(_ target: Entity, ofTargetsOf source: Entity)
  func unlink(_ source: Entity, from target: Entity)
  func unlinkTargets(of source: Entity)
  func unlinkSources(of target: Entity)

  /// Removes the source of an entity if another one replaces it and links may not be a cycle
  /// meanwhile.
  func unlinkSource(of target: Entity)
}

extension Links: LinkCodec {
  var typeID: ObjectIdentifier { ObjectIdentifier(R.self) }
  var relation: any Relation.Type { R.self }

  func withValues(in schema: String) throws(SchemaError) -> any LinkCodec {
    guard let storedValues else { return self }
    var links = self
    links.values = try storedValues.codec(in: schema)
    return links
  }

  func freeze(_ context: Context) -> FrozenLinks { context.frozenLinks(R.self) }

  func check(
    _ links: [(source: Int, target: Int)], _ count: Int, _ offset: (Int) -> Int?
  ) throws(SnapshotError) {
    func fail(_ source: Int, _ why: String) throws(SnapshotError) {
      throw SnapshotError(.badLinks(why), name: name, offset: offset(source))
    }
    guard R.self is any ToOneRelation.Type else { return }
    var targets = [Int](repeating: -1, count: count)
    for (source, target) in links {
      if targets[source] >= 0 { try fail(source, "entity \(source) has two targets") }
      targets[source] = target
    }
    if R.self is any OneToOneRelation.Type {
      var hasSource = [Bool](repeating: false, count: count)
      for (source, target) in links {
        if hasSource[target] { try fail(source, "entity \(target) has two sources") }
        hasSource[target] = true
      }
    }
    guard R.self is any Hierarchy.Type else { return }
    // 0: not seen; 1: on the way up from where it began; 2: leads to a root.
    var states = [UInt8](repeating: 0, count: count)
    for (source, _) in links where states[source] == 0 {
      var (way, next): ([Int], Int) = ([], source)
      while next >= 0, states[next] == 0 {
        states[next] = 1
        way.append(next)
        next = targets[next]
      }
      if next >= 0, states[next] == 1 { try fail(next, "entity \(next) is its own ancestor") }
      for entity in way { states[entity] = 2 }
    }
  }

  func checkCycles(
    _ links: [(source: Int, target: Int)], _ found: FoundEntities
  ) throws(SnapshotError) {
    guard R.self is any Hierarchy.Type else { return }
    func node(_ position: Int) -> Node {
      found.entities[position].map(Node.found) ?? .missing(position)
    }
    var parents: [Node: Node] = [:]
    // A parent that gets another child and can only have one loses that which it has.
    var withNewChild: Set<Node> = []
    for (source, target) in links {
      parents[node(source)] = node(target)
      if R.self is any OneToOneRelation.Type { withNewChild.insert(node(target)) }
    }
    func parent(_ child: Node) -> Node? {
      if let parent = parents[child] { return parent }
      guard case .found(let entity) = child, let parent = targets(of: entity).first,
        !withNewChild.contains(.found(parent))
      else { return nil }
      return .found(parent)
    }
    // False: on the way up from where it began; true: leads to a root.
    var states: [Node: Bool] = [:]
    for (source, _) in links where states[node(source)] == nil {
      var (way, next): ([Node], Node?) = ([], node(source))
      while let child = next, states[child] == nil {
        states[child] = false
        way.append(child)
        next = parent(child)
      }
      if let next, states[next] == false {
        throw SnapshotError(.badLinks("entity \(source) would be below itself"), name: name)
      }
      for child in way { states[child] = true }
    }
  }

  func targets(of source: Entity) -> [Entity] { Array(source.targets(R.self)) }
  func sources(of target: Entity) -> [Entity] { Array(target.sources(R.self)) }

  func lastSources(_ count: Int, of target: Entity) -> [Entity] {
    target.sources(R.self).last(count)
  }

  func targetCount(of source: Entity) -> Int { source.targets(R.self).count }
  func sourceCount(of target: Entity) -> Int { target.sources(R.self).count }

  func isLinked(_ source: Entity, to target: Entity) -> Bool {
    source.isRelated(R.self, to: target)
  }

  func wouldCycle(_ source: Entity, to target: Entity) -> Bool {
    guard let hierarchy = R.self as? any Hierarchy.Type else { return false }
    return source.wouldCycle(below: target, in: hierarchy)
  }

  func link(_ source: Entity, to target: Entity, _ value: (any Component)?) {
    source.relate(R.self, to: target, anyValue: value)
  }

  func value(of source: Entity, to target: Entity) -> (any Component)? {
    source.anyValue(of: R.self, to: target)
  }

  func moveToEnd(_ source: Entity, ofSourcesOf target: Entity) {
    target.sources(R.self).move(source, before: nil)
  }

  func moveToEnd(_ target: Entity, ofTargetsOf source: Entity) {
    source.targets(R.self).move(target, before: nil)
  }

  func unlink(_ source: Entity, from target: Entity) { source.unrelate(R.self, from: target) }
  func unlinkTargets(of source: Entity) { source.unrelate(R.self) }
  func unlinkSources(of target: Entity) { target.sources(R.self).removeAll() }

  func unlinkSource(of target: Entity) {
    guard R.self is any OneToOneRelation.Type, R.self is any Hierarchy.Type else { return }
    for source in Array(target.sources(R.self)) { source.unrelate(R.self) }
  }
}

/// An entity of a snapshot that is merged: in the context, or by its position.
private enum Node: Hashable {
  case found(Entity)
  case missing(Int)
}
