import ECS
import ECSRecipes
import ECSTestSupport
import Foundation
import Testing

@Suite struct ErrorMessageTests {
  struct Settings: Component, Codable {
    var fontSize = 12
    var theme = "light"
    var ratio = 1.5
    var flags = [true]
  }

  let context = Context()
  let mapper: Mapper

  init() { mapper = Mapper(context) }

  private func message(_ recipe: Recipe, _ data: JSONValue) -> String? {
    do throws(RecipeError) {
      try mapper.make(recipe, from: data)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test(
    arguments: [
      (["fontSize": .null], "fontSize: expected integer, found null"),
      (["fontSize": "x"], "fontSize: expected integer, found string"),
      (["theme": .null], "theme: expected string, found null"),
      (["ratio": .null], "ratio: expected number, found null"),
      (["flags": .null], "flags: expected array, found null"),
      (["flags": [1]], "flags[0]: expected bool, found number"),
    ] as [(JSONValue, String)])
  func `Errors of automatic fields name kinds of values, not properties`(
    data: JSONValue, text: String
  ) throws {
    let recipe = try Recipe("settings") { AutomaticFields(of: Settings()) }
    expectEqual(message(recipe, data), "settings at \(text)")
  }

  struct Kinds: Component {
    var int = 0
    var text = ""
    var number = 0.5
    var list = [0]
    var link: URL?
    var id: UUID?
  }

  @Test(
    arguments: [
      (["int": .null], "int: expected integer, found null"),
      (["int": "x"], "int: expected integer, found string"),
      (["text": .null], "text: expected string, found null"),
      (["text": 1], "text: expected string, found number"),
      (["number": .null], "number: expected number, found null"),
      (["list": .null], "list: expected array, found null"),
      (["list": [.null]], "list[0]: expected integer, found null"),
      (["link": 1], "link: expected string, found number"),
      (["id": "1"], "id: '1' is not a UUID"),
    ] as [(JSONValue, String)])
  func `Missing values and values of another kind are described in the same words`(
    data: JSONValue, text: String
  ) throws {
    let recipe = try Recipe("kinds") {
      Fields(of: Kinds()) {
        Field(\.int, at: "int")
        Field(\.text, at: "text")
        Field(\.number, at: "number")
        Field(\.list, at: "list")
        Field(\.link, at: "link")
        Field(\.id, at: "id")
      }
    }
    expectEqual(message(recipe, data), "kinds at \(text)")
  }

  @Test func `The error for a key in place of an object says how to map such data`() throws {
    let articles = try Catalog.articles()
    expectEqual(
      message(articles, ["id": 1, "title": "T", "author": 7]),
      "user at author: expected object, found number: if the data names the entity by its key, map it with 'as: .key'"
    )
  }

  @Test func `A report prints its numbers and ten failures`() throws {
    let users = try Catalog.users()
    let records = (0..<100).map { JSONValue.number(JSONNumber($0)) }
    let report = try mapper.importList(records + [["id": 1, "name": "Ada"]], with: users)
    let lines = "\(report)".split(separator: "\n")
    expectEqual(lines.first, "1 made, 0 updated, 0 unchanged, 100 refused")
    expectEqual(lines.count, 12)
    expectEqual(lines[1], "  record 0: user at $: expected object, found number")
    expectEqual(lines.last, "  and 90 more")
    let few = try mapper.importList(records, with: users, maximumFailures: 3)
    expectEqual(few.failures.count, 3)
    expectEqual(few.refused, 100)
    expectTrue("\(few)".hasSuffix("  and 97 more"))
    do throws(ImportError) {
      try mapper.importList(records, with: users, policy: .allOrNothing)
    } catch {
      expectEqual("\(error)".split(separator: "\n").count, 12)
    }
  }

  @Test func `The error for an empty path says how to import the data itself`() throws {
    let users = try Catalog.users()
    let data: JSONValue = [["id": 1, "name": "Ada"]]
    do throws(ImportError) {
      try mapper.importList(at: "", in: data, with: users)
      Issue.record("A list was found at the empty path.")
    } catch {
      expectTrue(
        "\(error)".contains("pass its elements, importList(data.array ?? [], with: recipe)"))
    }
    try expectEqual(mapper.importList(data.array ?? [], with: users).made, 1)
  }

  private func failures(
    _ text: String, at path: JSONPath = .root, chunk: Int
  ) throws -> [ImportReport.Failure] {
    var rest = Data(text.utf8)[...]
    return mapper.importStream(at: path, with: try Catalog.users()) {
      let next = rest.prefix(chunk)
      rest = rest.dropFirst(chunk)
      return Data(next)
    }.failures
  }

  @Test(arguments: [1, 7, 1000])
  func `Places in streams count from the beginning of the input`(chunk: Int) throws {
    let text = """
      [
        {"id": 1, "name": "A"}, {"id": 2, "name": B},
        {"id": "3"}, {"id": 4,
          "name": nil}
      ]
      """
    let failures = try failures(text, chunk: chunk)
    expectEqual(failures.map(\.position), [1, 2, 3])
    expectEqual(
      failures.map { "\($0.location.map { "\($0)" } ?? "")" },
      [
        "line 2, column 27", "line 3, column 3", "line 3, column 16",
      ])
    let places = failures.map { failure -> [Int]? in
      guard case .syntax(let error) = failure.error.reason else { return nil }
      return [error.line, error.column, error.offset]
    }
    let bytes = Array(text.utf8)
    expectEqual(places[0], [2, 45, 46])
    expectEqual(bytes[46], UInt8(ascii: "B"))
    expectNil(places[1])
    expectEqual(places[2]?.prefix(2), [4, 14])
    expectEqual(places[2].map { bytes[$0[2]] }, UInt8(ascii: "i"))
    expectEqual(failures[1].location.map { bytes[$0.offset] }, UInt8(ascii: "{"))
    expectEqual(
      "\(failures[1])", "record 2, line 3, column 3: user at id: expected integer, found string")
  }

  @Test func `Large and small numbers are encoded by the platform's encoder`() throws {
    for text in ["1e300", "-2.5e-300", "1e308", "0.1", "123456789012345678901234567890"] {
      let value = try JSONValue(json: text)
      let data = try JSONEncoder().encode([value])
      try expectEqual(JSONValue(data: data), [value])
    }
    #expect(throws: EncodingError.self) {
      try JSONEncoder().encode([JSONValue(json: "1e400")])
    }
  }
}
