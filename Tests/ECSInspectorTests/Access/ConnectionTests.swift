#if Inspector
  import ECSInspector
  import ECSTestSupport
  import Foundation
  import Testing

  /// How many connections there are, and for how long.
  ///
  /// No test depends on how fast it is: those of numbers have connections that last, and those of
  /// time try again where a connection has ended before its turn came.
  @Suite(.noHangs) struct ConnectionTests {
    @Test func `many connections without the token keep the page open`() async throws {
      let visitor = try await Visitor()
      let page = try visitor.client()
      await page.send(visitor.request("GET", "/api/program"))
      try await expectEqual(page.answer().status, 200)
      let clients = try (0..<300).map { _ in try visitor.client() }
      // Those that are too many end at once, though each has an hour.
      var open = clients
      while open.count > 256 {
        var left: [RawClient] = []
        for client in open where await client.isOpen(for: .milliseconds(1)) { left.append(client) }
        open = left
      }
      await page.send(visitor.request("GET", "/api/program"))
      try await expectEqual(page.answer().status, 200)
    }

    @Test func `those without the token end, and leave room`() async throws {
      let visitor = try await Visitor(unknownLimit: .seconds(1))
      for _ in 0..<2 {
        let clients = try (0..<200).map { _ in try visitor.client() }
        for client in clients { await client.receive { _ in false } }
      }
      try await expectEqual(visitor.ask("GET", "/api/program").status, 200)
    }

    @Test func `a request that comes byte by byte does not go on for ever`() async throws {
      let visitor = try await Visitor(unknownLimit: .seconds(1))
      let client = try visitor.client()
      await client.send("GET /api/program HTTP/1.1\r\n")
      var count = 0
      repeat {
        await client.send("X")
        count += 1
      } while await client.isOpen(for: .milliseconds(100)) && count < 1_000
      expectLessThan(count, 1_000)
    }

    @Test func `a connection without the token is not kept by being busy`() async throws {
      let visitor = try await Visitor(unknownLimit: .seconds(1))
      let client = try visitor.client()
      var count = 0
      repeat {
        await client.send(visitor.request("GET", "/nothing", ["Authorization": nil]))
        count += 1
      } while await client.isOpen(for: .milliseconds(100)) && count < 1_000
      expectLessThan(count, 1_000)
    }

    @Test func `a connection with the token may wait for longer`() async throws {
      let limit = Duration.seconds(2)
      let visitor = try await Visitor(unknownLimit: limit)
      var client = try visitor.client()
      await client.send(visitor.request("GET", "/api/program"))
      await client.receive { $0.count > 12 }
      while client.text.isEmpty {
        // It has ended before its request was read.
        client = try visitor.client()
        await client.send(visitor.request("GET", "/api/program"))
        await client.receive { $0.count > 12 }
      }
      try await expectEqual(client.answer().status, 200)
      try await Task.sleep(for: limit + .seconds(1))
      await client.send(visitor.request("GET", "/api/program"))
      try await expectEqual(client.answer().status, 200)
    }

    @Test func `answers do not wait for the other end to confirm what came before`() async throws {
      let visitor = try await Visitor()
      let client = try visitor.client()
      // At first, systems confirm all at once; after some dozens of answers in 40 ms, but for few.
      var slow = 0
      for number in 0..<140 {
        await client.send(visitor.request("GET", "/api/program"))
        await client.receive { Data($0).range(of: Data("\r\n\r\n".utf8)) != nil }
        let start = ContinuousClock.now
        try await expectEqual(client.answer().status, 200)
        // The body comes with the head, or right after it, however late that is.
        if number >= 40, ContinuousClock.now - start > .milliseconds(30) { slow += 1 }
      }
      expectLessThan(slow, 50)
    }
  }
#endif
