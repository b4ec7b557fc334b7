import ECS
import ECSRecipes
import Foundation

struct UserID: Component { var value: Int }

struct User: Component {
  var name = ""
  var email: String?
  var score = 0.5
}

struct ArticleID: Component { var value: Int }

struct Article: Component {
  enum State: String, Sendable { case draft, live }

  var title = ""
  var body: String?
  var state = State.draft
  var published: Date?
}

struct Author: Component { var entity: Entity? }

struct Tag: Component { var name = "" }

struct Tags: Component { var entities: [Entity] = [] }

struct Letter: Component {
  var number = 0
  var text = ""
  var sender: Entity?
  var readers: [Entity] = []
}

struct Point: Component {
  var x = 0
  var y = 0
}

enum Catalog {
  static func users() throws -> Recipe {
    try Recipe("user") {
      Identity(\UserID.value)
      Fields(of: UserID(value: 0)) { Field(\.value, at: "id") }
      Fields(of: User()) {
        Field(\.name, at: "name").required()
        Field(\.email, at: "contact.emails[0]")
        Field(\.score, at: "score")
      }
    }
  }

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
        Field(\.body, at: "text.body")
        Field(\.state, at: "state", as: .rawValue)
        Field(\.published, at: "published", as: .iso8601)
      }
      Nested(one: users, at: "author", through: .toOne(\Author.entity, of: Author()))
      Nested(many: tags, at: "tags", through: .toMany(\Tags.entities, of: Tags()))
    }
  }
}
