import ECS
import ECSTestSupport
import ECSTesting
import Synchronization
import Testing

private enum Likes: Relation {}
private struct Refused: Error {}

/// What journals tell that begin or end in the course of a change.
@Suite(.noHangs) struct JournalBeginningTests {
  let context = Context()

  private func journal(keeps: Bool = false) -> (CommitRecord, Subscription) {
    CommitRecord.journal(of: context, keeps: keeps)
  }

  // Its body must not change the context, but may begin to observe it, and end that.
  @Test func `A journal begins and ends while a hierarchy is walked`() {
    let root = context.createEntity(with: Health(points: 1))
    _ = try? context.createEntity(with: Tag()).setParent(root)
    let record = CommitRecord()
    record.name(root, "e")
    var subscription: Subscription?
    root.walk { _, _ in subscription = context.journal().observe { record.add($0) } }
    root.set(Health(points: 2))
    expectEqual(record.take(), [["replaced e old \(Health(points: 1)) new \(Health(points: 2))"]])
    let last = context.lastCommit
    root.walk { _, _ in subscription?.cancel() }
    root.set(Health(points: 3))
    expectTrue(record.take().isEmpty && context.lastCommit == last)
  }

  @Test func `A journal begins and ends while entities are made of a sequence`() {
    let record = CommitRecord()
    var subscription: Subscription?
    let made = context.createEntities(from: 1...1) { number in
      subscription = context.journal().observe { record.add($0) }
      return Health(points: Int32(number))
    }
    record.name(made[0], "e")
    _ = record.take()
    made[0].set(Health(points: 2))
    expectEqual(record.take(), [["replaced e old \(Health(points: 1)) new \(Health(points: 2))"]])
    let last = context.lastCommit
    context.createEntities(from: 1...1) { number in
      subscription?.cancel()
      return Health(points: Int32(number))
    }
    expectTrue(record.take().isEmpty && context.lastCommit == last)
  }

  @Test func `A transaction goes on as before when a journal begins or ends inside`() {
    let entity = context.createEntity(with: Health(points: 1), Name("n"))
    let record = CommitRecord()
    record.name(entity, "e")
    var subscription: Subscription?
    _ = try? context.transaction {
      entity.set(Health(points: 2))
      subscription = context.journal().observe { record.add($0) }
      entity.set(Health(points: 3)).set(Name("m"))
      throw Refused()
    }
    expectEqual(entity.get(Health.self), Health(points: 1))
    expectTrue(record.take().isEmpty)
    _ = try? context.transaction {
      entity.set(Health(points: 2))
      subscription?.cancel()
      entity.set(Health(points: 3)).set(Name("m"))
      throw Refused()
    }
    expectEqual(entity.get(Health.self), Health(points: 1))
    expectEqual(entity.get(Name.self)?.text, "n")
    entity.set(Health(points: 8))
    expectTrue(record.take().isEmpty)
  }

  @Test func `A journal that begins inside a section or a transaction tells what follows`() {
    let entity = context.createEntity(with: Health(points: 1))
    let record = CommitRecord()
    record.name(entity, "e")
    var subscription: Subscription?
    context.perform {
      entity.set(Health(points: 2))
      subscription = context.journal().observe { record.add($0) }
      entity.set(Health(points: 3))
    }
    expectEqual(record.take(), [["replaced e old \(points(2)) new \(points(3))"]])
    subscription = nil
    context.transaction {
      entity.set(Health(points: 4))
      subscription = context.journal().observe { record.add($0) }
      context.transaction { _ = entity.set(Health(points: 5)) }
    }
    expectEqual(record.take(), [["replaced e old \(points(4)) new \(points(5))"]])
    withExtendedLifetime(subscription) {}
  }

  @Test func `A journal that begins inside the closure of an update tells the update`() {
    let (entity, other) = (context.createEntity(with: Health(points: 1)), context.createEntity())
    let record = CommitRecord()
    record.name(entity, "e")
    record.name(other, "other")
    var subscription: Subscription?
    entity.update(Health.self) { health in
      health.points = 2
      subscription = context.journal().observe { record.add($0) }
      other.set(Tag())
    }
    expectEqual(
      record.take(), [["added other new Tag()", "replaced e old \(points(1)) new \(points(2))"]])
    withExtendedLifetime(subscription) {}
  }

  @Test func `A journal that ends inside an iteration tells nothing of it`() {
    let entities = (0..<3).map { context.createEntity(with: Health(points: Int32($0))) }
    var (record, subscription): (CommitRecord, Subscription?) = journal()
    context.group(Health.matcher).withEach { (entity, health: inout Health) in
      health.points += 10
      entity.set(Tag())
      if entity == entities[1] { subscription = nil }
    }
    entities[0].update(Health.self) { $0.points += 1 }
    expectTrue(record.take().isEmpty)
    expectEqual(entities.map { $0.get(Health.self)?.points }, [11, 11, 12])
    (record, subscription) = journal()
    entities[0].update(Health.self) { health in
      health.points += 1
      subscription = nil
    }
    entities[0].update(Health.self) { $0.points += 1 }
    expectTrue(record.take().isEmpty)
    expectEqual(entities[0].get(Health.self)?.points, 13)
    withExtendedLifetime(subscription) {}
  }

