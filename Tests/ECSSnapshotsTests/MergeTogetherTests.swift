import ECS
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Testing

/// A key of which many have the same hash.
private struct Number: Hashable, Sendable {
  let value: Int
  func hash(into hasher: inout Hasher) { hasher.combine(value % 7) }
}

private struct Customer: Component, Equatable {
  var id: Int
  var cents = 0
}

private struct Visits: Component, Equatable { var count = 0 }
private struct Nickname: Component, Equatable { var text = "" }

private func makeSchema() throws -> Schema {
  try Schema("customers") {
    Stored(of: Customer(id: 0), as: "customer") {
      Field(\.id, at: "id")
      Field(\.cents, at: "cents")
    }
    Stored(of: Visits(), as: "visits") { Field(\.count, at: "count") }
    Stored(of: Nickname(), as: "nickname") { Field(\.text, at: "text") }
  }
}

/// A context that is listened to in some ways.
private final class Target {
  let context = Context()
  let customers: PrimaryIndex<Customer, Int>

  private var indexes: [Any] = []
  private var lists: [() -> [[Int]]] = []
  private var tokens: [Subscription] = []
  private let events = Events()
  private var random: SplitMix64

  /// What was notified, in order.
  private final class Events: @unchecked Sendable {
    // Guarded by the lock of the context.
    var all: [String] = []
  }

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    customers = context.primaryIndex { (customer: Customer) in customer.id }
    let context = context
    if random.oneIn(3) {
      let others = context.primaryIndex { (customer: Customer) in Number(value: customer.id) }
      indexes.append(others)
      lists.append { (0..<300).map { others[Number(value: $0)].map { [Self.id($0)] } ?? [] } }
    }
    if random.oneIn(3) {
      let byRest = context.index { (customer: Customer) in customer.id % 5 }
      indexes.append(byRest)
      lists.append { (0..<5).map { byRest[$0].map(Self.id) } }
    }
    if random.oneIn(3) {
      let byDigits = context.index(keys: { (customer: Customer) in
        [customer.id % 3, customer.id % 4]
      })
      indexes.append(byDigits)
      lists.append { (0..<4).map { byDigits[$0].map(Self.id) } }
    }
    if random.oneIn(4) {
      let ordered = context.orderedIndex { (customer: Customer) in -customer.id }
      indexes.append(ordered)
      lists.append { [ordered.keys] }
    }
    let events = events
    if random.oneIn(3) {
      tokens.append(
        context.group(Customer.matcher).observeChanges { change in
          events.all.append("group \(change.kind) \(Self.id(change.entity))")
        })
    }
    if random.oneIn(4) {
      tokens.append(
        context.journal().observe { commit in
          for change in commit {
            events.all.append("journal \(change.kind) \(Self.id(change.entity))")
          }
        })
    }
    fill()
  }

  private static func id(_ entity: Entity) -> Int { entity.get(Customer.self)?.id ?? -1 }

  private func fill() {
    for _ in 0..<random.below(200) {
      let entity = customers.getOrCreate(Customer(id: random.below(300)))
      if random.oneIn(2) { entity.set(Visits(count: 1)) }
    }
    // Free slots and free buckets.
    for entity in context.entities() where random.oneIn(3) { entity.destroy() }
  }

  /// Goes on with what is there.
  func change() {
    for _ in 0..<60 {
      let id = random.below(300)
      switch random.below(4) {
      case 0: customers[id]?.destroy()
      case 1: customers[id]?.remove(Customer.self)
      case 2: customers[id]?.set(Customer(id: id, cents: 9))
      default: _ = customers.getOrCreate(Customer(id: id))
      }
    }
  }

  /// Everything that can be seen.
  func picture() -> [String] {
    context.perform {
      let entities = context.entities().map { "\($0.components())" }
      let found = (0..<300).map { customers[$0].map { "\($0.components())" } ?? "" }
      let told = events.all
      return entities + found + ["\(customers.count)"] + lists.map { "\($0())" } + told
    }
  }
}

/// Snapshots whose keys go into the index together, beside those that are merged entity by entity.
@Suite struct MergeTogetherTests {
  private static func snapshot(_ random: inout SplitMix64, _ schema: Schema) throws -> Snapshot {
    let context = Context()
    let first = random.oneIn(3) ? random.below(250) : 300
    let mayRepeat = random.oneIn(4)
    for number in 0..<[0, 1, 3, 64, 65, 200][random.below(6)] {
      let id = mayRepeat ? first + random.below(500) : first + number
      let entity = context.createEntity()
      if !random.oneIn(20) { entity.set(Customer(id: id, cents: number)) }
      if random.oneIn(2) { entity.set(Visits(count: number)) }
      if random.oneIn(4) { entity.set(Nickname(text: "the customer number \(number)")) }
    }
    // By bytes, or by fields.
    return random.oneIn(2)
      ? try context.snapshot(schema) : try Snapshot(of: Array(context.entities()), schema)
  }

  @Test func `merging keys together is merging them one by one`() throws {
    let schema = try makeSchema()
    var (together, found, refused) = (0, 0, 0)
    for seed in 0..<UInt64(Effort.full(1000, debug: 100)) {
      var random = SplitMix64(seed: ~seed)
      let snapshot = try Snapshot(try Self.snapshot(&random, schema).data)
      let keyless: KeylessPolicy = random.oneIn(4) ? .fail : .create
      let (one, other) = (Target(seed: seed), Target(seed: seed))
      let result = Result {
        try snapshot.merge(into: one.context, schema, by: one.customers, keyless: keyless)
      }
      let expected = Result {
        // In a transaction, each key is looked for and noted.
        try other.context.transaction {
          try snapshot.merge(into: other.context, schema, by: other.customers, keyless: keyless)
        }
      }
      expectEqual("\(result)", "\(expected)", "seed \(seed)")
      expectEqual(one.picture(), other.picture(), "seed \(seed)")
      one.change()
      other.change()
      expectEqual(one.picture(), other.picture(), "seed \(seed)")
      switch result {
      case .success(let report):
        if report.merged == 0 { together += 1 } else { found += 1 }
      case .failure: refused += 1
      }
    }
    expectTrue(together > 20 && found > 5 && refused > 5)
  }

  @Test func `a merge that is refused again and again takes no more memory`() throws {
    let schema = try makeSchema()
    let source = Context()
    for id in 0..<200 { source.createEntity(with: Customer(id: id)) }
    let snapshot = try source.snapshot(schema)
    let context = Context()
    let customers = context.primaryIndex { (customer: Customer) in customer.id }
    // The last key is there already.
    let holder = customers.getOrCreate(Customer(id: 199, cents: 3))
    for _ in 0..<10 {
      let report = try snapshot.merge(into: context, schema, by: customers)
      expectTrue(report.created == 199 && report.merged == 1)
      expectTrue(customers[199] == holder && customers.count == 200)
      for id in 0..<199 { customers[id]?.destroy() }
      expectTrue(customers.count == 1 && customers[0] == nil)
    }
  }
}
