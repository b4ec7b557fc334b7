#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import GRDB
  import Testing

  private struct Customer: Component, Equatable { var id = 0 }
  private struct Purchase: Component, Equatable { var id = 0 }
  private struct Line: Component, Equatable {
    var id = 0
    var cents = 0
  }

  private enum OrderedBy: ToOneRelation { static let deleteRule = DeleteRule.cascade }
  private enum LineOf: ToOneRelation {}
  private struct Stop: Error {}

  /// A shop in a database, and a live view of the customers by turnover.
  private struct TurnoverShop {
    let store: Store
    let session: StoreSession
    let turnover: Aggregate<Entity, Int>
    let dashboard: LiveView
    var random: SplitMix64
    private var lastID = 0

    private var context: Context { session.context }

    init(seed: UInt64) throws {
      random = SplitMix64(seed: seed)
      let customers = try Table("customer", key: \Customer.id) {
        Fields(of: Customer()) { Field(\.id, at: "id") }
      }
      let purchases = try Table("purchase", key: \Purchase.id) {
        Fields(of: Purchase()) { Field(\.id, at: "id") }
        Nested(
          one: customers.recipe, at: "customer", as: .key, through: .targets(of: OrderedBy.self))
      }
      let lines = try Table("line", key: \Line.id) {
        Fields(of: Line()) {
          Field(\.id, at: "id")
          Field(\.cents, at: "cents")
        }
        Nested(one: purchases.recipe, at: "purchase", as: .key, through: .targets(of: LineOf.self))
      }
      store = try Store(
        at: .memory,
        schema: Schema {
          customers
          purchases
          lines
        })
      session = try store.session()
      turnover = session.context.sum(of: \Line.cents, byTarget: LineOf.self, OrderedBy.self)
      dashboard = session.context.group(Customer.matcher).sorted(by: turnover, .descending)
        .limited(to: 10).start()
      for _ in 0..<15 { add(Customer(id: nextID())) }
      for _ in 0..<30 { addPurchase() }
      for _ in 0..<60 { addLine() }
    }

    private mutating func nextID() -> Int {
      lastID += 1
      return lastID
    }

    @discardableResult
    private func add(_ component: some Component) -> Entity {
      context.createEntity(with: component)
    }

    private mutating func any<C: Component>(_ type: C.Type) -> Entity? {
      let group = context.group(C.matcher)
      return group.isEmpty ? nil : Array(group)[random.below(group.count)]
    }

    private mutating func addPurchase() {
      let purchase = add(Purchase(id: nextID()))
      if let customer = any(Customer.self) { purchase.relate(OrderedBy.self, to: customer) }
    }

    private mutating func addLine() {
      let line = add(Line(id: nextID(), cents: random.below(1_000)))
      if let purchase = any(Purchase.self) { line.relate(LineOf.self, to: purchase) }
    }

    /// Changes something, or several things in a transaction that fails, and saves.
    mutating func change() throws {
      if random.oneIn(10) {
        try? context.transaction {
          for _ in 0..<3 { changeOnce() }
          throw Stop()
        }
      } else {
        changeOnce()
      }
      try session.save()
    }

    private mutating func changeOnce() {
      switch random.below(14) {
      case 0, 1: if context.group(Line.matcher).count < 120 { addLine() }
      case 2: if context.group(Line.matcher).count > 40 { any(Line.self)?.destroy() }
      case 3, 4:
        if let purchase = any(Purchase.self) { any(Line.self)?.relate(LineOf.self, to: purchase) }
      case 5: any(Line.self)?.unrelate(LineOf.self)
      case 6: if context.group(Purchase.matcher).count < 60 { addPurchase() }
      case 7: if context.group(Purchase.matcher).count > 20 { any(Purchase.self)?.destroy() }
      case 8:
        if let customer = any(Customer.self) {
          any(Purchase.self)?.relate(OrderedBy.self, to: customer)
        }
      case 9: if context.group(Customer.matcher).count < 20 { add(Customer(id: nextID())) }
      case 10:
        if context.group(Customer.matcher).count > 12, random.oneIn(4) {
          any(Customer.self)?.destroy()
        }
      default:
        any(Line.self)?.update(Line.self) { [cents = random.below(1_000)] in $0.cents = cents }
      }
    }

    /// The customers with the highest turnover, and theirs; nil for those without lines.
    var shown: [[Int?]] {
      dashboard.map { [$0.get(Customer.self)?.id, turnover[$0]] }
    }

    /// The same, as the database has it.
    func selected() throws -> [[Int?]] {
      try store.read { database in
        try Row.fetchAll(
          database,
          sql: """
            SELECT customer.id, SUM(line.cents) AS turnover FROM customer
            LEFT JOIN purchase ON purchase.customer = customer.id
            LEFT JOIN line ON line.purchase = purchase.id
            GROUP BY customer.id ORDER BY turnover DESC NULLS LAST, customer.id LIMIT 10
            """
        ).map { [$0[0], $0[1]] }
      }
    }
  }

  @Suite(.longRunning) struct DashboardTests {
    @Test(arguments: Effort.seeds(1))
    func `customers by turnover are what SQL says after each change`(seed: UInt64) throws {
      var shop = try TurnoverShop(seed: seed)
      for number in 0..<Effort.full(100_000, debug: 1_500) {
        try shop.change()
        let (shown, selected) = (shop.shown, try shop.selected())
        guard shown != selected else { continue }
        Issue.record("seed \(seed), change \(number): \(shown), and SQL says \(selected)")
        return
      }
    }
  }
#endif
