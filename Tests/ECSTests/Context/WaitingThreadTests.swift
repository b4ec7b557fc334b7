import ECS
import ECSTestSupport
import Foundation
import Testing

/// Whether other threads wait for a context.
///
/// A handle of a context that has ended may ask for the memory that a new one lives in, so a thread of another test
/// may wait for a moment. What stayed counted would hold these tests.
@Suite(.noHangs) struct WaitingThreadTests {
  let context = Context()

  private func waitUntilAlone() {
    while context.isAwaited { _ = sched_yield() }
  }

  @Test func `A context is awaited while another thread waits for it, and not otherwise`() {
    let entity = context.createEntity(with: Health(points: 0))
    waitUntilAlone()
    while context.perform({ context.isAwaited }) { _ = sched_yield() }
    let group = DispatchGroup()
    context.perform {
      DispatchQueue(label: "waiting").async(group: group) { entity.set(Health(points: 1)) }
      while !context.isAwaited { _ = sched_yield() }
      #expect(entity.get(Health.self)?.points == 0)
    }
    group.wait()
    #expect(entity.get(Health.self)?.points == 1)
    waitUntilAlone()
  }

  @Test func `Readers that wait count as well`() {
    let entity = context.createEntity(with: Health(points: 0))
    let group = DispatchGroup()
    context.perform {
      DispatchQueue(label: "waiting").async(group: group) { _ = entity.get(Health.self) }
      while !context.isAwaited { _ = sched_yield() }
    }
    group.wait()
    waitUntilAlone()
  }
}
