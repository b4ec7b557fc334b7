import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Foundation
import Testing

/// What a list leaves on entities, whatever was noted of them before.
@Suite(.noHangs) struct ArrivalTests {
  private let listed = Recorder<Int>()
  private let desk: Desk

  init() throws {
    desk = try Desk { [listed] request in
      if request.url.lastPathComponent != "posts" { return HTTPResponse(404) }
      let records = listed.items.map { #"{"id":\#($0),"title":"listed","stars":\#($0)}"# }
      return .json("[\(records.joined(separator: ","))]")
    }
  }

  private func list(_ ids: [Int]) async throws -> [Entity] {
    _ = listed.take()
    for id in ids { listed.append(id) }
    return try await desk.remote.list(desk.posts(.patching))
  }

  /// All that can be seen of what a list notes.
  private func notes(of entity: Entity) -> [String] {
    [
      entity.get(RemoteState.Fetched.self).map { "\($0)" } ?? "-",
      entity.get(ServerCopy.self).map { $0.copies.json() } ?? "-",
      "\(entity.has(RemoteState.Loading.cid))", "\(entity.has(RemoteState.Failed.cid))",
      "\(entity.has(RemoteState.Stale.cid))",
    ]
  }

  /// An entity in one of the states that entities can be in before a list.
  private func entity(_ id: Int, inState state: Int) async throws -> Entity? {
    let posts = desk.posts(.patching)
    switch state {
    case 0: return nil
    case 1: return desk.post(id)
    case 2: return try await list([id])[0]
    case 3:
      let entity = try await list([id])[0]
      desk.remote.invalidate(entity)
      return entity
    case 4:
      let entity = desk.post(id)
      await #expect(throws: RemoteError.self) { try await desk.remote.fetch(entity, as: posts) }
      return entity
    case 5: return desk.post(id).set(ServerCopy())
    case 6:
      let fetched = try await list([id])[0].get(RemoteState.Fetched.self)
      return fetched.map { desk.post(1000 + id).set(ServerCopy()).set($0) }
    default:
      let entity = try await list([id])[0]
      entity.remove(ServerCopy.cid)
      return entity
    }
  }

  @Test(arguments: 0..<60) func `Those of a list are noted, each once, and nobody else is`(
    _ seed: Int
  ) async throws {
    var random = SplitMix64(seed: UInt64(seed))
    // In half of the programs no entity has a copy from elsewhere.
    let states = seed % 2 == 0 ? [0, 1, 2, 3, 4, 7] : Array(0..<8)
    for id in 0..<12 {
      _ = try await entity(id, inState: states[random.below(states.count)])
    }
    await desk.advance(by: .seconds(5), timers: 0)
    let ids = (0..<10).map { _ in random.below(12) }
    let others = desk.context.group(PostID.matcher).filter { entity in
      !ids.contains(entity.get(PostID.self)?.value ?? -1)
    }
    let before = others.map(notes)
    let result = try await list(ids)
    expectEqual(result.map { $0.get(PostID.self)?.value }, ids)
    for (id, entity) in zip(ids, result) {
      expectEqual(entity.get(Post.self)?.title, "listed")
      expectEqual(entity.get(RemoteState.Fetched.self)?.at, Date(timeIntervalSince1970: 5))
      let copy = entity.get(ServerCopy.self)?.copies["post"]
      expectEqual(copy?["data"]?["stars"], .number(JSONNumber(id)))
      expectEqual(notes(of: entity)[2...], ["false", "false", "false"])
    }
    expectEqual(others.map(notes), before)
    // Nor need they be fetched.
    let count = desk.lines.count
    for entity in Set(result) {
      let posts = desk.posts(.patching)
      try await expectEqual(desk.remote.fetch(entity, as: posts, policy: .ifMissing), .unchanged)
    }
    expectEqual(desk.lines.count, count)
  }

  @Test func `Observers are told of each entity of a list as of single ones`() async throws {
    let told = Recorder<String>()
    let tokens = [RemoteState.Fetched.matcher, ServerCopy.matcher].map { matcher in
      desk.context.group(matcher).observeChanges { change in
        let id = change.entity.get(PostID.self)?.value ?? -1
        told.append("\(change.kind) \(id)")
      }
    }
    _ = try await list([3, 1, 2])
    let all = ["added 1", "added 1", "added 2", "added 2", "added 3", "added 3"]
    expectEqual(told.take().sorted(), all)
    _ = try await list([3, 4])
    expectEqual(told.take().sorted(), ["added 4", "added 4", "updated 3"])
    withExtendedLifetime(tokens) {}
  }
}
