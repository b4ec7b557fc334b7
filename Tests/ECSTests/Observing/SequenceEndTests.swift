import ECS
import ECSTestSupport
import Testing

/// Sequences end without loss, or say what was lost.
@Suite(.noHangs) struct SequenceEndTests {
  let context = Context()

  private func points(of commit: Commit) -> [Int32] {
    commit.compactMap { $0.new(Health.self)?.points }
  }

  // MARK: Finishing

  @Test func `Finishing a journal delivers what has happened, and ends its sequences`() async {
    let journal = context.journal(of: Health.self)
    let (first, second) = (journal.commits(), context.journal(of: Health.self).commits())
    let (other, all) = (context.journal(of: Position.self).commits(), context.journal().commits())
    let entity = context.createEntity(with: Health(points: 0))
    for number: Int32 in 1..<100 { entity.set(Health(points: number)) }
    journal.finish()
    entity.set(Health(points: 100))
    for commits in [first, second] {
      var told: [Int32] = []
      for await commit in commits { told += points(of: commit) }
      expectEqual(told, Array(0..<100))
      expectEqual(commits.droppedCount, 0)
    }
    expectEqual(context.statistics.observers, 2)
    let later = journal.commits()
    entity.set(Health(points: 101))
    context.journal().finish()
    journal.finish()
    var counts = [0, 0]
    for await _ in all { counts[0] += 1 }
    for await commit in later { counts[1] += points(of: commit) == [101] ? 1 : 10 }
    expectEqual(counts, [102, 1])
    other.finish()
    for await _ in other { Issue.record("There was a commit.") }
    expectEqual(context.statistics.observers, 0)
    expectEqual(context.statistics.droppedElements, 0)
  }

  @Test func `Finishing in a section delivers all of it`() async {
    let journal = context.journal()
    let commits = journal.commits()
    let changes = context.group(Health.matcher).changes()
    let observations = context.group(Health.matcher).observations
    let collector = context.collector(for: Health.matcher, type: .addedOrUpdated)
    let values = collector.values
    context.perform {
      context.createEntity(with: Health(points: 1))
      journal.finish()
      changes.finish()
      observations.finish()
      collector.finish()
      context.createEntity(with: Health(points: 2))
    }
    context.createEntity(with: Health(points: 3))
    var told: [[Int32]] = []
    for await commit in commits { told.append(points(of: commit)) }
    var changed: [Int32] = []
    for await change in changes { changed += change.new(Health.self).map { [$0.points] } ?? [] }
    var count = 0
    for await _ in observations { count += 1 }
    var collected: [Int] = []
    for await entities in values { collected.append(entities.count) }
    expectEqual(told, [[1, 2]])
    expectEqual(changed, [1, 2])
    expectEqual(count, 1)
    expectEqual(collected, [2])
  }

  @Test func `A transaction that is taken back does not take finishing back`() async {
    struct Enough: Error {}
    let commits = context.journal().commits()
    let collector = context.collector(for: Health.matcher)
    let before = context.createEntity(with: Health(points: 1))
    try? context.transaction { () throws(Enough) in
      context.createEntity(with: Health(points: 2))
      commits.finish()
      collector.finish()
      throw Enough()
    }
    context.createEntity(with: Health(points: 3))
    var told: [Int32] = []
    for await commit in commits { told += points(of: commit) }
    expectEqual(told, [1])
    expectTrue(collector.isFinished)
    expectEqual(Array(collector.drain()), [before])
  }

  @Test func `A task that waits is woken by finishing`() async {
    let journal = context.journal()
    let group = context.group(Health.matcher)
    let (commits, changes, observations) = (journal.commits(), group.changes(), group.observations)
    let count = await withTaskGroup(of: Int.self) { tasks in
      tasks.addTask { await commits.reduce(into: 0) { count, _ in count += 1 } }
      tasks.addTask { await changes.reduce(into: 0) { count, _ in count += 1 } }
      tasks.addTask { await observations.reduce(into: 0) { count, _ in count += 1 } }
      await Task.yield()
      journal.finish()
      changes.finish()
      observations.finish()
      return await tasks.reduce(0, +)
    }
    expectEqual(count, 0)
    expectEqual(context.statistics.observers, 0)
  }

  @Test func `Finishing what has ended does nothing`() {
    let entity = context.createEntity(with: Health(points: 1))
    let changes = entity.changes()
    entity.destroy()
    changes.finish()
    changes.finish()
    var other: Context? = Context()
    let commits = other?.journal().commits()
    let journal = other?.journal()
    let collector = other?.collector(for: Health.matcher)
    expectEqual(other?.lastCommit, 0)
    other = nil
    commits?.finish()
    journal?.finish()
    collector?.finish()
    expectEqual(context.statistics.observers, 0)
  }

  // MARK: Up to a commit

