import ECS
import ECSTestSupport
import Testing

/// Objects that are read, or released, in sections that only read.
@Suite(.noHangs) struct ReadingObjectTests {
  struct Score: Component {
    var points: Int
  }

  @Test func `What is released inside ends with the section`() {
    let context = Context()
    let entity = context.createEntity(with: Score(points: 1))
    let heard = Tally()
    var objects: [Any] = [
      context.index { (score: Score) in score.points },
      context.collector(for: Score.matcher),
      context.group(Score.matcher).sorted(by: \Score.points).start(),
      context.orderedIndex { (score: Score) in score.points },
      context.sum(of: { (score: Score) in score.points }, by: { $0.points }),
      context.group(Score.matcher).observe(initial: false) { _ in heard.add() },
    ]
    expectGreaterThan(context.statistics.indexes, 0)
    entity.set(Score(points: 2))
    expectEqual(heard.value, 1)
    context.reading {
      objects = []
      expectEqual(context.statistics.collectors, 1)
    }
    expectTrue(objects.isEmpty)
    entity.set(Score(points: 3))
    expectEqual(heard.value, 1)
    let statistics = context.statistics
    expectEqual(statistics.indexes + statistics.collectors + statistics.views, 0)
    expectEqual(statistics.observers, 0)
  }

  @Test func `The iterator of a sequence that is released inside ends with the section`() {
    let context = Context()
    let entity = context.createEntity(with: Score(points: 1))
    var iterator: CommitSequence.Iterator? = context.journal().commits().makeAsyncIterator()
    expectNotNil(iterator)
    expectEqual(context.statistics.observers, 1)
    entity.set(Score(points: 2))
    context.reading { iterator = nil }
    expectEqual(context.statistics.observers, 0)
    let last = context.lastCommit
    entity.set(Score(points: 3))
    expectEqual(context.lastCommit, last)
  }

  @Test func `The token of a journal that is released inside of a section ends at once`() {
    let context = Context()
    let entity = context.createEntity(with: Score(points: 1))
    let commits = Tally()
    var token: Subscription? = context.journal().observe { _ in commits.add() }
    expectNotNil(token)
    context.perform {
      context.reading { token = nil }
      entity.set(Score(points: 2))
    }
    expectEqual(commits.value, 0)
    entity.set(Score(points: 3))
    expectEqual(commits.value, 0)
    token = context.journal().observe { _ in commits.add() }
    entity.set(Score(points: 4))
    expectEqual(commits.value, 1)
    context.reading { token = nil }
    entity.set(Score(points: 5))
    expectEqual(commits.value, 1)
    expectEqual(entity.get(Score.self)?.points, 5)
  }

  @Test func `A journal that begins beside a nested section goes on behind it`() {
    let context = Context()
    let entity = context.createEntity(with: Score(points: 1))
    let commits = Tally()
    context.perform {
      // Only changes of entities are refused inside of another section.
      let token = context.reading { context.journal().observe { _ in commits.add() } }
      entity.set(Score(points: 2))
      entity.set(Score(points: 3))
      withExtendedLifetime(token) {}
    }
    expectEqual(entity.get(Score.self)?.points, 3)
  }

  @Test func `A context that is released in its own section ends with that`() {
    var context: Context? = Context()
    let entity = context?.createEntity(with: Score(points: 1))
    let isAlive = context?.reading {
      context = nil
      return entity?.isAlive
    }
    expectEqual(isAlive, true)
    expectEqual(entity?.isAlive, false)
    expectNil(entity?.context)
  }

  @Test func `A context may end in the section of another one`() {
    let other = Context()
    let entity = other.reading {
      let context = Context()
      let entity = context.createEntity(with: Score(points: 1))
      expectTrue(entity.isAlive)
      return entity
    }
    expectFalse(entity.isAlive)
    expectEqual(other.count, 0)
  }

