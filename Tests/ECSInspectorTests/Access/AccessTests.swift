#if Inspector
  import Dispatch
  import ECS
  import ECSHistory
  import ECSInspector
  import ECSTestSupport
  import Foundation
  import HTTPServing
  import JSONValues
  import Testing

  /// What is let in, and what is not, seen from the other end of a socket.
  @Suite(.noHangs) struct AccessTests {
    @Test func `the page is one file under a nonce of its own`() async throws {
      let visitor = try await Visitor()
      let first = try await visitor.ask("GET", "/", ["Authorization": nil])
      let second = try await visitor.ask("GET", "/", ["Authorization": nil])
      expectEqual(first.status, 200)
      let policy = try #require(first.headers["content-security-policy"])
      let nonce = try #require(policy.firstMatch(of: /script-src 'nonce-([0-9a-f]{32})'/)).1
      expectTrue(policy.hasPrefix("default-src 'none'; "))
      expectTrue(policy.contains("frame-ancestors 'none'") && policy.contains("base-uri 'none'"))
      expectFalse(policy.contains("unsafe"))
      expectTrue(first.text.contains("nonce=\"\(nonce)\""))
      expectFalse(first.text.contains("NONCE"))
      expectNotEqual(second.headers["content-security-policy"], policy)
      expectFalse(first.text.contains(visitor.token))
    }

    @Test func `every answer keeps browsers from guessing, lending and keeping`() async throws {
      let visitor = try await Visitor()
      let answers = [
        try await visitor.ask("GET", "/", ["Authorization": nil]),
        try await visitor.ask("GET", "/api/program"),
        try await visitor.ask("GET", "/api/program", ["Authorization": nil]),
        try await visitor.ask("GET", "/nothing"), try await visitor.ask("OPTIONS", "/api/program"),
        try await visitor.ask("GET", "/", ["Host": "evil.example"]),
      ]
      for answer in answers {
        expectEqual(answer.headers["x-content-type-options"], "nosniff")
        expectEqual(answer.headers["referrer-policy"], "no-referrer")
        expectEqual(answer.headers["cache-control"], "no-store")
        expectEqual(answer.headers["x-frame-options"], "DENY")
        expectEqual(answer.headers["cross-origin-resource-policy"], "same-origin")
        expectEqual(answer.headers["content-security-policy"]?.contains("default-src 'none'"), true)
      }
    }

    @Test(arguments: ["localhost", "LocalHost", "[::1]", "127.0.0.1"])
    func `the machine's own names are known`(_ host: String) async throws {
      let visitor = try await Visitor()
      let answer = try await visitor.ask(
        "GET", "/api/program", ["Host": "\(host):\(visitor.port)"])
      expectEqual(answer.status, 200)
    }

    @Test(.enabled(if: (try? Socket.bound("127.0.0.1", 80).close()) != nil))
    func `the port of HTTP need not be named`() async throws {
      let visitor = Visitor(try await Inspector(port: 80, allowInRelease: true) { _ in })
      for (host, status) in [("127.0.0.1", 200), ("127.0.0.1:80", 200), ("evil.example", 421)] {
        let answer = try await visitor.ask(
          "GET", "/api/program", ["Host": host, "Origin": "http://\(host)"])
        expectEqual(answer.status, status)
      }
    }

    @Test func `it ends when it is released`() async throws {
      var visitor: Visitor? = try await Visitor()
      let client = try visitor?.client()
      await client?.send(visitor?.request("GET", "/api/live") ?? "")
      await client?.receive { _ in client?.text.contains("live") == true }
      visitor = nil
      // The connection ends.
      await client?.receive { _ in false }
    }

    @Test(arguments: [
      "evil.example:PORT", "evil.example", "127.0.0.1", "127.0.0.1:1",
      "127.0.0.1.evil.example:PORT",
      "localhost:PORT.evil.example", "evil@127.0.0.1:PORT", "", nil,
    ])
    func `other names are refused, as DNS rebinding uses them`(_ host: String?) async throws {
      let visitor = try await Visitor()
      let named = host?.replacing("PORT", with: "\(visitor.port)")
      for target in ["/", "/api/program"] {
        let answer = try await visitor.ask("GET", target, ["Host": named])
        expectEqual(answer.status, 421)
        expectFalse(answer.text.contains("<script"))
      }
    }

    @Test(arguments: [
      "http://evil.example", "null", "http://127.0.0.1", "https://127.0.0.1:PORT",
      "http://127.0.0.1:1", "http://localhost:PORT", "",
    ])
    func `pages of other origins are refused with the right token, too`(
      _ origin: String
    ) async throws {
      let visitor = try await Visitor()
      let named = origin.replacing("PORT", with: "\(visitor.port)")
      for method in ["GET", "POST", "PUT", "DELETE"] {
        let answer = try await visitor.ask(method, "/api/program", ["Origin": named])
        expectEqual(answer.status, 403)
      }
    }

    @Test func `its own origin is let in`() async throws {
      let visitor = try await Visitor()
      for site in ["same-origin", "none"] {
        let answer = try await visitor.ask(
          "GET", "/api/program",
          ["Origin": "http://127.0.0.1:\(visitor.port)", "Sec-Fetch-Site": site])
        expectEqual(answer.status, 200)
      }
    }

    @Test(arguments: ["cross-site", "same-site", "nonsense", ""])
    func `what browsers say comes from another site is refused`(_ site: String) async throws {
      let visitor = try await Visitor()
      for target in ["/", "/api/program"] {
        let answer = try await visitor.ask("GET", target, ["Sec-Fetch-Site": site])
        expectEqual(answer.status, 403)
      }
    }

    @Test(arguments: [
      nil, "", "Bearer", "Bearer ", "Basic TOKEN", "TOKEN", "Bearer TOKEN0", "Bearer XTOKEN",
      "Bearer 00000000000000000000000000000000", "Bearer TOKENTOKEN",
    ])
    func `without the token nothing is answered`(_ authorization: String?) async throws {
      let visitor = try await Visitor()
      let given = authorization?.replacing("TOKEN", with: visitor.token)
      let answer = try await visitor.ask("GET", "/api/program", ["Authorization": given])
      expectEqual(answer.status, 401)
      expectFalse(answer.text.contains("contexts"))
    }

    @Test func `the token has 128 bits, and each inspector its own`() async throws {
      let (first, second) = (try await Visitor(), try await Visitor())
      expectNotNil(first.token.wholeMatch(of: /[0-9a-f]{32}/))
      expectNotEqual(first.token, second.token)
      let answer = try await first.ask(
        "GET", "/api/program", ["Authorization": "Bearer \(second.token)"])
      expectEqual(answer.status, 401)
    }

    @Test func `a token in the address opens nothing`() async throws {
      let visitor = try await Visitor()
      let answer = try await visitor.ask(
        "GET", "/api/program?token=\(visitor.token)", ["Authorization": nil])
      expectEqual(answer.status, 401)
    }

    @Test func `no origin is ever allowed`() async throws {
      let visitor = try await Visitor()
      for method in ["OPTIONS", "GET", "POST", "PATCH"] {
        for origin in ["http://evil.example", "http://127.0.0.1:\(visitor.port)"] {
          let answer = try await visitor.ask(
            method, "/api/program",
            [
              "Origin": origin, "Access-Control-Request-Method": "PUT",
              "Access-Control-Request-Headers": "authorization",
              "Access-Control-Request-Private-Network": "true",
            ])
          expectFalse(answer.headers.keys.contains { $0.hasPrefix("access-control") })
          if method == "OPTIONS" { expectTrue(answer.status == 403 || answer.status == 405) }
        }
      }
    }

    @Test(arguments: ["OPTIONS", "HEAD", "PATCH", "TRACE", "CONNECT"])
    func `other methods are refused`(_ method: String) async throws {
      let visitor = try await Visitor()
      try await expectEqual(visitor.ask(method, "/api/program").status, 405)
    }

    @Test func `it listens on 127.0.0.1 alone`() async throws {
      let visitor = try await Visitor()
      expectEqual(visitor.inspector.url.host(), "127.0.0.1")
      let port = String(visitor.port, radix: 16, uppercase: true)
      let hex = String(repeating: "0", count: 4 - port.count) + port
      func listening(_ name: String) -> [Substring]? {
        guard let table = try? String(contentsOfFile: "/proc/net/\(name)", encoding: .utf8)
        else { return nil }
        // The local address, and 0A, which stands for listening.
        var found: [Substring] = []
        for line in table.split(separator: "\n") {
          let parts = line.split(separator: " ")
          if parts.count > 3, parts[1].hasSuffix(":\(hex)"), parts[3] == "0A" {
            found.append(parts[1])
          }
        }
        return found
      }
      // Lines may be missing while other sockets come and go.
      while let found = listening("tcp"), found.isEmpty { await pause() }
      expectEqual(listening("tcp6") ?? [], [])
      if let found = listening("tcp") { expectTrue(Set(found).isSubset(of: ["0100007F:\(hex)"])) }
      withExtendedLifetime(visitor) {}
    }

    @Test func `optimized builds are refused unless that is meant`() throws {
      #expect(throws: InspectorError.self) {
        try Inspector.checkBuild(isOptimized: true, allowed: false)
      }
      try Inspector.checkBuild(isOptimized: true, allowed: true)
      try Inspector.checkBuild(isOptimized: false, allowed: false)
    }

    @Test func `nothing is answered after the end`() async throws {
      let visitor = try await Visitor()
      let client = try visitor.client()
      await client.send(visitor.request("GET", "/api/program"))
      try await expectEqual(client.answer().status, 200)
      await visitor.inspector.stop()
      let other = try? visitor.client()
      await other?.send(visitor.request("GET", "/api/program"))
      await other?.receive { !$0.isEmpty }
      expectEqual(other?.text ?? "", "")
    }

    @Test func `what was shown is not kept after the end`() async throws {
      var context: Context? = Context()
      var loop = context.map {
        ReactiveLoop(ctx: $0, queue: DispatchQueue(label: "loop"), systems: [], name: "loop")
      }
      var plain: Loop? = Loop(name: "plain", systems: [])
      var flight = context.map { FlightRecorder($0) }
      var log: EventLog? = EventLog([])
      weak let keptContext = context
      weak let keptLoop = loop
      weak let keptPlain = plain
      weak let keptFlight = flight
      weak let keptLog = log
      func kept() -> Bool {
        keptContext != nil || keptLoop != nil || keptPlain != nil || keptFlight != nil
          || keptLog != nil
      }
      var inspector: Inspector? = try await Inspector(allowInRelease: true) { sources in
        if let context { sources.add(context) }
        if let loop { sources.add(loop) }
        if let plain { sources.add(plain) }
        if let flight { sources.add(flight) }
        if let log { sources.add(log) }
      }
      // A page is open, and stays so.
      let visitor = Visitor(try #require(inspector))
      let client = try visitor.client()
      await client.send(visitor.request("GET", "/api/live"))
      await client.receive { _ in client.text.contains("live") }
      (context, loop, plain, flight, log) = (nil, nil, nil, nil, nil)
      expectTrue(keptFlight != nil && keptLog != nil)
      await inspector?.stop()
      inspector = nil
      withExtendedLifetime(visitor) {}
      while kept() { await pause() }
    }

    /// Sockets are kept from them as soon as they wait for something, which a program that starts
    /// at once may come before: so it is tried until it does not.
    @Test func `programs that are started keep none of its sockets`() async throws {
      var isFree = false
      for _ in 0..<20 where !isFree {
        let visitor = try await Visitor()
        try await expectEqual(visitor.ask("GET", "/api/program").status, 200)
        try await Task.sleep(for: .milliseconds(50))
        // It goes on until its input ends.
        let program = unsafe popen("exec cat >/dev/null", "w")
        await visitor.inspector.stop()
        let next = try? await Inspector(port: UInt16(visitor.port), allowInRelease: true) { _ in }
        isFree = next != nil
        if let program = unsafe program { unsafe _ = pclose(program) }
      }
      expectTrue(isFree)
    }

    @Test func `a port that is taken is an error`() async throws {
      let visitor = try await Visitor()
      await #expect(throws: InspectorError.self) {
        _ = try await Inspector(port: UInt16(visitor.port), allowInRelease: true) { _ in }
      }
    }
  }
#endif
