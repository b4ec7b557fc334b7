#if Inspector
  import ECSInspector
  import ECSTestSupport
  import Foundation
  import Testing

  /// How many connections there are, and for how long.
  @Suite(.noHangs) struct ConnectionTests {
    @Test func `many connections without the token keep the page open`() async throws {
      let visitor = try await Visitor()
      var clients: [RawClient] = []
      for _ in 0..<300 { clients.append(try visitor.client()) }
      // Those that are too many end at once.
      await clients.last?.receive { _ in false }
      let first = clients[0]
      await first.send(visitor.request("GET", "/api/program"))
      #expect(try await first.answer().status == 200)
      clients = []
      #expect(try await visitor.ask("GET", "/api/program").status == 200)
    }

    @Test func `a request that comes byte by byte does not go on for ever`() async throws {
      let visitor = try await Visitor()
      let client = try visitor.client()
      let start = ContinuousClock.now
      await client.send("GET /api/program HTTP/1.1\r\n")
      var isOver = false
      while !isOver {
        await client.send("X")
        isOver = await !client.isOpen(for: .milliseconds(200))
      }
      #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test func `a connection with the token may wait for longer`() async throws {
      let visitor = try await Visitor()
      let client = try visitor.client()
      await client.send(visitor.request("GET", "/api/program"))
      #expect(try await client.answer().status == 200)
      try await Task.sleep(for: .seconds(11))
      await client.send(visitor.request("GET", "/api/program"))
      #expect(try await client.answer().status == 200)
    }
  }
#endif
