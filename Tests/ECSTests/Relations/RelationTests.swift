import ECS
import ECSTestSupport
import Testing

@Suite(.noHangs) struct RelationTests {
  let context = Context()
  let a: Entity
  let b: Entity
  let c: Entity
  let d: Entity

  init() {
    let entities = context.createEntities(4, with: Health(points: 0))
    (a, b, c, d) = (entities[0], entities[1], entities[2], entities[3])
  }

  @Test func `Setting the to-one side updates the to-many side`() {
    a.relate(WrittenBy.self, to: c)
    b.relate(WrittenBy.self, to: c)
    expectEqual(a.target(WrittenBy.self), c)
    expectEqual(c.sources(WrittenBy.self).entities(), [a, b])
    expectEqual(context.linkCount(WrittenBy.self), 2)
  }

  @Test func `Inserting on the to-many side updates the to-one side`() {
    c.sources(WrittenBy.self).insert(a)
    expectEqual(a.target(WrittenBy.self), c)
    c.sources(WrittenBy.self).remove(a)
    expectNil(a.target(WrittenBy.self))
    expectTrue(c.sources(WrittenBy.self).isEmpty)
  }

  @Test func `A new target takes the place of the one before`() {
    a.relate(WrittenBy.self, to: c)
    a.relate(WrittenBy.self, to: d)
    expectTrue(c.sources(WrittenBy.self).isEmpty)
    expectEqual(d.sources(WrittenBy.self).entities(), [a])
    expectEqual(a.targets(WrittenBy.self).entities(), [d])
  }

  @Test func `Adding twice changes nothing`() {
    for _ in 0..<2 { a.relate(TaggedWith.self, to: c).relate(TaggedWith.self, to: d) }
    expectEqual(a.targets(TaggedWith.self).entities(), [c, d])
    expectEqual(c.sources(TaggedWith.self).count, 1)
  }

  @Test func `Removing works from both sides, and is harmless if there is nothing to remove`() {
    a.relate(TaggedWith.self, to: c)
    b.relate(TaggedWith.self, to: c)
    c.sources(TaggedWith.self).remove(a)
    b.unrelate(TaggedWith.self, from: c)
    b.unrelate(TaggedWith.self, from: c)
    a.unrelate(TaggedWith.self, from: d)
    expectEqual(context.linkCount(TaggedWith.self), 0)
    expectFalse(a.isRelated(TaggedWith.self, to: c))
  }

  @Test func `Related entities come in the order in which they were linked`() {
    for tag in [d, b, c] { a.relate(TaggedWith.self, to: tag) }
    a.unrelate(TaggedWith.self, from: b).relate(TaggedWith.self, to: b)
    expectEqual(Array(a.targets(TaggedWith.self)), [d, c, b])
    expectEqual(a.targets(TaggedWith.self).first, d)
  }

  @Test func `A one-to-one link takes the place of those that both ends had`() {
    a.relate(MarriedTo.self, to: b)
    c.relate(MarriedTo.self, to: d)
    a.relate(MarriedTo.self, to: d)
    expectEqual(a.target(MarriedTo.self), d)
    expectEqual(d.source(MarriedTo.self), a)
    expectNil(b.source(MarriedTo.self))
    expectNil(c.target(MarriedTo.self))
  }

  @Test func `All links of a side are removed or replaced at once`() {
    a.targets(TaggedWith.self).replaceAll(with: [b, c])
    a.targets(TaggedWith.self).replaceAll(with: [b, d, c])
    expectEqual(a.targets(TaggedWith.self).entities(), [b, d, c])
    a.targets(TaggedWith.self).removeAll()
    expectEqual(context.linkCount(TaggedWith.self), 0)
    a.relate(TaggedWith.self, to: a).unrelate(TaggedWith.self)
    expectTrue(a.sources(TaggedWith.self).isEmpty)
  }

