import Dispatch
import ECS
import ECSTestSupport
import Synchronization
import Testing

/// Beginning and ending to observe commits.
@Suite(.noHangs) struct JournalObservingTests {
  let context = Context()

  private func journal(keeps: Bool = false) -> (CommitRecord, Subscription) {
    CommitRecord.journal(of: context, keeps: keeps)
  }

  @Test func `Numbers rise, and times do not go back`() {
    let (record, subscription) = journal(keeps: true)
    for _ in 0..<100 { context.change() }
    let commits = record.kept
    expectEqual(commits.count, 100)
    expectTrue(zip(commits, commits.dropFirst()).allSatisfy { $0.number < $1.number })
    expectTrue(commits.allSatisfy { $0.time > .seconds(1_700_000_000) })
    expectTrue(commits.allSatisfy { $0.context === context })
    withExtendedLifetime(subscription) {}
  }

  @Test func `A journal whose token is released tells nothing, and costs nothing`() {
    let record = CommitRecord()
    var subscription: Subscription? = context.journal().observe { record.add($0) }
    context.change()
    expectEqual(record.take().count, 1)
    subscription = nil
    context.change()
    expectTrue(record.take().isEmpty)
    subscription = context.journal().observe { record.add($0) }
    context.change()
    expectEqual(record.take().count, 1)
    withExtendedLifetime(subscription) {}
  }

  @Test func `An observation may end the journal, and others may begin, while it is notified`() {
    let tokens = Mutex<[Subscription]>([])
    let counts = Mutex<[Int]>([0, 0])
    let context = context
    let first = context.journal().observe { _ in
      counts.withLock { $0[0] += 1 }
      let next = context.journal().observe { _ in counts.withLock { $0[1] += 1 } }
      tokens.withLock { tokens in
        for token in tokens { token.cancel() }
        tokens = [next]
      }
    }
    for _ in 0..<3 { context.change() }
    first.cancel()
    context.change()
    for token in tokens.withLock(\.self) { token.cancel() }
    context.change()
    expectEqual(counts.withLock(\.self), [3, 1])
  }

  @Test func `A journal that stays gets nothing of what only one wanted that ended meanwhile`() {
    let (told, others) = (CommitRecord(), CommitRecord())
    let staying = context.journal(of: Health.self).observe { told.add($0) }
    let leaving = context.journal(of: Position.self).observe { others.add($0) }
    let entity = context.createEntity(with: Position(x: 1, y: 1), Health(points: 1))
    _ = (told.take(), others.take())
    context.perform {
      entity.set(Position(x: 2, y: 2))
      leaving.cancel()
    }
    expectTrue(told.take().isEmpty)
    // What was noted for one choice alone is not read with another one.
    context.perform {
      entity.set(Position(x: 3, y: 3))
      entity.set(Health(points: 2))
    }
    expectEqual(told.take().count, 1)
    expectTrue(others.take().isEmpty)
    withExtendedLifetime(staying) {}
  }

  @Test func `What is kept of a commit is what its own journal tells`() {
    let (positions, health) = (CommitRecord(keeps: true), CommitRecord(keeps: true))
    let tokens = [
      context.journal(of: Position.self).observe { positions.add($0) },
      context.journal(of: Health.self).observe { health.add($0) },
    ]
    let entity = context.createEntity(with: Position(x: 1, y: 1), Health(points: 1))
    context.perform {
      entity.set(Position(x: 2, y: 2))
      entity.set(Health(points: 2))
    }
    tokens[1].cancel()
    entity.set(Position(x: 3, y: 3))
    expectEqual(positions.kept.last?.map { $0.newComponents().count }, [1])
    expectEqual(positions.kept.dropLast().last?.map { $0.component }, [Position.cid])
    expectEqual(health.kept.last?.map { $0.component }, [Health.cid])
    withExtendedLifetime(tokens) {}
  }

  @Test func `A queue and an owner are as for other observers`() {
    let queue = DispatchQueue(label: "journal")
    let owner = CommitRecord()
    let subscription = context.journal().observe(by: owner, on: queue) { $0.add($1) }
    for _ in 0..<5 { context.change() }
    queue.sync {}
    expectEqual(owner.commits.count, 5)
    subscription.cancel()
    context.change()
    queue.sync {}
    expectEqual(owner.commits.count, 5)
  }

  @Test func `A sequence says how many commits it has dropped`() async {
    let context = Context()
    let commits = context.journal().commits(buffering: .bufferingNewest(2))
    var iterator = commits.makeAsyncIterator()
    for number in 0..<5 { _ = context.createEntity(with: Health(points: Int32(number))) }
    var told: [Int] = []
    for _ in 0..<2 {
      guard let commit = await iterator.next() else { break }
      told.append(commit.droppedBefore)
      told += commit.compactMap { change in change.new(Health.self).map { Int($0.points) } }
    }
    _ = context.createEntity(with: Health(points: 9))
    told.append(await iterator.next()?.droppedBefore ?? -1)
    expectEqual(told, [3, 3, 0, 4, 0])
  }

  @Test func `A sequence ends with its context`() async {
    var context: Context? = Context()
    let commits = context?.journal().commits()
    context?.change()
    context = nil
    var count = 0
    if let commits { for await _ in commits { count += 1 } }
    expectEqual(count, 1)
  }

  @Test func `Observers that change what announces itself to journals are stopped`() {
    let reports = Mutex(0)
    context.maximumObserverRounds = 50
    let entity = context.createEntity(with: Health(points: 0), Position(x: 0, y: 0))
    let group = context.group(Health.matcher)
    let journal = context.journal().observe { _ in group.notify() }
    let observer = group.observe(initial: false) { _ in
      // Of this only the journal is notified, whose observer notifies this one.
      entity.update(Position.self) { $0.x += 1 }
    }
    let runaways = context.observeRunaways { _ in reports.withLock { $0 += 1 } }
    entity.set(Health(points: 1))
    expectEqual(reports.withLock(\.self), 1)
    let count = entity.get(Position.self)?.x ?? 0
    expectTrue(count > 10 && count < 200)
    // The next outermost change begins anew.
    entity.set(Health(points: 2))
    expectEqual(reports.withLock(\.self), 2)
    expectEqual(entity.get(Position.self)?.x, 2 * count)
    observer.cancel()
    entity.set(Health(points: 1))
    expectEqual(reports.withLock(\.self), 2)
    withExtendedLifetime((journal, runaways)) {}
  }
}
