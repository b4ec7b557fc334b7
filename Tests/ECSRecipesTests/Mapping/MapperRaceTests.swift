import Dispatch
import ECS
import ECSRecipes
import Synchronization
import Testing

@Suite struct MapperRaceTests {
  @Test func `Eight threads make, update and decompose entities of shared keys`() throws {
    let context = Context()
    let mapper = Mapper(context)
    let users = try Catalog.users()
    let (keys, rounds) = (64, 4_000)
    let failures = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for round in 0..<rounds {
        let id = (round &* 7 &+ thread) % keys
        let data: JSONValue = [
          "id": .number(JSONNumber(id)), "name": "N", "score": .number(JSONNumber(thread)),
        ]
        do {
          let user = try mapper.make(users, from: data)
          guard user.get(UserID.self)?.value == id else { throw CancellationError() }
          if round % 16 == 0 { _ = try mapper.decompose(user, with: users) }
        } catch {
          failures.add(1, ordering: .relaxed)
        }
      }
    }
    #expect(failures.load(ordering: .relaxed) == 0)
    #expect(context.count == keys)
    #expect(context.statistics.indexes == 1)
  }
}
