import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Foundation
import Testing

/// What the bytes of a feed mean, in whatever pieces they come.
@Suite(.noHangs, .ownThread) struct EventStreamTests {
  /// What becomes of a feed that a server sends in pieces of a size, and then ends for good.
  private static func events(
    _ bytes: [UInt8], in size: Int, _ format: RemoteFeed.Format = .serverSentEvents,
    change: (inout RemoteFeed) -> Void = { _ in }
  ) async throws -> (events: [PushEvent], lastID: String, requests: [HTTPRequest]) {
    let parts = stride(from: 0, to: bytes.count, by: size).map { start in
      Data(bytes[start..<min(start + size, bytes.count)])
    }
    let (connections, events) = (Counter(), Collected<PushEvent>())
    let type = format == .jsonLines ? "application/x-ndjson" : "Text/Event-Stream;charset=utf-8"
    let transport = StubTransport(streaming: { _ in
      guard connections.add(1) == 1 else { return HTTPStream(204, body: HTTPBody(Data())) }
      let stream = AsyncStream { continuation in
        for part in parts { continuation.yield(part) }
        continuation.finish()
      }
      return HTTPStream(200, headers: ["Content-Type": type], body: HTTPBody(stream))
    })
    var configuration = RemoteConfiguration()
    configuration.retry = RemoteRetry(attempts: 1, first: .milliseconds(1), limit: .milliseconds(1))
    let remote = Remote(Context(), transport: transport, configuration: configuration)
    var feed = RemoteFeed(
      named: "feed", as: format, at: { baseURL },
      changes: { event in
        events.add(event)
        return []
      })
    change(&feed)
    try await remote.follow(feed.patient)
    let position = remote.feed(named: "feed").get(RemoteFeedPosition.self)
    expectEqual(remote.feed(named: "feed").get(RemoteState.Following.self)?.phase, .ended)
    return (events.all, position?.lastID ?? "", transport.requests)
  }

  static let cases: [(text: String, events: [PushEvent], lastID: String)] = [
    ("data: a\n\n", [PushEvent(data: "a")], ""),
    ("data: YHOO\ndata: +2\ndata: 10\n\n", [PushEvent(data: "YHOO\n+2\n10")], ""),
    (
      ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
      [
        PushEvent(data: "first event", id: "1"), PushEvent(data: "second event"),
        PushEvent(data: " third event"),
      ], ""
    ),
    ("data\n\ndata\ndata\n\ndata:", [PushEvent(data: ""), PushEvent(data: "\n")], ""),
    ("data:test\n\ndata: test\n\n", [PushEvent(data: "test"), PushEvent(data: "test")], ""),
    (
      "event: made\rdata: 1\r\rdata: 2\r\n\r\nevent: gone\n\ndata: 3\n\r\n",
      [PushEvent(name: "made", data: "1"), PushEvent(data: "2"), PushEvent(data: "3")], ""
    ),
    ("\u{FEFF}data: a\n\n\u{FEFF}data: b\n\n", [PushEvent(data: "a")], ""),
    ("id: 7\n\ndata: a\n\nid: 8\n\n", [PushEvent(data: "a", id: "7")], "8"),
    (
      "id: 1\ndata: a\n\nid: a\0b\ndata: b\n\nid: c\u{1}\n\n",
      [
        PushEvent(data: "a", id: "1"), PushEvent(data: "b", id: "1"),
      ], "1"
    ),
    ("id: 1\ndata: a\n\nid: 2\ndata: is not whole\n", [PushEvent(data: "a", id: "1")], "1"),
    ("data: grüße 🙂\nevent: ü\n\n", [PushEvent(name: "ü", data: "grüße 🙂")], ""),
    ("datum: a\ndata : b\n data: c\n:data: d\n\ndata: e: f\n\n", [PushEvent(data: "e: f")], ""),
    ("retry: 1a\nretry:\nretry: -1\nretry: 0\ndata: a\n\n", [PushEvent(data: "a")], ""),
  ]