  @Test func `The sources of an entity in a group are found among its sources`() {
    a.relate(WrittenBy.self, to: c)
    b.relate(WrittenBy.self, to: c)
    b.set(Tag())
    expectEqual(c.sources(WrittenBy.self).entities(in: context.group(Tag.matcher)), [b])
  }

  @Test func `Many links between few are found in constant time`() {
    let tags = context.createEntities(100, with: Tag())
    let articles = context.createEntities(100, with: Tag())
    for article in articles { for tag in tags { article.relate(TaggedWith.self, to: tag) } }
    expectEqual(context.linkCount(TaggedWith.self), 10_000)
    for article in articles { for tag in tags { article.relate(TaggedWith.self, to: tag) } }
    expectEqual(context.linkCount(TaggedWith.self), 10_000)
    articles[7].unrelate(TaggedWith.self, from: tags[9])
    expectFalse(articles[7].isRelated(TaggedWith.self, to: tags[9]))
    expectTrue(articles[7].isRelated(TaggedWith.self, to: tags[10]))
    tags[10].destroy()
    expectEqual(context.linkCount(TaggedWith.self), 9_899)
  }

  @Test func `Dead entities are not linked, and that is counted`() {
    b.destroy()
    a.relate(WrittenBy.self, to: b)
    b.relate(WrittenBy.self, to: a)
    expectNil(a.target(WrittenBy.self))
    expectTrue(b.targets(WrittenBy.self).isEmpty)
    expectEqual(context.statistics.staleWrites, 2)
  }

  @Test func `Links made inside an iteration are made when it ends`() {
    context.group(Health.matcher).withEach { (entity, _: Health) in
      entity.relate(WrittenBy.self, to: a)
      expectNil(entity.target(WrittenBy.self))
    }
    expectEqual(a.sources(WrittenBy.self).entities(), [a, b, c, d])
    context.group(Health.matcher).withEach { (_: Entity, _: Health) in
      a.sources(WrittenBy.self).removeAll()
    }
    expectTrue(a.sources(WrittenBy.self).isEmpty)
  }

  @Test func `Relating entities of two contexts stops with a message`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let (one, other) = (Context(), Context())
      one.createEntity().relate(WrittenBy.self, to: other.createEntity())
    }
    expectTrue(stopped(result, saying: "relate entities of one context"))
  }

  // MARK: Observation

  @Test func `Both sides and both entities hear of an outermost change once`() {
    a.relate(WrittenBy.self, to: b)
    let told = Recorder<String>()
    let subscriptions = [
      a.observe(initial: false) { _ in told.append("a") },
      b.observe(initial: false) { _ in told.append("b") },
      c.observe(initial: false) { _ in told.append("c") },
      a.targets(WrittenBy.self).observe(initial: false) { _ in told.append("a's author") },
      b.sources(WrittenBy.self).observe(initial: false) { _ in told.append("b's articles") },
      c.sources(WrittenBy.self).observe(initial: false) { _ in told.append("c's articles") },
      c.sources(TaggedWith.self).observe(initial: false) { _ in told.append("c's tagged") },
    ]
    context.perform {
      a.relate(WrittenBy.self, to: c)
      d.relate(WrittenBy.self, to: c)
      return
    }
    expectEqual(
      told.take(), ["a", "a's author", "b", "b's articles", "c", "c's articles"])
    a.relate(WrittenBy.self, to: c)
    expectEqual(told.count, 0)
    a.destroy()
    expectEqual(Set(told.take()), ["a", "c", "a's author", "c's articles"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `Observers of relations end with their entity`() {
    let told = Recorder<Int>()
    let subscription = a.targets(WrittenBy.self).observe(initial: false) { told.append($0.count) }
    a.relate(WrittenBy.self, to: b)
    b.destroy()
    a.destroy()
    expectEqual(told.items, [1, 0, 0])
    expectFalse(subscription.isActive)
    expectEqual(context.statistics.observers, 0)
  }
}
