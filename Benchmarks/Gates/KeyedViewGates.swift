import ECS

extension Gate {
  /// How often observers were called.
  // Used in the context's critical section.
  private final class Calls: @unchecked Sendable {
    var count = 0
  }

  /// Gives entities other keys, of which each has an observed view.
  static func changeKeys(of count: Int, areFiltered: Bool, rounds: Int) {
    let context = Context()
    let entities = (0..<count).map { context.createEntity(with: Health(v: Int32($0 % 100))) }
    let group = context.group(Health.matcher)
    let views = group.views(by: \Health.v)
    let calls = Calls()
    let subscriptions = (0..<Int32(100)).map { key in
      let view = areFiltered ? group.filtered { (health: Health) in health.v == key } : views[key]
      return view.observe(initial: false) { _ in calls.count += 1 }
    }
    for _ in 0..<rounds {
      for entity in entities { entity.update(Health.self) { $0.v = ($0.v + 1) % 100 } }
    }
    precondition(
      subscriptions.count == 100 && calls.count == 2 * rounds * count,
      "A view was not notified.")
  }
}
