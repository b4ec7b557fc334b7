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
    #expect(!view.isStarted)
    #expect(context.statistics.views == 0)
    let before = evaluations.value
    entities[0].set(Age(value: 9))
    #expect(evaluations.value == before, "nobody keeps it up to date")
    #expect("\(view)".hasSuffix("(not started)"))
    #expect(evaluations.value == before, "a description asks no filter")
  }

  @Test func `A view that hasn't started is still right`() {
    let view = makeView()
    let twin = makeView().start()
    #expect(read(view) == read(twin))
    for number in 0..<8 {
      context.createEntity(with: Age(value: number)).set(Tag())
      #expect(read(view) == read(twin))
    }
    view.first?.set(Age(value: 0))
    #expect(read(view) == read(twin))
    view.last?.destroy()
    #expect(read(view) == read(twin))
    #expect(view.count == 3)
    #expect(!view.isStarted)
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
      #expect(views.map(read) == twins.map(read))
    }
    #expect(Array(views[0]) == [5, 3, 7, 1].map { entities[$0] })
    #expect(Array(views[1]) == [5, 7].map { entities[$0] })
    entities[3].destroy()
    #expect(views.map(read) == twins.map(read))
    #expect(context.statistics.views == 2)
    entities[0].destroy()
    #expect(views.map(\.count) == [0, 0])
    #expect(views.allSatisfy { !$0.contains(entities[5]) })
    withExtendedLifetime(twins) {}
  }

  @Test func `A started view only filters what changes`() {
    for number in 0..<8 { context.createEntity(with: Age(value: number)) }
    let view = makeView().start()
    #expect(view.isStarted)
    #expect(evaluations.value == 8)
    _ = (read(view), read(view), "\(view)")
    #expect(evaluations.value == 8)
    view.start().first?.set(Age(value: 1))
    #expect(evaluations.value == 9)
    #expect(context.statistics.views == 1)
    #expect("\(view)".contains("4 entities"))
  }

  @Test func `Observing starts a view`() {
    let view = makeView()
    let told = Recorder<Int>()
    let token = view.observe(initial: false) { told.append($0.difference.insertions.count) }
    #expect(view.isStarted)
    context.createEntity(with: Age(value: 9))
    #expect(told.take() == [1])
    token.cancel()
    #expect(view.isStarted, "until nobody references it")
  }

  @Test func `Defining one view from another starts neither`() {
    let view = makeView()
    let further = view.then(by: \Age.value).filtered { (age: Age) in age.value < 9 }
    #expect(further.isEmpty)
    #expect(!view.isStarted && !further.isStarted)
    view.start()
    #expect(!view.then(by: \Age.value).isStarted)
  }
}
