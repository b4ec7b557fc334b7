import Dispatch
import ECSRemote
import ECSTestSupport
import Foundation
import Testing

/// What each transport promises of answers that come part by part.
@Suite(.noHangs, .ownThread) struct TransportStreamTests {
  private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

  @Test(arguments: TransportKind.allCases)
  func `Parts come when they are sent, not when all is there`(_ kind: TransportKind) async throws {
    let isRead = DispatchSemaphore(value: 0)
    let server = try FaultyServer { _, peer in
      peer.send(TransportStreamTests.chunked + "5\r\nHello\r\n")
      isRead.wait()
      peer.send("6\r\n world\r\n0\r\n\r\n")
    }
    let transport = kind.make()
    let stream = try await transport.stream(HTTPRequest(.get, server.url("/")))
    expectTrue(stream.status == 200 && stream.expectedSize == nil)
    var parts = stream.body.makeAsyncIterator()
    try await expectEqual(parts.next(), Data("Hello".utf8))
    isRead.signal()
    var rest = Data()
    while let part = try await parts.next() { rest += part }
    expectEqual(rest, Data(" world".utf8))
    try await expectNil(parts.next())
    // The connection serves the next one.
    isRead.signal()
    let again = try await transport.stream(HTTPRequest(.get, server.url("/")))
    try await expectEqual(again.collected(upTo: 100).body, Data("Hello world".utf8))
    await #expect(throws: TransportError.self) {
      isRead.signal()
      let large = try await transport.stream(HTTPRequest(.get, server.url("/")))
      _ = try await large.collected(upTo: 10)
    }
  }

  @Test(arguments: TransportKind.allCases)
  func `No more is fetched than what is read soon`(_ kind: TransportKind) async throws {
    let (total, sent) = (64 << 20, Counter())
    let server = try FaultyServer { _, peer in
      peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
      let part = [UInt8](repeating: 7, count: 1 << 20)
      for _ in 0..<64 where peer.send(part) { sent.add(part.count) }
    }
    let stream = try await kind.make().stream(HTTPRequest(.get, server.url("/")))
    expectEqual(stream.expectedSize, total)
    var last = -1
    // It stands still when all buffers on the way are full.
    while last != sent.value {
      last = sent.value
      for _ in 0..<50 { await pause() }
    }
    expectLessThan(last, total / 2)
    var count = 0
    for try await part in stream.body { count += part.count }
    expectEqual(count, total)
  }

  @Test(arguments: TransportKind.allCases)
  func `A server that breaks off is told of when its bytes are read`(
    _ kind: TransportKind
  ) async throws {
    let server = try FaultyServer { _, peer in
      peer.send(TransportStreamTests.chunked + "5\r\nHello\r\n")
      peer.close()
    }
    let stream = try await kind.make().stream(HTTPRequest(.get, server.url("/")))
    var parts = stream.body.makeAsyncIterator()
    try await expectEqual(parts.next(), Data("Hello".utf8))
    do {
      _ = try await parts.next()
      Issue.record("no error")
    } catch {
      guard case .interrupted = error else { throw error }
    }
  }

  @Test(arguments: TransportKind.allCases, [true, false])
  func `Who stops reading ends the connection`(
    _ kind: TransportKind, _ isCancelled: Bool
  ) async throws {
    let (ends, ended) = AsyncStream.makeStream(of: Bool.self)
    let server = try FaultyServer { _, peer in
      peer.send(TransportStreamTests.chunked + "5\r\nHello\r\n")
      ended.yield(peer.waitForEnd())
      peer.close()
    }
    let transport = kind.make()
    let task = Task {
      let stream = try await transport.stream(HTTPRequest(.get, server.url("/")))
      for try await _ in stream.body where !isCancelled { return }
    }
    if isCancelled {
      while server.requests.isEmpty { await pause() }
      task.cancel()
      await #expect(throws: TransportError.cancelled) { try await task.value }
    } else {
      try await task.value
    }
    var states = ends.makeAsyncIterator()
    await expectEqual(states.next(), true)
  }

  @Test(arguments: TransportKind.allCases)
  func `The header has a deadline, and silence another`(_ kind: TransportKind) async throws {
    let server = try FaultyServer { request, peer in
      if request.target == "/body" { peer.send(TransportStreamTests.chunked + "2\r\nab\r\n") }
      peer.waitForEnd()
    }
    let transport = kind.make()
    let time = Duration.milliseconds(100)
    await #expect(throws: TransportError.timedOut) {
      try await transport.stream(HTTPRequest(.get, server.url("/"), timeout: time))
    }
    var stream = try await transport.stream(HTTPRequest(.get, server.url("/body")))
    var parts = stream.body.makeAsyncIterator()
    try await expectEqual(parts.next(), Data("ab".utf8))
    stream.body.silence = time
    parts = stream.body.makeAsyncIterator()
    await #expect(throws: TransportError.timedOut) { try await parts.next() }
  }

  @Test(arguments: TransportKind.allCases)
  func `A compressed answer that nobody asked for is an error that says so`(
    _ kind: TransportKind
  ) async throws {
    let server = try FaultyServer { _, peer in
      peer.answer(200, "??", ["Content-Encoding": "gzip"])
    }
    let transport = kind.make()
    let error = TransportError.badResponse(
      "its body is encoded as 'gzip', which was not asked for")
    await #expect(throws: error) { try await transport.send(HTTPRequest(.get, server.url("/"))) }
    await #expect(throws: error) { try await transport.stream(HTTPRequest(.get, server.url("/"))) }
    expectTrue(server.requests.allSatisfy { $0.field("Accept-Encoding") == "identity" })
    let asking = HTTPRequest(.get, server.url("/"), headers: ["Accept-Encoding": "gzip"])
    try await expectEqual(transport.send(asking).body, Data("??".utf8))
  }

  @Test(arguments: TransportKind.allCases)
  func `How much of a body was sent is told as it grows`(_ kind: TransportKind) async throws {
    let server = try FaultyServer { request, peer in peer.answer(200, "\(request.body.utf8.count)")
    }
    let (count, counts) = (8 << 20, Collected<Int>())
    let request = HTTPRequest(
      .put, server.url("/"), body: Data(repeating: UInt8(ascii: "x"), count: count))
    let stream = try await kind.make().stream(request) { counts.add($0) }
    try await expectEqual(stream.collected(upTo: 100).body, Data("\(count)".utf8))
    while counts.all.last != count { await pause() }
    expectTrue(counts.all == counts.all.sorted() && counts.all.count > 1)
  }

  @Test func `Who is cancelled does not get what is there of a body as the whole`() async throws {
    let gate = Gate()
    let task = Task {
      await gate.pass()
      return try await HTTPStream(200, body: HTTPBody(Data("abc".utf8))).collected(upTo: 100)
    }
    task.cancel()
    await gate.open()
    await #expect(throws: TransportError.cancelled) { try await task.value }
  }

  /// Parts without an end, which look for no cancellation.
  private struct EndlessParts: AsyncSequence {
    let isOver: Switch

    final class AsyncIterator: AsyncIteratorProtocol {
      private let isOver: Switch
      init(_ isOver: Switch) { self.isOver = isOver }
      deinit { isOver.isOn = true }

      func next() async -> Data? {
        await Task.yield()
        return Data(count: 1024)
      }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(isOver) }
  }

  @Test func `A body that nobody reads any more asks for no more parts`() async throws {
    let isOver = Switch()
    let read = { () async throws -> Data? in
      var parts = HTTPBody(EndlessParts(isOver: isOver)).makeAsyncIterator()
      return try await parts.next()
    }
    try await expectEqual(read()?.count, 1024)
    // As long as it takes: a reader may wait for a thread.
    while !isOver.isOn { await pause() }
  }

  @Test func `Redirects are followed, and hand no secrets to other hosts`() async throws {
    let target = try FaultyServer { _, peer in peer.answer(200, "there") }
    let server = try FaultyServer { _, peer in
      peer.answer(307, "", ["Location": target.url("/next").absoluteString])
    }
    let redirecting = RedirectingTransport(SocketTransport())
    let stream = try await redirecting.stream(
      HTTPRequest(.get, server.url("/"), headers: ["Authorization": "secret", "Accept": "a/b"]))
    try await expectEqual(stream.collected(upTo: 100).body, Data("there".utf8))
    expectEqual(server.requests.first?.field("Authorization"), "secret")
    expectNil(target.requests.first?.field("Authorization"))
    expectEqual(target.requests.first?.field("Accept"), "a/b")
  }
}
