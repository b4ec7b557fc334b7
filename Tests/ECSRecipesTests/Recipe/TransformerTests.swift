import ECS
import ECSRecipes
import Foundation
import Testing

@Suite struct TransformerTests {
  struct Everything: Component, Equatable {
    struct Address: Codable, Equatable, Sendable {
      var city = ""
      var zip: Int?
    }

    enum Level: Int, Sendable {
      case low = 1
      case high
    }

    var date = Date(timeIntervalSince1970: 0)
    var day: Date?
    var url: URL?
    var level = Level.low
    var count = 0
    var list: [Int] = []
    var address = Address()
    var codable = Address()
    var json = JSONValue.null
    var decimal = Decimal(0)
    var big = UInt64(0)
  }

  private func recipe() throws -> Recipe {
    let address = try Transformer.nested("address", of: Everything.Address()) {
      Field(\.city, at: "town.name").required()
      Field(\.zip, at: "zip", as: .fromString)
    }
    return try Recipe("all") {
      Fields(of: Everything()) {
        Field(\.date, at: "date", as: .iso8601)
        Field(\.day, at: "day", as: .date(format: "yyyy-MM-dd"))
        Field(\.url, at: "url")
        Field(\.level, at: "level", as: .rawValue(.fromString))
        Field(\.count, at: "count", as: .fromString)
        Field(\.list, at: "list", as: .list(.fromString))
        Field(\.address, at: "address", as: address)
        Field(\.codable, at: "codable", as: .codable)
        Field(\.json, at: "json")
        Field(\.decimal, at: "decimal")
        Field(\.big, at: "big")
      }
    }
  }

  @Test func `Each ready transformer reads what it wrote`() throws {
    let (context, recipe) = (Context(), try recipe())
    let mapper = Mapper(context)
    let json =
      #"{"date":"2024-05-01T12:30:00.250Z","day":"2024-02-29","url":"https://a.example/b?c=d","#
      + #""level":"2","count":"42","list":["1","2"],"address":{"town":{"name":"Oslo"},"zip":"150"},"#
      + #""codable":{"city":"Rome","zip":1},"json":{"z":1,"a":[null]},"decimal":0.1234567890123456789,"#
      + #""big":18446744073709551615}"#
    let entity = try mapper.make(recipe, from: try JSONValue(json: json))
    let value = try #require(entity.get(Everything.self))
    #expect(value.day == Date(timeIntervalSince1970: 1_709_164_800))
    #expect(value.level == .high)
    #expect(value.list == [1, 2])
    #expect(value.address == .init(city: "Oslo", zip: 150))
    #expect(value.codable == .init(city: "Rome", zip: 1))
    #expect(value.decimal == Decimal(string: "0.1234567890123456789"))
    #expect(value.big == .max)
    #expect(try mapper.decompose(entity, with: recipe).json() == json)
  }

  @Test(
    arguments: [
      (["date": "yesterday"], "date"), (["day": "2024-02-30"], "day"), (["level": "9"], "level"),
      (["count": "4x"], "count"), (["count": 4], "count"), (["list": ["1", "x"]], "list[1]"),
      (["list": ["1", nil]], "list[1]"), (["address": ["town": ["name": 7]]], "address.town.name"),
      (["address": [:]], "address.town.name"), (["codable": ["city": 1]], "codable.city"),
      (["codable": [:]], "codable.city"), (["big": -1], "big"), (["big": 0.5], "big"),
      (["decimal": "1"], "decimal"), (["address": 1], "address"),
    ] as [(JSONValue, String)])
  func `What can't be transformed is an error at its path`(data: JSONValue, path: String) throws {
    let (context, recipe) = (Context(), try recipe())
    do throws(RecipeError) {
      try Mapper(context).make(recipe, from: data)
      Issue.record("made an entity of \(data)")
    } catch {
      #expect(error.path.description == path)
    }
    #expect(context.count == 0)
  }

  @Test func `A date loses its microseconds without being changed by its own data`() throws {
    let (context, recipe) = (Context(), try recipe())
    let mapper = Mapper(context)
    let date = Date(timeIntervalSince1970: 1_700_000_000.123_456)
    let entity = context.createEntity(with: Everything(date: date))
    let data = try mapper.decompose(entity, with: recipe)
    #expect(try mapper.update(entity, with: recipe, from: data) == .unchanged)
    #expect(entity.get(Everything.self)?.date == date)
  }

  @Test func `A transformer of your own says what it expected`() throws {
    let even = Transformer<Int>("even") { (value) throws(TransformFailure) in
      guard let number = value.number?.int else { throw .mismatch(expected: "even", found: value) }
      guard number % 2 == 0 else { throw .invalid("\(number) is odd") }
      return number
    }
    #expect(even.isOneWay)
    let recipe = try Recipe("even") { Fields(of: Point()) { Field(\.x, at: "x", as: even) } }
    let (context, path) = (Context(), try JSONPath("x"))
    #expect(throws: RecipeError(recipe: "even", path: path, reason: .invalid("3 is odd"))) {
      try Mapper(context).make(recipe, from: ["x": 3])
    }
    #expect(try Mapper(context).make(recipe, from: ["x": 4]).get(Point.self)?.x == 4)
  }

  @Test func `Contradicting paths of a nested value are refused`() {
    #expect(throws: RecipeDefinitionError.self) {
      try Transformer.nested("point", of: Point()) {
        Field(\.x, at: "a")
        Field(\.y, at: "a.b")
      }
    }
  }

  @Test func `Dates that are too far away to be written are an error`() throws {
    let (context, recipe) = (Context(), try recipe())
    let mapper = Mapper(context)
    for seconds in [1e300, -1e300, .infinity, .nan] {
      let date = Date(timeIntervalSince1970: seconds)
      let entity = context.createEntity(with: Everything(date: date))
      #expect(throws: RecipeError.self) { try mapper.decompose(entity, with: recipe) }
    }
  }
}