  @Test func `Contexts, owners, columns and texts may be asked for inside`() {
    final class Owner: Sendable {}
    let context = Context()
    let owner = Owner()
    let changes = Recorder<Change>()
    let byPoints = context.primaryIndex { (score: Score) in score.points }
    let group = context.group(Score.matcher)
    let recording = group.observeChanges { changes.append($0) }
    group.observe(by: owner, name: "one", initial: false) { _, _ in }
    let entity = context.createEntity(with: Score(points: 1))
    let change = changes.take().last
    func readings() -> [String] {
      var counts: [Int] = []
      context.withColumns { counts.append($0.count) }
      return [
        "\(byPoints.context === context)", "\(change?.context === context)",
        "\(context.observerCount(of: owner))", "\(context.observerNames(of: owner))",
        "\(context.maximumObserverRounds)", "\(counts)", entity.dump(), context.dump(),
        "\(recording.isActive)", "\(group.count)", "\(group.observerCount)",
        "\(group.observerNames)",
      ]
    }
    let outside = readings()
    expectEqual(context.reading { readings() }, outside)
    expectEqual(context.perform { context.reading { readings() } }, outside)
    expectEqual(outside.prefix(3), ["true", "true", "1"])
  }

  @Test func `Entities are copied inside, into other contexts`() throws {
    let (context, other) = (Context(), Context())
    let parent = context.createEntity(with: Score(points: 1))
    parent.children.insert(context.createEntity(with: Score(points: 2)))
    let copy = try context.reading { try parent.clone(into: other, deep: ChildOf.self) }
    expectTrue(copy.context === other)
    expectEqual(copy.children.first?.get(Score.self)?.points, 2)
    expectTrue(context.count == 2 && other.count == 2)
  }

  @Test func `An entity of an object that is released in a section is destroyed after it`() {
    let context = Context()
    let entities = context.createEntities(5, with: Score(points: 1))
    context.reading {
      entities[0].destroyWhenFree()
      expectTrue(entities[0].isAlive)
    }
    context.perform {
      context.reading { entities[1].destroyWhenFree() }
      expectTrue(entities[1].isAlive)
    }
    context.withEach { (entity, score: Score) in
      if entity == entities[2] { context.reading { entities[2].destroyWhenFree() } }
    }
    entities[3].destroyWhenFree()
    expectEqual(entities.map(\.isAlive), [false, false, false, false, true])
  }

  @Test func `Passes of another context inside run on one thread, and may read this one`() {
    let (context, other) = (Context(), Context())
    let entity = context.createEntity(with: Score(points: 3))
    other.createEntities(20_000, with: Score(points: 1))
    let group = other.group(Score.matcher)
    let (waiting, wrong, sum) = (Tally(), Tally(), Tally())
    Threads.run(2) { thread in
      guard thread == 0 else {
        while waiting.value == 0 {}
        entity.set(Score(points: 4))
        return
      }
      context.reading {
        waiting.add()
        let end = ContinuousClock.now + .seconds(60)
        while !context.isAwaited, ContinuousClock.now < end {}
        group.withChunksInParallel { (_, scores: Span<Score>) in
          if !context.isInSection || entity.get(Score.self)?.points != 3 { wrong.add() }
          sum.add(scores.count)
        }
      }
    }
    expectEqual(wrong.value, 0)
    expectEqual(sum.value, 20_000)
    expectEqual(entity.get(Score.self)?.points, 4)
  }

  @Test func `Passes on all cores inside run on one, and may ask for anything that reads`() {
    let (context, other) = (Context(), Context())
    let parent = context.createEntity()
    for entity in context.createEntities(5_000, with: Score(points: 1)) {
      parent.children.insert(entity)
    }
    other.createEntities(5_000, with: Score(points: 1))
    let (group, others) = (context.group(Score.matcher), other.group(Score.matcher))
    let sum = Tally()
    context.reading {
      var isFirst = true
      parent.walk { _, _ in
        guard isFirst else { return }
        isFirst = false
        group.withChunksInParallel { (chunk, scores: Span<Score>) in
          sum.add(scores.count)
          // A group that there was not.
          sum.add(context.group(Tag.matcher).count)
          group.withChunksInParallel { (chunk, scores: Span<Score>) in sum.add(scores.count) }
        }
      }
      // Those of another context are its own.
      others.withChunksInParallel { (chunk, scores: Span<Score>) in sum.add(scores.count) }
    }
    expectEqual(sum.value, 15_000)
    expectTrue(context.group(Tag.matcher).isEmpty)
  }
}
