import ECS
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Testing

/// Single values in the form of text.
@Suite struct SchemaValueTests {
  private struct Place: Component, Equatable { var x = 0.0, label: String? }
  private struct Friends: Component, Equatable { var all: [Entity] = [], best: Entity? }
  private struct Mark: Component {}

  /// One whose values files have as they are in memory.
  private struct Pair: Component, Equatable { var first = 0.0, second = 0.0 }
  private struct Blob: Component, Codable, Equatable { var parts: [String: Int] }

  private let context = Context()

  private func schema() throws -> Schema {
    try Schema("values") {
      Stored(of: Place(), as: "place") {
        Field(\.x, at: "x")
        Field(\.label, at: "label")
      }
      Stored(of: Friends(), as: "friends") {
        Field(\.all, at: "all")
        Field(\.best, at: "best")
      }
      Stored(of: Mark(), as: "mark")
      Stored(Blob.self, as: "blob")
    }
  }

  /// The value that comes back from the text of one.
  private func copy<C: Component>(_ value: C) throws -> C? {
    let schema = try schema()
    let found = try schema.json(of: value, \.label)
    let json = try #require(found)
    let entities = context.group(Place.matcher).reduce(into: [:]) { $0[$1.label] = $1 }
    return try schema.value(of: C.cid, json) { entities[$0] } as? C
  }

  @Test func `values come back from their text`() throws {
    let place = Place(x: -.infinity, label: "a \"b\"")
    try expectEqual(copy(place), place)
    try expectEqual(copy(Place(x: 1.5, label: nil)), Place(x: 1.5, label: nil))
    try expectEqual(copy(Blob(parts: ["a": 1])), Blob(parts: ["a": 1]))
    try expectNotNil(copy(Mark()))
  }

  @Test func `entities are called by names`() throws {
    let (first, second) = (
      context.createEntity(with: Place()), context.createEntity(with: Place())
    )
    let friends = Friends(all: [second, first, second], best: first)
    try expectEqual(copy(friends), friends)
    try expectEqual(
      schema().json(of: friends, \.label)?["all"],
      [
        .string(second.label), .string(first.label), .string(second.label),
      ])
    #expect(throws: SnapshotError.self) {
      try schema().value(of: Friends.cid, ["best": "no one"]) { _ in nil }
    }
  }

  @Test func `what is not there is as in new values, and what is unknown is refused`() throws {
    let schema = try schema()
    let value = try schema.value(of: Place.cid, ["label": "b"]) { _ in nil }
    expectEqual(value as? Place, Place(x: 0, label: "b"))
    for json: JSONValue in [["y": 1], ["x": "far"], 7, ["x": .null]] {
      #expect(throws: SnapshotError.self) {
        try schema.value(of: Place.cid, json) { _ in nil }
      }
    }
  }

  @Test func `what is not there is as in the value before`() throws {
    struct Part: Component, Equatable { var x = 1, y = 2, cache = ["a"], owner: Entity?, size = 3 }
    let schema = try Schema("parts") {
      Stored(of: Part(), as: "part") {
        Field(\.x, at: "x")
        Field(\.y, at: "y")
        Field(\.owner, at: "owner")
      }
      .leaving(\.cache)
      .leaving(\.size)
      Stored(of: Place(), as: "place") {
        Field(\.x, at: "x")
        Field(\.label, at: "label")
      }
      Stored(of: Pair(), as: "pair") {
        Field(\.first, at: "first")
        Field(\.second, at: "second")
      }
      Stored(Blob.self, as: "blob")
    }
    let (owner, next) = (context.createEntity(), context.createEntity())
    let base = Part(x: 7, y: 8, cache: ["b"], owner: owner, size: 9)
    func made<C: Component>(_ json: JSONValue, _ base: C) throws -> C? {
      try schema.value(of: C.cid, json, base: base) { _ in next } as? C
    }
    try expectEqual(
      made(["y": 5], base), Part(x: 7, y: 5, cache: ["b"], owner: owner, size: 9))
    try expectEqual(
      made(["owner": "next"], base),
      Part(x: 7, y: 8, cache: ["b"], owner: next, size: 9))
    try expectNil(made(["owner": .null], base)?.owner)
    try expectEqual(made([:], base), base)
    try expectEqual(made(["x": 3], Place(x: 1, label: "a")), Place(x: 3, label: "a"))
    try expectEqual(made(["second": 3], Pair(first: 1, second: 2)), Pair(first: 1, second: 3))
    try expectEqual(made([:], Pair(first: 1, second: 2)), Pair(first: 1, second: 2))
    #expect(throws: SnapshotError.self) { try made([:], Blob(parts: [:])) }
    #expect(throws: SnapshotError.self) { try made(["z": 1], base) }
    #expect(throws: SnapshotError.self) { try made(7, base) }
  }

  @Test func `other components have no text`() throws {
    struct Other: Component {}
    try expectNil(schema().json(of: Other(), \.label))
    #expect(throws: SnapshotError.self) { try schema().value(of: Other.cid, [:]) { _ in nil } }
  }
}
