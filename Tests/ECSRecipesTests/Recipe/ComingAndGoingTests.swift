import ECS
import ECSRecipes
import ECSTestSupport
import Foundation
import Synchronization
import Testing

/// Components and entities that come and go with the data.
@Suite struct ComingAndGoingTests {
  struct Admin: Component {}

  struct Shipping: Component, Equatable {
    var street = ""
    var express = false
  }

  struct Location: Component, Equatable {
    var x = 0.0
    var y = 0.0
  }

  struct Comment: Component { var text = "" }
  enum ReplyTo: Hierarchy { static let deleteRule = DeleteRule.cascade }

  let context = Context()
  let mapper: Mapper

  init() { mapper = Mapper(context) }

  private func people() throws -> Recipe {
    let geo = Transformer<Location>("geo", expects: "string") { (value) throws(TransformFailure) in
      let parts = try String.transformer.decode(value).split(separator: ",").compactMap {
        Double($0)
      }
      guard parts.count == 2 else { throw .invalid("no place") }
      return Location(x: parts[0], y: parts[1])
    } encode: {
      .string("\($0.x),\($0.y)")
    }
    return try Recipe("person") {
      Identity(\UserID.value, at: "id", of: UserID(value: 0))
      Flag(Admin(), at: "admin")
      Fields(of: Shipping(), presentAt: "shipping") {
        Field(\.street, at: "street").required()
        Field(\.express, at: "how.express")
      }
      Whole(Location.self, at: "geo", as: geo)
    }
  }

