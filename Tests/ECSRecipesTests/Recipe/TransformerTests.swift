import ECS
import ECSRecipes
import ECSTestSupport
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
    expectEqual(value.day, Date(timeIntervalSince1970: 1_709_164_800))
    expectEqual(value.level, .high)
    expectEqual(value.list, [1, 2])
    expectEqual(value.address, .init(city: "Oslo", zip: 150))
    expectEqual(value.codable, .init(city: "Rome", zip: 1))
    expectEqual(value.decimal, Decimal(string: "0.1234567890123456789"))
    expectEqual(value.big, .max)
    try expectEqual(mapper.decompose(entity, with: recipe).json(), json)
  }

  @Test(
    arguments: [
      (["date": "yesterday"], "date"), (["day": "2024-02-30"], "day"), (["level": "9"], "level"),
      (["count": "4x"], "count"), (["count": 4], "count"), (["list": ["1", "x"]], "list[1]"),
      (["list": ["1", .null]], "list[1]"),
      (["address": ["town": ["name": 7]]], "address.town.name"),
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
      expectEqual(error.path.description, path)
    }
    expectEqual(context.count, 0)
  }

  @Test func `A date loses its microseconds without being changed by its own data`() throws {
    let (context, recipe) = (Context(), try recipe())
    let mapper = Mapper(context)
    let date = Date(timeIntervalSince1970: 1_700_000_000.123_456)
    let entity = context.createEntity(with: Everything(date: date))
    let data = try mapper.decompose(entity, with: recipe)
    try expectEqual(mapper.update(entity, with: recipe, from: data), .unchanged)
    expectEqual(entity.get(Everything.self)?.date, date)
  }

  @Test func `A custom transformer says what it expected`() throws {
    let even = Transformer<Int>("even") { (value) throws(TransformFailure) in
      guard let number = value.number?.int else { throw .mismatch(expected: "even", found: value) }
      guard number % 2 == 0 else { throw .invalid("\(number) is odd") }
      return number
    }
    expectTrue(even.isOneWay)
    let recipe = try Recipe("even") { Fields(of: Point()) { Field(\.x, at: "x", as: even) } }
    let (context, path) = (Context(), try JSONPath("x"))
    #expect(throws: RecipeError(recipe: "even", path: path, reason: .invalid("3 is odd"))) {
      try Mapper(context).make(recipe, from: ["x": 3])
    }
    try expectEqual(Mapper(context).make(recipe, from: ["x": 4]).get(Point.self)?.x, 4)
  }

  @Test func `Contradicting paths of a nested value are refused`() {
    #expect(throws: RecipeDefinitionError.self) {
      try Transformer.nested("point", of: Point()) {
        Field(\.x, at: "a")
        Field(\.y, at: "a.b")
      }
    }
  }

  private func read(_ text: String, _ transformer: Transformer<Date>) throws -> JSONValue? {
    let mapper = Mapper(Context())
    let recipe = try Recipe("day") {
      Fields(of: Everything()) { Field(\.day, at: "day", as: transformer) }
    }
    guard let entity = try? mapper.make(recipe, from: ["day": .string(text)]) else { return nil }
    return try mapper.decompose(entity, with: recipe)["day"]
  }

  @Test(arguments: [
    "2024-05-01T12:30:00Zoo", "2024-05-01T12:30:00Z ", " 2024-05-01T12:30:00Z",
    "2024-02-30T12:30:00Z", "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
    "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z", "2024-01-00T00:00:00Z",
    "2024-05-01T24:00:00Z", "2024-05-01T12:60:00Z", "2024-05-01T12:30:61Z",
    "2024-05-01T12:30:00.Z", "2024-05-01T12:30:00", "2024-05-01", "", "Z",
    "2024-05-01T12:30:00+2", "2024-05-01T12:30:00+02:0", "2024-05-01T12:30:00+24:00",
    "99999-01-01T00:00:00Z", "-001-01-01T00:00:00Z", "2024-05-01T12:30:0\u{661}Z",
  ])
  func `Anything that isn't an ISO 8601 date is refused`(text: String) throws {
    try expectNil(read(text, .iso8601))
  }

  @Test(arguments: [
    ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"),
    ("2000-02-29T23:59:59.999Z", "2000-02-29T23:59:59.999Z"),
    ("2024-05-01T12:30:00+02:00", "2024-05-01T10:30:00Z"),
    ("2024-05-01T12:30:00-0230", "2024-05-01T15:00:00Z"),
    ("2024-12-31T23:30:00-01", "2025-01-01T00:30:00Z"),
    ("2024-05-01T12:30:00.123456789Z", "2024-05-01T12:30:00.123Z"),
    ("2024-05-01T12:30:00.9999Z", "2024-05-01T12:30:01Z"),
    ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
    ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500Z"),
    ("1582-10-10T00:00:00Z", "1582-10-10T00:00:00Z"),
    ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
    ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
  ])
  func `ISO 8601 dates are written as they were read`(text: String, written: String) throws {
    try expectEqual(read(text, .iso8601), .string(written))
  }

  @Test func `ISO 8601 dates are those of the calendar, day by day`() throws {
    let mapper = Mapper(Context())
    let recipe = try Recipe("day") {
      Fields(of: Everything()) { Field(\.day, at: "day", as: .iso8601) }
    }
    // Whole days around the ends of centuries, beside the platform's calendar.
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    for year in [1600, 1700, 1900, 1970, 2000, 2023, 2024, 2100, 2400] {
      for day in 0..<366 {
        let start = try #require(calendar.date(from: DateComponents(year: year, month: 1, day: 1)))
        let date = start.addingTimeInterval(Double(day) * 86_400)
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        let text = String(
          format: "%04d-%02d-%02dT00:00:00Z", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
        let entity = try mapper.make(recipe, from: ["day": .string(text)])
        expectEqual(entity.get(Everything.self)?.day, date)
        try expectEqual(mapper.decompose(entity, with: recipe)["day"], .string(text))
      }
    }
  }

  @Test(arguments: [
    Double.nan, .infinity, -.infinity, 1e300, -1e11, 1e12, 253_402_300_800, -62_167_219_201,
  ])
  func `Dates that can't be written as text are an error`(seconds: Double) throws {
    let (context, day) = (Context(), Date(timeIntervalSince1970: seconds))
    for transformer in [Transformer<Date>.iso8601, .date(format: "yyyy-MM-dd")] {
      let recipe = try Recipe("day") {
        Fields(of: Everything()) { Field(\.day, at: "day", as: transformer) }
      }
      let entity = context.createEntity(with: Everything(day: day))
      #expect(throws: RecipeError.self) { try Mapper(context).decompose(entity, with: recipe) }
    }
  }

  @Test func `Fields that can't be written are left out, at any depth`() throws {
    let address = try Transformer.nested("address", of: Everything.Address()) {
      Field(\.city, at: "town.name", as: Transformer<String>("guess") { _ in "" })
    }
    struct Places: Component { var all = [Everything.Address()] }
    let (context, recipe) = (
      Context(),
      try Recipe("places") {
        Fields(of: Places()) { Field(\.all, at: "all", as: .list(address)) }
      }
    )
    let entity = context.createEntity(with: Places())
    let data = try Mapper(context).decompose(entity, with: recipe)
    expectEqual(data, ["all": [[:]]])
    try expectEqual(Mapper(context).update(entity, with: recipe, from: data), .unchanged)
  }
}
