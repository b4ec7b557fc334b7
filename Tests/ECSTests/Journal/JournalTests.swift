import Dispatch
import ECS
import ECSTestSupport
import ECSTesting
import Synchronization
import Testing

private enum Likes: Relation {}
private enum BelongsTo: ToOneRelation { static var deleteRule: DeleteRule { .cascade } }
private struct Refused: Error {}
private struct Leader: UniqueComponent, Equatable { var rank: Int }

@Suite(.noHangs) struct JournalTests {
  let context = Context()

  private func journal(keeps: Bool = false) -> (CommitRecord, Subscription) {
    CommitRecord.journal(of: context, keeps: keeps)
  }

  // MARK: What is delivered

  @Test func `Each call is a commit that tells its change with old and new values`() {
    let (record, subscription) = journal()
    let entity = context.createEntity(with: Health(points: 1), Tag())
    record.name(entity, "e")
    expectEqual(record.take(), [["created new new \(points(1)) Tag()"]])
    entity.set(Health(points: 2))
    entity.set(Position(x: 1, y: 2))
    entity.remove(Tag.self)
    entity.update(Health.self) { $0.points += 1 }
    entity.remove(Velocity.self)
    entity.destroy()
    expectEqual(
      record.take(),
      [
        ["replaced e old \(points(1)) new \(points(2))"],
        ["added e new \(Position(x: 1, y: 2))"],
        ["removed e old Tag()"],
        ["replaced e old \(points(2)) new \(points(3))"],
        ["destroyed e old \(points(3)) \(Position(x: 1, y: 2))"],
      ])
    withExtendedLifetime(subscription) {}
  }

  @Test(arguments: [[], ["index"], ["collector"], ["index", "collector"]])
  func `What else keeps up with a component leaves journals as they are`(who: [String]) {
    let (record, subscription) = journal()
    let index = who.contains("index") ? context.index { (health: Health) in health.points } : nil
    let group = context.group(Health.matcher)
    let collector =
      who.contains("collector") ? Collector(group: group, type: .addedOrUpdated) : nil
    let entity = context.createEntity(with: Health(points: 1))
    record.name(entity, "e")
    _ = record.take()
    for number: Int32 in 1...3 {
      entity.update(Health.self) { $0.points += 1 }
      expectEqual(
        record.take(), [["replaced e old \(points(number)) new \(points(number + 1))"]])
      expectEqual(index.map { $0[number + 1].count } ?? 1, 1)
    }
    entity.set(Health(points: 9))
    group.withEach { (_, health: inout Health) in health.points += 1 }
    entity.remove(Health.self)
    expectEqual(record.take().count, 3)
    expectEqual(collector?.drain().count ?? 1, 1)
    withExtendedLifetime((subscription, index)) {}
  }

  @Test func `A section is one commit, delivered in the order of its changes`() {
    let entity = context.createEntity(with: Health(points: 1))
    let (record, subscription) = journal()
    record.name(entity, "e")
    context.perform {
      entity.set(Health(points: 2))
      context.perform { entity.set(Health(points: 3)) }
      expectTrue(record.commits.isEmpty)
    }
    expectEqual(
      record.take(),
      [
        [
          "replaced e old \(points(1)) new \(points(2))",
          "replaced e old \(points(2)) new \(points(3))",
        ]
      ])
    withExtendedLifetime(subscription) {}
  }

  @Test func `Reading, and a section without changes, are no commits`() {
    let entity = context.createEntity(with: Health(points: 1))
    let (record, subscription) = journal()
    context.perform { _ = entity.get(Health.self) }
    for entity in context.group(Health.matcher) { _ = entity.get(Health.self) }
    context.group(Health.matcher).withEach { (_, _: inout Health) in }
    expectTrue(record.take().isEmpty)
    withExtendedLifetime(subscription) {}
  }

  @Test func `Entities that are created together are delivered one by one`() {
    let (record, subscription) = journal()
    let entities = context.createEntities(3, with: Health(points: 4), Tag())
    expectEqual(record.take(), [Array(repeating: "created new new \(points(4)) Tag()", count: 3)])
    let told = Mutex<[Entity]>([])
    let other = context.journal().observe { commit in
      let entities = commit.map(\.entity)
      told.withLock { $0 = entities }
    }
    let more = context.createEntities(3, with: Health(points: 4))
    expectEqual(told.withLock(\.self), Array(more))
    withExtendedLifetime((subscription, other, entities)) {}
  }

