import ECS
import ECSTestSupport
import Testing

/// A slot of storage is used by one entity after the other, which are distinguished by generations.
///
/// Generations are numbers that run out. That this is not noticed is what is tested here.
@Suite struct SlotGenerationTests {
  // Written by an observer alone, in the critical section of its context.
  final class Seen: @unchecked Sendable {
    var entities: [Entity] = []
  }

  /// Uses a slot to its end.
  ///
  /// Returns an early and the last entities of it, and one that had to go to another slot.
  static func useUp(_ context: Context) -> [Entity] {
    let early = context.createEntity(with: Health(points: 1))
    early.destroy()
    context.skipGenerations(leaving: 3)
    var entities = [early]
    for points in Int32(2)...5 {
      let entity = context.createEntity(with: Health(points: points))
      expectTrue(entity.isAlive && entity.get(Health.self)?.points == points)
      expectTrue(entities.allSatisfy { !$0.isAlive && $0 != entity })
      entities.append(entity)
      entity.destroy()
    }
    return entities
  }

  @Test func `No entity that comes after a slot is used up is taken for an earlier one`() {
    let context = Context()
    let entities = Self.useUp(context)
    let living = (0..<4).map { context.createEntity(with: Health(points: Int32($0))) }
    expectEqual(Set(entities + living).count, entities.count + living.count)
    expectTrue(entities.allSatisfy { !$0.isAlive && $0.get(Health.self) == nil })
    expectTrue(living.allSatisfy { $0.isAlive })
    expectEqual(context.count, 4)
    expectEqual(Array(context.group(Health.matcher).sorted()), living)
  }

  @Test func `A context whose slots are used up ends, and others begin`() async {
    await #expect(processExitsWith: .success) {
      var entities: [Entity] = []
      for round in 0..<4 {
        let context = Context()
        entities += Self.useUp(context)
        if round % 2 == 0 { entities.append(context.createEntity()) }
      }
      let context = Context()
      let living = (0..<100).map { _ in context.createEntity() }
      guard entities.allSatisfy({ !$0.isAlive }), living.allSatisfy({ $0.isAlive }) else {
        fatalError("A slot that was used up has an entity of an earlier context.")
      }
      guard Set(entities + living).count == entities.count + living.count else {
        fatalError("Two entities are the same.")
      }
    }
  }

  @Test func `A context ends with the last entity of a slot alive or reserved`() async {
    await #expect(processExitsWith: .success) {
      var entities: [Entity] = []
      for isAlive in [true, false] {
        let context = Context()
        let other = context.createEntity(with: Tag())
        context.createEntity().destroy()
        context.skipGenerations(leaving: 1)
        if isAlive {
          entities.append(context.createEntity())
        } else {
          context.group(Tag.matcher).withEach { (_, _: Tag) in
            let reserved = context.createEntity()
            reserved.destroy()
            entities.append(reserved)
          }
        }
        entities.append(other)
      }
      guard entities.allSatisfy({ !$0.isAlive }) else {
        fatalError("An entity outlived its context.")
      }
    }
  }

  @Test func `Collectors, indexes and observers tell the last entities of a slot apart`() {
    let context = Context()
    let collector = Collector(group: context.group(Health.matcher), type: .added)
    let index = context.index { (health: Health) in health.points }
    let seen = Seen()
    let subscription = context.group(Health.matcher).observeChanges { change in
      if change.kind == .added { seen.entities.append(change.entity) }
    }
    let entities = Self.useUp(context)
    let living = context.createEntity(with: Health(points: 5))
    expectEqual(Array(collector.drain()), entities + [living])
    expectEqual(Array(index[5]), [living])
    expectEqual(seen.entities, entities + [living])
    subscription.cancel()
  }

  /// Two billion entities, for real: build it for release.
  @Test(.enabled(if: Effort.isUnlimited))
  func `A slot is used to its end, one entity after the other`() async {
    await #expect(processExitsWith: .success) {
      var entities: [Entity] = []
      do {
        let context = Context()
        let first = context.createEntity()
        first.destroy()
        var last = first
        for _ in 0..<(1 << 31) + 8 {
          last = context.createEntity()
          last.destroy()
        }
        let living = context.createEntity()
        guard living.isAlive, !first.isAlive, !last.isAlive, context.count == 1 else {
          fatalError("An entity was taken for another one.")
        }
        entities = [first, last, living]
      }
      let context = Context()
      let living = context.createEntity()
      guard living.isAlive, entities.allSatisfy({ !$0.isAlive }), !entities.contains(living) else {
        fatalError("An entity was taken for one of another context.")
      }
    }
  }
}
