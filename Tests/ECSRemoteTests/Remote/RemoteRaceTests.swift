import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Foundation
import Testing

@Suite(.optimizedOrSanitized, .noHangs) struct RemoteRaceTests {
  @Test(arguments: DeskTransport.allCases)
  func `Whatever many tasks ask for at a time, each call ends, and no state is left over`(
    _ kind: DeskTransport
  ) async throws {
    let tally = Tally()
    let desk = try Desk(kind) {
      $0.clock = .dispatch
      $0.maximumConcurrentRequests = 3
      $0.retry = RemoteRetry(attempts: 3, first: .zero, limit: .zero)
      $0.reauthorize = {
        await Task.yield()
        return true
      }
    } _: { request in
      tally.add()
      await Task.yield()
      let number = tally.value
      if number % 11 == 0 { return HTTPResponse(401) }
      if number % 7 == 0 { return HTTPResponse(503) }
      if request.method == .get {
        return .json(#"{"id":\#(request.url.lastPathComponent),"stars":\#(number)}"#)
      }
      return HTTPResponse(204)
    }
    let posts = desk.posts(.patching)
    let entities = (0..<4).map { desk.post($0) }
    let count = max(50, Effort.raceSteps / 400)
    let ends = await withTaskGroup(of: Int.self) { group in
      for worker in 0..<8 {
        group.addTask {
          var ends = 0
          for step in 0..<count {
            let entity = entities[(worker + step) % 4]
            let task = Task {
              switch step % 3 {
              case 0: _ = try await desk.remote.fetch(entity, as: posts)
              case 1: _ = try await desk.remote.fetch(key: .number(JSONNumber(step % 4)), as: posts)
              default:
                entity.update(Post.self) { $0.title = "\(worker) \(step)" }
                try await desk.remote.save(entity, as: posts)
              }
            }
            if step % 5 == worker % 5 { task.cancel() }
            _ = await task.result
            ends += 1
          }
          return ends
        }
      }
      return await group.reduce(0, +)
    }
    expectEqual(ends, 8 * count)
    // A fetch that all have left still ends.
    while entities.contains(where: { $0.has(RemoteState.Loading.cid) }) { await pause() }
    expectEqual(desk.context.group(PostID.matcher).count, 4)
  }

  @Test func `Whoever is cancelled at any moment, the others get what the server has`()
    async throws
  {
    let server = try FaultyServer { _, peer in peer.answer(200, #"{"id":7,"title":"A"}"#) }
    let context = Context()
    let posts = Resource(try Desk { _ in HTTPResponse(200) }.recipe) { server.url("/posts") }
    let remote = Remote(context, transport: SocketTransport(), configuration: .patient)
    let post = context.createEntity(with: PostID(value: 7), Post())
    let steps = max(20, Effort.raceSteps / 500)
    let wrong = await withTaskGroup(of: Int.self) { group in
      for worker in 0..<8 {
        group.addTask {
          var random = SplitMix64(seed: UInt64(worker))
          var wrong = 0
          for _ in 0..<steps {
            let task = Task { try await remote.fetch(post, as: posts) }
            let isCancelled = random.oneIn(3)
            for _ in 0..<random.below(20) where isCancelled { await Task.yield() }
            if isCancelled { task.cancel() }
            if case .failure = await task.result, !isCancelled { wrong += 1 }
          }
          return wrong
        }
      }
      return await group.reduce(0, +)
    }
    expectEqual(wrong, 0)
    while post.has(RemoteState.Loading.cid) { await pause() }
    expectFalse(post.has(RemoteState.Failed.cid))
  }
}