  @Test func `An iteration tells the rows whose values it changed, before what it queued`() {
    let entities = (0..<4).map { context.createEntity(with: Health(points: Int32($0))) }
    let (record, subscription) = journal()
    for (number, entity) in entities.enumerated() { record.name(entity, "\(number)") }
    context.group(Health.matcher).withEach { (entity, health: inout Health) in
      if health.points % 2 == 1 { health.points += 10 }
      if entity == entities[0] { entities[3].destroy() }
    }
    expectEqual(
      record.take(),
      [
        [
          "replaced 1 old \(points(1)) new \(points(11))",
          "replaced 3 old \(points(3)) new \(points(13))",
          "destroyed 3 old \(points(13))",
        ]
      ])
    context.group(Health.matcher).withChunks { (_, healths: inout MutableSpan<Health>) in
      healths[0].points = 7
    }
    expectEqual(record.take(), [["replaced 0 old \(points(0)) new \(points(7))"]])
    withExtendedLifetime(subscription) {}
  }

  @Test func `An iteration that changes strings tells those before and after`() {
    let entity = context.createEntity(with: Name("a name too long to be stored inline"))
    let (record, subscription) = journal()
    record.name(entity, "e")
    context.group(Name.matcher).withEach { (_, name: inout Name) in name.text += "!" }
    entity.update(Name.self) { $0.text += "?" }
    let names = ["", "!", "!?"].map { "\(Name("a name too long to be stored inline\($0)"))" }
    expectEqual(
      record.take(),
      [
        ["replaced e old \(names[0]) new \(names[1])"],
        ["replaced e old \(names[1]) new \(names[2])"],
      ])
    withExtendedLifetime(subscription) {}
  }

  @Test func `Links are delivered from both ends, with those that go`() {
    let (record, subscription) = journal()
    let (a, b, c) = (context.createEntity(), context.createEntity(), context.createEntity())
    for (entity, name) in [(a, "a"), (b, "b"), (c, "c")] { record.name(entity, name) }
    _ = record.take()
    a.relate(BelongsTo.self, to: b)
    b.sources(Likes.self).insert(c)
    a.relate(BelongsTo.self, to: c)
    c.destroy()
    expectEqual(
      record.take(),
      [
        ["linked a BelongsTo -> b"],
        ["linked c Likes -> b"],
        ["unlinked a BelongsTo -> b", "linked a BelongsTo -> c"],
        ["destroyed c", "unlinked a BelongsTo -> c", "unlinked c Likes -> b", "destroyed a"],
      ])
    withExtendedLifetime(subscription) {}
  }

  @Test func `A unique component that moves is removed and added`() {
    let one = context.createEntity(with: Leader(rank: 1), Tag())
    let other = context.createEntity()
    let (record, subscription) = journal()
    record.name(one, "one")
    record.name(other, "other")
    other.set(Leader(rank: 2))
    context.setUniqueComponent(Leader(rank: 3))
    expectEqual(
      record.take(),
      [
        [
          "removed one old \(Leader(rank: 1))",
          "added other new \(Leader(rank: 2))",
        ],
        ["replaced other old \(Leader(rank: 2)) new \(Leader(rank: 3))"],
      ])
    withExtendedLifetime(subscription) {}
  }

  @Test func `What observers change belongs to the commit`() {
    let entity = context.createEntity(with: Health(points: 1))
    let observer = context.group(Health.matcher).observeChanges(.updated, name: "tagger") {
      $0.entity.set(Tag())
    }
    let (record, subscription) = journal()
    record.name(entity, "e")
    entity.set(Health(points: 2))
    expectEqual(
      record.take(), [["replaced e old \(points(1)) new \(points(2))", "added e new Tag()"]])
    expectEqual(record.takeCauses(), [["unknown ", "observer tagger"]])
    withExtendedLifetime((observer, subscription)) {}
  }

  @Test func `A journal of some components and relations tells nothing else`() {
    let record = CommitRecord()
    let subscription = context.journal(of: Health.self, relations: [Likes.self])
      .observe { record.add($0) }
    let entity = context.createEntity(with: Tag())
    record.name(entity, "e")
    entity.set(Position(x: 1, y: 1)).relate(BelongsTo.self, to: context.createEntity())
    entity.remove(Tag.self)
    expectTrue(record.take().isEmpty)
    entity.set(Health(points: 1)).relate(Likes.self, to: entity)
    _ = context.createEntity(with: Tag(), Health(points: 5))
    entity.destroy()
    expectEqual(
      record.take(),
      [
        ["added e new \(points(1))"], ["linked e Likes -> e"],
        ["created new new \(points(5))"],
        ["destroyed e old \(points(1))", "unlinked e Likes -> e"],
      ])
    withExtendedLifetime(subscription) {}
  }

