import ECS
import Synchronization

extension Gate {
  /// Observers are notified of each change once.
  static var notifications: [Gate] {
    [
      Gate(
        name: "each replaced component is one notification", unit: "notifications",
        allowed: exactly(GateWorld.count),
        count: {
          countNotifications(.updated) { world in
            world.each { $0.set(Position(x: 1, y: 1)) }
          }
        },
        countBroken: {
          countNotifications(.updated) { world in
            world.each { $0.set(Position(x: 1, y: 1)).set(Position(x: 2, y: 2)) }
          }
        }),
      Gate(
        name: "each created entity is one notification", unit: "notifications",
        allowed: exactly(GateWorld.count),
        count: {
          countNotifications(.added) { world in
            world.refill { world.context.createEntity(with: Position(x: 0, y: 0)) }
          }
        },
        countBroken: {
          countNotifications(.added) { world in world.refill { world.context.createEntity() } }
        }),
      Gate(
        name: "each destroyed entity is one notification", unit: "notifications",
        allowed: exactly(GateWorld.count),
        count: { countNotifications(.removed) { world in world.each { $0.destroy() } } },
        countBroken: {
          countNotifications(.removed) { world in
            world.each { $0.remove(Position.self).set(Position(x: 0, y: 0)).destroy() }
          }
        }),
      Gate(
        name: "a component that the group does not mention is not a notification",
        unit: "notifications", allowed: 0...0,
        count: {
          countNotifications(.updated) { world in world.each { $0.set(Health(v: 1)) } }
        },
        countBroken: {
          countNotifications(.updated) { world in
            world.each { $0.set(Position(x: 1, y: 1)) }
          }
        }),
    ]
  }

  private static func exactly(_ count: Int) -> ClosedRange<Int> { count...count }

  /// How many changes of a kind an observer of the group of all positions is notified of.
  private static func countNotifications(
    _ kind: Change.Kind, during operation: (GateWorld) -> Void
  ) -> Count {
    let world = GateWorld()
    let tally = Tally()
    let subscription = world.group.observeChanges { change in
      if change.kind == kind { tally.count.add(1, ordering: .relaxed) }
    }
    operation(world)
    subscription.cancel()
    return .of(tally.count.load(ordering: .relaxed))
  }

  private final class Tally: Sendable {
    let count = Atomic(0)
  }
}
