import ECS
import ECSRecipes
import ECSTestSupport
import Foundation
import Testing

/// What records of plain recipes say is read in a way of its own, and applied in one: both do what
/// parsing and ``Mapper/make(_:from:only:)`` do.
///
/// ``HostileReadingTests`` compares them at random.
@Suite struct DirectReadingTests {
  private struct Item: Component, Equatable {
    var id = 0
    var name = ""
    var note: String?
    var price = 0.0
    var isActive = false
    var data: JSONValue = .bool(false)
  }

  private struct Size: Component, Equatable {
    var width = 0
    var height: Double?
  }

  private static func recipe() throws -> Recipe {
    try Recipe("item") {
      Identity(\Item.id)
      Fields(of: Item()) {
        Field(\.id, at: "id")
        Field(\.name, at: "name").required()
        Field(\.note, at: "note")
        Field(\.price, at: "price")
        Field(\.isActive, at: "is_active")
        Field(\.data, at: "data")
      }
      Fields(of: Size()) {
        Field(\.width, at: "width")
        Field(\.height, at: "height")
      }
    }
  }

  // MARK: Edges

  private func outcome(_ line: String) throws -> (made: Int, reason: RecipeError.Reason?) {
    let context = Context()
    var rest = Data(line.utf8)
    var options = StreamOptions()
    options.format = .lines
    let report = Mapper(context).importStream(with: try Self.recipe(), options: options) {
      defer { rest = Data() }
      return rest
    }
    return (report.made, report.failures.first?.error.reason)
  }

  private func isDuplicate(_ reason: RecipeError.Reason?, of key: String) -> Bool {
    guard case .syntax(let error)? = reason else { return false }
    return error.reason == .duplicateKey(key)
  }

  @Test func `A key that comes twice is refused, whether it is mapped or not`() throws {
    expectTrue(isDuplicate(try outcome(#"{"id":1,"name":"a","id":1}"#).reason, of: "id"))
    expectTrue(isDuplicate(try outcome(#"{"x":1,"id":1,"name":"a","x":2}"#).reason, of: "x"))
    expectTrue(isDuplicate(try outcome(#"{"id":1,"name":"a","n\u0061me":"b"}"#).reason, of: "name"))
    expectTrue(isDuplicate(try outcome(#"{"id":1,"name":"a","x":{"y":1,"y":2}}"#).reason, of: "y"))
    let many = (0..<400).map { "\"k\($0)\":\($0)," }.joined()
    try expectEqual(outcome("{" + many + #""id":1,"name":"a"}"#).made, 1)
    expectTrue(
      isDuplicate(try outcome("{" + many + #""id":1,"name":"a","k7":1}"#).reason, of: "k7"))
  }

  @Test func `Containers in a record may be nested as deep as in any data`() throws {
    func line(_ depth: Int, _ key: String) -> String {
      let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      return #"{"id":1,"name":"a",""# + key + "\":" + value + "}"
    }
    for key in ["data", "other"] {
      try expectEqual(outcome(line(JSONValue.maximumDepth - 1, key)).made, 1)
      guard case .syntax(let error)? = try outcome(line(JSONValue.maximumDepth, key)).reason else {
        Issue.record("no syntax error")
        return
      }
      expectEqual(error.reason, .tooDeep)
    }
  }

  @Test func `Values that nobody asks for have to be valid, too`() throws {
    for value in [#""\ud800""#, "01", "[1,]", "nil", "\"\u{1}\"", "1e99999999999"] {
      let outcome = try outcome(#"{"id":1,"name":"a","other":"# + value + "}")
      expectEqual(outcome.made, 0)
      guard case .syntax? = outcome.reason else {
        Issue.record("no syntax error for \(value)")
        continue
      }
    }
  }

  @Test func `A refused record leaves nothing behind for the next one`() throws {
    let context = Context()
    let recipe = try Recipe {
      Identity(\Item.id)
      Fields(of: Item()) {
        Field(\.id, at: "id")
        Field(\.name, at: "name")
        Field(\.note, at: "note")
      }
    }
    let lines = #"""
      {"id":1,"name":5,"note":"of the first"}
      {"id":2,"name":"b"}
      {"id":3,"name":"c","note":"of the third","note":"twice"}
      {"id":4,"name":"d"}
      """#
    var rest = Data(lines.utf8)
    let report = Mapper(context).importStream(with: recipe) {
      defer { rest = Data() }
      return rest
    }
    expectTrue((report.made, report.refused) == (2, 2))
    let items = context.group(Item.matcher).sorted().compactMap { $0.get(Item.self) }
    expectEqual(items, [Item(id: 2, name: "b"), Item(id: 4, name: "d")])
  }

  // MARK: Other keys

  private struct Code: Component { var value = "" }

  @Test func `A recipe that gives the key of another index is planned`() throws {
    let context = Context()
    let mapper = Mapper(context)
    let codes = try Recipe("code") { Identity(\Code.value, at: "code", of: Code()) }
    try mapper.make(codes, from: ["code": "x"])
    let items = try Recipe("item") {
      Identity(\Item.id, at: "id", of: Item())
      Fields(of: Code()) { Field(\.value, at: "code") }
    }
    let report = try mapper.importList(
      [["id": 1, "code": "x"], ["id": 2, "code": "y"], ["id": 2, "code": "z"]], with: items)
    expectTrue((report.made, report.refused) == (1, 2))
    expectEqual(
      report.failures.map(\.error.reason), [.duplicateIdentity, .identityMismatch])
  }

  @Test func `Data that says nothing about a key makes no index`() throws {
    let context = Context()
    let mapper = Mapper(context)
    let events = Recorder<String>()
    events.keep(context.observeEvents { [events] in events.append("\($0)") })
    let report = try mapper.importList([["width": 1], ["id": "x"]], with: try Self.recipe())
    expectEqual(report.refused, 2)
    #expect(throws: RecipeError.self) {
      try mapper.make(try Self.recipe(), from: ["width": 1])
    }
    expectTrue(events.items.isEmpty)
    try mapper.make(try Self.recipe(), from: ["id": 1, "name": "a"])
    expectEqual(events.count, 2)
  }

  @Test func `Without an identity, each record makes an entity`() throws {
    let context = Context()
    let sizes = try Recipe("size") { Fields(of: Size()) { Field(\.width, at: "width") } }
    var rest = Data("{\"width\":1}\n{\"width\":1}\n{}\n{\"width\":null}\n".utf8)
    let report = Mapper(context).importStream(with: sizes) {
      defer { rest = Data() }
      return rest
    }
    expectTrue((report.made, report.refused) == (3, 1))
    expectEqual(context.group(Size.matcher).count, 2)
  }
}
