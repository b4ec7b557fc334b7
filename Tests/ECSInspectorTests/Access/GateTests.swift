#if Inspector
  import ECSInspector
  import ECSTestSupport
  import Testing

  /// Guessing tokens.
  @Suite(.noHangs) struct GateTests {
    @Test func `ten wrong tokens a second are compared`() async throws {
      let visitor = try await Visitor()
      let client = try visitor.client()
      var statuses: [Int] = []
      // Until so many come within a second.
      while !statuses.contains(429) {
        let request = visitor.request(
          "GET", "/api/program", ["Authorization": "Bearer 0"])
        await client.send(String(repeating: request, count: 20))
        for _ in 0..<20 { statuses.append(try await client.answer().status) }
      }
      #expect(statuses.prefix(10).allSatisfy { $0 == 401 })
      #expect(statuses.allSatisfy { $0 == 401 || $0 == 429 })
    }

    @Test func `the right token is let in again afterwards`() async throws {
      let visitor = try await Visitor()
      let client = try visitor.client()
      for _ in 0..<20 {
        await client.send(
          visitor.request("GET", "/api/program", ["Authorization": "Bearer 0"]))
        _ = try await client.answer()
      }
      var status = 0
      while status != 200 {
        await client.send(visitor.request("GET", "/api/program"))
        status = try await client.answer().status
        #expect(status == 200 || status == 429)
        await pause()
      }
    }

    @Test func `pages of other sites use no tries up`() async throws {
      let visitor = try await Visitor()
      for _ in 0..<20 {
        let answer = try await visitor.ask(
          "POST", "/api/program", ["Origin": "http://evil.example", "Authorization": nil])
        #expect(answer.status == 403)
      }
      #expect(try await visitor.ask("GET", "/api/program").status == 200)
    }
  }
#endif
