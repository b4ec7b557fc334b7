import Dispatch
import ECS
import ECSTestSupport
import Testing

/// The code of the article "Systems and loops".
@Suite(.noHangs) struct LoopsSnippets {
  struct Order: Component, Equatable {
    var quantity: Int
  }
  struct Confirmed: Component {}
  struct Invoice: Component {
    let amount: Int
  }

  struct NoPrice: Error {}

  /// Confirms orders that were placed or changed.
  final class Confirm: ReactiveSystem {
    let collector: Collector

    init(_ context: Context) {
      collector = context.collector(for: Order.matcher, type: .addedOrUpdated)
    }

    func execute(entities: EntitySet) {
      for order in entities { order.set(Confirmed()) }
    }
  }

  /// Writes invoices for orders that are confirmed and still there.
  final class Bill: StrictReactiveSystem {
    let collector: Collector
    let price: Int?

    init(_ context: Context, price: Int?) {
      collector = context.collector(for: Matcher(all: [Order.cid, Confirmed.cid]))
      self.price = price
    }

    func execute(entities: EntitySet) throws {
      guard let price else { throw NoPrice() }
      for order in entities {
        guard let quantity = order.get(Order.self)?.quantity else { continue }
        order.set(Invoice(amount: quantity * price))
      }
    }
  }

  /// Forgets confirmations at the end of each pass.
  final class ForgetConfirmations: CleanupSystem {
    private let confirmed: Group

    init(_ context: Context) { confirmed = context.group(Confirmed.matcher) }

    func cleanup() {
      for order in confirmed { order.remove(Confirmed.self) }
    }
  }

  @Test func `A reactive loop runs its systems when there is something to do`() async {
    let context = Context()
    let loop = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "orders"),
      systems: [Confirm(context), Bill(context, price: 5), ForgetConfirmations(context)])

    let order = context.createEntity(with: Order(quantity: 3))
    await loop.settled()
    print(order.get(Invoice.self)?.amount ?? 0)  // 15
    #expect(order.get(Invoice.self)?.amount == 15)
    #expect(!order.has(Confirmed.self))

    loop.on(context.collector(for: Invoice.matcher), name: "Print") { invoices in
      for invoice in invoices { print(invoice.get(Invoice.self)?.amount ?? 0) }
    }

    for statistics in loop.statistics { print(statistics) }
    #expect(loop.statistics.map(\.name).prefix(2) == ["Confirm", "Bill"])
  }

  @Test func `A loop is run by hand`() {
    let context = Context()
    let loop = Loop(name: "shop", systems: [Confirm(context), Bill(context, price: 5)])
    loop.initialise()
    for _ in 1...3 {
      context.createEntity(with: Order(quantity: 1))
      loop.execute()
      loop.cleanup()
    }
    loop.teardown()
    #expect(context.group(Invoice.matcher).count == 3)
  }

  @Test func `Timing decides when a pass follows a change`() {
    let context = Context()
    let manual = ManualClock()
    let clock = manual.clock
    let queue = DispatchQueue(label: "orders")
    let loop = ReactiveLoop(
      ctx: context, queue: queue, systems: [Confirm(context)],
      timing: .debounce(.milliseconds(200)), clock: clock)
    let order = context.createEntity(with: Order(quantity: 1))
    #expect(!order.has(Confirmed.self))
    while !order.has(Confirmed.self) {
      manual.advance(by: .milliseconds(200))
      queue.sync {}
    }
    withExtendedLifetime(loop) {}
  }

  @Test func `Errors reach the handler and lose nothing`() {
    let context = Context()
    let queue = DispatchQueue(label: "orders")
    let failures = Recorder<String>()
    let loop = ReactiveLoop(
      ctx: context, queue: queue, systems: [Confirm(context), Bill(context, price: nil)]
    ) { failure in
      print(failure)  // System Bill of loop ReactiveLoop threw in execute, ...
      if failure.error is NoPrice { failure.dropsEntities = true }
      failures.append(failure.system)
    }
    context.createEntity(with: Order(quantity: 1))
    loop.runUntilSettled()
    #expect(failures.items.contains("Bill"))
  }

  @Test func `What is collected is an asynchronous sequence`() async {
    let context = Context()
    let placed = context.collector(for: Order.matcher)
    context.createEntity(with: Order(quantity: 2))
    for await orders in placed.values {
      print("\(orders.count) orders")
      break
    }
    #expect(placed.isEmpty)
  }
}
