import ECS
import ECSTestSupport
import Testing

/// What is made at its first use, used first by many threads at once.
@Suite(.noHangs) struct LookupRaceTests {
  @Test func `A large entity set is asked for its members by many threads at once`() {
    let context = Context()
    let entities = context.createEntities(1_000, with: Tag())
    let stranger = context.createEntity()
    let wrong = Tally()
    for _ in 0..<100 {
      let set = EntitySet(entities)
      Threads.run { thread in
        for place in stride(from: thread, to: 1_000, by: 8) {
          if set.firstIndex(of: entities[place]) != place { wrong.add() }
        }
        if set.contains(stranger) { wrong.add() }
      }
    }
    #expect(wrong.value == 0)
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
    #expect(sets.allSatisfy { $0 == sets[0] })
    #expect(sets[0].count == 1022)
    #expect(sets[0].allSatisfy { $0.type.cid == $0 })
  }
}
