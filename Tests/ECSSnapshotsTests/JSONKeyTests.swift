import ECS
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Foundation
import Testing

/// What entities are called in lines of JSON.
@Suite struct JSONKeyTests {
  @Test func `keys of any type name entities so that text can be read`() throws {
    let schema = try Schema("s") {
      Stored(of: Blob(), as: "blob") { Field(\.hash, at: "hash", as: .base64) }.identified(
        by: \.hash)
      Links(Near.self, as: "near")
    }
    let context = Context()
    let blobs = (0..<3).map { context.createEntity(with: Blob(hash: Data([0xff, $0, 2]))) }
    blobs[0].relate(Near.self, to: blobs[2])
    try expectEqual(
      again(context, schema),
      """
      {"snapshot":"s","format":1}
      {"@":"/wAC","blob":{"hash":"/wAC"},"near":["/wIC"]}
      {"@":"/wEC","blob":{"hash":"/wEC"}}
      {"@":"/wIC","blob":{"hash":"/wIC"}}

      """)
  }

  @Test func `dates name entities exactly`() throws {
    let schema = try Schema("s") {
      Stored(of: Moment(), as: "moment") { Field(\.time, at: "time", as: .iso8601) }.identified(
        by: \.time)
    }
    let context = Context()
    for time in [0.25, 0.5, 0.5.nextUp, -1e300, .infinity] {
      context.createEntity(with: Moment(time: Date(timeIntervalSinceReferenceDate: time)))
    }
    let text = try again(context, schema)
    expectTrue(text.contains(#"{"@":"0.25","#) && text.contains(#"{"@":"0.5000000000000001","#))
  }

  @Test func `entities whose keys have one text are called by their places`() throws {
    let schema = try Schema("s") {
      Stored(Coded.self, as: "coded").identified(by: \.code)
      Links(Near.self, as: "near")
    }
    let context = Context()
    let codes = (0..<3).map { context.createEntity(with: Coded(code: Code(number: $0))) }
    codes[2].relate(Near.self, to: codes[1]).relate(Near.self, to: codes[0])
    try expectEqual(
      again(context, schema),
      """
      {"snapshot":"s","format":1}
      {"@":"small","coded":{"code":{"number":0}}}
      {"@":"#1","coded":{"code":{"number":1}}}
      {"@":"#2","coded":{"code":{"number":2}},"near":["#1","small"]}

      """)
  }

  @Test func `keys that only look the same are two, and called by their places`() throws {
    let schema = try Schema("s") {
      Stored(of: Word(), as: "word") { Field(\.text, at: "text") }.identified(by: \.text)
    }
    let context = Context()
    for text in ["\u{e9}", "e\u{301}", "x"] { context.createEntity(with: Word(text: text)) }
    let copy = Context()
    try context.snapshot(schema).restore(into: copy, schema)
    let bytes = copy.group(Word.matcher).sorted().map {
      Array(($0.get(Word.self)?.text ?? "").utf8)
    }
    expectEqual(bytes, [Array("\u{e9}".utf8), Array("e\u{301}".utf8), Array("x".utf8)])
    let text = try again(context, schema)
    for name in ["#0", "#1", "x"] { expectTrue(text.contains("{\"@\":\"\(name)\"")) }
  }

  /// The text, which gives itself when it is read.
  private func again(_ context: Context, _ schema: Schema) throws -> String {
    let json = try context.snapshot(schema).json(schema)
    try expectEqual(Snapshot(json: json, schema).json(schema), json)
    return String(decoding: json, as: UTF8.self)
  }
}

private struct Blob: Component { var hash = Data() }
private struct Moment: Component { var time = Date(timeIntervalSinceReferenceDate: 0) }
private struct Word: Component { var text = "" }
private struct Coded: Component, Codable { var code = Code(number: 0) }

private struct Code: Hashable, Codable, CustomStringConvertible {
  var number: Int
  var description: String { number == 0 ? "small" : "large" }
}
