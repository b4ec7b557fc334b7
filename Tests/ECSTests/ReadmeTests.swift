import Dispatch
import ECS
import ECSTestSupport
import Testing

/// The code of the README, compiled and run.
@Suite(.noHangs) struct ReadmeTests {
  // Nested, so that other tests do not see them.
  struct Position: Component {
    var x: Float
    var y: Float
  }
  struct Velocity: Component {
    var dx: Float
    var dy: Float
  }
  struct Clock: UniqueComponent { var seconds: Float }

  @Test func `The first steps of the README work`() {
    let context = Context()
    context.setUniqueComponent(Clock(seconds: 0.5))
    let ship = context.createEntity(with: Position(x: 0, y: 0), Velocity(dx: 4, dy: 2))
    let rock = context.createEntity().set(Position(x: 9, y: 9))

    let moving = context.group(Matcher(all: [Position.cid, Velocity.cid]))
    let moved = Collector(group: context.group(Position.matcher), type: .updated)

    let step = context.uniqueComponent(Clock.self)?.seconds ?? 0
    moving.withEach { (_, position: inout Position, velocity: Velocity) in
      position.x += velocity.dx * step
      position.y += velocity.dy * step
    }
    #expect(moved.count == 1)
    for entity in moved.drain() {
      print(entity, entity.get(Position.self) as Any)  // the ship at 2, 1
    }
    rock.destroy()

    #expect(ship.get(Position.self)?.x == 2)
    #expect(ship.get(Position.self)?.y == 1)
    #expect(!rock.isAlive)

    let loop = ReactiveLoop(ctx: context, queue: DispatchQueue(label: "game"), systems: [])
    loop.on(moved, name: "Report") { entities in
      print("\(entities.count) moved")
    }
    ship.set(Position(x: 0, y: 0))
    loop.runUntilSettled()  // 1 moved
    #expect(moved.isEmpty)
    #expect(loop.statistics.map(\.entities) == [1])
  }
}
