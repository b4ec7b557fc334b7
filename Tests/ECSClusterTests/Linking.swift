import ECS
import ECSCluster
import ECSRecipes
import ECSSnapshots

/// A key of which the tenant alone says where it is.
struct NodeKey: PartitionKey, Comparable, CustomStringConvertible {
  var tenant: Int
  var id: Int

  func combine(into hasher: inout PartitionHasher) { hasher.combine(UInt64(tenant)) }
  static func < (one: NodeKey, other: NodeKey) -> Bool {
    (one.tenant, one.id) < (other.tenant, other.id)
  }
  var description: String { "\(tenant)/\(id)" }
}

/// What is linked.
struct Node: Component, Equatable {
  var tenant: Int
  var id: Int
  var note = 0

  init(_ key: NodeKey, note: Int = 0) { (tenant, id, self.note) = (key.tenant, key.id, note) }
  var key: NodeKey { NodeKey(tenant: tenant, id: id) }
}

/// The value of a link.
struct Strength: Component, Equatable {
  var number: Int
}

enum Follows: Relation { typealias Value = Strength }
enum MemberOf: ToOneRelation { typealias Value = Strength }
enum TwinOf: OneToOneRelation { static let deleteRule = DeleteRule.deny }
enum PartOf: Hierarchy { static let deleteRule = DeleteRule.cascade }

/// An event: does something to a node, mostly with another one.
struct Wire: Component, Equatable {
  enum Action: Int, CaseIterable {
    case touch, follow, unfollow, unfollowAll, join, leave, pair, unpair, attach, detach, toFront
    case toEnd, reverse, destroy, renew, rename, reachOut, failLate
  }

  var tenant: Int
  var id: Int
  var action: Int
  var other = 0
  var number = 0

  init(_ key: NodeKey, _ action: Action, _ other: Int = 0, _ number: Int = 0) {
    (tenant, id, self.action) = (key.tenant, key.id, action.rawValue)
    (self.other, self.number) = (other, number)
  }

  var key: NodeKey { NodeKey(tenant: tenant, id: id) }
  var otherKey: NodeKey { NodeKey(tenant: tenant, id: other) }
  var kind: Action { Action(rawValue: action) ?? .touch }
}

func linkingSchema(withLinks: Bool = true) throws(SchemaError) -> Schema {
  try Schema("linking") {
    Stored(of: Wire(NodeKey(tenant: 0, id: 0), .touch), as: "wire") {
      Field(\.tenant, at: "tenant")
      Field(\.id, at: "id")
      Field(\.action, at: "action")
      Field(\.other, at: "other")
      Field(\.number, at: "number")
    }
    Stored(of: Node(NodeKey(tenant: 0, id: 0)), as: "node") {
      Field(\.tenant, at: "tenant")
      Field(\.id, at: "id")
      Field(\.note, at: "note")
    }
    Stored(of: Mark(number: 0), as: "mark") { Field(\.number, at: "number") }
    if withLinks {
      Links(
        Follows.self, as: "follows",
        values: Stored(of: Strength(number: 0), as: "strength") { Field(\.number, at: "number") })
      Links(
        MemberOf.self, as: "memberOf",
        values: Stored(of: Strength(number: 0), as: "rank") { Field(\.number, at: "number") })
      Links(TwinOf.self, as: "twinOf")
      Links(PartOf.self, as: "partOf")
    }
  }
}

typealias LinkingCluster = Cluster<Wire, NodeKey>

func linkingCluster(
  _ broker: any Broker, _ time: ClusterTime, partitions: Int = 4, withLinks: Bool = true,
  _ change: (inout ClusterOptions) -> Void = { _ in }
) throws -> LinkingCluster {
  var options = ClusterOptions()
  options.partitions = partitions
  change(&options)
  return try LinkingCluster(
    "linking", by: { $0.key }, schema: try linkingSchema(withLinks: withLinks), broker: broker,
    options: options, time: time)
}