  @Test func `Commits up to a number end with it, whether or not it concerns them`() async {
    let journal = context.journal(of: Health.self)
    let all = context.journal().commits()
    let entity = context.createEntity(with: Position(x: 0, y: 0))
    expectEqual(context.lastCommit, 1)
    let over = journal.commits(upTo: 1)
    let third = journal.commits(upTo: 3)
    let fourth = journal.commits(upTo: 4)
    entity.set(Health(points: 2))
    entity.set(Health(points: 3))
    entity.set(Position(x: 1, y: 1))
    entity.set(Health(points: 5))
    var told: [[Int32]] = [[], [], []]
    for await commit in over { told[0] += points(of: commit) }
    for await commit in third { told[1] += points(of: commit) }
    for await commit in fourth { told[2] += points(of: commit) }
    expectEqual(told, [[], [2, 3], [2, 3]])
    expectEqual(context.lastCommit, 5)
    expectEqual(context.perform { context.lastCommit }, 5)
    expectEqual(context.statistics.observers, 1)
    withExtendedLifetime(all) {}
  }

  // MARK: Loss

  /// Iterates over one element, is cancelled, and goes on; returns how many it got.
  private func cancel<S: AsyncSequence & Sendable>(_ sequence: S) async -> Int
  where S.Failure == Never {
    let count = Tally()
    let task = Task {
      for await _ in sequence {
        count.add()
        while !Task.isCancelled { await Task.yield() }
      }
    }
    while count.value == 0 { await Task.yield() }
    task.cancel()
    await task.value
    return count.value
  }

  @Test func `Cancelling counts what it drops`() async {
    let group = context.group(Health.matcher)
    let (commits, changes) = (context.journal().commits(), group.changes())
    for number: Int32 in 0..<1000 { context.createEntity(with: Health(points: number)) }
    expectEqual(commits.waitingCount, 1000)
    await expectEqual(cancel(commits), 1)
    expectEqual(commits.droppedCount, 999)
    expectEqual(commits.waitingCount, 0)
    await expectEqual(cancel(changes), 1)
    expectEqual(changes.droppedCount, 999)
    expectEqual(context.statistics.droppedElements, 1998)
  }

  @Test func `Cancelling counts an observation that was not seen`() async {
    let group = context.group(Health.matcher)
    let observations = group.observations
    let count = Tally()
    let task = Task { [context] in
      for await _ in observations {
        context.createEntity(with: Health(points: 2))
        context.createEntity(with: Health(points: 3))
        count.add()
        while !Task.isCancelled { await Task.yield() }
      }
    }
    context.createEntity(with: Health(points: 1))
    while count.value == 0 { await Task.yield() }
    task.cancel()
    await task.value
    // The two that were to be seen together are one.
    expectEqual(observations.droppedCount, 1)
    expectEqual(context.statistics.droppedElements, 1)
  }

  @Test func `What waits when a sequence is released counts`() async {
    do {
      let commits = context.journal().commits()
      for number: Int32 in 0..<10 { context.createEntity(with: Health(points: number)) }
      for await _ in commits { break }
    }
    expectEqual(context.statistics.droppedElements, 9)
  }

  static let bufferings: [(CommitSequence.Buffering, Int)] = [
    (.unbounded, 0), (.bufferingNewest(4), 6), (.bufferingOldest(4), 6), (.bufferingNewest(0), 10),
    (.bufferingOldest(0), 10),
  ]

  @Test(arguments: bufferings)
  func `What finds no room counts`(buffering: CommitSequence.Buffering, expected: Int) async {
    let commits = context.journal().commits(buffering: buffering)
    for number: Int32 in 0..<10 { context.createEntity(with: Health(points: number)) }
    expectEqual(commits.droppedCount, expected)
    expectEqual(context.statistics.droppedElements, expected)
    commits.finish()
    await expectEqual(commits.reduce(into: 0) { count, _ in count += 1 }, 10 - expected)
    expectEqual(commits.droppedCount, expected)
  }

  @Test func `Sequences of a context that is gone do not count for the next one`() {
    var changes: ChangeSequence?
    do {
      let other = Context()
      changes = other.group(Health.matcher).changes()
      other.createEntity(with: Health(points: 1))
    }
    let others = (0..<8).map { _ in Context() }
    expectEqual(changes?.droppedCount, 0)
    changes = nil
    expectTrue(others.allSatisfy { $0.statistics.droppedElements == 0 })
  }

  @Test func `Each change is either delivered or counted, whenever the task is cancelled`() async {
    for round in 0..<50 {
      let context = Context()
      let commits = context.journal().commits()
      let task = Task { await commits.reduce(into: 0) { count, _ in count += 1 } }
      let entity = context.createEntity(with: Health(points: 0))
      for number in 1..<100 {
        if number == 2 * round { task.cancel() }
        entity.set(Health(points: Int32(number)))
        if number % 10 == 0 { await Task.yield() }
      }
      task.cancel()
      let count = await task.value
      // Those behind the cancellation are not observed any more.
      expectLessThanOrEqual(count + commits.droppedCount, 100)
      expectGreaterThanOrEqual(count + commits.droppedCount, min(2 * round, 100))
      expectEqual(context.statistics.droppedElements, commits.droppedCount)
    }
  }
}
