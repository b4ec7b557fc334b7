import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Foundation
import Testing

/// Feeds of a server that breaks off, is slow, or sends junk.
@Suite(.noHangs, .ownThread) struct FeedConnectionTests {
  private static let head =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

  private static func chunk(_ text: String) -> String {
    "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n"
  }

  private func remote(_ change: (inout RemoteConfiguration) -> Void = { _ in }) -> Remote {
    var configuration = RemoteConfiguration()
    configuration.retry = RemoteRetry(attempts: 1, first: .milliseconds(1), limit: .milliseconds(1))
    (configuration.timeout, configuration.deadline) = (.seconds(3600), .seconds(3600))
    change(&configuration)
    return Remote(Context(), transport: SocketTransport(), configuration: configuration)
  }

  private func posts(_ server: FaultyServer) throws -> Resource {
    let recipe = try Recipe("post") {
      Identity(\PostID.value, at: "id", of: PostID())
      Fields(of: Post()) { Field(\.title, at: "title") }
    }
    return Resource(recipe) { server.url("/posts") }
  }

  @Test func `A server that breaks off in the middle of events loses none and repeats none`()
    async throws
  {
    // Each connection sends what comes behind the id, byte by byte, and breaks off somewhere.
    let (count, connections) = (30, Counter())
    let server = try FaultyServer { request, peer in
      let start = Int(request.field("Last-Event-ID") ?? "0") ?? 0
      if start == count { return peer.answer(204) }
      var text = ""
      for id in (start + 1)...count {
        text += "event: created\r\ndata: {\"id\":\(id),\r\ndata: \"title\":\"é\(id)\"}\r\n"
        text += "id: \(id)\r\n\r\n"
      }
      var bytes = Array(FeedConnectionTests.head.utf8)
      for byte in text.utf8 { bytes += [0x31, 0x0D, 0x0A, byte, 0x0D, 0x0A] }
      let end = FeedConnectionTests.head.utf8.count + 1500 + 777 * connections.add(1)
      var position = 0
      while position < min(end, bytes.count) {
        let next = min(position + 611, end, bytes.count)
        peer.send(Array(bytes[position..<next]))
        position = next
      }
      peer.reset()
    }
    let remote = remote()
    let resource = try posts(server)
    let seen = Collected<String>()
    let feed = RemoteFeed(
      named: "posts", at: { server.url("/events") },
      changes: { event in
        seen.add(event.id)
        return [.save(try event.json(), as: resource)]
      })
    try await remote.follow(feed.patient)
    expectEqual(seen.all, (1...count).map { "\($0)" })
    let titles = remote.context.group(Post.matcher).sorted().compactMap { $0.get(Post.self)?.title }
    expectTrue(titles == (1...count).map { "é\($0)" } && connections.value > 2)
  }

  @Test func `A hundred megabytes without a line's end are an error, and are not kept`()
    async throws
  {
    let (part, sent) = (String(repeating: "x", count: 1 << 20), Counter())
    let server = try FaultyServer { _, peer in
      peer.send(FeedConnectionTests.head)
      for _ in 0..<100 where peer.send(FeedConnectionTests.chunk(part)) { sent.add(1) }
    }
    let remote = remote()
    let feed = RemoteFeed(named: "posts", at: { server.url("/events") }, changes: { _ in [] })
    await #expect(
      throws: RemoteError.transport(.badResponse("an event is larger than 1048576 bytes"))
    ) {
      try await remote.follow(feed.patient)
    }
    expectLessThan(sent.value, 50)
  }

  @Test func `Cancellation reaches the server, and is told`() async throws {
    let (ends, ended) = AsyncStream.makeStream(of: Bool.self)
    let server = try FaultyServer { _, peer in
      peer.send(FeedConnectionTests.head + FeedConnectionTests.chunk(": here\n\n"))
      ended.yield(peer.waitForEnd())
      peer.close()
    }
    let remote = remote()
    let owner = remote.feed(named: "posts")
    let feed = RemoteFeed(named: "posts", at: { server.url("/events") }, changes: { _ in [] })
    let task = Task { try await remote.follow(feed.patient) }
    // Following the same feed shares the connection.
    let other = Task { try await remote.follow(feed.patient) }
    while owner.get(RemoteState.Following.self)?.phase != .connected { await pause() }
    task.cancel()
    await #expect(throws: RemoteError.cancelled) { try await task.value }
    other.cancel()
    await #expect(throws: RemoteError.cancelled) { try await other.value }
    var states = ends.makeAsyncIterator()
    await expectTrue(states.next() == true && server.connectionCount == 1)
    while owner.get(RemoteState.Following.self)?.phase != .stopped { await pause() }
  }

  @Test func `A redirect to another host takes the place along, and no secrets`() async throws {
    let target = try FaultyServer { request, peer in
      if request.field("Last-Event-ID") == "a" { return peer.answer(204) }
      peer.answer(200, "id: a\ndata: 1\n\n", ["Content-Type": "text/event-stream"])
    }
    let server = try FaultyServer { _, peer in
      peer.answer(307, "", ["Location": target.url("/there").absoluteString])
    }
    let remote = remote { $0.headers["Authorization"] = "secret" }
    try await remote.follow(
      RemoteFeed(named: "posts", at: { server.url("/events") }, changes: { _ in [] }).patient)
    expectTrue(target.requests.count == 2 && server.requests.count == 2)
    expectTrue(server.requests.allSatisfy { $0.field("Authorization") == "secret" })
    expectTrue(target.requests.allSatisfy { $0.field("Authorization") == nil })
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n\r\nxx",
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{}", "SSH-2.0\r\n\r\n",
    "HTTP/1.1 301 X\r\nLocation: ftp://a/\r\n\r\n",
  ])
  func `Junk is an error`(_ text: String) async throws {
    let server = try FaultyServer { _, peer in
      peer.send(text)
      peer.close()
    }
    let feed = RemoteFeed(named: "posts", at: { server.url("/events") }, changes: { _ in [] })
    do {
      try await remote().follow(feed)
      Issue.record("no error")
    } catch {
      guard case .transport(.badResponse) = error else { throw error }
    }
    expectEqual(server.connectionCount, 1)
  }
}
