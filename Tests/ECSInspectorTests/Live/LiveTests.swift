#if Inspector
  import ECS
  import ECSInspector
  import ECSTestSupport
  import Foundation
  import JSONValues
  import Synchronization
  import Testing

  /// Streams of what pages watch.
  @Suite(.noHangs) struct LiveTests {
    private let context = Context()

    /// A connection on which lines come.
    private struct Stream {
      let client: RawClient
      let id: String

      init(_ visitor: Visitor) async throws {
        client = try visitor.client()
        await client.send(visitor.request("GET", "/api/live"))
        let client = client
        await client.receive { _ in !Stream.lines(client.text).isEmpty }
        let first = try #require(Stream.lines(client.text).first)
        id = try #require(first["live"]?.string)
      }

      /// The lines that have come.
      static func lines(_ text: String) -> [JSONValue] {
        text.split(separator: "\r\n").flatMap { $0.split(separator: "\n") }
          .compactMap { try? JSONValue(json: String($0)) }.filter { $0.object != nil }
      }

      /// Waits for a line, of those that have come so far, too.
      func line(where isWanted: (JSONValue) -> Bool) async -> JSONValue? {
        await client.receive { _ in Stream.lines(client.text).contains(where: isWanted) }
        return Stream.lines(client.text).first(where: isWanted)
      }
    }

    private func watch(
      _ visitor: Visitor, _ id: String, _ targets: [String]
    ) async throws -> Int {
      let body: JSONValue = ["watch": .array(targets.map { .string($0) })]
      return try await visitor.ask("POST", "/api/live/\(id)", body: body.json()).status
    }

    @Test func `what is watched comes when it changes`() async throws {
      let visitor = try await Visitor { $0.add(context) }
      let stream = try await Stream(visitor)
      let path = "/api/contexts/0/components"
      try await expectEqual(watch(visitor, stream.id, [path]), 204)
      let first = await stream.line { $0["path"]?.string == path }
      expectEqual(first?["status"], 200)
      expectEqual(first?["value"], [])
      context.createEntity(with: Position())
      let second = await stream.line { $0["value"]?[0]?["name"] == "Position" }
      expectEqual(second?["path"]?.string, path)
    }

    @Test func `a change far back in an answer of the same length comes, too`() async throws {
      let visitor = try await Visitor { $0.add(context) }
      for _ in 0..<9 { context.createEntity(with: Position(x: 1)) }
      let last = context.createEntity(with: Position(x: 1))
      let stream = try await Stream(visitor)
      let path = "/api/contexts/0/entities?all=Position"
      try await expectEqual(watch(visitor, stream.id, [path]), 204)
      func line(_ text: String) async -> JSONValue? {
        await stream.line {
          $0["value"]?["rows"]?[9]?["values"]?["Position"]?["text"]?.string == text
        }
      }
      await expectNotNil(line("Position(x: 1.0, y: 0.0)"))
      last.set(Position(x: 2))
      await expectNotNil(line("Position(x: 2.0, y: 0.0)"))
    }

    @Test func `pages of entities, errors and several addresses are watched`() async throws {
      let visitor = try await Visitor { $0.add(context) }
      let stream = try await Stream(visitor)
      context.createEntity(with: Position(x: 7))
      let paths = [
        "/api/contexts/0/entities?where=Position.x+%3E+3", "/api/contexts/0/entities?where=Oh",
        "/api/loops",
      ]
      try await expectEqual(watch(visitor, stream.id, paths), 204)
      let page = await stream.line { $0["path"]?.string == paths[0] }
      expectEqual(page?["value"]?["total"], 1)
      let error = await stream.line { $0["path"]?.string == paths[1] }
      expectEqual(error?["status"], 400)
      expectEqual(error?["value"]?["at"], 0)
      await expectNotNil(stream.line { $0["path"]?.string == paths[2] })
    }

    @Test func `what stays the same is sent once, and a beat comes`() async throws {
      let visitor = try await Visitor { $0.add(context) }
      let stream = try await Stream(visitor)
      try await expectEqual(watch(visitor, stream.id, ["/api/contexts/0/statistics"]), 204)
      await expectNotNil(stream.line { $0["path"] != nil })
      let count = Stream.lines(stream.client.text).count
      await stream.client.receive { _ in
        Stream.lines(stream.client.text).dropFirst(count).contains { $0["beat"] != nil }
      }
      let sent = Stream.lines(stream.client.text).filter { $0["path"] != nil }
      expectEqual(sent.count, 1)
    }

    @Test func `what took long once comes again soon`() async throws {
      let visitor = try await Visitor { $0.add(context) }
      let stream = try await Stream(visitor)
      let paths = ["components", "tables", "statistics"].map { "/api/contexts/0/\($0)" }
      // The first one waits for three seconds, a fiftieth of two and a half minutes.
      let (isIn, ends) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      Thread.detachNewThread { [context] in
        context.perform {
          isIn.signal()
          ends.wait()
          Thread.sleep(forTimeInterval: 3)
        }
      }
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          isIn.wait()
          continuation.resume()
        }
      }
      try await expectEqual(watch(visitor, stream.id, paths), 204)
      try await Task.sleep(for: .milliseconds(100))
      ends.signal()
      for path in paths { await expectNotNil(stream.line { $0["path"]?.string == path }) }
      context.createEntity(with: Position())
      let start = ContinuousClock.now
      for path in paths {
        let count = Stream.lines(stream.client.text).count { $0["path"]?.string == path }
        await stream.client.receive { _ in
          count > 1 || Stream.lines(stream.client.text).count { $0["path"]?.string == path } > 1
        }
      }
      expectLessThan(ContinuousClock.now - start, .seconds(100))
    }

    @Test func `a beat comes while an answer takes long, too`() async throws {
      struct Slow: Component, CustomReflectable {
        let isOver: DispatchSemaphore
        var customMirror: Mirror {
          isOver.wait()
          isOver.signal()
          return Mirror(self, children: ["x": 1])
        }
      }
      let isOver = DispatchSemaphore(value: 0)
      let visitor = try await Visitor { $0.add(context) }
      context.createEntity(with: Slow(isOver: isOver))
      let stream = try await Stream(visitor)
      let path = "/api/contexts/0/entities?where=Slow.x+%3E+3"
      try await expectEqual(watch(visitor, stream.id, [path]), 204)
      await expectNotNil(stream.line { $0["beat"] != nil })
      expectTrue(Stream.lines(stream.client.text).allSatisfy { $0["path"] == nil })
      isOver.signal()
      await expectNotNil(stream.line { $0["path"] != nil })
    }

    @Test func `streams are answered one at a time, and wait for each other`() async throws {
      final class Count: Sendable {
        let numbers = Mutex((now: 0, most: 0, all: 0))
      }
      struct Slow: Component, CustomReflectable {
        let count: Count
        var customMirror: Mirror {
          count.numbers.withLock {
            $0.now += 1
            $0.most = max($0.most, $0.now)
            $0.all += 1
          }
          Thread.sleep(forTimeInterval: 0.05)
          count.numbers.withLock { $0.now -= 1 }
          return Mirror(self, children: ["x": 1])
        }
      }
      let count = Count()
      let visitor = try await Visitor { $0.add(context) }
      context.createEntity(with: Slow(count: count))
      let path = "/api/contexts/0/entities"
      var streams: [Stream] = []
      for _ in 0..<8 {
        streams.append(try await Stream(visitor))
        try await expectEqual(watch(visitor, streams.last?.id ?? "", [path]), 204)
      }
      for stream in streams { await expectNotNil(stream.line { $0["path"] != nil }) }
      let (first, start) = (count.numbers.withLock(\.all), ContinuousClock.now)
      // Each alone would look again after fifty times as long as a look takes, or a little more.
      let look = Duration.milliseconds(50) * (first / 8)
      try await Task.sleep(for: look * 75)
      let numbers = count.numbers.withLock(\.self)
      expectEqual(numbers.most, 1)
      // All together look so often, and once more.
      let looks = (ContinuousClock.now - start) / (look * 50) + 1
      expectLessThanOrEqual(Double(numbers.all - first), looks * Double(first / 8))
    }

    @Test func `a context that ends is gone in streams, too`() async throws {
      var ending: Context? = Context()
      let visitor = try await Visitor { sources in ending.map { sources.add($0) } }
      let stream = try await Stream(visitor)
      try await expectEqual(watch(visitor, stream.id, ["/api/contexts/0/statistics"]), 204)
      await expectNotNil(stream.line { $0["status"] == 200 })
      ending = nil
      await expectNotNil(stream.line { $0["status"] == 410 })
    }

    @Test func `what can't be watched is refused`() async throws {
      let visitor = try await Visitor { $0.add(context) }
      let stream = try await Stream(visitor)
      let many = Array(repeating: "/api/loops", count: 17)
      try await expectEqual(watch(visitor, stream.id, many), 400)
      for path in ["/", "/api/live", "/api//live", "/api/%6Cive", "/api/live/x", "", "loops"] {
        try await expectEqual(watch(visitor, stream.id, [path]), 400)
      }
      for body in ["{}", "[]", "{\"watch\": 1}", "{\"watch\": [1]}", "no"] {
        let answer = try await visitor.ask("POST", "/api/live/\(stream.id)", body: body)
        expectEqual(answer.status, 400)
      }
      try await expectEqual(watch(visitor, "0", []), 404)
    }

    @Test func `looking observes nothing`() async throws {
      let visitor = try await Visitor { $0.add(context) }
      context.createEntity(with: Position())
      let before = context.statistics
      let stream = try await Stream(visitor)
      let paths = ["/api/contexts/0/entities?all=Position", "/api/contexts/0/groups"]
      try await expectEqual(watch(visitor, stream.id, paths), 204)
      for path in paths { await expectNotNil(stream.line { $0["path"]?.string == path }) }
      expectEqual(context.statistics, before)
    }

    @Test func `there are a hundred streams at most, and room when they end`() async throws {
      let visitor = try await Visitor { $0.add(context) }
      var streams: [Stream] = []
      for _ in 0..<100 { streams.append(try await Stream(visitor)) }
      try await expectEqual(visitor.ask("GET", "/api/live").status, 503)
      streams.removeAll()
      // That their connections have ended shows when something is sent.
      var status = 503
      while status == 503 {
        await pause()
        let client = try visitor.client()
        await client.send(visitor.request("GET", "/api/live"))
        await client.receive { $0.count > 12 }
        status = client.text.hasPrefix("HTTP/1.1 200") ? 200 : 503
      }
      expectEqual(status, 200)
    }

    @Test func `streams end with the inspector`() async throws {
      let visitor = try await Visitor { $0.add(context) }
      let stream = try await Stream(visitor)
      await visitor.inspector.stop()
      await stream.client.receive { _ in false }
    }
  }
#endif
