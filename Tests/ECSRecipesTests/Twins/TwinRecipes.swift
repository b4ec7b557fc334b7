import ECS
import ECSRecipes
import Foundation

/// Recipes that are about the same components, with and without relations.
enum TwinRecipes {
  struct Item: Component, Equatable {
    var id = 0
    var name = "0"
    var note: String?
    var price = 0.5
    var isActive = false
    var data: JSONValue = .bool(false)
  }

  struct Size: Component, Equatable {
    var width = 0
    var height: Double?
  }

  struct Ticket: Component { let code: Int }
  struct Rush: Component {}

  struct Style: Component, Codable, Equatable {
    var size = 1
    var color: String?
  }

  struct Owner: Component { var entity: Entity? }

  struct Members: Component {
    var count = 0
    var entities: [Entity] = []
  }

  struct Crew: Component { var entities: [Entity] = [] }

  enum MadeBy: ToOneRelation {}
  enum Follows: Relation {}
  enum Before: ToOneRelation {}
  enum Tagged: Relation {}
  enum PartOf: ToOneRelation { static let deleteRule = DeleteRule.cascade }
  enum Inside: Hierarchy { static let deleteRule = DeleteRule.cascade }
  enum Beside: OneToOneRelation {}

  static let components: [CID] = [
    Item.cid, Size.cid, Ticket.cid, Rush.cid, Style.cid, Owner.cid, Members.cid, Crew.cid,
  ]

  /// Those without relations.
  static func plain() throws -> [Recipe] {
    [
      try Recipe("item") {
        Identity(\Item.id)
        items
        sizes
      },
      // Others that give the same field, as an identity or not.
      try Recipe("name") {
        Identity(\Item.name)
        Fields(of: Item()) {
          Field(\.name, at: "name")
          Field(\.isActive, at: "is_active")
        }
      },
      try Recipe("loose") {
        sizes
        Fields(of: Item()) {
          Field(\.id, at: "id")
          Field(\.note, at: "note").required()
        }
      },
      try Recipe("size") { sizes },
      try Recipe("strict", unknownKeys: .refuse) {
        Identity(\Item.id)
        items
      },
      try ticket(),
      try Recipe("deep") {
        Fields(of: Size(), presentAt: "size") {
          Field(\.width, at: "w").required()
          Field(\.height, at: "h")
        }
        Identity(\Item.id, at: "data.id", of: Item())
        Flag(Rush(), at: "rush")
        AutomaticFields(of: Style(), at: "style")
      },
      try tag(),
    ]
  }

  /// Those with relations.
  static func related() throws -> [Recipe] {
    let (plain, tag, ticket) = (try plain(), try tag(), try ticket())
    let part = try Recipe("part") { sizes }
    let article = try Recipe("article") {
      Identity(\Item.id)
      items
      Nested(one: ticket, at: "ticket", through: .targets(of: MadeBy.self))
      Nested(many: plain[0], at: "item_ids", as: .key, through: .targets(of: Tagged.self))
      Nested(many: part, at: "parts", through: .sources(of: PartOf.self)).owned()
    }
    let team = try team(of: plain[0], part)
    return [
      article, team,
      try Recipe("line") {
        Nested(
          many: team, at: "l.teams", through: .targets(of: Tagged.self))
        Fields(of: Members()) { Field(\.count, at: "l.count").required() }
      },
      try Recipe("holder") {
        Identity(\Ticket.code, at: "code", make: Ticket.init(code:))
        Fields(of: Members()) { Field(\.count, at: "count") }
        Nested(one: plain[0], at: "owner", through: .toOne(\Owner.entity, of: Owner()))
        Nested(many: tag, at: "members", through: .toMany(\Members.entities, of: Members()))
      },
      try Recipe("tree") {
        Identity(\Item.id)
        items
        Nested.itself(manyAt: "children", through: .sources(of: Inside.self))
        Nested.itself(oneAt: "twin_id", as: .key, through: .targets(of: Beside.self))
      },
      try Recipe("comment") {
        sizes
        Nested.itself(manyAt: "replies", through: .sources(of: Inside.self)).owned()
        Nested(one: ticket, at: "by.ticket", through: .targets(of: MadeBy.self))
      },
      try Recipe("box") {
        Nested(one: article, at: "article", through: .targets(of: MadeBy.self))
        Nested(many: article, at: "articles", through: .targets(of: Tagged.self))
        Nested(
          one: plain[1], at: "name", as: .key, through: .targets(of: Beside.self))
      },
    ]
  }

  /// A recipe that nests itself, with values that are not at keys.
  private static func team(of items: Recipe, _ parts: Recipe) throws -> Recipe {
    let styles = Int.transformer.then("style") {
      Style(size: $0)
    } encode: {
      $0.size
    }
    return try Recipe("team") {
      Identity(\Ticket.code, at: "t.code", make: Ticket.init(code:))
      Fields(of: Size()) {
        Field(\.width, at: "size[1]").required()
        Field(\.height, at: "t.height")
      }
      Flag(Rush(), at: "t.rush")
      Whole(Style.self, at: "t.style", as: styles)
      Nested(one: items, at: "owner", through: .toOne(\Owner.entity, of: Owner()))
      Nested(many: items, at: "t.crew", through: .toMany(\Crew.entities, of: Crew()))
      Nested(one: parts, at: "lid", through: .targets(of: MadeBy.self))
      Nested.itself(manyAt: "next", through: .targets(of: Follows.self))
      Nested.itself(oneAt: "previous", as: .key, through: .targets(of: Before.self))
    }
  }

  private static func ticket() throws -> Recipe {
    try Recipe("ticket") {
      Identity(\Ticket.code, at: "code", make: Ticket.init(code:))
      sizes
    }
  }

  /// A string and nothing else.
  private static func tag() throws -> Recipe {
    try Recipe("tag") {
      Identity(\Item.name)
      Fields(of: Item()) { Field(\.name, at: .root) }
    }
  }

  private static var items: Fields<Item> {
    Fields(of: Item()) {
      Field(\.id, at: "id")
      Field(\.name, at: "name").required()
      Field(\.note, at: "note")
      Field(\.price, at: "price")
      Field(\.isActive, at: "is_active")
      Field(\.data, at: "data")
    }
  }

  private static var sizes: Fields<Size> {
    Fields(of: Size()) {
      Field(\.width, at: "width")
      Field(\.height, at: "height")
    }
  }
}
