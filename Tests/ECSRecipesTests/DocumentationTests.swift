import ECS
import ECSRecipes
import Foundation
import Testing

/// The code of the article "Mapping data to entities and back".
@Suite struct DocumentationTests {
  struct UserID: Component { var value: Int }

  struct User: Component {
    var name = ""
    var email: String?
    var joined: Date?
  }

  struct Article: Component { var title = "" }
  struct Byline: Component { var author: Entity? }

  @Test func `The code of the article does what the article says`() throws {
    let users = try Recipe("user") {
      Identity(\UserID.value)
      Fields(of: UserID(value: 0)) { Field(\.value, at: "id") }
      Fields(of: User()) {
        Field(\.name, at: "name").required()
        Field(\.email, at: "contact.emails[0]")
        Field(\.joined, at: "joined", as: .iso8601)
      }
    }

    let context = Context()
    let mapper = Mapper(context)
    let data = try JSONValue(json: #"{"id": 7, "name": "Ada", "contact": {"emails": ["a@b.c"]}}"#)
    let ada = try mapper.make(users, from: data)
    print(try mapper.make(users, from: data) == ada)  // true: the identity finds her
    #expect(try mapper.make(users, from: data) == ada)
    try mapper.update(ada, with: users, from: ["contact": nil])  // clears her address
    print(try mapper.decompose(ada, with: users).json())
    // {"id":7,"name":"Ada","contact":{"emails":[null]},"joined":null}
    #expect(
      try mapper.decompose(ada, with: users).json()
        == #"{"id":7,"name":"Ada","contact":{"emails":[null]},"joined":null}"#)

    print(try mapper.wouldChange(ada, with: users, from: ["name": "Ada L."]))  // true
    #expect(try mapper.wouldChange(ada, with: users, from: ["name": "Ada L."]))
    let differences = try mapper.differences(ada, with: users, from: ["name": "Ada L."])
    for change in differences {
      print("\(change.path): \(change.old ?? nil) -> \(change.new ?? nil)")
    }
    // name: "Ada" -> "Ada L."
    #expect(
      differences.map { "\($0.path): \($0.old ?? nil) -> \($0.new ?? nil)" }
        == [#"name: "Ada" -> "Ada L.""#])

    let articles = try Recipe("article") {
      Fields(of: Article()) { Field(\.title, at: "title") }
      Nested(one: users, at: "author", through: .toOne(\Byline.author, of: Byline()))
    }
    let article = try mapper.make(articles, from: ["title": "T", "author": ["id": 7]])
    print(article.get(Byline.self)?.author == ada)  // true
    #expect(article.get(Byline.self)?.author == ada)

    let report = try mapper.importList([["id": 8, "name": "Eve"], ["id": "x"]], with: users)
    print(report.made)  // 1
    for failure in report.failures { print(failure.error.path) }  // id
    #expect(report.made == 1)
    #expect(report.failures.first?.error.path.description == "id")
  }

  @Test func `The code of the README does what the README says`() throws {
    struct User: Component {
      var id = 0
      var name = ""
      var email: String?
    }
    let context = Context()
    let users = try Recipe("user") {
      Identity(\User.id)
      Fields(of: User()) {
        Field(\.id, at: "id")
        Field(\.name, at: "name").required()
        Field(\.email, at: "contact.emails[0]")
      }
    }
    let mapper = Mapper(context)
    let ada = try mapper.make(users, from: ["id": 7, "name": "Ada"])
    try mapper.update(ada, with: users, from: ["contact": ["emails": ["ada@example.org"]]])
    let json = try mapper.decompose(ada, with: users).json()
    // {"id":7,"name":"Ada","contact":{"emails":["ada@example.org"]}}
    #expect(json == #"{"id":7,"name":"Ada","contact":{"emails":["ada@example.org"]}}"#)
  }
}
