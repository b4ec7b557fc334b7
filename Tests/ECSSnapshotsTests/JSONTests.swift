import ECS
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Foundation
import Testing

/// Snapshots as lines of JSON.
@Suite(.longRunning) struct JSONTests {
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
    try expectEqual(
      text(context),
      """
      {"snapshot":"sample","format":1,"references":{"likes":["best","all"]}}
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
    expectEqual(lines(copy), lines(context))
    try expectEqual(snapshot.json(schema), json)
  }

  @Test func `a change of an entity changes its line`() throws {
    let context = sampleWorld(seed: 5)
    let before = try text(context).split(separator: "\n")
    let entity = try #require(context.group(Score.matcher).first)
    entity.update(Score.self) { $0.points += 1 }
    let after = try text(context).split(separator: "\n")
    expectEqual(zip(before, after).filter { $0 != $1 }.count, 1)
    expectEqual(before.count, after.count)
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
    expectTrue(zip(found, values).allSatisfy { $0.bitPattern == $1.bitPattern })
    expectEqual(found.count, values.count)
  }

  @Test func `each decimal number is read as the nearest of its type`() throws {
    let schema = try sampleSchema()
    var random = SplitMix64(seed: 3)
    var texts: [String] = []
    for _ in 0..<2000 {
      let value = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      guard value.isFinite, value.nextUp.isFinite else { continue }
      let middle = (Double(value) + Double(value.nextUp)) / 2
      let short = Double(random.below(1 << 24)) / 1000
      texts += [value.description, middle.description, short.description]
      texts += [middle.nextUp.description, middle.nextDown.description]
    }
    let lines = texts.enumerated().map { "{\"@\":\"\($0)\",\"point\":{\"x\":\($1)}}" }
    let json = "{\"snapshot\":\"sample\",\"format\":1}\n" + lines.joined(separator: "\n")
    let copy = Context()
    try Snapshot(json: Data(json.utf8), schema).restore(into: copy, schema)
    let found = copy.group(Point.matcher).sorted().compactMap { $0.get(Point.self)?.x }
    expectEqual(found.count, texts.count)
    for (found, text) in zip(found, texts) { expectEqual(found, Float(text), "\(text)") }
  }

  @Test func `text is read in whatever form people give it`() throws {
    let json = """
      {"snapshot":"sample","format":1}

       { "near" : [ "b" , "a" ] , "@" : "a", "score" : { "final" : true , "points" : 1e1 } }\r
      {"@":"b","\\u0073core":{"p\\u006fints":-2.0,"other":[{"a":"}"},"\\"]"]}}
      {"@":"c \\"quoted\\" ü","book":{"isbn":"\\u00e5","title":null,"tags":["x","\\n"],"pages":3},"near":"a"}
      {"@":"d","chosen":{"what":1},"likes":{"best":null,"all":["a",null,"d"]},"rules":{"mode":"hard","limits":{}}}
      {"@":"e","score":{}}
      {"@":"f"}
      """
    let schema = try sampleSchema()
    let context = Context()
    try Snapshot(json: Data(json.utf8), schema).restore(into: context, schema)
    let all = context.entities()
    expectEqual(all.count, 6)
    expectEqual(all[0].get(Score.self), Score(points: 10, isFinal: true))
    expectEqual(Array(all[0].targets(Near.self)), [all[1], all[0]])
    expectEqual(all[1].get(Score.self), Score(points: -2))
    expectEqual(all[2].get(Book.self), Book(isbn: "å", pages: 3, tags: ["x", "\n"]))
    expectEqual(Array(all[2].targets(Near.self)), [all[0]])
    expectEqual(all[3].get(Likes.self), Likes(best: nil, all: [all[0], all[3]]))
    expectTrue(all[3].get(Rules.self) == Rules(mode: .hard) && all[3].has(Chosen.cid))
    expectEqual(all[4].get(Score.self), Score())
    expectTrue(all[5].components().isEmpty)
    let head = "{\"snapshot\":\"sample\",\"format\":1}\n"
    for line in [
      "{\"@\":\"a\",\"score\":{},\"score\":{}}", "{\"@\":\"a\",\"@\":\"b\"}",
      "{\"@\":\"a\",\"score\":{\"points\":1,\"points\":1}}", "{\"@\":\"a\",\"score\":{]}",
      "{\"@\":\"a\",\"score\":{\"other\":1,\"other\":1}}", "{\"@\":\"a\",\"near\":[\"a\"}",
      "{\"@\":\"a\",\"score\":{\"points\":01}}", "{\"@\":\"a\",\"near\":}", "{\"@\":\"a\"}x",
      "{\"@\":\"a\",\"score\":}", "{\"@\":\"a\",\"rules\":{\"mode\":\"hard\",\"mode\":\"hard\"}}",
    ] {
      let error = error(head + line)
      if case .malformed = error?.reason {
      } else {
        Issue.record("\(line): \(String(describing: error))")
      }
      expectEqual(error?.offset, 2, "\(line)")
    }
  }

  @Test func `a snapshot of an earlier schema is text as the present one writes it`() throws {
    let old = try Schema("s") {
      Stored(of: Score(), as: "score") { Field(\.points, at: "points") }.leaving(\.isFinal)
    }
    let next = try Schema("s") {
      Stored(of: Point(), as: "point") {
        Field(\.x, at: "x")
        Field(\.y, at: "y")
      }
      Stored(of: Score(), as: "result", version: 2, formerly: "score") {
        Field(\.isFinal, at: "final")
        Field(\.points, at: "count")
      }
      .migrating(from: 1) { old in old["count"] = old["points"] }
    }
    let context = Context()
    context.createEntity(with: Score(points: 4))
    let text = try Snapshot(try context.snapshot(old).data).json(next)
    expectEqual(
      String(decoding: text, as: UTF8.self),
      """
      {"snapshot":"s","format":1,"versions":{"result":2}}
      {"@":"#0","result":{"final":false,"count":4}}

      """)
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
    expectEqual(copy.group(Score.matcher).first?.get(Score.self), Score(points: 4))
    let text = String(decoding: try snapshot.json(next), as: UTF8.self)
    expectTrue(text.hasPrefix("{\"snapshot\":\"s\",\"format\":1,\"versions\":{\"result\":2}}\n"))
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
    expectNil(error(head))
    expectEqual(error(""), SnapshotError(.notASnapshot))
    expectTrue(reason("{\"@\":\"a\"}\n{\"@\":\"a\"}") == (.duplicateKey("a"), "@", 3))
    expectEqual(reason("{}").2, 2)
    expectEqual(reason("[]").2, 2)
    expectTrue(reason("{\"@\":\"a\",\"points\":{}}") == (.unknown, "points", 2))
    expectEqual(reason("{\"@\":\"a\",\"score\":{\"points\":1.5}}").1, "score.points")
    expectEqual(reason("{\"@\":\"a\",\"score\":7}").1, "score")
    expectEqual(reason("{\"@\":\"a\",\"likes\":{\"best\":\"b\"}}").1, "likes.best")
    expectEqual(reason("{\"@\":\"a\",\"near\":[\"b\"]}").1, "near")
    expectEqual(reason("{\"@\":\"a\",\"childOf\":[\"a\"]}").1, "childOf")
    expectEqual(reason("{\"@\":\"a\",\"clock\":{}}\n{\"@\":\"b\",\"clock\":{}}").1, "clock")
    expectEqual(reason("{\"@\":\"a\",\"book\":{}}\n{\"@\":\"b\",\"book\":{}}").0, .duplicateKey(""))
  }

  @Test func `a number in the place of an entity is its place in the order of creation`() throws {
    let head = "{\"snapshot\":\"sample\",\"format\":1}\n{\"@\":\"a\"}\n"
    func line(_ best: String, _ all: String) -> String {
      head + "{\"@\":\"b\",\"likes\":{\"best\":\(best),\"all\":\(all)}}"
    }
    let context = Context()
    let schema = try sampleSchema()
    try Snapshot(json: Data(line("1", "[0,\"b\",1e0]").utf8), schema).restore(
      into: context, schema)
    let all = context.entities()
    expectEqual(all[1].get(Likes.self), Likes(best: all[1], all: [all[0], all[1], all[1]]))
    for number in ["2", "-1", "0.5", "4294967295", "1e30", "true", "{}"] {
      expectEqual(
        error(line(number, "[]")),
        SnapshotError(
          .invalid(
            "\(number == "1e30" ? "1" + String(repeating: "0", count: 30) : number) is no entity of the snapshot"
          ),
          name: "likes.best", offset: 3))
      expectEqual(error(line("null", "[0,\(number)]"))?.offset, 3)
    }
  }

  @Test func `lines with links, and lines whose kinds take turns, say the same in any form`() throws
  {
    let schema = try sampleSchema()
    let head = "{\"snapshot\":\"sample\",\"format\":1}\n"
    let lines = (0..<40).map { number in
      let links =
        number % 3 == 0
        ? "" : ",\"near\":[\"\(number)\",\"\(39 - number)\"],\"writtenBy\":\"\(number)\""
      let component = number % 2 == 0 ? "score\":{\"points\":\(number)}" : "chosen\":{}"
      return "{\"@\":\"\(number)\",\"\(component)\(links)}"
    }
    func digest(_ lines: [String]) throws -> String {
      let context = Context()
      try Snapshot(json: Data((head + lines.joined(separator: "\n")).utf8), schema).restore(
        into: context, schema)
      return picture(of: context)
    }
    let plain = try digest(lines)
    // Only the parser reads escapes in keys.
    let escaped = lines.map {
      $0.replacingOccurrences(of: "\"@\"", with: "\"\\u0040\"")
        .replacingOccurrences(of: "\"near\"", with: "\"ne\\u0061r\"")
    }
    try expectEqual(digest(escaped), plain)
    expectTrue(plain.contains("near"))
    for end in ["\"near\":[\"1\"],\"near\":[]", "\"near\":[\"1\",]", "\"near\":[\"1\"]}"] {
      let broken = [
        "{\"@\":\"a\",\"chosen\":{}}", "{\"@\":\"1\",\"chosen\":{},\(end)}",
      ]
      let error = error(head + broken.joined(separator: "\n"))
      expectEqual(error?.offset, 3)
      if case .malformed = error?.reason { continue }
      Issue.record("\(end): \(String(describing: error))")
    }
  }

  @Test func `what is only wrong as a whole is told with its line`() {
    func line(_ lines: String...) -> Int? {
      let head = "{\"snapshot\":\"sample\",\"format\":1}"
      return error(([head, "", #"{"@":"x","score":{}}"#] + lines).joined(separator: "\n"))?.offset
    }
    // The first line that is given is the fourth.
    expectEqual(line(#"{"@":"a","clock":{}}"#, "", #"{"@":"b","clock":{},"score":{}}"#), 6)
    expectEqual(line(#"{"@":"a","book":{}}"#, #"{"@":"b"}"#, #"{"@":"c","book":{}}"#), 6)
    // By groups, the later line comes first.
    expectEqual(
      line(
        #"{"@":"a","book":{"isbn":"1"}}"#, #"{"@":"b","book":{"isbn":"2"},"score":{}}"#,
        #"{"@":"c","book":{"isbn":"2"}}"#), 6)
    expectEqual(line(#"{"@":"a"}"#, #"{"@":"b","near":["a","x","a"]}"#), 5)
    expectEqual(line(#"{"@":"a"}"#, #"{"@":"b","writtenBy":["a","x"]}"#), 5)
    expectEqual(line(#"{"@":"a","childOf":["b"]}"#, #"{"@":"b","childOf":["a"]}"#), 4)
  }

  @Test func `empty lines are skipped, however lines end`() {
    let lines = [
      "", #"{"snapshot":"sample","format":1}"#, "", #"{"@":"a"}"#, "", "", #"{"@":"b"}"#, "",
    ]
    expectNil(error(lines.joined(separator: "\n")))
    expectNil(error(lines.joined(separator: "\r\n")))
    let error = error((lines + ["[]"]).joined(separator: "\r\n"))
    expectEqual(error?.offset, 9)
  }

  @Test func `text that is damaged stops nothing`() throws {
    let schema = try sampleSchema()
    let bytes = [UInt8](try sampleWorld(seed: 2, count: 12).snapshot(schema).json(schema))
    for length in stride(from: 0, to: bytes.count, by: Effort.full(1, debug: 5)) {
      _ = try? Snapshot(json: Data(bytes[..<length]), schema)
    }
    var taken = 0
    for seed in 0..<Effort.inputs(orElse: Effort.full(20_000, debug: 500)) {
      guard let snapshot = try? Snapshot(json: Data(damaged(bytes, UInt64(seed))), schema) else {
        continue
      }
      taken += 1
      let context = Context()
      try snapshot.restore(into: context, schema)
      // Whatever it is now, it is the same when it is saved and read again.
      let text = try context.snapshot(schema).json(schema)
      try expectEqual(Snapshot(json: text, schema).json(schema), text, "seed \(seed)")
    }
    expectGreaterThan(taken, 0)
  }

  /// Text that is damaged in ways that depend on a seed: other characters, missing ones, and pieces
  /// that are there twice or where they have no place.
  private func damaged(_ bytes: [UInt8], _ seed: UInt64) -> [UInt8] {
    var random = SplitMix64(seed: seed)
    let pieces = [
      "null", "true", "{}", "[]", "\"\"", "-0.0", "1e999", "-1e-999", "0.1e1",
      "18446744073709551616",
      "-9223372036854775808", "\\u0000", "\\ud800", "\\udc00\\ud800", "\"inf\"", "\"nan\"", "\r\n",
      "\u{fe0f}", "\"@\":\"a\"", "\"#\":1", "[[[[", "}}", "\"near\":", ",",
    ]
    var text = bytes
    for _ in 0...random.below(3) {
      let at = random.below(text.count)
      switch random.below(6) {
      case 0, 1:
        let marks = Array("\"{}[],:#0123456789-.e@ \\nullt".utf8)
        text[at] = marks[random.below(marks.count)]
      case 2: text[at] = UInt8(truncatingIfNeeded: random.next())
      case 3: text.removeSubrange(at..<min(text.count, at + 1 + random.below(12)))
      case 4: text.insert(contentsOf: pieces[random.below(pieces.count)].utf8, at: at)
      default:
        let from = random.below(text.count)
        text.insert(contentsOf: text[from..<min(text.count, from + random.below(60))], at: at)
      }
      if text.isEmpty { return text }
    }
    return text
  }
}
