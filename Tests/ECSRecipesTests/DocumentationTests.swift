import ECS
import ECSRecipes
import Foundation
import Testing

/// The code of the article "Mapping data to entities and back".
@Suite struct DocumentationTests {
  struct UserID: Component { let value: Int }

  struct User: Component {
    var name = ""
    var email: String?
    var joined: Date?
  }

  struct Admin: Component {}
  struct Shipping: Component { var street = "" }

  struct Article: Component { var title = "" }
  struct Byline: Component { var author: Entity? }
  enum ReadBy: Relation {}

  struct Comment: Component { var text = "" }
  enum ReplyTo: Hierarchy { static let deleteRule = DeleteRule.cascade }

  @Test func `The code of the article does what the article says`() throws {
    let users = try Recipe("user") {
      Identity(\UserID.value, at: "id", make: UserID.init(value:))
      Fields(of: User()) {
        Field(\.name, at: "name").required()
        Field(\.email, at: "contact.emails[0]")
        Field(\.joined, at: "joined", as: .iso8601)
      }
    }

    let dates = Transformer<Date>.iso8601.or(.secondsSince1970)
    print(try dates.decode(0) == dates.decode("1970-01-01T00:00:00Z"))  // true
    #expect(try dates.decode(0) == dates.decode("1970-01-01T00:00:00Z"))
    let trimmed = String.transformer.then("trimmed") {
      $0.trimmingCharacters(in: .whitespaces)
    } encode: {
      $0
    }
    print(try trimmed.decode("  Ada "))  // Ada
    #expect(try trimmed.decode("  Ada ") == "Ada")

    let context = Context()
    let mapper = Mapper(context)
    let data = try JSONValue(json: #"{"id": 7, "name": "Ada", "contact": {"emails": ["a@b.c"]}}"#)
    let ada = try mapper.make(users, from: data)
    print(try mapper.make(users, from: data) == ada)  // true: the identity finds her
    #expect(try mapper.make(users, from: data) == ada)
    try mapper.update(ada, with: users, from: ["contact": .null])  // clears her address
    print(try mapper.decompose(ada, with: users).json())
    // {"id":7,"name":"Ada","contact":{"emails":[null]},"joined":null}
    #expect(
      try mapper.decompose(ada, with: users).json()
        == #"{"id":7,"name":"Ada","contact":{"emails":[null]},"joined":null}"#)

    let result = try mapper.apply(["id": 7, "name": "Ada L.", "joined": .null], with: users)
    print(result.outcome)  // updated
    print(result.changes)  // [name: "Ada" -> "Ada L."]
    #expect(result.outcome == .updated)
    #expect("\(result.changes)" == #"[name: "Ada" -> "Ada L."]"#)

    print(try mapper.wouldChange(ada, with: users, from: ["name": "Ada"]))  // true
    #expect(try mapper.wouldChange(ada, with: users, from: ["name": "Ada"]))
    for change in try mapper.differences(ada, with: users, from: ["name": "Ada"]) {
      print(change)
      #expect("\(change)" == #"name: "Ada L." -> "Ada""#)
    }
    // name: "Ada L." -> "Ada"

    let customers = try users.named("customer").adding {
      Flag(Admin(), at: "admin")
      Fields(of: Shipping(), presentAt: "shipping") { Field(\.street, at: "street") }
    }
    try mapper.make(customers, from: ["id": 7, "admin": true, "shipping": ["street": "Main St"]])
    print(ada.has(Admin.self), ada.has(Shipping.self))  // true true
    #expect(ada.has(Admin.self) && ada.has(Shipping.self))
    try mapper.make(customers, from: ["id": 7, "shipping": .null])
    print(ada.has(Admin.self), ada.has(Shipping.self))  // true false
    #expect(ada.has(Admin.self) && !ada.has(Shipping.self))

    let articles = try Recipe("article") {
      Fields(of: Article()) { Field(\.title, at: "title") }
      Nested(one: users, at: "author", through: .toOne(\Byline.author, of: Byline()))
      Nested(many: users, at: "reader_ids", as: .key, through: .targets(of: ReadBy.self))
    }
    let article = try mapper.make(
      articles, from: ["title": "T", "author": ["id": 7], "reader_ids": [7, 8]])
    print(article.get(Byline.self)?.author == ada)  // true
    print(article.targets(ReadBy.self).count)  // 2
    #expect(article.get(Byline.self)?.author == ada)
    #expect(article.targets(ReadBy.self).count == 2)

    let comments = try Recipe("comment") {
      Fields(of: Comment()) { Field(\.text, at: "text") }
      Nested.itself(manyAt: "replies", through: .sources(of: ReplyTo.self)).owned()
    }
    let comment = try mapper.make(
      comments, from: ["text": "a", "replies": [["text": "b", "replies": [["text": "c"]]]]])
    print(context.group(Comment.matcher).count)  // 3
    #expect(context.group(Comment.matcher).count == 3)
    try mapper.update(comment, with: comments, from: ["replies": []])
    print(context.group(Comment.matcher).count)  // 1
    #expect(context.group(Comment.matcher).count == 1)

    let response: JSONValue = ["data": ["items": [["id": 8, "name": "Eve"], ["id": "x"]]]]
    let report = try mapper.importList(
      at: "data.items", in: response, with: users, absentFrom: context.group(UserID.matcher))
    print(report)
    // 0 made, 1 updated, 0 unchanged, 1 refused
    //   record 1: user at id: expected integer, found string
    #expect(
      "\(report)"
        == "0 made, 1 updated, 0 unchanged, 1 refused\n  record 1: user at id: expected integer, found string"
    )
    print(report.entities.count, report.absent == nil)  // 2 true
    #expect(report.entities.count == 2 && report.absent == nil)

    let short = try customers.removing(at: "shipping", "joined").renaming(["name": "full_name"])
    print(short)
    // recipe customer
    //   id: UserID.value, integer, identity, required
    //   full_name: User.name, string, required
    //   contact.emails[0]: User.email, string, optional
    //   admin: Admin, bool, optional
    #expect(
      "\(short)" == """
        recipe customer
          id: UserID.value, integer, identity, required
          full_name: User.name, string, required
          contact.emails[0]: User.email, string, optional
          admin: Admin, bool, optional
        """)
    print(short.fields.map(\.isOptional))  // [false, false, true, true]
    #expect(short.fields.map(\.isOptional) == [false, false, true, true])
    let user = try users.component(User.self, from: ["name": "Bob"])  // without any entity
    print(user?.name ?? "")  // Bob
    #expect(user?.name == "Bob")
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
