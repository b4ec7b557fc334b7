import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Foundation
import Testing

/// What is done for callers that wait for a fetch when the one that does it is cancelled.
@Suite(.noHangs, .ownThread) struct HandOverTests {
  /// One that waits for what another one fetches.
  private func follower(
    of desk: Desk, _ post: Entity
  ) async -> Task<RecipeOutcome, any Error> {
    let count = desk.remote.followerCount
    let task = Task { try await desk.remote.fetch(post, as: desk.posts()) }
    while desk.remote.followerCount == count { await pause() }
    return task
  }

  @Test func `The server is asked no sooner than it wants to be`() async throws {
    let tally = Tally()
    let desk = try Desk(.ending) { _ in
      tally.add()
      return tally.value > 1
        ? .json(#"{"title":"A"}"#) : HTTPResponse(429, headers: ["Retry-After": "60"])
    }
    let post = desk.post()
    let first = Task { try await desk.remote.fetch(post, as: desk.posts()) }
    while desk.time.timerCount == 0 { await pause() }
    let other = await follower(of: desk, post)
    desk.time.advance(by: .seconds(20))
    first.cancel()
    await #expect(throws: RemoteError.cancelled) { try await first.value }
    while desk.time.timerCount < 2, desk.lines.count < 2 { await pause() }
    expectEqual(post.get(RemoteState.Loading.self)?.attempt, 1)
    await desk.advance(by: .seconds(40) - .milliseconds(1), timers: 0)
    expectEqual(desk.lines.count, 1)
    desk.time.advance(by: .milliseconds(1))
    try await expectEqual(other.value, .updated)
    expectEqual(desk.lines.count, 2)
  }

  @Test func `Attempts are counted on`() async throws {
    let desk = try Desk(.ending) { _ in HTTPResponse(503) }
    let post = desk.post()
    let first = Task { try await desk.remote.fetch(post, as: desk.posts()) }
    await desk.advance(by: .seconds(1))
    while desk.lines.count < 2 { await pause() }
    while desk.time.timerCount < 1 { await pause() }
    let other = await follower(of: desk, post)
    first.cancel()
    await #expect(throws: RemoteError.cancelled) { try await first.value }
    while desk.time.timerCount < 2 { await pause() }
    expectEqual(post.get(RemoteState.Loading.self)?.attempt, 2)
    desk.time.advance(by: .seconds(2))
    await #expect(throws: RemoteError.http(status: 503, problem: nil, body: Data())) {
      try await other.value
    }
    expectEqual(desk.lines.count, 3)
    expectEqual(post.get(RemoteState.Failed.self)?.attempts, 3)
  }

  @Test func `An attempt that was broken off is made anew, within the same deadline`()
    async throws
  {
    let gate = Gate()
    let desk = try Desk(.ending) {
      $0.retry = .never
      $0.deadline = .seconds(10)
    } _: { _ in
      await gate.pass()
      return .json(#"{"title":"A"}"#)
    }
    let post = desk.post()
    let first = Task { try await desk.remote.fetch(post, as: desk.posts()) }
    await gate.waitForArrivals(1)
    let other = await follower(of: desk, post)
    desk.time.advance(by: .seconds(9))
    first.cancel()
    await #expect(throws: RemoteError.cancelled) { try await first.value }
    await gate.waitForArrivals(2)
    expectEqual(desk.transport.requests.map(\.timeout), [.seconds(10), .seconds(1)])
    expectEqual(post.get(RemoteState.Loading.self)?.attempt, 1)
    await gate.open()
    try await expectEqual(other.value, .updated)
  }

  @Test func `A refusal that has come is not asked for again`() async throws {
    let gate = Gate()
    let desk = try Desk(.ending) {
      $0.didReceive = { _, _ in await gate.pass() }
    } _: { _ in
      HTTPResponse(429, headers: ["Retry-After": "3600"])
    }
    let post = desk.post()
    let first = Task { try await desk.remote.fetch(post, as: desk.posts()) }
    await gate.waitForArrivals(1)
    let other = await follower(of: desk, post)
    first.cancel()
    await gate.open()
    for task in [first, other] {
      await #expect(throws: RemoteError.http(status: 429, problem: nil, body: Data())) {
        try await task.value
      }
    }
    expectEqual(desk.lines.count, 1)
    expectEqual(post.get(RemoteState.Failed.self)?.attempts, 1)
  }
}
