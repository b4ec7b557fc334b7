import ECS
import ECSTestSupport
import Foundation
import Testing

/// Whether other threads wait for a context.
@Suite(.noHangs) struct WaitingThreadTests {
  let context = Context()

  @Test func `A context is awaited while another thread waits for it, and not otherwise`() {
    let entity = context.createEntity(with: Health(points: 0))
    #expect(!context.isAwaited)
    #expect(!context.perform { context.isAwaited })
    let group = DispatchGroup()
    context.perform {
      DispatchQueue(label: "waiting").async(group: group) { entity.set(Health(points: 1)) }
      while !context.isAwaited { _ = sched_yield() }
      #expect(entity.get(Health.self)?.points == 0)
    }
    group.wait()
    #expect(entity.get(Health.self)?.points == 1)
    #expect(!context.isAwaited)
  }

  @Test func `Readers that wait count as well`() {
    let entity = context.createEntity(with: Health(points: 0))
    let group = DispatchGroup()
    context.perform {
      DispatchQueue(label: "waiting").async(group: group) { _ = entity.get(Health.self) }
      while !context.isAwaited { _ = sched_yield() }
    }
    group.wait()
    #expect(!context.isAwaited)
  }
}
