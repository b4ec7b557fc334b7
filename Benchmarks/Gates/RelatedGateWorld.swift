import ECS
import ECSRecipes
import Foundation

private struct UserID: Component { var value: Int64 }

private struct User: Component {
  var name = ""
  var email: String?
}

private struct ArticleID: Component { var value: Int64 }

private struct Article: Component {
  enum State: String, Sendable { case draft, live, retired }

  var title = ""
  var state = State.draft
  var published: Date?
  var price: Decimal?
}

private struct Tag: Component { var name = "" }

private enum WrittenBy: ToOneRelation {}
private enum ReviewedBy: Relation {}
private enum TaggedWith: Relation {}

/// A thousand records of articles, each with its author, its reviewers by their keys, and tags.
final class RelatedGateWorld {
  private let recipe: Recipe
  private let file: URL

  init(_ form: RecipeGateWorld.Form) throws {
    recipe = try RelatedGateWorld.recipe(form)
    file = FileManager.default.temporaryDirectory.appending(path: "gates-\(UUID()).jsonl")
    let lines = (0..<RecipeGateWorld.count).map(RelatedGateWorld.line)
    try Data(lines.joined(separator: "\n").utf8).write(to: file)
  }

  deinit { try? FileManager.default.removeItem(at: file) }

  private static func recipe(_ form: RecipeGateWorld.Form) throws -> Recipe {
    let users = try Recipe("user") {
      Identity(\UserID.value)
      Fields(of: UserID(value: 0)) { Field(\.value, at: "id") }
      Fields(of: User()) {
        Field(\.name, at: "name").required()
        Field(\.email, at: "contact.emails[0]")
      }
    }
    let tags = try Recipe("tag") {
      Identity(\Tag.name)
      Fields(of: Tag()) { Field(\.name, at: .root) }
    }
    // Looking for keys that no field has takes the records as a whole, and a plan.
    return try Recipe("article", unknownKeys: form == .keys ? .ignore : .refuse) {
      Identity(\ArticleID.value)
      Fields(of: ArticleID(value: 0)) { Field(\.value, at: "id") }
      Fields(of: Article()) {
        Field(\.title, at: "title").required()
        Field(\.state, at: "state", as: .rawValue)
        Field(\.published, at: "dates.published", as: .iso8601)
        Field(\.price, at: "price")
      }
      Nested(one: users, at: "author", through: .targets(of: WrittenBy.self))
      Nested(many: users, at: "reviewer_ids", as: .key, through: .targets(of: ReviewedBy.self))
      Nested(many: tags, at: "tags", through: .targets(of: TaggedWith.self))
    }
  }

  private static func line(_ number: Int) -> String {
    let author = number * 7 % 100
    let reviewers = (0..<number % 4).map { "\((number + 13 * $0) % 100)" }
    let tags = (0...number % 3).map { "\"tag \((number + $0) % 10)\"" }
    let day = 1 + number % 28
    return "{\"id\":\(number),\"title\":\"Article number \(number) on things\",\"state\":\"live\","
      + "\"dates\":{\"published\":\"2024-05-\(day < 10 ? "0" : "")\(day)T12:30:00Z\"},"
      + "\"price\":\(number).50,\"author\":{\"id\":\(author),\"name\":\"Author \(author)\","
      + "\"contact\":{\"emails\":[\"author\(author)@example.org\"]}},"
      + "\"reviewer_ids\":[\(reviewers.joined(separator: ","))],"
      + "\"tags\":[\(tags.joined(separator: ","))]}"
  }

  /// Imports all records.
  func run() throws {
    let report = try Mapper(Context()).importFile(file, with: recipe)
    precondition(report.made == RecipeGateWorld.count, "Records were refused.")
  }
}
