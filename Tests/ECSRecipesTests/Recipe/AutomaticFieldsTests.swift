import ECS
import ECSRecipes
import ECSTestSupport
import Testing

@Suite struct AutomaticFieldsTests {
  struct Settings: Component, Codable, Equatable {
    var fontSize = 12
    var themeName: String?
    var recentURLs: [String] = []
  }

  struct Renamed: Component, Codable {
    var value = 0

    enum CodingKeys: String, CodingKey { case value = "other" }
  }

  let context = Context()
  let mapper: Mapper

  init() { mapper = Mapper(context) }

  private func recipe() throws -> Recipe {
    try Recipe("settings") {
      AutomaticFields(
        of: Settings(), keys: .snakeCase, at: "prefs", paths: ["recentURLs": "recent[0].urls"])
    }
  }

  @Test func `All fields of a component are mapped by their names`() throws {
    let json = #"{"prefs":{"font_size":14,"theme_name":"dark","recent":[{"urls":["a","b"]}]}}"#
    let entity = try mapper.make(try recipe(), from: try JSONValue(json: json))
    expectEqual(
      entity.get(Settings.self),
      Settings(fontSize: 14, themeName: "dark", recentURLs: ["a", "b"]))
    try expectEqual(mapper.decompose(entity, with: try recipe()).json(), json)
  }

  @Test func `Absence, null and equal values follow the rules`() throws {
    let (recipe, path) = (try recipe(), try JSONPath("prefs.font_size"))
    let entity = context.createEntity(with: Settings(fontSize: 9, themeName: "x"))
    try mapper.update(entity, with: recipe, from: ["prefs": ["theme_name": .null]])
    expectEqual(entity.get(Settings.self), Settings(fontSize: 9))
    try expectEqual(
      mapper.update(entity, with: recipe, from: ["prefs": ["font_size": 9]]), .unchanged)
    #expect(
      throws: RecipeError(
        recipe: "settings", path: path,
        reason: .typeMismatch(expected: "integer", found: .string))
    ) { try mapper.update(entity, with: recipe, from: ["prefs": ["font_size": "9"]]) }
    #expect(
      throws: RecipeError(
        recipe: "settings", path: path,
        reason: .typeMismatch(expected: "integer", found: .null))
    ) {
      try mapper.update(entity, with: recipe, from: ["prefs": ["font_size": .null]])
    }
    expectEqual(entity.get(Settings.self), Settings(fontSize: 9))
  }

  @Test func `Unknown names and custom coding keys are refused`() {
    #expect(
      throws: RecipeDefinitionError(
        recipe: "r", path: "x", reason: .unknownField("Settings.size"))
    ) { try Recipe("r") { AutomaticFields(of: Settings(), paths: ["size": "x"]) } }
    #expect(throws: RecipeDefinitionError.self) {
      try Recipe("r") { AutomaticFields(of: Renamed()) }
    }
  }

  @Test(arguments: [
    ("fontSize", "font_size"), ("userID", "user_id"), ("urlPath", "url_path"), ("x", "x"),
    ("HTMLText", "html_text"), ("a1B", "a1_b"),
  ])
  func `Snake case puts an underscore between words`(name: String, key: String) {
    expectEqual(RecipeKeys.snakeCase.key(for: name), key)
    expectEqual(RecipeKeys.asNamed.key(for: name), name)
  }

  /// Only takes itself from data that is in order.
  struct Span: Component, Codable {
    var from = 0
    var to = 10

    init() {}

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      from = try container.decode(Int.self, forKey: .from)
      to = try container.decode(Int.self, forKey: .to)
      if from > to {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "from > to"))
      }
    }
  }

  @Test(arguments: [ImportPolicy.allOrNothing, .skipAndReport])
  func `Records that are only valid separately are refused`(policy: ImportPolicy) throws {
    let spans = try Recipe("span") {
      Identity(\UserID.value)
      Fields(of: UserID(value: 0)) { Field(\.value, at: "id") }
      AutomaticFields(of: Span())
    }
    let records: [JSONValue] = [["id": 1, "from": 9], ["id": 1, "to": 5]]
    var failures: [ImportReport.Failure] = []
    do throws(ImportError) {
      failures = try mapper.importList(records, with: spans, policy: policy).failures
    } catch {
      failures = error.failures
    }
    expectEqual(failures.map(\.error.reason), [.invalid("from > to")])
    expectEqual(context.group(Span.matcher).count, (policy == .allOrNothing ? 0 : 1))
  }

  @Test func `Recipes that are only valid separately are refused`() throws {
    let ends = try Recipe("end") {
      Identity(\UserID.value)
      Fields(of: UserID(value: 0)) { Field(\.value, at: "id") }
      AutomaticFields(of: Span())
    }
    let starts = try Recipe("start") {
      Identity(\UserID.value)
      Fields(of: UserID(value: 0)) { Field(\.value, at: "id") }
      AutomaticFields(of: Span())
      Nested(one: ends, at: "end", through: .toOne(\Author.entity, of: Author()))
    }
    #expect(
      throws: RecipeError(recipe: "end", path: try JSONPath("end"), reason: .invalid("from > to"))
    ) {
      try mapper.make(starts, from: ["id": 1, "from": 9, "end": ["id": 1, "to": 5]])
    }
    expectEqual(context.count, 0)
    let span = try mapper.make(starts, from: ["id": 1, "from": 9, "end": ["id": 1, "to": 11]])
    expectEqual(span.get(Span.self)?.to, 11)
    expectEqual(span.get(Span.self)?.from, 9)
  }
}
