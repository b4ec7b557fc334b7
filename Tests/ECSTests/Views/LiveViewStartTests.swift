import ECS
import ECSTestSupport
import Testing

private struct Age: Component, Equatable { var value: Int }
private enum Follows: Relation {}

/// Reading a view changes nothing: it is started by `start()` and by being observed.
@Suite struct LiveViewStartTests {
  let context = Context()
  let evaluations = Tally()

  private func makeView() -> LiveView {
    context.group(Age.matcher).filtered { [evaluations] (age: Age) in
      evaluations.add()
      return age.value > 2
    }
    .sorted(by: \Age.value, .descending)
  }

  private func read(_ view: LiveView) -> [String] {
    let entities = Array(view)
    let places = entities.map { view.position(of: $0) }
    return [
      "\(view.count) \(view.isEmpty) \(entities) \(places) \(view.entities() == EntitySet(entities))",
      "\(String(describing: view.first)) \(String(describing: view.last)) \(view.first(2))",
      "\(String(describing: view[1])) \(String(describing: view[9])) \(entities.map(view.contains))",
    ]
  }

  @Test func `No getter starts a view`() {
    let entities = (0..<8).map { context.createEntity(with: Age(value: $0)) }
    let view = makeView()
    _ = (read(view), "\(view)", view.group, view.hashValue, view.observerCount)
    expectFalse(view.isStarted)
    expectEqual(context.statistics.views, 0)
    let before = evaluations.value
    entities[0].set(Age(value: 9))
    expectEqual(evaluations.value, before, "nobody keeps it up to date")
    expectTrue("\(view)".hasSuffix("(not started)"))
    expectEqual(evaluations.value, before, "a description asks no filter")
  }

  @Test func `A view that hasn't started is still right`() {
    let view = makeView()
    let twin = makeView().start()
    expectEqual(read(view), read(twin))
    for number in 0..<8 {
      context.createEntity(with: Age(value: number)).set(Tag())
      expectEqual(read(view), read(twin))
    }
    view.first?.set(Age(value: 0))
    expectEqual(read(view), read(twin))
    view.last?.destroy()
    expectEqual(read(view), read(twin))
    expectEqual(view.count, 3)
    expectFalse(view.isStarted)
  }

  @Test func `A view of related entities that hasn't started is still right`() {
    let entities = (0..<8).map { context.createEntity(with: Age(value: $0)) }
    let views = [
      entities[0].targets(Follows.self).view(),
      entities[0].targets(Follows.self).view(in: context.group(Tag.matcher)),
    ]
    let twins = [
      entities[0].targets(Follows.self).view().start(),
      entities[0].targets(Follows.self).view(in: context.group(Tag.matcher)).start(),
    ]
    for number in [5, 3, 7, 1] {
      entities[0].relate(Follows.self, to: entities[number])
      if number > 3 { entities[number].set(Tag()) }
      expectEqual(views.map(read), twins.map(read))
    }
    expectEqual(Array(views[0]), [5, 3, 7, 1].map { entities[$0] })
    expectEqual(Array(views[1]), [5, 7].map { entities[$0] })
    entities[3].destroy()
    expectEqual(views.map(read), twins.map(read))
    expectEqual(context.statistics.views, 2)
    entities[0].destroy()
    expectEqual(views.map(\.count), [0, 0])
    expectTrue(views.allSatisfy { !$0.contains(entities[5]) })
    withExtendedLifetime(twins) {}
  }

  @Test func `A started view only filters what changes`() {
    for number in 0..<8 { context.createEntity(with: Age(value: number)) }
    let view = makeView().start()
    expectTrue(view.isStarted)
    expectEqual(evaluations.value, 8)
    _ = (read(view), read(view), "\(view)")
    expectEqual(evaluations.value, 8)
    view.start().first?.set(Age(value: 1))
    expectEqual(evaluations.value, 9)
    expectEqual(context.statistics.views, 1)
    expectTrue("\(view)".contains("4 entities"))
  }

  @Test func `Observing starts a view`() {
    let view = makeView()
    let told = Recorder<Int>()
    let token = view.observe(initial: false) { told.append($0.difference.insertions.count) }
    expectTrue(view.isStarted)
    context.createEntity(with: Age(value: 9))
    expectEqual(told.take(), [1])
    token.cancel()
    expectTrue(view.isStarted, "until nobody references it")
  }

  @Test func `Defining one view from another starts neither`() {
    let view = makeView()
    let further = view.then(by: \Age.value).filtered { (age: Age) in age.value < 9 }
    expectTrue(further.isEmpty)
    expectTrue(!view.isStarted && !further.isStarted)
    view.start()
    expectFalse(view.then(by: \Age.value).isStarted)
  }
}
