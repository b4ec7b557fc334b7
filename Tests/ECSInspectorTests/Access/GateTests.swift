#if Inspector
  import ECSInspector
  import ECSTestSupport
  import Testing

  /// Guessing tokens.
  @Suite(.noHangs) struct GateTests {
    @Test func `of more than ten wrong tokens a second, it is not said that they are wrong`()
      async throws
    {
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

    @Test func `the right token is let in at once, however many were wrong`() async throws {
      let visitor = try await Visitor()
      let client = try visitor.client()
      for _ in 0..<20 {
        await client.send(
          visitor.request("GET", "/api/program", ["Authorization": "Bearer 0"])
            + visitor.request("GET", "/api/program"))
        _ = try await client.answer()
        #expect(try await client.answer().status == 200)
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
