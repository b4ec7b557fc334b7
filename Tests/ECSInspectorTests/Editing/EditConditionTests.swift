#if Inspector
  import ECS
  import ECSInspector
  import ECSRecipes
  import ECSSnapshots
  import ECSTestSupport
  import Foundation
  import JSONValues
  import Synchronization
  import Testing

  /// Edits of values that the program changes meanwhile.
  @Suite(.noHangs) struct EditConditionTests {
    private let context = Context()

    /// A value of whose text something is made while it is being set.
    private struct Watched: Component, Codable, Equatable {
      static let whenRead = Mutex<[Int: @Sendable () -> Void]>([:])

      var x: Int

      init(x: Int) { self.x = x }

      init(from decoder: any Decoder) throws {
        x = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .x)
        let whenRead = Watched.whenRead.withLock { [x] in $0[x] }
        whenRead?()
      }
    }

    private func visitor() async throws -> Visitor {
      let schema = try Schema("test") {
        Stored(of: Position(), as: "position") {
          Field(\.x, at: "x")
          Field(\.y, at: "y")
        }
        Stored(Watched.self, as: "watched")
      }
      return try await Visitor(readOnly: false) { $0.add(context, schema) }
    }

    private func path(_ entity: Entity, _ component: String? = nil) -> String {
      "/api/contexts/0/entities/\(entity.label)" + (component.map { "/components/\($0)" } ?? "")
    }

    private func version(_ entity: Entity, _ visitor: Visitor) async throws -> String {
      let shown = try await visitor.get(path(entity))["components"]?[0]
      return try #require(shown?["version"]?.string)
    }

    @Test func `an edit of another value than the present one is refused`() async throws {
      let entity = context.createEntity(with: Position(x: 1))
      let visitor = try await visitor()
      let version = try await version(entity, visitor)
      try await expectEqual(self.version(entity, visitor), version)
      entity.set(Position(x: 2))
      let late = try await visitor.ask(
        "PUT", path(entity, "Position"), body: #"{"x": 3, "y": 0}"#, ["If-Match": "\"\(version)\""])
      expectEqual(late.status, 412)
      try expectEqual(late.json()["error"]?.string?.contains("changed meanwhile"), true)
      expectEqual(entity.get(Position.self), Position(x: 2))
      let present = try await self.version(entity, visitor)
      expectNotEqual(present, version)
      let next = try await visitor.ask(
        "PUT", path(entity, "Position"), body: #"{"x": 3, "y": 0}"#,
        ["If-Match": "\"\(version)\", \"\(present)\""])
      expectEqual(next.status, 200)
      expectEqual(entity.get(Position.self), Position(x: 3))
      entity.remove(Position.self)
      let lost = try await visitor.ask(
        "PUT", path(entity, "Position"), body: #"{"x": 3}"#, ["If-Match": present])
      expectEqual(lost.status, 412)
      expectFalse(entity.has(Position.self))
    }

    @Test func `what is removed can't have a condition`() async throws {
      let entity = context.createEntity(with: Position(x: 1))
      let visitor = try await visitor()
      let version = try await version(entity, visitor)
      for target in [path(entity, "Position"), path(entity)] {
        try await expectEqual(visitor.ask("DELETE", target, ["If-Match": version]).status, 400)
      }
      expectEqual(entity.get(Position.self), Position(x: 1))
    }

    @Test func `a value that was as it is now, or is set unconditionally, is set`() async throws {
      let entity = context.createEntity(with: Position(x: 1))
      let visitor = try await visitor()
      let version = try await version(entity, visitor)
      entity.set(Position(x: 2))
      entity.set(Position(x: 1))
      let same = try await visitor.ask(
        "PUT", path(entity, "Position"), body: #"{"x": 3}"#, ["If-Match": version])
      expectEqual(same.status, 200)
      let any = try await visitor.ask("PUT", path(entity, "Position"), body: #"{"x": 4}"#)
      expectEqual(any.status, 200)
      expectEqual(entity.get(Position.self)?.x, 4)
    }

    @Test func `what the schema has no field for, and what is left out, stays`() async throws {
      struct Sprite: Component, Equatable { var frame = 1, scale = 1.0, cache = "" }
      let schema = try Schema("test") {
        Stored(of: Sprite(), as: "sprite") {
          Field(\.frame, at: "frame")
          Field(\.scale, at: "scale")
        }
        .leaving(\.cache)
      }
      let entity = context.createEntity(with: Sprite(frame: 2, scale: 3, cache: "kept"))
      let visitor = try await Visitor(readOnly: false) { $0.add(context, schema) }
      let answer = try await visitor.ask("PUT", path(entity, "Sprite"), body: #"{"frame": 7}"#)
      expectEqual(answer.status, 200)
      expectEqual(entity.get(Sprite.self), Sprite(frame: 7, scale: 3, cache: "kept"))
      let other = context.createEntity()
      let added = try await visitor.ask("PUT", path(other, "Sprite"), body: #"{"frame": 7}"#)
      expectEqual(added.status, 200)
      expectEqual(other.get(Sprite.self), Sprite(frame: 7, scale: 1, cache: ""))
    }

    @Test func `what is to be added does not overwrite`() async throws {
      let entity = context.createEntity()
      let visitor = try await visitor()
      func add(_ x: Int) async throws -> Int {
        try await visitor.ask(
          "PUT", path(entity, "Position"), body: #"{"x": \#(x)}"#, ["If-None-Match": "*"]
        ).status
      }
      try await expectEqual(add(1), 200)
      try await expectEqual(add(2), 412)
      expectEqual(entity.get(Position.self), Position(x: 1))
    }

    @Test func `a change while a value is read is not overwritten`() async throws {
      let entity = context.createEntity(with: Watched(x: 1))
      let visitor = try await visitor()
      let version = try await version(entity, visitor)
      Watched.whenRead.withLock {
        $0[20] = { if entity.get(Watched.self)?.x == 1 { entity.set(Watched(x: 2)) } }
      }
      let answer = try await visitor.ask(
        "PUT", path(entity, "Watched"), body: #"{"x": 20}"#, ["If-Match": version])
      expectEqual(answer.status, 412)
      expectEqual(entity.get(Watched.self), Watched(x: 2))
    }

    @Test func `a value that changes all the time is not set`() async throws {
      let entity = context.createEntity(with: Watched(x: 1))
      let other = context.createEntity(with: Watched(x: 1))
      let visitor = try await visitor()
      Watched.whenRead.withLock { $0[30] = { entity.update(Watched.self) { $0.x += 1 } } }
      func put(_ entity: Entity) async throws -> Int {
        try await visitor.ask("PUT", path(entity, "Watched"), body: #"{"x": 30}"#).status
      }
      try await expectEqual(put(entity), 409)
      expectNotEqual(entity.get(Watched.self)?.x, 30)
      try await expectEqual(put(other), 200)
      expectEqual(context.statistics.observers, 0)
    }
  }
#endif
