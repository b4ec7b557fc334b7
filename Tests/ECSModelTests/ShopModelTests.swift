import ECS
import ECSTestSupport
import Testing

private enum LineOf: ToOneRelation {}
private enum OrderedBy: ToOneRelation { static let deleteRule = DeleteRule.cascade }

private struct Line: Component { var cents: Int }
private struct Stop: Error {}

/// The tables of a shop, as a database has them, and what it would answer.
private struct ShopTables {
  struct LineRow { var cents: Int, order: Int? }

  var lines: [Int: LineRow] = [:]

  /// The customers of orders.
  var orders: [Int: Int?] = [:]
  var customers: Set<Int> = []

  /// `SELECT customer, SUM(cents) FROM lines JOIN orders … GROUP BY customer`.
  var turnover: [Int: Int] {
    var sums: [Int: Int] = [:]
    for line in lines.values {
      guard let order = line.order, let customer = orders[order] ?? nil else { continue }
      sums[customer, default: 0] += line.cents
    }
    return sums
  }
}

/// A shop whose dashboard shows the customers with the highest turnover.
private struct Shop {
  private struct Customer: Component { let number: Int }

  let context = Context()
  let turnover: Aggregate<Entity, Int>
  let dashboard: LiveView
  let subscription: Subscription
  let shown = Recorder<[Int]>()
  var tables = ShopTables()
  var entities: [Int: Entity] = [:]
  var lastNumber = 0
  var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    turnover = context.sum(of: \Line.cents, byTarget: LineOf.self, OrderedBy.self)
    dashboard = context.group(Customer.matcher).sorted(by: turnover, .descending).limited(to: 10)
    subscription = dashboard.observe(initial: false) { [shown] change in
      shown.append(change.view.compactMap { $0.get(Customer.self)?.number })
    }
    for _ in 0..<20 { addCustomer() }
    for _ in 0..<40 { addOrder() }
    for _ in 0..<100 { addLine() }
  }

  private mutating func number(_ entity: Entity) -> Int {
    lastNumber += 1
    entities[lastNumber] = entity
    return lastNumber
  }

  private mutating func addCustomer() {
    let number = number(context.createEntity())
    entities[number]?.set(Customer(number: number))
    tables.customers.insert(number)
  }

  private mutating func addOrder() {
    let (entity, customer) = (context.createEntity(), pick(tables.customers))
    tables.orders[number(entity)] = .some(customer)
    if let customer, let target = entities[customer] { entity.relate(OrderedBy.self, to: target) }
  }

  private mutating func addLine() {
    let (order, cents) = (pick(tables.orders.keys), random.below(10_000))
    let entity = context.createEntity(with: Line(cents: cents))
    tables.lines[number(entity)] = .init(cents: cents, order: order)
    if let order, let target = entities[order] { entity.relate(LineOf.self, to: target) }
  }

  /// One of some numbers; the same for the same seed.
  private mutating func pick(_ numbers: some Collection<Int>) -> Int? {
    for _ in 0..<200 where lastNumber > 0 {
      // The oldest ones go in the course of time.
      let number = lastNumber - random.below(min(lastNumber, 400))
      if numbers.contains(number) { return number }
    }
    return numbers.min()
  }

  /// A change of the shop, or several in a transaction that fails.
  mutating func change() {
    if random.oneIn(20) {
      let before = self
      try? context.transaction {
        for _ in 0..<3 { changeOnce() }
        throw Stop()
      }
      (tables, entities) = (before.tables, before.entities)
    } else {
      changeOnce()
    }
  }

  private mutating func changeOnce() {
    switch random.below(12) {
    case 0: if tables.lines.count < 150 { addLine() }
    case 1: destroyLine()
    case 2: moveLine()
    case 3: if tables.orders.count < 60 { addOrder() }
    case 4: moveOrder()
    case 5:
      if random.oneIn(4) { destroyOrder() }
    case 6: if tables.customers.count < 25 { addCustomer() }
    case 7: if random.oneIn(4) { destroyCustomer() }
    default: setCents()
    }
  }

  private mutating func setCents() {
    guard let line = pick(tables.lines.keys) else { return }
    let cents = random.below(10_000)
    tables.lines[line]?.cents = cents
    entities[line]?.set(Line(cents: cents))
  }

  private mutating func destroyLine() {
    guard let line = pick(tables.lines.keys) else { return }
    tables.lines[line] = nil
    entities.removeValue(forKey: line)?.destroy()
  }

  private mutating func moveLine() {
    guard let line = pick(tables.lines.keys), let order = pick(tables.orders.keys),
      let target = entities[order]
    else { return }
    tables.lines[line]?.order = order
    entities[line]?.relate(LineOf.self, to: target)
  }

  private mutating func moveOrder() {
    guard let order = pick(tables.orders.keys), let customer = pick(tables.customers),
      let target = entities[customer]
    else { return }
    if random.oneIn(6) {
      tables.orders[order] = .some(nil)
      entities[order]?.unrelate(OrderedBy.self)
    } else {
      tables.orders[order] = .some(customer)
      entities[order]?.relate(OrderedBy.self, to: target)
    }
  }

  private mutating func destroyOrder() {
    guard let order = pick(tables.orders.keys) else { return }
    forget(order: order)
    entities.removeValue(forKey: order)?.destroy()
  }

  private mutating func forget(order: Int) {
    tables.orders[order] = nil
    for (line, row) in tables.lines where row.order == order { tables.lines[line]?.order = nil }
  }

  /// Its orders go with it.
  private mutating func destroyCustomer() {
    guard let customer = pick(tables.customers) else { return }
    tables.customers.remove(customer)
    for (order, by) in tables.orders where by == customer {
      forget(order: order)
      entities[order] = nil
    }
    entities.removeValue(forKey: customer)?.destroy()
  }

  /// What differs from what a database would answer, if anything.
  func difference() -> String? {
    let sums = tables.turnover
    for customer in tables.customers {
      guard let entity = entities[customer] else { return "customer \(customer)" }
      if turnover[entity] != sums[customer] { return "turnover of \(customer)" }
    }
    if turnover.keyCount != sums.count { return "customers without turnover" }
    let best = tables.customers.map { ($0, sums[$0]) }.sorted { one, other in
      if one.1 == other.1 { return one.0 < other.0 }
      return one.1 ?? .min > other.1 ?? .min
    }
    let expected = best.prefix(10).map(\.0)
    let present = dashboard.compactMap { $0.get(Customer.self)?.number }
    if present != expected { return "dashboard \(present), not \(expected)" }
    if let last = shown.take().last, last != expected { return "what was observed" }
    return nil
  }
}

@Suite(.longRunning) struct ShopModelTests {
  @Test(arguments: Effort.seeds(1))
  func `A dashboard shows after each change what a database would answer`(seed: UInt64) {
    var shop = Shop(seed: seed)
    for number in 0..<(Effort.isUnlimited ? 100_000 : 3_000) {
      shop.change()
      if let difference = shop.difference() {
        Issue.record("seed \(seed), change \(number): \(difference)")
        return
      }
    }
  }
}
