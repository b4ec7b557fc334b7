import ECS
import ECSTestSupport
import Testing

@Suite(.noHangs) struct UniqueComponentTests {
  let context = Context()
  let events = Recorder<Event>()

  struct Refusal: Error {}

  @Test func `No entity holds a unique component at first`() {
    expectNil(context.uniqueComponent(Settings.self))
    expectFalse(context.hasUniqueComponent(Settings.self))
    expectNil(context.uniqueEntity(Settings.self))
  }

  @Test func `A unique component is set and read through the context`() {
    context.setUniqueComponent(Settings(volume: 3))
    expectEqual(context.uniqueComponent(Settings.self), Settings(volume: 3))
    let inferred: Settings? = context.uniqueComponent()
    expectEqual(inferred?.volume, 3)
    expectTrue(context.hasUniqueComponent(Settings.self))
    expectEqual(context.uniqueEntity(Settings.self)?.get(Settings.self), Settings(volume: 3))
    expectEqual(context.count, 1)
  }

  @Test func `Setting it again replaces the value on the same entity`() {
    context.setUniqueComponent(Settings(volume: 3))
    let holder = context.uniqueEntity(Settings.self)
    let subscription = context.group(Settings.matcher).record(into: events)
    context.setUniqueComponent(Settings(volume: 4))
    expectEqual(context.uniqueEntity(Settings.self), holder)
    expectEqual(context.uniqueComponent(Settings.self)?.volume, 4)
    expectEqual(events.items.map(\.kind), [.updated])
    withExtendedLifetime(subscription) {}
  }

  struct Nested<Inner>: UniqueComponent { var number: Int }

  /// Does something with each of so many component types.
  private func forEachType<T>(
    _ type: T.Type, _ count: Int, _ body: (any NumberedUnique.Type, Int) -> Void
  ) {
    guard count > 0 else { return }
    body(Nested<T>.self, count)
    forEachType(Nested<T>.self, count - 1, body)
  }

  // So many that some begin at the same place of the table that finds them.
  @Test func `Many unique components don't interfere`() {
    for present in [40, 20, 0] {
      forEachType(Never.self, 40) { $0.put(present >= $1 ? $1 : nil, in: context) }
      forEachType(Never.self, 40) { type, number in
        expectEqual(type.number(in: context), (present >= number ? number : nil))
      }
      expectEqual(context.count, present)
    }
  }

  @Test func `Different unique components don't interfere`() {
    context.setUniqueComponent(Settings(volume: 3))
    context.setUniqueComponent(Selection(count: 5))
    context.removeUniqueComponent(Settings.self)
    expectNil(context.uniqueComponent(Settings.self))
    expectEqual(context.uniqueComponent(Selection.self)?.count, 5)
  }

