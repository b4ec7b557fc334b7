#if Inspector
  import ECS
  import ECSInspector
  import ECSTestSupport
  import Foundation
  import JSONValues
  import Testing

  /// Requests that are not as they should be.
  @Suite(.noHangs) struct RequestTests {
    @Test func `bodies have a limit, and what is over it is no request`() async throws {
      let visitor = try await Visitor(readOnly: false)
      let client = try visitor.client()
      let hidden = visitor.request("GET", "/api/program")
      let body = hidden + String(repeating: " ", count: 3 << 20)
      await client.send(visitor.request("POST", "/api/loops/0/pause", body: body))
      try await expectEqual(client.answer().status, 413)
      await client.send(visitor.request("GET", "/nowhere"))
      try await expectEqual(client.answer().status, 404)
    }

    @Test func `bodies are JSON, and say so`() async throws {
      let visitor = try await Visitor(readOnly: false)
      for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", nil] {
        let answer = try await visitor.ask(
          "POST", "/api/live/0", body: "{}", ["Content-Type": type])
        expectEqual(answer.status, 415)
      }
    }

    @Test func `addresses have a limit`() async throws {
      let visitor = try await Visitor()
      let path = "/api/program"
      let longest = String(repeating: "a", count: 4_096 - path.utf8.count)
      try await expectEqual(visitor.ask("GET", "\(path)?\(longest)").status, 200)
      try await expectEqual(visitor.ask("GET", "\(path)?\(longest)a").status, 414)
    }

    @Test(arguments: [
      "/api", "/api/", "/api/nothing", "/api/program/more", "/api/../api/program/..", "/..", "//",
      "/api/%2e%2e/%00", "/page.html",
    ])
    func `other addresses lead nowhere`(_ target: String) async throws {
      let visitor = try await Visitor()
      let answer = try await visitor.ask("GET", target)
      expectEqual(answer.status, 404)
      try expectEqual(answer.json()["error"]?.string?.isEmpty, false)
    }

    @Test func `the program says what there is`() async throws {
      var context: Context? = Context(name: "Shop <b>")
      let visitor = try await Visitor { sources in
        if let context { sources.add(context) }
        if let context { sources.add(context, as: "Other") }
      }
      let program = try await visitor.get("/api/program")
      expectEqual(program["readOnly"]?.bool, true)
      let shown = try #require(program["contexts"]?.array)
      expectEqual(shown.map { $0["name"]?.string }, ["Shop <b>", "Other"])
      expectEqual(shown.map { $0["id"]?.number?.int }, [0, 1])
      expectTrue(shown.allSatisfy { $0["ended"]?.bool == false })
      context = nil
      let later = try await visitor.get("/api/program")
      expectEqual(later["contexts"]?.array?.allSatisfy { $0["ended"]?.bool == true }, true)
    }
  }
#endif