  @Test func `A second journal widens what is noted, for itself only`() {
    let (one, other) = (CommitRecord(), CommitRecord())
    let entity = context.createEntity()
    for record in [one, other] { record.name(entity, "e") }
    let first = context.journal(of: Health.self).observe { one.add($0) }
    var second: Subscription? = context.journal(of: Tag.self, relations: [Likes.self])
      .observe { other.add($0) }
    let third = context.journal(of: Tag.self).observe { _ in }
    let change = {
      entity.set(Health(points: 1)).set(Tag()).relate(Likes.self, to: entity)
      entity.remove(Tag.self)
    }
    change()
    expectEqual(one.take(), [["added e new \(points(1))"]])
    expectEqual(
      other.take(), [["added e new Tag()"], ["linked e Likes -> e"], ["removed e old Tag()"]])
    second = nil
    change()
    expectEqual(one.take(), [["replaced e old \(points(1)) new \(points(1))"]])
    expectTrue(other.take().isEmpty)
    withExtendedLifetime((first, second, third)) {}
  }

  @Test func `What only a journal that has ended asked for is not noted any longer`() {
    let sizes = Mutex<[Int]>([])
    let position = context.createEntity(with: Position(x: 0, y: 0))
    let health = context.createEntity(with: Health(points: 0))
    let narrow = context.journal(of: Health.self).observe { commit in
      sizes.withLock { $0.append(commit.byteCount) }
    }
    let change = { [context] in
      context.perform {
        for number in 0..<10_000 { position.set(Position(x: Float(number), y: 0)) }
        health.set(Health(points: 1))
      }
    }
    change()
    let wide = context.journal().observe { _ in }
    change()
    wide.cancel()
    // The memory that it took goes with the next commit.
    health.set(Health(points: 2))
    change()
    let counts = sizes.withLock(\.self)
    expectTrue(counts.count == 4 && counts[1] > 500_000)
    expectTrue(counts[0] < 100_000 && counts[3] < 100_000)
    withExtendedLifetime(narrow) {}
  }

  @Test func `A journal that begins inside a section does not get what another one gets`() {
    let (one, other) = (CommitRecord(), CommitRecord())
    let entity = context.createEntity(with: Health(points: 1))
    for record in [one, other] { record.name(entity, "e") }
    var first: Subscription? = context.journal().observe { one.add($0) }
    var second: Subscription?
    context.perform {
      entity.set(Health(points: 2))
      second = context.journal().observe { other.add($0) }
      entity.set(Health(points: 3))
    }
    let (earlier, later) = (
      "replaced e old \(points(1)) new \(points(2))",
      "replaced e old \(points(2)) new \(points(3))"
    )
    expectEqual(one.take(), [[earlier, later]])
    expectEqual(other.take(), [[later]])
    second = nil
    // What was noted for one that has ended is not delivered to the next one.
    context.perform {
      entity.set(Health(points: 1))
      first = nil
      entity.set(Health(points: 2))
      second = context.journal().observe { other.add($0) }
      entity.set(Health(points: 3))
    }
    expectEqual(other.take(), [[later]])
    withExtendedLifetime((first, second)) {}
  }

  @Test func `A journal that begins inside a transaction that throws gets what follows it`() {
    let (one, other) = (CommitRecord(), CommitRecord())
    let entity = context.createEntity(with: Health(points: 1))
    for record in [one, other] { record.name(entity, "e") }
    let first = context.journal().observe { one.add($0) }
    var second: Subscription?
    context.perform {
      _ = try? context.transaction {
        for _ in 0..<5 { entity.set(Health(points: 2)) }
        second = context.journal().observe { other.add($0) }
        entity.set(Health(points: 2))
        throw Refused()
      }
      entity.set(Health(points: 3))
    }
    let change = "replaced e old \(points(1)) new \(points(3))"
    expectEqual(one.take(), [[change]])
    expectEqual(other.take(), [[change]])
    withExtendedLifetime((first, second)) {}
  }

  @Test func `A journal that begins deep in transactions that throw gets what follows them`() {
    for before in 0..<4 {
      for isInSection in [false, true] {
        let (one, other) = (CommitRecord(), CommitRecord())
        let entity = context.createEntity(with: Health(points: 1))
        for record in [one, other] { record.name(entity, "e") }
        let first = context.journal().observe { one.add($0) }
        var second: Subscription?
        func change() { for number in 1...3 { entity.set(Health(points: Int32(number))) } }
        context.perform {
          _ = try? context.transaction {
            for _ in 0..<before { entity.set(Health(points: 50)) }
            _ = try? context.transaction {
              _ = try? context.transaction {
                entity.set(Name("a text that is too long to be kept in place"))
                second = context.journal().observe { other.add($0) }
                throw Refused()
              }
              throw Refused()
            }
            throw Refused()
          }
          if isInSection { change() }
        }
        if !isInSection { context.perform { change() } }
        let changes = [(1, 1), (1, 2), (2, 3)].map { (old: Int32, new: Int32) in
          "replaced e old \(points(old)) new \(points(new))"
        }
        expectEqual(one.take(), [changes])
        expectEqual(other.take(), [changes])
        withExtendedLifetime((first, second)) {}
      }
    }
  }
}
