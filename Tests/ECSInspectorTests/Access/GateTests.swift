#if Inspector
  import ECSInspector
  import ECSTestSupport
  import Testing

  /// Guessing tokens, by a clock that the tests turn.
  @Suite(.noHangs) struct GateTests {
    private let wrong = ["Authorization": "Bearer 0"]

    @Test func `of more than ten wrong tokens a second, it is not said that they are wrong`()
      async throws
    {
      let clock = StoppedClock()
      let visitor = try await Visitor(clock: clock)
      for second in 0..<3 {
        clock.turn(to: .seconds(second))
        var statuses: [Int] = []
        for _ in 0..<15 {
          statuses.append(try await visitor.ask("GET", "/api/program", wrong).status)
        }
        expectEqual(
          statuses, Array(repeating: 401, count: 10) + Array(repeating: 429, count: 5))
        // The right one is let in all the same.
        try await expectEqual(visitor.ask("GET", "/api/program").status, 200)
      }
    }

    @Test func `pages of other sites use no tries up`() async throws {
      let visitor = try await Visitor()
      for _ in 0..<20 {
        let answer = try await visitor.ask(
          "POST", "/api/program", ["Origin": "http://evil.example", "Authorization": "Bearer 0"])
        expectEqual(answer.status, 403)
      }
      try await expectEqual(visitor.ask("GET", "/api/program", wrong).status, 401)
    }
  }
#endif
