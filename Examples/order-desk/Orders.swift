import ECS
import ECSCluster
import ECSRecipes
import ECSSnapshots
import Foundation

/// The event: an order, of which each customer's are numbered from 1 on.
///
/// Each producer has customers of its own, so that none numbers the orders of another's.
struct Order: Component {
  var customer: Int
  var number: Int
  var cents: Int
}

/// What is kept of each customer.
struct Account: Component {
  var customer: Int

  /// The number of the last order.
  var last = 0
  var orders = 0
  var cents = 0
}

/// An order that is behind a later one of its customer.
struct MisplacedOrder: Error, CustomStringConvertible {
  let order: Order
  let last: Int

  var description: String { "order \(order.number) of \(order.customer) came after \(last)" }
}

/// What sends orders: the same ones each time if it has a name, and otherwise those of new
/// customers.
struct OrderSource {
  let orders: Int
  let customers: Int

  /// Its name for the broker; nil for none.
  ///
  /// With another number of customers, orders are others.
  let producer: String?
  private let firstCustomer: Int

  init(_ options: Options) {
    (orders, customers) = (options.orders, options.customers)
    producer = options.producer.map { "\($0)/\(options.customers)" }
    var hash = UInt64.random(in: 0...UInt64.max)
    if let producer {
      // FNV-1a, which is the same in each run.
      hash = producer.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
    firstCustomer = Int(hash >> 33) << 32
  }

  /// The order at a place.
  subscript(place: Int) -> Order {
    Order(
      customer: firstCustomer + place % customers, number: place / customers + 1,
      cents: place * 7919 % 10_000)
  }
}

func makeCluster(_ options: Options) throws -> Cluster<Order, Int> {
  let schema = try Schema("order-desk") {
    Stored(of: Order(customer: 0, number: 0, cents: 0), as: "order") {
      Field(\.customer, at: "customer")
      Field(\.number, at: "number")
      Field(\.cents, at: "cents")
    }
    Stored(of: Account(customer: 0), as: "account") {
      Field(\.customer, at: "customer")
      Field(\.last, at: "last")
      Field(\.orders, at: "orders")
      Field(\.cents, at: "cents")
    }
  }
  var settings = ClusterOptions()
  settings.partitions = options.partitions
  settings.lease = .milliseconds(options.lease)
  settings.waitingEvents = options.waiting
  settings.batchesBetweenSnapshots = options.batches
  // A broker that is away comes back.
  settings.patience = nil
  return try Cluster(
    "order-desk", of: Order.self, by: \.customer, schema: schema,
    broker: try RedisBroker(options.broker), options: settings)
}

extension Context {
  func makeAccounts() -> PrimaryIndex<Account, Int> {
    primaryIndex { (account: Account) in account.customer }
  }
}
