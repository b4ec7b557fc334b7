import ECS
import ECSTestSupport
import Testing

@Suite struct RunawayObserverTests {
  let context = Context()

  @Test func `An observer that changes what it observes settles`() {
    let entity = context.createEntity(with: Health(points: 0))
    let runs = Recorder<Int32>()
    let subscription = entity.observe(initial: false) { entity in
      entity.update(Health.self) { $0.points += 1 }
      let points = entity.get(Health.self)?.points ?? 0
      runs.append(points)
      if points < 1000 { entity.set(Health(points: points)) }
    }
    let cancelling = entity.observeChanges(of: Health.self, .updated) { entity, _, new in
      if new?.points == 1000 { subscription.cancel() }
    }
    entity.set(Health(points: 1))
    expectEqual(runs.items.last, 1000)
    expectEqual(context.statistics.runaways, 0)
    withExtendedLifetime(cancelling) {}
  }

  @Test func `A runaway observer of a source is stopped and reported`() {
    let entity = context.createEntity(with: Health(points: 0))
    let reports = Recorder<RunawayReport>()
    let token = context.observeRunaways { reports.append($0) }
    let subscription = entity.observe(initial: false) { entity in
      entity.update(Health.self) { $0.points &+= 1 }
    }
    entity.set(Health(points: 1))
    expectEqual(reports.count, 1)
    expectEqual(reports.items.first?.rounds, context.maximumObserverRounds)
    expectEqual(reports.items.first?.observers, [entity.description])
    expectEqual(context.statistics.runaways, 1)
    expectEqual(entity.get(Health.self)?.points, 10_001)
    withExtendedLifetime((token, subscription)) {}
  }

  @Test func `A runaway observer of single changes is stopped and reported`() {
    let entity = context.createEntity(with: Health(points: 0))
    context.maximumObserverRounds = 50
    let subscription = entity.observeChanges { change in
      change.entity.update(Health.self) { $0.points += 1 }
    }
    entity.set(Health(points: 1))
    expectEqual(context.statistics.runaways, 1)
    expectEqual(entity.get(Health.self)?.points, 51)
    withExtendedLifetime(subscription) {}
  }

  @Test func `Observers that multiply are stopped`() {
    let group = context.group(Health.matcher)
    context.maximumObserverRounds = 100
    let subscription = group.observeChanges(.added) { change in
      for _ in 0..<2 { _ = change.entity.context?.createEntity(with: Health(points: 0)) }
    }
    _ = context.createEntity(with: Health(points: 0))
    expectEqual(context.statistics.runaways, 1)
    expectLessThan(context.count, 100_000)
    withExtendedLifetime(subscription) {}
  }

  @Test func `A named observer that runs away is named in the report`() {
    let entity = context.createEntity(with: Health(points: 0))
    let owner = Recorder<Int>()
    let reports = Recorder<RunawayReport>()
    let token = context.observeRunaways { reports.append($0) }
    entity.observe(by: owner, name: "greedy", initial: false) { _, entity in
      entity.update(Health.self) { $0.points &+= 1 }
    }
    entity.set(Health(points: 1))
    expectEqual(reports.items.first?.observers.contains("greedy"), true)
    expectTrue("\(reports.items[0])".contains("greedy"))
    withExtendedLifetime(token) {}
  }

  @Test func `Observers of runaways may cause another one, and don't hear of that`() {
    let entity = context.createEntity(with: Health(points: 0))
    context.maximumObserverRounds = 10
    let reports = Recorder<RunawayReport>()
    let token = context.observeRunaways {
      reports.append($0)
      entity.set(Health(points: 0))
    }
    let subscription = entity.observe(initial: false) { entity in
      entity.update(Health.self) { $0.points &+= 1 }
    }
    entity.set(Health(points: 1))
    expectEqual(reports.count, 1)
    expectEqual(context.statistics.runaways, 2)
    withExtendedLifetime((token, subscription)) {}
  }

  @Test func `After a runaway is stopped, changes are reported as before`() {
    let entity = context.createEntity(with: Health(points: 0))
    let other = context.createEntity()
    context.maximumObserverRounds = 10
    let subscription = entity.observe(initial: false) { entity in
      entity.update(Health.self) { $0.points &+= 1 }
    }
    entity.set(Health(points: 1))
    subscription.cancel()
    let runs = Recorder<Int>()
    let later = [entity, other].map { $0.observe(initial: false) { _ in runs.append(1) } }
    entity.set(Health(points: 1))
    other.set(Health(points: 1))
    expectEqual(runs.count, 2)
    withExtendedLifetime(later) {}
  }
}