/// A context with nodes, and what applies events to them.
final class WireDesk: Sendable {
  let context = Context()
  let nodes: PrimaryIndex<Node, NodeKey>
  let worker: Worker<Wire, Node, NodeKey>
  let log = EventList()
  private let observation: ClusterObservation

  init(_ cluster: LinkingCluster, loop: (@Sendable (Context) -> Loop)? = nil) {
    let context = context
    let index = context.primaryIndex { (node: Node) in node.key }
    nodes = index
    var makeLoop: (@Sendable () -> Loop)?
    if let loop { makeLoop = { @Sendable in loop(context) } }
    worker = cluster.makeWorker(
      in: context, by: index, creating: { Node($0) }, loop: makeLoop,
      applying: { event, entity in try WireDesk.apply(event.value, entity, index) })
    observation = worker.observe { [log] in log.add($0) }
  }

  private static func apply(
    _ wire: Wire, _ entity: Entity, _ index: PrimaryIndex<Node, NodeKey>
  ) throws {
    func other() -> Entity { index[wire.otherKey] ?? index.getOrCreate(Node(wire.otherKey)) }
    let strength = Strength(number: wire.number)
    switch wire.kind {
    case .touch:
      entity.update(Node.self) { $0.note += wire.number }
      if wire.number % 3 == 0 { entity.remove(Mark.self) } else { entity.set(Mark(number: 1)) }
    case .follow: entity.relate(Follows.self, to: other(), strength)
    case .unfollow: entity.unrelate(Follows.self, from: other())
    case .unfollowAll: entity.unrelate(Follows.self)
    case .join: entity.relate(MemberOf.self, to: other(), strength)
    case .leave: entity.unrelate(MemberOf.self)
    case .pair: entity.relate(TwinOf.self, to: other())
    case .unpair: entity.unrelate(TwinOf.self)
    case .attach: try entity.setParent(other(), in: PartOf.self)
    case .detach: entity.unrelate(PartOf.self)
    case .toFront: entity.targets(Follows.self).move(other(), to: 0)
    case .toEnd: entity.sources(Follows.self).move(other(), before: nil)
    case .reverse: entity.sources(Follows.self).reverse()
    case .destroy: entity.destroy()
    case .renew:
      let context = entity.context
      entity.destroy()
      _ = context?.createEntity(with: Node(wire.key, note: wire.number))
    case .rename:
      guard index[wire.otherKey] == nil else { throw Refused() }
      let note = entity.get(Node.self)?.note ?? 0
      entity.remove(Node.self)
      entity.set(Node(wire.otherKey, note: note))
    case .reachOut:
      guard let far = index[NodeKey(tenant: wire.number, id: wire.other)] else { throw Refused() }
      entity.relate(TwinOf.self, to: far)
    case .failLate:
      entity.relate(Follows.self, to: other(), strength)
      other().destroy()
      throw Refused()
    }
  }
}

/// Sentences about all nodes, with their links at both ends, in the order of their keys.
func nodesOf(_ context: Context) -> [String] {
  func key(_ entity: Entity) -> String {
    entity.get(Node.self).map { "\($0.id)" } ?? "?"
  }
  func links<R: Relation>(_ relation: R.Type, _ entity: Entity) -> String {
    let targets = entity.targets(relation).map { target in
      let value = entity.anyValue(of: relation, to: target) as? Strength
      return key(target) + (value.map { "=\($0.number)" } ?? "")
    }
    let sources = entity.sources(relation).map(key)
    return " [\(targets.joined(separator: " ")) < \(sources.joined(separator: " "))]"
  }
  return context.perform {
    let nodes = context.group(Node.matcher).compactMap { entity in
      entity.get(Node.self).map { (node: $0, entity: entity) }
    }
    return nodes.sorted { $0.node.key < $1.node.key }.map { node, entity in
      "\(node.key): \(node.note)\(entity.has(Mark.self) ? "!" : "")"
        + links(Follows.self, entity) + links(MemberOf.self, entity)
        + links(TwinOf.self, entity) + links(PartOf.self, entity)
    }
  }
}
