import Dispatch
import ECS
import ECSObservation
import ECSTestSupport
import Observation
import Testing

@Suite(.noHangs) struct ObservedTests {
  let context = Context()
  let told = Recorder<Int>()

  /// Reads something, and records when it changes.
  private func track<Value>(_ read: () -> Value) -> Value {
    withObservationTracking(read) { [told] in told.append(1) }
  }

  @Test func `Tracking sees the change of an entity's component`() {
    let entity = context.createEntity(with: Health(points: 1))
    let observed = entity.observed()
    expectEqual(track { observed[Health.self] } as Health?, Health(points: 1))
    entity.setIfChanged(Health(points: 1))
    expectEqual(told.count, 0)
    entity.set(Health(points: 2))
    expectEqual(told.count, 1)
    entity.set(Health(points: 3))
    expectEqual(told.count, 1)
    expectEqual(track { observed[Health.self] } as Health?, Health(points: 3))
    entity.destroy()
    expectEqual(told.count, 2)
    expectFalse(observed.isAlive)
  }

  @Test func `Tracking sees the changes of a group`() {
    let observed = context.group(Health.matcher).observed()
    expectEqual(track { observed.count }, 0)
    let entity = context.createEntity(with: Health(points: 1))
    expectEqual(told.count, 1)
    expectEqual(track { observed.entities }, [entity])
    _ = context.createEntity(with: Position(x: 0, y: 0))
    expectEqual(told.count, 1)
  }

  @Test func `Tracking sees the changes of a live view and of a relation`() {
    enum Follows: Relation {}
    let view = context.group(Health.matcher).sorted(by: \Health.points).observed()
    let (one, other) = (
      context.createEntity(with: Health(points: 2)), context.createEntity(with: Health(points: 1))
    )
    expectEqual(track { view.entities }, [other, one])
    one.set(Health(points: 0))
    expectEqual(told.count, 1)
    let followers = other.sources(Follows.self).observed()
    expectEqual(track { followers.source.count }, 0)
    one.relate(Follows.self, to: other)
    expectEqual(told.count, 2)
  }

  @Test func `Only what is read is observed, and releasing ends the observation`() {
    let entity = context.createEntity()
    do {
      let observed = entity.observed()
      expectEqual(entity.observerCount, 0)
      _ = track { observed.source }
      expectEqual(entity.observerCount, 1)
    }
    expectEqual(entity.observerCount, 0)
  }

  @Test func `Tracking is notified outside the critical section`() {
    let entity = context.createEntity(with: Health(points: 1))
    let observed = entity.observed()
    let (context, other, told) = (context, DispatchQueue(label: "other"), told)
    withObservationTracking {
      _ = observed.isAlive
    } onChange: {
      let done = DispatchSemaphore(value: 0)
      other.async {
        if context.count == 1 { told.append(1) }
        done.signal()
      }
      _ = done.wait(timeout: .now() + 5)
    }
    entity.set(Health(points: 2))
    expectEqual(told.count, 1)
  }
}
