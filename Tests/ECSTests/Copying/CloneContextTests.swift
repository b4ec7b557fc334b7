import ECS
import ECSTestSupport
import ECSTesting
import Synchronization
import Testing

private struct Number: Component, Equatable { var value: Int }

/// Changes its context when a copy is made.
private struct Meddler: EntityReferencing {
  var target: Entity
  mutating func mapEntities(_ map: (Entity) -> Entity) {
    target = map(target)
    target.set(Number(value: 1))
  }
}

private struct Aim: EntityReferencing, Equatable {
  var target: Entity
  mutating func mapEntities(_ map: (Entity) -> Entity) { target = map(target) }
}

/// Copies with code of the user's, other threads and iterations around them.
@Suite(.noHangs) struct CloneContextTests {
  @Test func `a change of the context while handles are replaced stops`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      let entity = context.createEntity()
      entity.set(Meddler(target: entity))
      try entity.clone()
    }
    expectTrue(stopped(result, saying: "called its context to change it"))
  }

  @Test func `two threads that copy in both directions never wait for each other`() async throws {
    let contexts = [Context(), Context()]
    let originals = contexts.map { context in
      let entity = context.createEntity(with: Number(value: 7))
      context.createEntity(with: Number(value: 8)).relate(ChildOf.self, to: entity)
      return entity
    }
    let rounds = 500
    try await withThrowingTaskGroup(of: Void.self) { group in
      for side in 0..<2 {
        group.addTask {
          for round in 0..<rounds {
            if round % 2 == 0 {
              try originals[side].clone(into: contexts[1 - side], deep: ChildOf.self)
            } else {
              try originals[side].clone(into: contexts[1 - side], deep: ChildOf.self) { copy in
                copy.set(Number(value: round))
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    for context in contexts { expectEqual(context.count, 2 + 2 * rounds) }
  }

  @Test func `copies into a context that is being iterated over come when that ends`() throws {
    let (source, target) = (Context(), Context())
    let original = source.createEntity(with: Number(value: 3))
    original.set(Aim(target: original))
    target.createEntities(3, with: Number(value: 1))
    let group = target.group(Number.matcher)
    let recorder = Recorder<Event>()
    let subscription = group.record(into: recorder)
    var copies: [Entity] = []
    var failures = 0
    group.withEach { (_: Entity, _: Number) in
      do {
        let copy = try original.clone(into: target)
        copies.append(copy)
        if copy.get(Number.self)?.value != 3 || copy.get(Aim.self)?.target != copy { failures += 1 }
      } catch {
        failures += 1
      }
    }
    expectTrue(failures == 0 && copies.count == 3 && group.count == 6)
    expectEqual(recorder.take(), copies.map { .added($0) })
    for copy in copies { expectTrue(copy.isAlive && copy.get() == Aim(target: copy)) }
    withExtendedLifetime(subscription) {}
  }
}
