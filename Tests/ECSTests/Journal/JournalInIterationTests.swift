import ECS
import ECSTestSupport
import Testing

private struct Words: Component, Equatable { var words: [String] }
private struct Refused: Error {}

/// What journals get that begin while an iteration runs.
@Suite(.noHangs) struct JournalInIterationTests {
  let context = Context()
  let entities: [Entity]
  let group: Group

  init() {
    let context = context
    group = context.group(Health.matcher)
    entities = (0..<4).map { number in
      context.createEntity(
        with: Health(points: Int32(number)), Words(words: ["\(number)"]))
    }
  }

  private func record() -> CommitRecord {
    let record = CommitRecord()
    for (number, entity) in entities.enumerated() { record.name(entity, "\(number)") }
    return record
  }

  private func replaced(_ number: Int, _ old: Int32, _ new: Int32) -> String {
    "replaced \(number) old \(points(old)) new \(points(new))"
  }

  private func words(_ number: Int, _ old: [String]?, _ new: [String]) -> String {
    let earlier = old.map { " old \(Words(words: $0))" } ?? ""
    return "replaced \(number)\(earlier) new \(Words(words: new))"
  }

  @Test func `A journal gets what the iteration changes after it has begun`() {
    let record = record()
    var subscription: Subscription?
    group.withEach { (entity, health: inout Health) in
      health.points += 10
      if entity == entities[1] {
        subscription = context.journal().observe { record.add($0) }
        entity.set(Tag())
      }
    }
    expectEqual(
      record.take(),
      [
        [replaced(1, 1, 11), replaced(2, 2, 12), replaced(3, 3, 13), "added 1 new Tag()"]
      ])
    withExtendedLifetime(subscription) {}
  }

  @Test func `Of a value that the closure has, a journal gets the new one only`() {
    let record = record()
    var subscription: Subscription?
    context.group(Words.matcher).withEach { (entity, words: inout Words) in
      words.words.append("a")
      if entity == entities[1] { subscription = context.journal().observe { record.add($0) } }
      words.words.append("b")
    }
    expectEqual(
      record.take(),
      [
        [
          words(1, nil, ["1", "a", "b"]), words(2, ["2"], ["2", "a", "b"]),
          words(3, ["3"], ["3", "a", "b"]),
        ]
        .sorted { $0 < $1 }
      ])
    withExtendedLifetime(subscription) {}
  }

  @Test func `Of a value that the closure has, the one before is delivered if it was noted`() {
    let (one, other) = (record(), record())
    let first = context.journal().observe { one.add($0) }
    var second: Subscription?
    context.group(Words.matcher).withEach { (entity, words: inout Words) in
      words.words.append("a")
      if entity == entities[1] { second = context.journal().observe { other.add($0) } }
    }
    let changes = (0..<4).map { words($0, ["\($0)"], ["\($0)", "a"]) }
    expectEqual(one.take(), [changes])
    expectEqual(other.take(), [Array(changes[1...])])
    withExtendedLifetime((first, second)) {}
  }

  @Test func `A journal that was there before gets each value once in turn`() {
    let (one, other) = (record(), record())
    let first = context.journal(of: Health.self).observe { one.add($0) }
    var second: Subscription?
    group.withChunks { (_, healths: inout MutableSpan<Health>) in
      for number in 0..<4 { healths[number].points += 10 }
      second = context.journal().observe { other.add($0) }
      healths[2].points += 10
    }
    expectEqual(
      one.take(),
      [
        (0..<4).map { replaced($0, Int32($0), Int32($0) + 10) } + [replaced(2, 12, 22)]
      ])
    expectEqual(other.take(), [[replaced(2, 12, 22)]])
    withExtendedLifetime((first, second)) {}
  }

  @Test func `A journal gets what all the iterations around it change`() {
    let record = record()
    var subscription: Subscription?
    context.group(Words.matcher).withEach { (entity, words: inout Words) in
      if entity == entities[1] {
        group.withEach { (inner, health: inout Health) in
          health.points += 10
          if inner == entities[2] { subscription = context.journal().observe { record.add($0) } }
        }
      }
      words.words.append("a")
    }
    let told = record.take().first ?? []
    expectEqual(
      told.sorted(),
      [
        replaced(2, 2, 12), replaced(3, 3, 13), words(1, nil, ["1", "a"]),
        words(2, ["2"], ["2", "a"]), words(3, ["3"], ["3", "a"]),
      ].sorted())
    withExtendedLifetime(subscription) {}
  }

  @Test func `An iteration in a transaction is taken back although a journal began inside`() {
    for hasOther in [false, true] {
      let (one, other) = (record(), record())
      let first = hasOther ? context.journal().observe { one.add($0) } : nil
      var second: Subscription?
      context.perform {
        _ = try? context.transaction {
          context.group(Words.matcher).withEach { (entity, words: inout Words) in
            words.words.append("a")
            if entity == entities[1] { second = context.journal().observe { other.add($0) } }
          }
          throw Refused()
        }
        expectEqual(entities.map { $0.get(Words.self)?.words }, (0..<4).map { ["\($0)"] })
        entities[0].set(Health(points: 7))
        entities[0].set(Health(points: 0))
      }
      let changes = [replaced(0, 0, 7), replaced(0, 7, 0)]
      expectEqual(other.take(), [changes])
      expectEqual(one.take(), (hasOther ? [changes] : []))
      withExtendedLifetime((first, second)) {}
    }
  }

  @Test func `In a transaction, the value before is delivered of what the closure has`() {
    let record = record()
    var subscription: Subscription?
    context.transaction {
      context.group(Words.matcher).withEach { (entity, words: inout Words) in
        words.words.append("a")
        if entity == entities[3] { subscription = context.journal().observe { record.add($0) } }
      }
    }
    expectEqual(record.take(), [[words(3, ["3"], ["3", "a"])]])
    withExtendedLifetime(subscription) {}
  }
}