  @Test(arguments: cases.indices, [1, 2, 3, 1000])
  func `Events are what the standard says`(_ number: Int, _ size: Int) async throws {
    let (text, expected, lastID) = EventStreamTests.cases[number]
    let found = try await EventStreamTests.events(Array(text.utf8), in: size)
    expectEqual(found.events, expected)
    expectEqual(found.lastID, lastID)
    expectEqual(found.requests.last?.headers["Last-Event-ID"], (lastID.isEmpty ? nil : lastID))
    expectEqual(found.requests.first?.headers["Accept"], "text/event-stream")
  }

  @Test func `What is no UTF-8 is replaced, and is no end`() async throws {
    let bytes = Array("data: a".utf8) + [0xFF, 0xC3, 0x0A, 0x0A]
    let found = try await EventStreamTests.events(bytes, in: 1)
    expectEqual(found.events, [PushEvent(data: "a\u{FFFD}\u{FFFD}")])
  }

  @Test(arguments: [1, 3, 1000])
  func `Lines of JSON are events, with a place that the program knows`(_ size: Int) async throws {
    let text = "\u{FEFF}{\"n\":1}\r\n\n  \n{\"at\":\"x\",\n[2]\n{\"n\":3,\"text\":\"a\\nb\"}"
    let found = try await EventStreamTests.events(Array(text.utf8), in: size, .jsonLines) {
      $0.position = { $0["n"].map { "\($0.json())" } }
      $0.resumption = .parameter("since")
    }
    expectEqual(
      found.events,
      [
        PushEvent(data: "{\"n\":1}\r", id: "1"), PushEvent(data: "{\"at\":\"x\",", id: "1"),
        PushEvent(data: "[2]", id: "1"),
        PushEvent(data: "{\"n\":3,\"text\":\"a\\nb\"}", id: "3"),
      ])
    expectEqual(found.requests.map { $0.url.query }, [nil, "since=3"])
    expectTrue(found.requests.allSatisfy { $0.headers["Last-Event-ID"] == nil })
  }

  @Test(arguments: ["{\"n\":2,\"text\":\"a", "{\"n\":2", "12", "tru"])
  func `A part of a line comes again with the next connection`(_ part: String) async throws {
    let found = try await EventStreamTests.events(
      Array("{\"n\":1}\n\(part)".utf8), in: 5, .jsonLines
    ) { $0.position = { $0["n"].map { "\($0.json())" } } }
    expectEqual(found.events, [PushEvent(data: "{\"n\":1}", id: "1")])
    expectEqual(found.requests.map { $0.headers["Last-Event-ID"] }, [nil, "1"])
  }

  @Test func `A place that could not be sent back is passed over`() async throws {
    let long = String(repeating: "x", count: 4097)
    let lines = "{\"n\":\"a\"}\n{\"n\":\"b\\nc\"}\n{\"n\":\"\(long)\"}\n"
    let found = try await EventStreamTests.events(Array(lines.utf8), in: 1000, .jsonLines) {
      $0.position = { $0["n"]?.string }
    }
    expectTrue(found.events.map(\.id) == ["a", "a", "a"] && found.lastID == "a")
    let events = "id: a\ndata: 1\n\nid: \(long)\ndata: 2\n\n"
    let others = try await EventStreamTests.events(Array(events.utf8), in: 1000)
    expectTrue(others.events.map(\.id) == ["a", "a"] && others.lastID == "a")
  }

  @Test(arguments: [
    "data: aaaaaaaaaaaaaaa", ":aaaaaaaaaaaaaaaaaaaaaaa",
    "data: a\ndata: b\ndata: c\ndata: d\ndata: e\ndata: f\n",
  ])
  func `An event that is too large is an error`(_ text: String) async throws {
    for size in [1, 1000] {
      await #expect(
        throws: RemoteError.transport(.badResponse("an event is larger than 10 bytes"))
      ) {
        try await EventStreamTests.events(Array(text.utf8), in: size) { $0.maximumEventSize = 10 }
      }
    }
  }
}
