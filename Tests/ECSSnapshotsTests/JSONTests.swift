import ECS
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Foundation
import Testing

/// Snapshots as lines of JSON.
@Suite struct JSONTests {
  private func text(_ context: Context) throws -> String {
    let schema = try sampleSchema()
    return String(decoding: try context.snapshot(schema).json(schema), as: UTF8.self)
  }

  private func error(_ json: String) -> SnapshotError? {
    do {
      _ = try Snapshot(json: Data(json.utf8), try sampleSchema())
      return nil
    } catch {
      return error as? SnapshotError
    }
  }

  @Test func `an entity is a line, in the order of the schema, by its key if it has one`() throws {
    let context = Context()
    let point = context.createEntity(
      with: Score(points: -3, isFinal: true), Point(x: 0.1, y: -.infinity))
    let book = context.createEntity(with: Book(isbn: "#1", title: "Å \"quoted\"", pages: 7))
    point.set(Likes(best: book, all: [point, book])).relate(Near.self, to: book)
    point.relate(Near.self, to: point)
    context.createEntity(with: Rules(mode: .hard, limits: ["b": 1, "a": 2]))
    #expect(
      try text(context) == """
        {"snapshot":"sample","format":1}
        {"@":"#0","point":{"x":0.1,"y":"-inf"},"score":{"points":-3,"final":true},"likes":{"best":"##1","all":["#0","##1"]},"near":["##1","#0"]}
        {"@":"##1","book":{"isbn":"#1","title":"Å \\"quoted\\"","pages":7,"tags":[],"published":null,"id":null}}
        {"@":"#2","rules":{"limits":{"a":2,"b":1},"mode":"hard"}}

        """)
  }

  @Test(arguments: 0..<20)
  func `what is written as text is read again`(seed: Int) throws {
    let schema = try sampleSchema()
    let context = sampleWorld(seed: UInt64(seed))
    let json = try context.snapshot(schema).json(schema)
    let snapshot = try Snapshot(json: json, schema)
    let copy = Context()
    try snapshot.restore(into: copy, schema)
    // Without the rows of groups.
    func lines(_ context: Context) -> [Substring] {
      picture(of: context).split(separator: "\n").filter { $0.first?.isNumber == true }
    }
    #expect(lines(copy) == lines(context))
    #expect(try snapshot.json(schema) == json)
  }

  @Test func `a change of an entity changes its line`() throws {
    let context = sampleWorld(seed: 5)
    let before = try text(context).split(separator: "\n")
    let entity = try #require(context.group(Score.matcher).first)
    entity.update(Score.self) { $0.points += 1 }
    let after = try text(context).split(separator: "\n")
    #expect(zip(before, after).filter { $0 != $1 }.count == 1)
    #expect(before.count == after.count)
  }

  @Test func `numbers of every size come back`() throws {
    let schema = try sampleSchema()
    let values: [Float] = [
      0, -0.0, 1, 16_777_215, 16_777_216, -16_777_218, 1e30, -1e-30, .pi, .infinity, .nan,
      .leastNonzeroMagnitude, .greatestFiniteMagnitude,
    ]
    let context = Context()
    for value in values { context.createEntity(with: Point(x: value, y: -value)) }
    let copy = Context()
    try Snapshot(json: try context.snapshot(schema).json(schema), schema)
      .restore(into: copy, schema)
    let found = copy.group(Point.matcher).sorted().compactMap { $0.get(Point.self)?.x }
    #expect(zip(found, values).allSatisfy { $0.bitPattern == $1.bitPattern })
    #expect(found.count == values.count)
  }

  @Test func `a version and former names are read`() throws {
    let old = try Schema("s") {
      Stored(of: Score(), as: "score") { Field(\.points, at: "points") }.leaving(\.isFinal)
    }
    let context = Context()
    context.createEntity(with: Score(points: 4))
    let next = try Schema("s") {
      Stored(of: Score(), as: "result", version: 2, formerly: "score") {
        Field(\.points, at: "count")
        Field(\.isFinal, at: "final")
      }
      .migrating(from: 1) { old in old["count"] = old["points"] }
    }
    let snapshot = try Snapshot(json: try context.snapshot(old).json(old), next)
    let copy = Context()
    try snapshot.restore(into: copy, next)
    #expect(copy.group(Score.matcher).first?.get(Score.self) == Score(points: 4))
    let text = String(decoding: try snapshot.json(next), as: UTF8.self)
    #expect(text.hasPrefix("{\"snapshot\":\"s\",\"format\":1,\"versions\":{\"result\":2}}\n"))
    #expect(throws: SnapshotError(.notASnapshot)) { try Snapshot(json: Data("{}".utf8), next) }
    #expect(throws: SnapshotError(.laterVersion(found: 3, supported: 2), name: "result")) {
      try Snapshot(
        json: Data("{\"snapshot\":\"s\",\"format\":1,\"versions\":{\"result\":3}}".utf8), next)
    }
  }

  @Test func `what is wrong is told with its line`() {
    let head = "{\"snapshot\":\"sample\",\"format\":1}\n"
    func reason(_ lines: String) -> (SnapshotError.Reason?, String?, Int?) {
      let error = error(head + lines)
      return (error?.reason, error?.name, error?.offset)
    }
    #expect(error(head) == nil)
    #expect(error("") == SnapshotError(.notASnapshot))
    #expect(reason("{\"@\":\"a\"}\n{\"@\":\"a\"}") == (.duplicateKey("a"), "@", 3))
    #expect(reason("{}").2 == 2)
    #expect(reason("[]").2 == 2)
    #expect(reason("{\"@\":\"a\",\"points\":{}}") == (.unknown, "points", 2))
    #expect(reason("{\"@\":\"a\",\"score\":{\"points\":1.5}}").1 == "score.points")
    #expect(reason("{\"@\":\"a\",\"score\":7}").1 == "score")
    #expect(reason("{\"@\":\"a\",\"likes\":{\"best\":\"b\"}}").1 == "likes.best")
    #expect(reason("{\"@\":\"a\",\"near\":[\"b\"]}").1 == "near")
    #expect(reason("{\"@\":\"a\",\"childOf\":[\"a\"]}").1 == "childOf")
    #expect(reason("{\"@\":\"a\",\"clock\":{}}\n{\"@\":\"b\",\"clock\":{}}").1 == "clock")
    #expect(reason("{\"@\":\"a\",\"book\":{}}\n{\"@\":\"b\",\"book\":{}}").0 == .duplicateKey(""))
  }

  @Test func `text that is damaged stops nothing`() throws {
    let schema = try sampleSchema()
    let bytes = [UInt8](try sampleWorld(seed: 2, count: 12).snapshot(schema).json(schema))
    for length in stride(from: 0, to: bytes.count, by: Effort.full(1, debug: 5)) {
      _ = try? Snapshot(json: Data(bytes[..<length]), schema)
    }
    var random = SplitMix64(seed: 1)
    var taken = 0
    for _ in 0..<Effort.full(20_000, debug: 500) {
      var damaged = bytes
      for _ in 0...random.below(2) {
        let marks = Array("\"{}[],:#0123456789-.e@ \\nullt".utf8)
        damaged[random.below(damaged.count)] = marks[random.below(marks.count)]
      }
      if let snapshot = try? Snapshot(json: Data(damaged), schema) {
        taken += 1
        try snapshot.restore(into: Context(), schema)
      }
    }
    #expect(taken > 0)
  }
}