  @Test func `Setting it on another entity moves it there in one step`() {
    let (old, new) = (context.createEntity(with: Tag()), context.createEntity())
    old.set(Settings(volume: 1))
    let group = context.group(Settings.matcher)
    let counts = Recorder<Int>()
    let subscriptions = [
      group.record(into: events), group.observeChanges { _ in counts.append(group.count) },
    ]
    new.set(Settings(volume: 2))
    expectFalse(old.has(Settings.self))
    expectTrue(old.has(Tag.self))
    expectEqual(context.uniqueEntity(Settings.self), new)
    expectEqual(context.uniqueComponent(Settings.self)?.volume, 2)
    expectEqual(events.items, [.removed(old), .added(new)])
    expectEqual(counts.items, [1, 1])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `Creating an entity with it takes it from its holder`() {
    let old = context.createEntity(with: Settings(volume: 1))
    let new = context.createEntity(with: Settings(volume: 2), Tag())
    expectTrue(old.isAlive)
    expectFalse(old.has(Settings.self))
    expectEqual(context.uniqueEntity(Settings.self), new)
    expectEqual(context.group(Settings.matcher).count, 1)
  }

  @Test func `Bulk creation of one entity takes it from its holder`() {
    context.setUniqueComponent(Settings(volume: 1))
    let created = context.createEntities(1, with: Settings(volume: 2))
    expectEqual(context.uniqueEntity(Settings.self), created.first)
    expectEqual(context.uniqueComponent(Settings.self)?.volume, 2)
    expectEqual(context.count, 1, "the context's own holder was left empty")
  }

  @Test func `The context's own holder is destroyed when it is left empty`() {
    context.setUniqueComponent(Settings(volume: 1))
    let holder = context.uniqueEntity(Settings.self)
    context.createEntity().set(Settings(volume: 2))
    expectEqual(holder?.isAlive, false)
    expectEqual(context.count, 1)
  }

  @Test func `The context's own holder stays if it has other components`() {
    context.setUniqueComponent(Settings(volume: 1))
    let holder = context.uniqueEntity(Settings.self)?.set(Tag())
    context.createEntity().set(Settings(volume: 2))
    expectEqual(holder?.isAlive, true)
    expectEqual(holder?.has(Settings.self), false)
  }

  @Test func `The user's own holder stays even if it is left empty`() {
    let holder = context.createEntity(with: Settings(volume: 1))
    context.setUniqueComponent(Settings(volume: 2))
    expectEqual(context.uniqueEntity(Settings.self), holder)
    context.createEntity().set(Settings(volume: 3))
    expectTrue(holder.isAlive)
    expectTrue(holder.isEmpty)
  }

  @Test func `Removing it destroys the context's own empty holder only`() {
    context.setUniqueComponent(Settings(volume: 1))
    context.removeUniqueComponent(Settings.self)
    expectEqual(context.count, 0)
    let holder = context.createEntity(with: Settings(volume: 1))
    context.removeUniqueComponent(Settings.self)
    expectTrue(holder.isAlive)
    expectFalse(context.hasUniqueComponent(Settings.self))
  }

  @Test func `Removing an absent one does nothing`() {
    let subscription = context.group(Settings.matcher).record(into: events)
    context.removeUniqueComponent(Settings.self)
    expectTrue(events.items.isEmpty)
    expectEqual(context.statistics.staleWrites, 0)
    withExtendedLifetime(subscription) {}
  }

  @Test func `It goes with its entity`() {
    context.setUniqueComponent(Settings(volume: 1))
    context.uniqueEntity(Settings.self)?.destroy()
    expectNil(context.uniqueComponent(Settings.self))
    expectFalse(context.hasUniqueComponent(Settings.self))
    context.setUniqueComponent(Settings(volume: 2))
    expectEqual(context.uniqueComponent(Settings.self)?.volume, 2)
  }

  @Test func `It is found after its entity moved between combinations of components`() {
    let holder = context.createEntity(with: Settings(volume: 1))
    for _ in 0..<3 {
      holder.set(Name("n")).set(Position(x: 1, y: 2))
      expectEqual(context.uniqueComponent(Settings.self)?.volume, 1)
      holder.remove(Name.self)
      expectEqual(context.uniqueComponent(Settings.self)?.volume, 1)
      holder.remove(Position.self)
      context.compact()
      expectEqual(context.uniqueComponent(Settings.self)?.volume, 1)
    }
    holder.remove(Settings.self)
    expectNil(context.uniqueComponent(Settings.self))
  }

  @Test func `One entity may hold several, and lose them one by one`() {
    let holder = context.createEntity(with: Settings(volume: 1), Selection(count: 2))
    let thief = context.createEntity().set(Selection(count: 3))
    expectEqual(context.uniqueComponent(Settings.self)?.volume, 1)
    expectEqual(context.uniqueEntity(Settings.self), holder)
    expectEqual(context.uniqueEntity(Selection.self), thief)
    expectEqual(context.uniqueComponent(Selection.self)?.count, 3)
  }

  @Test func `Each context has its own`() {
    let other = Context()
    context.setUniqueComponent(Settings(volume: 1))
    expectNil(other.uniqueComponent(Settings.self))
    other.setUniqueComponent(Settings(volume: 2))
    expectEqual(context.uniqueComponent(Settings.self)?.volume, 1)
  }

  @Test func `An update changes it in place`() {
    expectNil(context.updateUniqueComponent(Settings.self) { _ in 1 })
    context.setUniqueComponent(Settings(volume: 1))
    let result = context.updateUniqueComponent(Settings.self) { settings in
      settings.volume += 1
      return "done"
    }
    expectEqual(result, "done")
    expectEqual(context.uniqueComponent(Settings.self)?.volume, 2)
  }

  @Test func `The only entity of a matcher is found`() {
    expectNil(context.uniqueEntity(Tag.matcher))
    let entity = context.createEntity(with: Tag())
    expectEqual(context.uniqueEntity(Tag.matcher), entity)
  }
}

@Suite(.noHangs) struct ScopedUniqueComponentTests {
  let context = Context()

