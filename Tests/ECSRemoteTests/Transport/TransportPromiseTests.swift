import ECSRemote
import ECSTestSupport
import Foundation
import Testing

/// What each transport promises, whatever the network does.
@Suite(.noHangs, .ownThread) struct TransportPromiseTests {
  @Test(arguments: TransportKind.allCases)
  func `No call outlives its deadline`(_ kind: TransportKind) async throws {
    let transport = kind.make()
    let start = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"
    let faults: [@Sendable (Peer) -> Void] = [
      { $0.waitForEnd() },
      { peer in
        peer.send("HTTP/1.1 200")
        peer.waitForEnd()
      },
      { peer in
        peer.send(start)
        peer.waitForEnd()
      },
      // A byte now and then: no pause is long.
      { peer in
        peer.send(start)
        for _ in 0..<2000 where peer.send("x") { peer.pause() }
      },
      { peer in
        for _ in 0..<2000 where peer.send("HTTP/1.1 100 Continue\r\n\r\n") { peer.pause() }
      },
    ]
    for fault in faults {
      let server = try FaultyServer { _, peer in fault(peer) }
      let clock = ContinuousClock()
      let begin = clock.now
      await #expect(throws: TransportError.timedOut) {
        try await transport.send(
          HTTPRequest(.get, server.url("/"), timeout: .milliseconds(100)))
      }
      expectGreaterThanOrEqual(clock.now - begin, .milliseconds(100))
      // It would be a minute, or never; how busy the machine is must not count.
      expectLessThan(clock.now - begin, .seconds(8))
    }
  }

  @Test(arguments: TransportKind.allCases)
  func `Cancellation reaches the server`(_ kind: TransportKind) async throws {
    let transport = kind.make()
    for start in ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345"] {
      let (arrivals, arrived) = AsyncStream.makeStream(of: Bool.self)
      let server = try FaultyServer { _, peer in
        peer.send(start)
        arrived.yield(true)
        arrived.yield(peer.waitForEnd())
        peer.close()
        arrived.finish()
      }
      let task = Task { try await transport.send(HTTPRequest(.get, server.url("/"))) }
      var states = arrivals.makeAsyncIterator()
      await expectEqual(states.next(), true)
      task.cancel()
      await #expect(throws: TransportError.cancelled) { try await task.value }
      await expectEqual(states.next(), true)
    }
  }

  @Test(arguments: TransportKind.allCases)
  func `A status that is none is no answer`(_ kind: TransportKind) async throws {
    let transport = kind.make()
    for status in ["000", "020", "099", "600", "999"] {
      let server = try FaultyServer { _, peer in
        peer.send("HTTP/1.1 \(status) X\r\nContent-Length: 2\r\n\r\n{}")
      }
      let error = await #expect(throws: TransportError.self) {
        try await transport.send(HTTPRequest(.get, server.url("/")))
      }
      guard case .badResponse? = error else {
        Issue.record("\(status) is \(error.map { "\($0)" } ?? "fine")")
        continue
      }
      await #expect(throws: TransportError.self) {
        try await transport.stream(HTTPRequest(.get, server.url("/"))) { _ in }
      }
    }
  }

  @Test(arguments: [TransportKind.sockets, .platform])
  func `Lines that are folded are one, with spaces`(_ kind: TransportKind) async throws {
    let transport = kind.make()
    let server = try FaultyServer { _, peer in
      peer.send("HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\t  d\r\nContent-Length:\r\n 2\r\n\r\n{}")
    }
    let response = try await transport.send(HTTPRequest(.get, server.url("/")))
    expectEqual(response.headers["A"]?.split(separator: " "), ["b", "c", "d"])
    expectEqual(response.body, Data("{}".utf8))
  }

  @Test func `A closure that only throws makes a stub`() async throws {
    let transport = StubTransport { _ throws(TransportError) in throw .notConnected("away") }
    let url = try #require(URL(string: "http://h/"))
    await #expect(throws: TransportError.notConnected("away")) {
      try await transport.send(HTTPRequest(.get, url))
    }
  }

  @Test(arguments: TransportKind.allCases)
  func `Nothing is followed, decoded or kept`(_ kind: TransportKind) async throws {
    let transport = kind.make()
    let server = try FaultyServer { _, peer in
      peer.answer(
        302, "elsewhere", ["Location": "/next", "Set-Cookie": "a=b", "Cache-Control": "max-age=60"])
    }
    for _ in 0..<2 {
      let response = try await transport.send(HTTPRequest(.get, server.url("/")))
      expectEqual(response.status, 302)
      expectEqual(response.body, Data("elsewhere".utf8))
    }
    expectEqual(server.requests.map(\.target), ["/", "/"])
    expectTrue(server.requests.allSatisfy { $0.field("Cookie") == nil })
  }

  @Test(arguments: TransportKind.allCases)
  func `Connections that are reset keep nobody waiting`(_ kind: TransportKind) async throws {
    let transport = kind.make()
    let server = try FaultyServer { request, peer in
      if request.target.hasSuffix("7") { peer.reset() } else { peer.answer(200, request.target) }
    }
    let failures = try await withThrowingTaskGroup(of: Int.self) { group in
      for worker in 0..<6 {
        group.addTask {
          var failures = 0
          for number in 0..<60 {
            do {
              let path = "/\(worker)-\(number)"
              let response = try await transport.send(HTTPRequest(.get, server.url(path)))
              expectEqual(response.body, Data(path.utf8))
            } catch {
              failures += 1
            }
          }
          return failures
        }
      }
      return try await group.reduce(0, +)
    }
    expectEqual(failures, 6 * 6)
  }
}