  @Test func `Components come with values, go with null, and stay without`() throws {
    let people = try people()
    let person = try mapper.make(
      people,
      from: ["id": 1, "admin": true, "shipping": ["street": "S"], "geo": "1,2"])
    expectTrue(person.has(Admin.self))
    expectEqual(person.get(Shipping.self), Shipping(street: "S"))
    expectEqual(person.get(Location.self), Location(x: 1, y: 2))
    try expectEqual(mapper.update(person, with: people, from: ["id": 1]), .unchanged)
    try expectEqual(
      mapper.update(person, with: people, from: ["shipping": [:], "admin": true]),
      .unchanged)
    let full: JSONValue = [
      "id": 1, "admin": true, "shipping": ["street": "S", "how": ["express": false]],
      "geo": "1.0,2.0",
    ]
    try expectEqual(mapper.decompose(person, with: people), full)
    try expectEqual(mapper.update(person, with: people, from: full), .unchanged)
    let gone: JSONValue = ["admin": false, "shipping": .null, "geo": .null]
    let differences = try mapper.differences(person, with: people, from: gone).map { "\($0)" }
    expectEqual(differences.count, 3)
    expectEqual(differences.first, "admin: true -> false")
    expectEqual(
      differences.dropFirst().first,
      #"shipping: {"street":"S","how":{"express":false}} -> null"#)
    expectEqual(differences.last, #"geo: "1.0,2.0" -> null"#)
    try expectEqual(mapper.update(person, with: people, from: gone), .updated)
    expectTrue(!person.has(Admin.self) && !person.has(Shipping.self) && !person.has(Location.self))
    try expectEqual(
      mapper.decompose(person, with: people),
      [
        "id": 1, "admin": false, "shipping": .null, "geo": .null,
      ])
    try expectEqual(mapper.update(person, with: people, from: gone), .unchanged)
    try expectEqual(mapper.decompose(person, with: people, only: [\UserID.value]), ["id": 1])
  }

  @Test func `Components that come must be complete, and of the right kind`() throws {
    let people = try people()
    for (data, reason): (JSONValue, RecipeError.Reason) in [
      (["id": 1, "shipping": [:]], .missing),
      (["id": 1, "shipping": 1], .typeMismatch(expected: "object", found: .number)),
      (["id": 1, "admin": 1], .typeMismatch(expected: "bool", found: .number)),
      (["id": 1, "geo": "x"], .invalid("no place")),
    ] {
      do throws(RecipeError) {
        try mapper.make(people, from: data)
        Issue.record("\(data) was taken.")
      } catch {
        expectEqual(error.reason, reason)
      }
    }
    expectEqual(context.count, 0)
  }

  @Test func `Each component is written once`() throws {
    let people = try people()
    let person = try mapper.make(people, from: ["id": 1, "admin": true])
    let changes = Mutex<[String]>([])
    let kinds: [CID] = [Admin.cid, Shipping.cid]
    let tokens = kinds.map { cid in
      context.group(Matcher(all: [cid])).observeChanges { change in
        changes.withLock { $0.append("\(cid) \(change.kind)") }
      }
    }
    try mapper.update(
      person, with: people, from: ["admin": false, "shipping": ["street": "S"]])
    expectEqual(changes.withLock { $0.sorted() }, ["Admin removed", "Shipping added"])
    withExtendedLifetime(tokens) {}
  }

  private func comments(owned: Bool = true) throws -> Recipe {
    let replies = Nested.itself(manyAt: "replies", through: .sources(of: ReplyTo.self))
    return try Recipe("comment") {
      Fields(of: Comment()) { Field(\.text, at: "text") }
      if owned { replies.owned() } else { replies }
    }
  }

  @Test func `A recipe nests itself`() throws {
    let comments = try comments()
    let data: JSONValue = [
      "text": "a",
      "replies": [
        ["text": "b", "replies": [["text": "c", "replies": []]]], ["text": "d", "replies": []],
      ],
    ]
    let comment = try mapper.make(comments, from: data)
    expectEqual(context.count, 4)
    try expectEqual(mapper.decompose(comment, with: comments), data)
    try expectEqual(mapper.update(comment, with: comments, from: data), .unchanged)
    expectTrue(comments.relations[0].isItself)
    expectEqual(comments.relations[0].recipe, comments)
    expectTrue("\(comments)".hasSuffix("replies: many of itself, sources of ReplyTo, owned"))
  }

  @Test func `Parts end when they are removed, and with their owner`() throws {
    let comments = try comments()
    let comment = try mapper.make(
      comments, from: ["text": "a", "replies": [["text": "b"], ["text": "c"], ["text": "d"]]])
    let replies = Array(comment.sources(ReplyTo.self).entities())
    try expectEqual(
      mapper.update(comment, with: comments, from: ["replies": [["text": "b"]]]), .updated)
    expectEqual(replies.map(\.isAlive), [true, false, false])
    expectEqual(context.count, 2)
    comment.destroy()
    expectEqual(context.count, 0)
    let kept = try self.comments(owned: false)
    let other = try mapper.make(kept, from: ["replies": [["text": "b"]], "text": "a"])
    try mapper.update(other, with: kept, from: ["replies": []])
    expectEqual(context.count, 2)
  }

  enum LineOf: ToOneRelation { static let deleteRule = DeleteRule.cascade }
  enum Loose: ToOneRelation {}

  @Test func `A part that is given to another owner lives on`() throws {
    let lines = try Recipe("line") { Identity(\UserID.value, at: "id", of: UserID(value: 0)) }
    let orders = try Recipe("order") {
      Identity(\ArticleID.value, at: "id", of: ArticleID(value: 0))
      Nested(many: lines, at: "lines", through: .sources(of: LineOf.self)).owned()
    }
    let first = try mapper.make(orders, from: ["id": 1, "lines": [["id": 1], ["id": 2]]])
    let parts = Array(first.sources(LineOf.self).entities())
    try mapper.importList(
      [["id": 2, "lines": [["id": 2]]], ["id": 1, "lines": []]], with: orders,
      policy: .allOrNothing)
    expectEqual(parts.map(\.isAlive), [false, true])
    #expect(
      throws: RecipeDefinitionError(
        recipe: "order", path: "lines",
        reason: .ownedWithoutCascade("sources of \(Loose.self)"))
    ) {
      try Recipe("order") {
        Nested(many: lines, at: "lines", through: .sources(of: Loose.self)).owned()
      }
    }
  }

  @Test func `Nesting without end is an error, in data and in entities`() throws {
    let comments = try comments()
    let (context, mapper) = (context, mapper)
    let failure = try onSmallStack { () -> RecipeError? in
      var data: JSONValue = ["text": "end"]
      for _ in 0...Recipe.maximumNesting { data = ["text": "x", "replies": [data]] }
      do throws(RecipeError) {
        try mapper.make(comments, from: data)
        return nil
      } catch {
        return error
      }
    }
    expectEqual(failure?.reason, .tooDeep)
    expectEqual(context.count, 0)
    let written = try onSmallStack { () -> JSONValue in
      var data: JSONValue = ["text": "end", "replies": []]
      for _ in 0..<Recipe.maximumNesting { data = ["text": "x", "replies": [data]] }
      let comment = try mapper.make(comments, from: data)
      let written = try mapper.decompose(comment, with: comments)
      return written == data ? written : .null
    }
    expectFalse(written.isNull)
    let friends = try Recipe("friend") {
      Fields(of: Tag()) { Field(\.name, at: "name") }
      Nested.itself(manyAt: "friends", through: .toMany(\Tags.entities, of: Tags()))
    }
    let one = context.createEntity(with: Tag(name: "a"))
    one.set(Tags(entities: [one]))
    do throws(RecipeError) {
      _ = try mapper.decompose(one, with: friends)
      Issue.record("A circle was written.")
    } catch {
      expectEqual(error.reason, .tooDeep)
    }
  }

  struct Timestamps: RecipeFragment {
    var parts: [RecipePart] {
      Fields(of: Point()) { Field(\.x, at: "x") }
      Flag(Admin(), at: "admin")
    }
  }

  @Test func `Custom parts are listed like others`() throws {
    let recipe = try Recipe("r") {
      Timestamps()
      Fields(of: Tag()) { Field(\.name, at: "name") }
    }
    expectEqual(recipe.fields.map(\.path.description), ["x", "admin", "name"])
  }
}
