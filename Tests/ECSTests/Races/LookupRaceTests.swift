import ECS
import ECSTestSupport
import Testing

/// What is made at its first use, used first by many threads at once.
@Suite(.optimizedOrSanitized, .noHangs) struct LookupRaceTests {
  @Test func `A large entity set is asked for its members by many threads at once`() {
    let context = Context()
    let entities = context.createEntities(1_000, with: Tag())
    let stranger = context.createEntity()
    let wrong = Tally()
    for _ in 0..<Effort.full(100, debug: 20) {
      let set = EntitySet(entities)
      Threads.run { thread in
        for place in stride(from: thread, to: 1_000, by: 8) {
          if set.firstIndex(of: entities[place]) != place { wrong.add() }
        }
        if set.contains(stranger) { wrong.add() }
      }
    }
    expectEqual(wrong.value, 0)
  }

  struct Left<Inner>: Component {}
  struct Right<Inner>: Component {}

  /// Identifiers of many component types that nothing else uses, in an order that differs.
  private static func identifiers<T>(_ type: T.Type, depth: Int, isMirrored: Bool) -> [CID] {
    if depth == 0 { return [] }
    var all = isMirrored ? [Right<T>.cid, Left<T>.cid] : [Left<T>.cid, Right<T>.cid]
    all += identifiers(Left<T>.self, depth: depth - 1, isMirrored: isMirrored)
    all += identifiers(Right<T>.self, depth: depth - 1, isMirrored: isMirrored)
    return all
  }

  @Test func `A component type has one identifier, whichever thread used it first`() {
    let found = Recorder<[CID]>()
    Threads.run { thread in
      found.append(Self.identifiers(Self.self, depth: 9, isMirrored: thread % 2 == 0))
    }
    let sets = found.items.map(Set.init)
    expectTrue(sets.allSatisfy { $0 == sets[0] })
    expectEqual(sets[0].count, 1022)
    expectTrue(sets[0].allSatisfy { $0.type.cid == $0 })
  }

  struct Seat: Component {
    var row: Int
  }

  struct Uses: Component {
    var count: Int
  }

  /// A key that calls code where it is compared.
  struct Row: Hashable {
    let number: Int
    var compared: (@Sendable () -> Void)?

    static func == (left: Row, right: Row) -> Bool {
      left.compared?()
      right.compared?()
      return left.number == right.number
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  @Test func `Comparing keys may call a context that other threads use, one at a time`() {
    let context = Context()
    let byRow = context.index { (seat: Seat) in Row(number: seat.row) }
    let first = context.primaryIndex { (uses: Uses) in Row(number: -1) }
    context.createEntities(4, with: Seat(row: 1))
    let uses = context.createEntity(with: Uses(count: 0))
    let (calls, inside, wrong, done) = (Tally(), Tally(), Tally(), Tally())
    let compared: @Sendable () -> Void = {
      inside.add()
      if inside.value != 1 { wrong.add() }
      context.perform { uses.update(Uses.self) { $0.count += 1 } }
      calls.add()
      inside.add(-1)
    }
    Threads.run(3) { thread in
      guard thread > 0 else {
        while done.value < 2 {
          context.perform {
            let end = ContinuousClock.now + .microseconds(100)
            while ContinuousClock.now < end {}
          }
        }
        return
      }
      for _ in 0..<Effort.raceSteps / 100 {
        if byRow.count(for: Row(number: 1, compared: compared)) != 4 { wrong.add() }
        if byRow[Row(number: 1, compared: compared)].count != 4 { wrong.add() }
        if first[Row(number: -1, compared: compared)] != uses { wrong.add() }
      }
      done.add()
    }
    expectEqual(wrong.value, 0)
    expectGreaterThan(calls.value, 0)
    expectEqual(uses.get(Uses.self)?.count, calls.value)
  }
}
