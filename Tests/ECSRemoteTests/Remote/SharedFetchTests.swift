import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Foundation
import Testing

/// Fetches of the same by several, over a transport that ends when its task is cancelled.
@Suite(.noHangs) struct SharedFetchTests {
  private let context = Context()
  private let opened = Tally()

  private func begin(
    _ handler: @escaping @Sendable (ReceivedRequest, Peer) -> Void
  ) throws -> (FaultyServer, Entity, fetch: @Sendable () async throws -> RecipeOutcome) {
    let server = try FaultyServer(handler)
    let posts = Resource(try Desk { _ in HTTPResponse(200) }.recipe) { server.url("/posts") }
    let remote = Remote(context, transport: SocketTransport(), configuration: .patient)
    let post = context.createEntity(with: PostID(value: 7), Post())
    return (server, post, { try await remote.fetch(post, as: posts) })
  }

  @Test func `Many who ask for the same at a time are one request, and each can leave`()
    async throws
  {
    let (server, post, fetch) = try begin { [opened] _, peer in
      while opened.value == 0 { peer.pause() }
      peer.answer(200, #"{"id":7,"title":"A"}"#)
    }
    let first = Task { try await fetch() }
    while server.requests.isEmpty { await pause() }
    let others = (0..<9).map { _ in Task { try await fetch() } }
    others[0].cancel()
    await #expect(throws: RemoteError.cancelled) { try await others[0].value }
    expectTrue(post.has(RemoteState.Loading.cid))
    expectEqual(server.requests.count, 1)
    opened.add()
    try await expectEqual(first.value, .updated)
    for other in others.dropFirst() { _ = try await other.value }
    expectEqual(post.get(Post.self)?.title, "A")
    expectFalse(post.has(RemoteState.Loading.cid))
  }

  @Test func `When the first is cancelled, the others have it sent anew`() async throws {
    let count = Tally()
    let (server, post, fetch) = try begin { [opened] _, peer in
      count.add()
      if count.value == 1 {
        peer.waitForEnd()
      } else {
        while opened.value == 0 { peer.pause() }
        peer.answer(200, #"{"id":7,"title":"A"}"#)
      }
    }
    let failures = Tally()
    let token = context.group(RemoteState.Failed.matcher).observeChanges { _ in failures.add() }
    let first = Task { try await fetch() }
    while server.requests.isEmpty { await pause() }
    let others = (0..<9).map { _ in Task { try await fetch() } }
    first.cancel()
    await #expect(throws: RemoteError.cancelled) { try await first.value }
    while server.requests.count < 2 { await pause() }
    expectEqual(post.get(RemoteState.Loading.self)?.attempt, 1)
    opened.add()
    for other in others { _ = try await other.value }
    expectEqual(post.get(Post.self)?.title, "A")
    expectTrue(post.has(RemoteState.Fetched.cid) && !post.has(RemoteState.Loading.cid))
    expectEqual(failures.value, 0)
    withExtendedLifetime(token) {}
  }
}
