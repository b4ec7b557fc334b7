import ECS
import ECSTestSupport
import Testing

@Suite struct CollectorIgnoringTests {
  let context = Context()
  let collector: Collector
  let other: Collector

  init() {
    let group = context.group(Health.matcher)
    collector = Collector(group: group, type: .addedUpdatedOrRemoved)
    other = Collector(group: group, type: .addedUpdatedOrRemoved)
  }

  func drained() -> [Entity] { Array(collector.drain()) }

  @Test func `What the section changes is not collected, and others are notified`() {
    let index = context.index { (health: Health) in health.points }
    let made = context.createEntity(with: Health(points: 1))
    let gone = context.createEntity(with: Health(points: 1))
    _ = (collector.drain(), other.drain())
    let new = collector.ignoring {
      made.set(Health(points: 7))
      gone.destroy()
      return context.createEntity(with: Health(points: 8))
    }
    expectTrue(collector.isEmpty)
    expectEqual(Array(other.drain()), [made, gone, new])
    expectEqual(Array(index[7]), [made])
    made.set(Health(points: 2))
    expectEqual(drained(), [made])
  }

  @Test func `What was collected before stays`() {
    let one = context.createEntity(with: Health(points: 1))
    let two = context.createEntity(with: Health(points: 1))
    collector.ignoring { two.set(Health(points: 2)) }
    one.set(Health(points: 2))
    expectEqual(drained(), [one, two])
  }

  @Test func `Sections are nested, with one collector and with several`() {
    let entities = context.createEntities(4, with: Health(points: 1))
    _ = (collector.drain(), other.drain())
    collector.ignoring {
      collector.ignoring { entities[0].set(Health(points: 2)) }
      entities[1].set(Health(points: 2))
      other.ignoring { entities[2].set(Health(points: 2)) }
      entities[3].set(Health(points: 2))
    }
    expectTrue(collector.isEmpty)
    expectEqual(Array(other.drain()), [entities[0], entities[1], entities[3]])
  }

  @Test func `What observers change is collected`() {
    let entity = context.createEntity(with: Health(points: 1))
    let cured = context.createEntity(with: Health(points: 1))
    _ = collector.drain()
    let observer = entity.observe { [cured] _ in cured.set(Health(points: 5)) }
    collector.ignoring { entity.set(Health(points: 2)) }
    expectEqual(drained(), [cured])
    observer.cancel()
  }

  @Test func `An error goes through, and changes are collected afterwards`() {
    struct Failure: Error {}
    let entity = context.createEntity(with: Health(points: 1))
    _ = collector.drain()
    #expect(throws: Failure.self) {
      try collector.ignoring { () throws(Failure) in
        entity.set(Health(points: 2))
        throw Failure()
      }
    }
    expectTrue(collector.isEmpty)
    entity.set(Health(points: 3))
    expectEqual(drained(), [entity])
  }

  @Test func `Changes that wait for the end of an iteration are ignored, and no others`() {
    let entities = context.createEntities(4, with: Health(points: 1))
    let parent = context.createEntity()
    let child = context.createEntity(with: Health(points: 1))
    child.relate(PartOf.self, to: parent)
    _ = (collector.drain(), other.drain())
    var (ignored, counted): (Entity?, Entity?)
    let guide = context.createEntity(with: Tag())
    context.group(Tag.matcher).withEach { (_, _: Tag) in
      entities[0].remove(Health.self)
      collector.ignoring {
        entities[1].remove(Health.self)
        entities[2].set(Health(points: 2))
        parent.destroy()
        ignored = context.createEntity(with: Health(points: 2))
      }
      entities[3].destroy()
      counted = context.createEntity(with: Health(points: 2))
    }
    expectFalse(child.isAlive)
    expectTrue(guide.isAlive)
    expectEqual(drained(), [entities[0], entities[3], counted].compactMap(\.self))
    expectTrue(other.drain().contains(ignored ?? guide))
    entities[1].set(Health(points: 1))
    expectEqual(drained(), [entities[1]])
  }

  @Test func `Sections in an iteration are nested as well`() {
    let entities = context.createEntities(4, with: Health(points: 1))
    context.createEntity(with: Tag())
    _ = (collector.drain(), other.drain())
    context.group(Tag.matcher).withEach { (_, _: Tag) in
      collector.ignoring {
        entities[0].destroy()
        other.ignoring { entities[1].destroy() }
        entities[2].destroy()
      }
      entities[3].destroy()
    }
    expectEqual(drained(), [entities[3]])
    expectEqual(Array(other.drain()), [entities[0], entities[2], entities[3]])
  }

  @Test func `An iteration inside of the section is ignored`() {
    let entities = context.createEntities(2, with: Health(points: 1))
    _ = collector.drain()
    collector.ignoring {
      context.group(Health.matcher).withEach { (entity, health: inout Health) in
        health.points += 1
        entity.set(Tag())
        if entity == entities[1] { entity.destroy() }
      }
    }
    expectEqual(entities[0].get(Health.self)?.points, 2)
    expectTrue(collector.isEmpty)
  }

  @Test func `Transactions that are taken back leave the collector as it was`() {
    struct Failure: Error {}
    let entities = context.createEntities(3, with: Health(points: 1))
    _ = collector.drain()
    entities[0].set(Health(points: 2))
    #expect(throws: Failure.self) {
      try context.transaction {
        entities[1].set(Health(points: 2))
        try collector.ignoring {
          entities[2].set(Health(points: 2))
          throw Failure()
        }
      }
    }
    expectEqual(drained(), [entities[0]])
    collector.ignoring {
      try? context.transaction {
        entities[1].set(Health(points: 3))
        throw Failure()
      }
      entities[1].set(Health(points: 4))
    }
    expectTrue(collector.isEmpty)
    entities[1].set(Health(points: 5))
    expectEqual(drained(), [entities[1]])
  }

  @Test func `A collector that is paused inside stays so`() {
    let entity = context.createEntity(with: Health(points: 1))
    collector.ignoring { collector.pause() }
    entity.set(Health(points: 2))
    expectTrue(collector.isEmpty)
    collector.ignoring { collector.resume() }
    entity.set(Health(points: 3))
    expectEqual(drained(), [entity])
  }

  @Test func `Entities that are put back are there`() {
    let entity = context.createEntity(with: Health(points: 1))
    let entities = collector.drain()
    collector.ignoring { collector.restore(entities) }
    expectEqual(drained(), [entity])
  }

  @Test func `After the end of the context there is nothing to ignore`() {
    let collector = Context().collector(for: Health.matcher)
    expectEqual(collector.ignoring { 1 }, 1)
  }
}
