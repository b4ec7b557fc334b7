import ECS

struct Position: Component {
  var x: Float
  var y: Float
}

struct Health: Component {
  var v: Int32
}

struct Name: Component {
  var key: Int
}

struct Config: UniqueComponent {
  var b: Int
}

/// A component whose value may own memory.
struct Inventory: Component {
  var items: [Entity]
}

/// Another one.
struct Sharing: Component {
  var items: [Entity]
}

/// A component that is memory of its own.
final class Bag: Component {}

/// A context with all kinds of observation: a thousand entities, groups, collectors and an index.
final class GateWorld {
  let context = Context()
  let group: Group
  let updated: Collector
  let added: Collector
  let removed: Collector
  let index: Index<Int>
  private(set) var entities: [Entity]
  var drained: [Entity] = []
  var subscriptions: [Subscription] = []

  /// Memory that components may own together.
  let shared: [Entity]

  static let count = 1000

  init() {
    group = context.group(Position.matcher)
    updated = Collector(group: group, type: .updated)
    let withHealth = context.all([Position.cid, Health.cid])
    added = Collector(group: withHealth, type: .added)
    removed = Collector(group: withHealth, type: .removed)
    index = context.index { (name: Name) in name.key }
    context.setUniqueComponent(Config(b: 1))
    shared = [context.createEntity()]
    entities = []
    entities = (0..<GateWorld.count).map { i in
      let entity = context.createEntity(with: Position(x: 0, y: 0), Inventory(items: []))
      // Some keys are taken by entities that stay where they are.
      context.createEntity(with: Name(key: i % 3))
      return entity
    }
  }

  /// Calls an operation with each entity and does away with its result.
  @inline(never)
  func each<Result>(_ operation: (Entity) -> Result) {
    for entity in entities { _ = operation(entity) }
  }

  /// Does away with a result, which has to be there for it.
  @inline(never)
  func discard<Result>(_ result: Result) {
    withExtendedLifetime(result) {}
  }

  /// Puts other entities into the places of the present ones.
  func refill(_ make: (Entity) -> Entity) {
    for place in entities.indices { entities[place] = make(entities[place]) }
  }

  func refill(_ make: () -> Entity) {
    for place in entities.indices { entities[place] = make() }
  }
}
