import ECS
import ECSTestSupport
import Testing

private struct Reading: Component, Equatable {
  var value: Double
}

/// Keys that do not equal themselves, which would never be found again.
@Suite struct UnequalKeyTests {
  let context = Context()

  @Test func `Such an entity is not in an index, and comes to it with another key`() {
    let index = context.index { (reading: Reading) in reading.value }
    let entity = context.createEntity(with: Reading(value: .nan))
    expectTrue(index.keyCount == 0 && index.keys.isEmpty && index[.nan].isEmpty)
    entity.set(Reading(value: 1))
    expectEqual(index.first(for: 1), entity)
    entity.set(Reading(value: .nan)).set(Reading(value: .nan))
    expectTrue(index.keyCount == 0 && index.count(for: 1) == 0)
    entity.set(Reading(value: 2))
    expectEqual(index.keys, [2])
    entity.destroy()
    expectEqual(index.keyCount, 0)
  }

  @Test func `Of several keys only those are left out`() {
    let index = context.index(keys: { (reading: Reading) in [reading.value, 0, .nan] })
    let entity = context.createEntity(with: Reading(value: .nan))
    expectTrue(index.keys == [0] && index.first(for: 0) == entity)
    entity.set(Reading(value: 3))
    expectEqual(index.keys.sorted(), [0, 3])
    entity.set(Reading(value: .nan))
    expectEqual(index.keys, [0])
    entity.remove(Reading.self)
    expectEqual(index.keyCount, 0)
  }

  @Test func `A primary index gives no entity such a key`() throws {
    let index = context.primaryIndex { (reading: Reading) in reading.value }
    let (count, writes) = (context.count, context.statistics.staleWrites)
    for _ in 0..<3 { expectFalse(index.getOrCreate(Reading(value: .nan)).isAlive) }
    expectTrue(context.count == count && context.statistics.staleWrites == writes + 3)
    let entity = context.createEntity()
    for refused in [Double.nan, .signalingNaN] {
      do throws(IdentityError<Double>) {
        try index.assign(Reading(value: refused), to: entity)
        Issue.record("It was assigned.")
      } catch {
        guard case .invalid = error else { throw error }
        expectTrue(error.description.contains("does not equal itself"))
      }
      #expect(throws: IdentityError<Double>.self) {
        try index.copy(entity, to: Reading(value: refused))
      }
    }
    expectTrue(entity.isEmpty && index.count == 0)
    context.createEntities(2, with: Reading(value: .nan))
    expectTrue(index.count == 0 && index.keys.isEmpty && index[.nan] == nil)
    index.pause()
    try index.resume()
    expectEqual(index.count, 0)
  }

  @Test func `What has such a key can get another one, but not the other way round`() async {
    let index = context.primaryIndex { (reading: Reading) in reading.value }
    let entity = context.createEntity(with: Reading(value: .nan))
    entity.set(Reading(value: 1))
    expectEqual(index[1], entity)
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      let index = context.primaryIndex { (reading: Reading) in reading.value }
      index.getOrCreate(Reading(value: 1)).set(Reading(value: .nan))
      withExtendedLifetime(index) {}
    }
    expectTrue(stopped(result, saying: "from the key 1.0 to the key that does not equal itself"))
  }

  @Test func `A transaction that is taken back leaves such entities out`() {
    let index = context.index { (reading: Reading) in reading.value }
    let entity = context.createEntity(with: Reading(value: .nan))
    try? context.transaction {
      entity.set(Reading(value: 1))
      context.createEntity(with: Reading(value: .nan))
      throw CancellationError()
    }
    expectEqual(index.keyCount, 0)
    try? context.transaction {
      entity.set(Reading(value: 2)).set(Reading(value: .nan))
      throw CancellationError()
    }
    expectEqual(index.keyCount, 0)
    entity.set(Reading(value: 3))
    expectEqual(index.keys, [3])
  }

  @Test func `Inside an iteration it is the same`() {
    let index = context.primaryIndex { (reading: Reading) in reading.value }
    context.createEntity(with: Tag())
    context.group(Tag.matcher).withEach { (_, _: Tag) in
      context.createEntity(with: Reading(value: .nan))
      expectTrue(!index.getOrCreate(Reading(value: .nan)).isAlive && index.count == 0)
    }
    expectTrue(index.count == 0 && context.count == 2)
  }
}
