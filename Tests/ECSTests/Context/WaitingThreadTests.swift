import ECS
import ECSTestSupport
import Foundation
import Testing

/// Whether other threads wait for a context.
///
/// A handle of a context that has ended may ask for the memory that a new one lives in, so a thread of another test
/// may wait for a moment. What stays counted does so for longer.
@Suite(.noHangs) struct WaitingThreadTests {
  let context = Context()

  /// Looks for some seconds whether no thread waits.
  private func waitUntilAlone(isAwaited: (Context) -> Bool = { $0.isAwaited }) {
    let end = ContinuousClock.now + .seconds(10)
    var isStill = true
    while isStill, ContinuousClock.now < end {
      isStill = isAwaited(context)
      if isStill { _ = sched_yield() }
    }
    expectFalse(isStill)
  }

  @Test func `A context is awaited while another thread waits for it, and not otherwise`() {
    let entity = context.createEntity(with: Health(points: 0))
    waitUntilAlone()
    waitUntilAlone { context in context.perform { context.isAwaited } }
    let group = DispatchGroup()
    context.perform {
      DispatchQueue(label: "waiting").async(group: group) { entity.set(Health(points: 1)) }
      while !context.isAwaited { _ = sched_yield() }
      expectEqual(entity.get(Health.self)?.points, 0)
    }
    group.wait()
    expectEqual(entity.get(Health.self)?.points, 1)
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
