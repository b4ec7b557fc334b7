import Dispatch
import ECS
import ECSHistory
import ECSTestSupport
import Testing

/// Deadlines that are put back by undo.
@Suite(.noHangs) struct UndoLoopTests {
  @Test func `A deadline that was taken back comes if that is undone, late if it has passed`()
    async throws
  {
    let context = Context()
    let history = UndoHistory(context, of: Deadline<Position>.self, relations: [])
    let time = ManualClock(wallTime: .seconds(1000))
    let queue = DispatchQueue(label: "loop")
    let loop = ReactiveLoop(ctx: context, queue: queue, systems: [], clock: time.clock)
    loop.addDeadlines(of: Position.self)
    func advance(by seconds: Int) async {
      for _ in 0..<seconds {
        time.advance(by: .seconds(1))
        queue.sync {}
        await loop.settled()
      }
    }
    let entities = [1010, 1020, 1030].map {
      context.createEntity(with: Deadline(Position(x: Float($0), y: 0), at: .seconds($0)))
    }
    await loop.settled()
    history.group("Take back") {
      entities[0].remove(Deadline<Position>.self)
      entities[1].destroy()
      entities[2].set(Deadline(Position(x: 0, y: 0), at: .seconds(1012)))
    }
    await advance(by: 5)
    try history.undo()
    await advance(by: 4)
    expectTrue(entities.allSatisfy { !$0.has(Position.self) })
    for (number, entity) in entities.enumerated() {
      await advance(by: number == 0 ? 1 : 10)
      expectEqual(entity.get(), Position(x: Float(1010 + 10 * number), y: 0))
      expectTrue(entities[(number + 1)...].allSatisfy { !$0.has(Position.self) })
    }
    entities[0].set(Deadline(Position(x: 1, y: 1), at: .seconds(1032)))
    history.group("Take back") { entities[0].remove(Deadline<Position>.self) }
    await advance(by: 5)
    expectEqual(entities[0].get(), Position(x: 1010, y: 0))
    try history.undo()
    await loop.settled()
    expectEqual(entities[0].get(), Position(x: 1, y: 1))
    loop.cancel()
  }
}