  struct Refusal: Error {}

  @Test func `A scoped override is undone when nothing was there`() {
    let inside = context.withUnique(Settings(volume: 9)) {
      context.uniqueComponent(Settings.self)?.volume
    }
    expectEqual(inside, 9)
    expectFalse(context.hasUniqueComponent(Settings.self))
    expectEqual(context.count, 0)
  }

  @Test func `A scoped override puts the earlier value back on its holder`() {
    let holder = context.createEntity(with: Settings(volume: 1), Tag())
    context.withUnique(Settings(volume: 9)) {
      expectEqual(context.uniqueComponent(Settings.self)?.volume, 9)
      context.createEntity().set(Settings(volume: 10))
    }
    expectEqual(context.uniqueEntity(Settings.self), holder)
    expectEqual(context.uniqueComponent(Settings.self)?.volume, 1)
  }

  @Test func `A scoped override puts the value back if its holder is gone`() {
    let holder = context.createEntity(with: Settings(volume: 1))
    context.withUnique(Settings(volume: 9)) { holder.destroy() }
    expectEqual(context.uniqueComponent(Settings.self)?.volume, 1)
  }

  @Test func `Scoped overrides nest`() {
    context.setUniqueComponent(Settings(volume: 1))
    context.withUnique(Settings(volume: 2)) {
      context.withUnique(Settings(volume: 3)) {
        expectEqual(context.uniqueComponent(Settings.self)?.volume, 3)
      }
      expectEqual(context.uniqueComponent(Settings.self)?.volume, 2)
    }
    expectEqual(context.uniqueComponent(Settings.self)?.volume, 1)
    context.removeUniqueComponent(Settings.self)
    expectEqual(context.count, 0, "the holder is the context's own as before")
  }

  @Test func `A scoped override is undone when the body throws`() {
    context.setUniqueComponent(Settings(volume: 1))
    #expect(throws: Refusal.self) {
      try context.withUnique(Settings(volume: 2)) { throw Refusal() }
    }
    expectEqual(context.uniqueComponent(Settings.self)?.volume, 1)
  }

  @Test func `A scoped override lasts as long as an asynchronous body`() async {
    context.setUniqueComponent(Settings(volume: 1))
    let context = context
    await context.withUnique(Settings(volume: 2)) {
      await Task.yield()
      expectEqual(context.uniqueComponent(Settings.self)?.volume, 2)
    }
    expectEqual(context.uniqueComponent(Settings.self)?.volume, 1)
  }

  @Test func `If old and new holder go together, no entity holds it`() {
    context.setUniqueComponent(Settings(volume: 1))
    let old = context.uniqueEntity(Settings.self)
    let new = context.createEntity(with: Tag())
    if let old { new.relate(PartOf.self, to: old) }
    new.set(Settings(volume: 2))
    expectEqual(old?.isAlive, false)
    expectFalse(new.isAlive)
    expectNil(context.uniqueEntity(Settings.self))
    expectNil(context.uniqueComponent(Settings.self))
    expectEqual(context.statistics.staleWrites, 1)
    context.setUniqueComponent(Settings(volume: 3))
    expectEqual(context.uniqueComponent(Settings.self)?.volume, 3)
    expectEqual(context.count, 1)
  }

  @Test func `A holder that goes with the override gets its value back elsewhere`() {
    let holder = context.createEntity(with: Settings(volume: 1), Tag())
    context.withUnique(Settings(volume: 2)) {
      context.removeUniqueComponent(Settings.self)
      context.setUniqueComponent(Settings(volume: 3))
      if let other = context.uniqueEntity(Settings.self) { holder.relate(PartOf.self, to: other) }
    }
    expectFalse(holder.isAlive)
    expectEqual(context.uniqueComponent(Settings.self)?.volume, 1)
    expectEqual(context.count, 1)
    context.removeUniqueComponent(Settings.self)
    expectEqual(context.count, 0, "the context made the holder")
  }
}

/// A unique component with a number.
private protocol NumberedUnique: UniqueComponent {
  var number: Int { get }
  init(number: Int)
}

extension UniqueComponentTests.Nested: NumberedUnique {}

extension NumberedUnique {
  static func put(_ number: Int?, in context: Context) {
    guard let number else { return context.removeUniqueComponent(self) }
    context.setUniqueComponent(Self(number: number))
  }

  static func number(in context: Context) -> Int? { context.uniqueComponent(self)?.number }
}
