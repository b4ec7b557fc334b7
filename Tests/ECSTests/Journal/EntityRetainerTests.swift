import ECS
import ECSTestSupport
import Testing

@Suite struct EntityRetainerTests {
  private struct Refusal: Error {}

  let context = Context()

  private func keep(_ entity: Entity, _ holder: EntityRetainer) -> Bool {
    holder.section { holder.keep(entity) }
  }

  private func revive(_ entity: Entity, _ holder: EntityRetainer) -> Bool {
    holder.section { holder.revive(entity, with: [Health(points: 7)]) }
  }

  /// Runs a transaction that is taken back.
  private func takingBack(_ body: () -> Void) {
    #expect(throws: Refusal.self) {
      try context.transaction {
        body()
        throw Refusal()
      }
    }
  }

  @Test func `An entity that is kept lives again by its handle, others stay dead`() {
    let holder = EntityRetainer(in: context)
    let (kept, other) = (context.createEntity(with: Tag()), context.createEntity(with: Tag()))
    expectTrue(keep(kept, holder))
    kept.destroy()
    other.destroy()
    expectFalse(keep(other, holder))
    expectTrue(revive(kept, holder) && !revive(other, holder) && !revive(kept, holder))
    expectTrue(kept.get(Health.self) == Health(points: 7) && !kept.has(Tag.self))
  }

  @Test func `A holder that ends inside of a transaction releases what ended before`() {
    var holder = EntityRetainer(in: context) as EntityRetainer?
    let entity = context.createEntity(with: Tag())
    expectEqual(holder.map { keep(entity, $0) }, true)
    entity.destroy()
    var made: [Entity] = []
    takingBack {
      holder = nil
      made = (0..<3).map { _ in context.createEntity(with: Tag()) }
    }
    made += (0..<3).map { _ in context.createEntity(with: Tag()) }
    expectTrue(!entity.isAlive && Set(made).count == 6 && context.count == 3)
  }

  @Test(arguments: [false, true])
  func `A holder that ends inside of a transaction leaves it what it has to take back`(
    hasOther: Bool
  ) {
    let other = hasOther ? EntityRetainer(in: context) : nil
    var holder = EntityRetainer(in: context) as EntityRetainer?
    let entity = context.createEntity(with: Health(points: 1))
    takingBack {
      expectEqual(holder.map { keep(entity, $0) }, true)
      entity.destroy()
      holder = nil
      context.createEntities(3, with: Tag())
    }
    expectTrue(entity.get(Health.self) == Health(points: 1) && context.count == 1)
    context.transaction {
      entity.destroy()
      context.createEntities(3, with: Tag())
    }
    expectTrue(!entity.isAlive && context.count == 3)
    withExtendedLifetime(other) {}
  }

  @Test func `An entity whose creation is taken back stays dead, though it is kept`() {
    let holder = EntityRetainer(in: context)
    let marker = context.createEntity(with: Tag())
    var made = marker
    takingBack {
      made = context.createEntity(with: Tag())
      expectTrue(keep(made, holder) && keep(marker, holder))
    }
    expectTrue(!made.isAlive && !revive(made, holder))
    holder.section { holder.release(made) }
    let others = (0..<3).map { _ in context.createEntity(with: Tag()) }
    expectTrue(!others.contains(made) && !made.isAlive)
    // What was there before is still kept.
    marker.destroy()
    expectTrue(revive(marker, holder))
  }

  @Test func `A mark goes with the transaction that it was made in`() {
    let holder = EntityRetainer(in: context)
    context.perform {
      holder.mark()
      takingBack { holder.mark() }
      expectEqual(holder.markCount, 1)
    }
    expectEqual(holder.markCount, 0)
  }
}
