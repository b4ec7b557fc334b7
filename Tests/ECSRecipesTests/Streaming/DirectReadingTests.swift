import ECS
import ECSRecipes
import Foundation
import Testing

/// What records of plain recipes say is read in a way of its own, and applied in one: both do what
/// parsing and ``Mapper/make(_:from:only:)`` do.
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

  // MARK: Random lines

  private let numbers = [
    "0", "-0", "7", "-12", "1.5", "-0.25", "10.00", "1e2", "1.5E-3", "123456789012345678",
    "1234567890123456789", "0.1234567890123456789", "1e400", "01", "1.", "-",
    "99999999999999999999",
    "0.000000000000000001", "4.35", "9007199254740993", "900719925474099.3",
  ]
  private let strings = [
    #""""#, #""a""#, #""Grüße""#, #""\n\"\\""#, #""\u00e9\ud83d\ude00""#, #""\ud800""#, #""\x""#,
    #""a longer text that is not small""#, #""1""#, "\"\u{1}\"", #""open"#, "\"\u{7f}\"",
  ]
  private let others = [
    "true", "false", "null", "tru", "nul", "[]", "{}", #"[1,"a",{"b":[null]}]"#, #"{"a":1,"a":2}"#,
    #"{"a":{"b":"\ud800"}}"#, "[1,]", "", "[[[[]]]]",
  ]
  private let keys = [
    "id", "name", "note", "price", "is_active", "data", "width", "height", "other", "Name", "na",
    "names", #"n\u0061me"#, "größe", "gro\u{308}ße", #"a\"b"#, "",
  ]

  private func value(of key: String, _ generator: inout SeededGenerator) -> String {
    func pick(_ list: [String]) -> String { list.randomElement(using: &generator) ?? "" }
    let isFitting = Int.random(in: 0..<8, using: &generator) > 0
    switch isFitting ? key : "" {
    case "id": return "\(Int.random(in: 0..<30, using: &generator))"
    case "name", "note": return Bool.random(using: &generator) ? pick(strings) : #""n""#
    case "price", "height": return pick(numbers)
    case "is_active": return Bool.random(using: &generator) ? "true" : "false"
    case "width": return "\(Int.random(in: -3..<3, using: &generator))"
    default:
      return pick([pick(numbers), pick(strings), pick(others)])
    }
  }

  private func line(_ generator: inout SeededGenerator) -> String {
    let space = [" ", "", "", "\t", " \r"].randomElement(using: &generator) ?? ""
    var chosen = keys.prefix(8).filter { _ in Int.random(in: 0..<10, using: &generator) > 0 }
    if Int.random(in: 0..<4, using: &generator) == 0 { chosen.shuffle(using: &generator) }
    for _ in 0..<Int.random(in: 0..<3, using: &generator) {
      let place = Int.random(in: 0...chosen.count, using: &generator)
      chosen.insert(keys.randomElement(using: &generator) ?? "", at: place)
    }
    let members = chosen.map { "\"\($0)\"\(space):\(space)\(value(of: $0, &generator))" }
    return "{" + space + members.joined(separator: space + "," + space) + "}" + space
  }

  /// The bytes of a line, some of them changed.
  private func mutated(_ line: String, _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = Array(line.utf8)
    let interesting = Array(#"{}[]",:\ 0159-+.eEtfnu/"#.utf8) + [0, 0x1f, 0x80, 0xc3, 0xff]
    for _ in 0..<Int.random(in: 0..<3, using: &generator) {
      let byte = interesting.randomElement(using: &generator) ?? 0
      // The first byte tells a record from a list.
      let place = Int.random(in: 1..<max(2, bytes.count), using: &generator)
      guard bytes.indices.contains(place) else { continue }
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: bytes[place] = byte
      case 1: bytes.insert(byte, at: place)
      case 2: bytes.remove(at: place)
      default: bytes.removeSubrange(place...)
      }
    }
    return bytes
  }

  // MARK: Comparison

  /// Everything that can be told of the records of a context.
  private func contents(_ context: Context) -> [String] {
    context.group(Item.matcher).sorted().map { entity in
      // The description of a number tells more than the number: -0.0.
      "\(entity.get(Item.self) as Any) \(entity.get(Size.self) as Any)"
    }
  }

  /// Imports lines one by one, in the way that is sure.
  private func importSurely(
    _ lines: [[UInt8]], _ mapper: Mapper, _ recipe: Recipe
  ) -> [String] {
    var offset = 0
    var results: [String] = []
    for (number, line) in lines.enumerated() {
      do {
        let result = try mapper.apply(try JSONValue(data: Data(line)), with: recipe)
        results.append("\(result.outcome)")
      } catch let error as JSONSyntaxError {
        let error = JSONSyntaxError(
          reason: error.reason, offset: offset + error.offset, line: number + error.line,
          column: error.column)
        results.append(
          "\(RecipeError(recipe: recipe.name, path: .root, reason: .syntax(error))) \(error.offset)"
        )
      } catch {
        results.append("\(error)")
      }
      offset += line.count + 1
    }
    return results
  }

  private func results(_ report: ImportReport, _ made: [String]) -> [String] {
    let refused = Dictionary(uniqueKeysWithValues: report.failures.map { ($0.position, $0.error) })
    return made.enumerated().map { number, outcome in
      guard let error = refused[number] else { return outcome }
      if case .syntax(let syntax) = error.reason { return "\(error) \(syntax.offset)" }
      return "\(error)"
    }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `Random lines come to the same in all ways`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let recipe = try Self.recipe()
    let isMutated = seed % 2 == 1
    let lines = (0..<60).map { _ in
      let line = line(&generator)
      return isMutated ? mutated(line, &generator) : Array(line.utf8)
    }
    let sure = Context()
    let expected = importSurely(lines, Mapper(sure), recipe)

    let streamed = Context()
    var options = StreamOptions()
    options.format = .lines
    options.batchSize = Int.random(in: 1..<70, using: &generator)
    var rest = Data(lines.joined(separator: [UInt8(ascii: "\n")]))
    let chunk = Int.random(in: 1..<5000, using: &generator)
    let report = Mapper(streamed).importStream(with: recipe, options: options) {
      defer { rest = Data(rest.dropFirst(chunk)) }
      return rest.prefix(chunk)
    }
    #expect(report.count == lines.count)
    #expect(contents(streamed) == contents(sure), "seed \(seed)")
    let refusals = expected.enumerated().filter { $0.element.contains("item at") }
    #expect(report.failures.map(\.position) == refusals.map(\.offset), "seed \(seed)")
    #expect(results(report, expected) == expected, "seed \(seed)")
    #expect(report.made == expected.count { $0 == "made" }, "seed \(seed)")
    #expect(report.updated == expected.count { $0 == "updated" }, "seed \(seed)")

    let listed = Context()
    let values = lines.compactMap { try? JSONValue(data: Data($0)) }
    let list = try Mapper(listed).importList(values, with: recipe)
    #expect(contents(listed) == contents(sure), "seed \(seed)")
    #expect(list.made == report.made, "seed \(seed)")
    #expect(list.updated == report.updated, "seed \(seed)")
    try compareDecomposed(streamed, sure, recipe)
  }

  /// What entities decompose to at once is what all their fields, asked for by name, do.
  private func compareDecomposed(_ one: Context, _ other: Context, _ recipe: Recipe) throws {
    let fields = recipe.fields.compactMap { $0.keyPath as AnyKeyPath? }
    let (mapper, surely) = (Mapper(one), Mapper(other))
    for (entity, twin) in zip(
      one.group(Item.matcher).sorted(), other.group(Item.matcher).sorted())
    {
      #expect(
        try mapper.decompose(entity, with: recipe).json()
          == surely.decompose(twin, with: recipe, only: fields).json())
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
    #expect(isDuplicate(try outcome(#"{"id":1,"name":"a","id":1}"#).reason, of: "id"))
    #expect(isDuplicate(try outcome(#"{"x":1,"id":1,"name":"a","x":2}"#).reason, of: "x"))
    #expect(isDuplicate(try outcome(#"{"id":1,"name":"a","n\u0061me":"b"}"#).reason, of: "name"))
    #expect(isDuplicate(try outcome(#"{"id":1,"name":"a","x":{"y":1,"y":2}}"#).reason, of: "y"))
    let many = (0..<400).map { "\"k\($0)\":\($0)," }.joined()
    #expect(try outcome("{" + many + #""id":1,"name":"a"}"#).made == 1)
    #expect(isDuplicate(try outcome("{" + many + #""id":1,"name":"a","k7":1}"#).reason, of: "k7"))
  }

  @Test func `Containers in a record may be nested as deep as in any data`() throws {
    func line(_ depth: Int, _ key: String) -> String {
      let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      return #"{"id":1,"name":"a",""# + key + "\":" + value + "}"
    }
    for key in ["data", "other"] {
      #expect(try outcome(line(JSONValue.maximumDepth - 1, key)).made == 1)
      guard case .syntax(let error)? = try outcome(line(JSONValue.maximumDepth, key)).reason else {
        Issue.record("no syntax error")
        return
      }
      #expect(error.reason == .tooDeep)
    }
  }

  @Test func `What nobody asks for has to be in order as well`() throws {
    for value in [#""\ud800""#, "01", "[1,]", "nil", "\"\u{1}\"", "1e99999999999"] {
      let outcome = try outcome(#"{"id":1,"name":"a","other":"# + value + "}")
      #expect(outcome.made == 0)
      guard case .syntax? = outcome.reason else {
        Issue.record("no syntax error for \(value)")
        continue
      }
    }
  }

  @Test func `A refused record leaves nothing to the next one`() throws {
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
    #expect((report.made, report.refused) == (2, 2))
    let items = context.group(Item.matcher).sorted().compactMap { $0.get(Item.self) }
    #expect(items == [Item(id: 2, name: "b"), Item(id: 4, name: "d")])
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
    #expect((report.made, report.refused) == (1, 2))
    #expect(
      report.failures.map(\.error.reason) == [.duplicateIdentity, .identityMismatch])
  }

  @Test func `Records of a recipe without identity make an entity each`() throws {
    let context = Context()
    let sizes = try Recipe("size") { Fields(of: Size()) { Field(\.width, at: "width") } }
    var rest = Data("{\"width\":1}\n{\"width\":1}\n{}\n{\"width\":null}\n".utf8)
    let report = Mapper(context).importStream(with: sizes) {
      defer { rest = Data() }
      return rest
    }
    #expect((report.made, report.refused) == (3, 1))
    #expect(context.group(Size.matcher).count == 2)
  }
}
