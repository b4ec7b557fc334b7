import ECS
import ECSTestSupport
import Testing

@Suite struct ManualNoticeTests {
  @Test func `Observers of a source are notified once when the outermost change ends`() {
    let context = Context()
    let entity = context.createEntity(with: Health(points: 1))
    let group = context.group(Health.matcher)
    let (entities, groups, changes) = (Tally(), Tally(), Tally())
    let tokens = [
      entity.observe(initial: false) { _ in entities.add() },
      group.observe(initial: false) { _ in groups.add() },
      group.observeChanges { _ in changes.add() },
    ]
    let collector = context.collector(for: Health.matcher, type: .addedUpdatedOrRemoved)
    entity.notify()
    expectTrue(entities.value == 1 && groups.value == 0)
    context.perform {
      group.notify()
      entity.notify()
      entity.notify()
      entity.set(Health(points: 2))
      expectTrue(entities.value == 1 && groups.value == 0)
    }
    expectTrue(entities.value == 2 && groups.value == 1 && changes.value == 1)
    expectEqual(collector.count, 1)
    withExtendedLifetime(tokens) {}
  }

  @Test func `Nothing is notified of sources that are gone, or not observed`() {
    let context = Context()
    let entity = context.createEntity(with: Health(points: 1))
    entity.notify()
    let notices = Tally()
    let token = entity.observe(initial: false) { _ in notices.add() }
    entity.destroy()
    entity.notify()
    expectEqual(notices.value, 1)
    withExtendedLifetime(token) {}
  }
}
