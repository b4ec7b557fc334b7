import ECS
import ECSCluster
import ECSRecipes
import ECSSnapshots
import Foundation

/// The event: an order, of which each customer's are numbered from 1 on.
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
