import Dispatch
import ECS

struct Order: Component { var quantity = 1 }
struct Paid: Component {}
struct NoStock: Error {}

/// A loop with a system that may throw, and a context for its orders.
struct TestLoop {
  let context = Context()
  let loop: ReactiveLoop

  init(name: String = "shop") {
    loop = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "shop"), systems: [], name: name,
      retry: .withNextTrigger
    ) { _ in }
  }

  /// Adds a system that throws for orders of nothing.
  func addCounting(name: String = "Count") {
    loop.on(Order.matcher, name: name) { orders in
      for order in orders where order.get(Order.self)?.quantity == 0 { throw NoStock() }
    }
  }
}