  // MARK: Transactions

  // A transaction notes all changes, to take them back; an only journal is what others are noted for.
  @Test func `A journal of some components tells nothing else of transactions`() {
    let record = CommitRecord()
    let subscription = context.journal(of: Health.self, relations: [Likes.self])
      .observe { record.add($0) }
    let entity = context.createEntity(with: Position(x: 1, y: 1), Tag())
    record.name(entity, "e")
    let last = context.lastCommit
    context.transaction { entity.set(Position(x: 2, y: 2)) }
    context.transaction {
      entity.update(Position.self) { $0.x += 1 }
      entity.remove(Tag.self)
      entity.set(Velocity(dx: 1, dy: 1))
      entity.relate(BelongsTo.self, to: context.createEntity(with: Tag()))
      context.group(Position.matcher).withEach { (_, position: inout Position) in position.x += 1 }
    }
    expectTrue(record.take().isEmpty && context.lastCommit == last)
    context.transaction {
      entity.set(Position(x: 3, y: 3))
      entity.set(Health(points: 1))
      entity.set(Tag())
    }
    expectEqual(record.take(), [["added e new \(points(1))"]])
    expectEqual(context.lastCommit, last + 1)
    withExtendedLifetime(subscription) {}
  }

  @Test func `What a transaction takes back is not delivered`() throws {
    let entity = context.createEntity(with: Health(points: 1))
    let (record, subscription) = journal()
    record.name(entity, "e")
    #expect(throws: Refused.self) {
      try context.transaction {
        entity.set(Health(points: 2))
        context.createEntity().relate(Likes.self, to: entity)
        throw Refused()
      }
    }
    expectTrue(record.take().isEmpty)
    context.transaction {
      entity.set(Health(points: 3))
      _ = try? context.transaction {
        entity.set(Tag())
        throw Refused()
      }
      entity.set(Health(points: 4))
    }
    expectEqual(
      record.take(),
      [
        [
          "replaced e old \(points(1)) new \(points(3))",
          "replaced e old \(points(3)) new \(points(4))",
        ]
      ])
    withExtendedLifetime(subscription) {}
  }

  // MARK: Memory

  @Test func `Kept commits keep their values, others keep none`() {
    let counter = LifeCounter()
    do {
      let record = CommitRecord(keeps: true)
      let entity = context.createEntity(with: Tracked(counter))
      var subscription: Subscription? = context.journal().observe { record.add($0) }
      for _ in 0..<10 { entity.set(Tracked(counter)) }
      expectEqual(counter.living, 11)
      context.group(Tracked.matcher).withEach { (_, tracked: inout Tracked) in
        tracked = Tracked(counter)
      }
      expectEqual(counter.living, 12)
      subscription = nil
      withExtendedLifetime(subscription) {}
      entity.destroy()
      expectEqual(counter.living, 12)
    }
    expectEqual(counter.living, 0)
    let subscription = context.journal().observe { _ in }
    let entity = context.createEntity(with: Tracked(counter))
    for _ in 0..<1000 { entity.set(Tracked(counter)) }
    expectEqual(counter.living, 1)
    _ = try? context.transaction {
      for _ in 0..<10 { entity.set(Tracked(counter)) }
      _ = context.createEntity(with: Tracked(counter))
      throw Refused()
    }
    expectEqual(counter.living, 1)
    entity.destroy()
    expectEqual(counter.living, 0)
    withExtendedLifetime(subscription) {}
  }

  @Test func `Large sections are delivered whole`() {
    let (record, subscription) = journal()
    context.perform {
      for number in 0..<20_000 {
        _ = context.createEntity(with: Health(points: Int32(number)), Name("\(number)"))
      }
    }
    let commits = record.take()
    expectTrue(commits.count == 1 && commits[0].count == 20_000)
    expectEqual(commits.first?.last?.contains("19999"), true)
    withExtendedLifetime(subscription) {}
  }

  // MARK: Refusals

  @Test func `Changing the context from an observer of its journal stops`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      let subscription = context.journal().observe { _ in context.change() }
      context.change()
      withExtendedLifetime(subscription) {}
    }
    expectTrue(stopped(result, saying: "An observer of a journal called its context to change it"))
  }
}
