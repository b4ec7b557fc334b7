import ECS
import ECSRecipes
import Foundation

struct UserID: Component { var value: Int64 }

struct User: Component {
  var name = ""
  var email: String?
  var homepage: URL?
}

struct ArticleID: Component { var value: Int64 }

struct Article: Component {
  enum State: String, Sendable { case draft, live, retired }

  var title = ""
  var state = State.draft
  var published: Date?
  var price: Decimal?
}

enum WrittenBy: ToOneRelation {}

enum ReviewedBy: Relation {}

struct Tag: Component { var name = "" }

enum TaggedWith: Relation {}

/// What the catalog's data means, in both directions.
enum CatalogRecipes {
  static func users() throws -> Recipe {
    try Recipe("user") {
      Identity(\UserID.value)
      Fields(of: UserID(value: 0)) { Field(\.value, at: "id") }
      Fields(of: User()) {
        Field(\.name, at: "name").required()
        Field(\.email, at: "contact.emails[0]")
        Field(\.homepage, at: "contact.web")
      }
    }
  }

  /// A tag is its name: the data is a plain string.
  static func tags() throws -> Recipe {
    try Recipe("tag") {
      Identity(\Tag.name)
      Fields(of: Tag()) { Field(\.name, at: .root) }
    }
  }

  static func articles() throws -> Recipe {
    let (users, tags) = (try users(), try tags())
    return try Recipe("article") {
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
}
