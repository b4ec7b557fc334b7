import ECS
import ECSRecipes
import ECSTestSupport
import Foundation
import Testing

/// What is absent stays absent, and what is only read is not written.
@Suite struct AbsenceTests {
  let context = Context()
  let mapper: Mapper

  init() { mapper = Mapper(context) }

  @Test func `A selection of fields writes no relations, so that applying it keeps them`() throws {
    let articles = try Catalog.articles()
    let article = try mapper.make(
      articles, from: ["id": 1, "title": "T", "author": ["id": 2, "name": "Ada"], "tags": ["a"]])
    let data = try mapper.decompose(article, with: articles, only: [\Article.title])
    expectEqual(data, ["title": "T"])
    try expectEqual(mapper.update(article, with: articles, from: data), .unchanged)
    expectNotNil(article.get(Author.self)?.entity)
  }

  struct Sparse: Component, Codable, Equatable {
    var size = 1
    var hidden = 5
    var note: String?

    init() {}

    enum CodingKeys: CodingKey { case size, hidden, note }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      size = try container.decode(Int.self, forKey: .size)
      hidden = try container.decodeIfPresent(Int.self, forKey: .hidden) ?? 5
      note = try container.decodeIfPresent(String.self, forKey: .note)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(size, forKey: .size)
      if hidden != 5 { try container.encode(hidden, forKey: .hidden) }
      try container.encodeIfPresent(note, forKey: .note)
    }
  }

  @Test func `A key that a component doesn't encode is not written as null`() throws {
    let recipe = try Recipe("sparse") { AutomaticFields(of: Sparse()) }
    let entity = try mapper.make(recipe, from: ["size": 2])
    let data = try mapper.decompose(entity, with: recipe)
    expectEqual(data, ["size": 2, "note": .null])
    try expectEqual(mapper.update(entity, with: recipe, from: data), .unchanged)
    let differences = try mapper.differences(entity, with: recipe, from: ["hidden": 6])
    expectEqual(differences.map { "\($0)" }, ["hidden: nothing -> 6"])
  }

  @Test func `Making with selected fields also takes the required ones`() throws {
    let users = try Catalog.users()
    let data: JSONValue = ["id": 1, "name": "Ada", "contact": ["emails": ["a@b.c"]], "score": 2]
    let user = try mapper.make(users, from: data, only: [\User.score])
    expectEqual(user.get(User.self)?.name, "Ada")
    expectNil(user.get(User.self)?.email)
    expectEqual(user.get(User.self)?.score, 2)
    let update: JSONValue = ["id": 1, "name": "Eve", "score": 3]
    try mapper.make(users, from: update, only: [\User.score])
    expectEqual(user.get(User.self)?.name, "Ada")
    // What does not count may be wrong, unless it is needed.
    try mapper.make(users, from: ["id": 1, "name": 7, "score": 4], only: [\User.score])
    expectEqual(user.get(User.self)?.score, 4)
    #expect(
      throws: RecipeError(
        recipe: "user", path: try JSONPath("name"),
        reason: .typeMismatch(expected: "string", found: .number))
    ) { try mapper.make(users, from: ["id": 2, "name": 7, "score": 4], only: [\User.score]) }
    // A component that no field is selected of is not made, and need not be complete.
    let key = try mapper.make(users, from: ["id": 3], only: [\UserID.value])
    expectFalse(key.has(User.self))
  }

  struct Event: Component, Codable, Equatable {
    var date = Date(timeIntervalSince1970: 0)
    var end: Date?
  }

  @Test func `Dates in automatic fields are in ISO 8601, or as requested`() throws {
    let plain = try Recipe("event") { AutomaticFields(of: Event()) }
    let event = try mapper.make(plain, from: ["date": "2024-05-01T12:30:00Z"])
    expectEqual(event.get(Event.self)?.date, Date(timeIntervalSince1970: 1_714_566_600))
    try expectEqual(
      mapper.decompose(event, with: plain), ["date": "2024-05-01T12:30:00Z", "end": .null])
    let unix = try Recipe("event") { AutomaticFields(of: Event(), dates: .secondsSince1970) }
    try expectEqual(
      mapper.decompose(event, with: unix), ["date": 1_714_566_600, "end": .null])
    let milliseconds = try Recipe("event") {
      AutomaticFields(of: Event(), dates: .millisecondsSince1970)
    }
    try mapper.update(event, with: milliseconds, from: ["end": 1_714_566_601_500])
    expectEqual(event.get(Event.self)?.end, Date(timeIntervalSince1970: 1_714_566_601.5))
    #expect(
      throws: RecipeError(
        recipe: "event", path: try JSONPath("end"),
        reason: .typeMismatch(expected: "number", found: .string))
    ) { try mapper.update(event, with: milliseconds, from: ["end": "tomorrow"]) }
    expectNotEqual(plain, unix)
  }

  struct Holder: Component {
    var event: Event?
    var other = Event()
  }

  @Test func `Codable values may be optional, and write their dates as requested`() throws {
    let recipe = try Recipe("holder") {
      Fields(of: Holder()) {
        Field(\.event, at: "event", as: .codable)
        Field(\.other, at: "other", as: .codable(dates: .secondsSince1970))
      }
    }
    let holder = try mapper.make(
      recipe, from: ["event": ["date": "1970-01-01T00:00:07Z"], "other": ["date": 8]])
    expectEqual(holder.get(Holder.self)?.event?.date.timeIntervalSince1970, 7)
    expectEqual(holder.get(Holder.self)?.other.date.timeIntervalSince1970, 8)
    try expectEqual(
      mapper.decompose(holder, with: recipe),
      ["event": ["date": "1970-01-01T00:00:07Z"], "other": ["date": 8]])
    try mapper.update(holder, with: recipe, from: ["event": .null])
    expectNil(holder.get(Holder.self)?.event)
  }
}
