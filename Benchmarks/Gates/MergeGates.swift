import ECS
import ECSRecipes
import ECSSnapshots

extension Gate {
  /// What merging takes for each entity of a snapshot whose keys no entity has, with two
  /// components.
  static var merges: [Gate] {
    [
      Gate(
        name: "merge an entity with a new key", unit: "instructions", allowed: 0...510,
        count: { countMerges(.together) }, countBroken: { countMerges(.singly) })
    ]
  }

  /// How keys come into the index.
  enum MergeWay: String {
    case together

    /// In a transaction, which notes where each key was.
    case singly
  }

  private static let mergedCount = 10_000

  private static func countMerges(_ way: MergeWay) -> Count {
    counting { valgrind in
      valgrind.instructionsOfRound(["--count-merges", way.rawValue, ""]).map { $0 / mergedCount }
    }
  }

  /// What runs below valgrind: a new context gets the entities of a snapshot.
  static func runMerges(_ way: MergeWay, rounds: Int) throws {
    let schema = try Schema("gates") {
      Stored(of: Customer(id: 0), as: "customer") {
        Field(\.id, at: "id")
        Field(\.cents, at: "cents")
      }
      Stored(of: Visits(), as: "visits") { Field(\.count, at: "count") }
    }
    let source = Context()
    for id in 0..<mergedCount { source.createEntity(with: Customer(id: 2 * id), Visits()) }
    let snapshot = try Snapshot(of: Array(source.entities()), schema)
    for _ in 0..<rounds {
      let context = Context()
      let customers = context.primaryIndex { (customer: Customer) in customer.id }
      switch way {
      case .together: try snapshot.replace(in: context, schema, by: customers)
      case .singly:
        try context.transaction { _ = try snapshot.replace(in: context, schema, by: customers) }
      }
    }
  }
}

private struct Customer: Component {
  var id: Int
  var cents = 0
}

private struct Visits: Component { var count = 0 }
