import ECS
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Foundation
import Testing

@Suite struct SchemaTests {
  private func reason(_ make: () throws -> Schema) -> SchemaError.Reason? {
    do {
      _ = try make()
      return nil
    } catch {
      return (error as? SchemaError)?.reason
    }
  }

  @Test func `a stored property that is not listed is an error, unless it is left out on purpose`()
  {
    expectEqual(
      reason {
        try Schema("s") { Stored(of: Point(), as: "point") { Field(\.x, at: "x") } }
      }, .unaccountedBytes(4..<8))
    expectEqual(
      reason {
        try Schema("s") { Stored(of: Point(), as: "point") { Field(\.y, at: "y") } }
      }, .unaccountedBytes(0..<4))
    expectEqual(
      reason {
        try Schema("s") {
          Stored(of: Book(), as: "book") {
            Field(\.isbn, at: "isbn")
            Field(\.pages, at: "pages")
          }
        }
      }, .unaccountedBytes(16..<32))
    expectEqual(
      reason { try Schema("s") { Stored(of: Point(), as: "point") } }, .unaccountedBytes(0..<8))
    expectNil(
      reason {
        try Schema("s") {
          Stored(of: Point(), as: "point") { Field(\.x, at: "x") }.leaving(\.y)
        }
      })
  }

  @Test func `bytes that only align a field belong to nobody`() {
    struct Padded: Component {
      var small: Int8 = 0
      var large: Int64 = 0
      var flag = false
    }
    expectNil(
      reason {
        try Schema("s") {
          Stored(of: Padded(), as: "padded") {
            Field(\.small, at: "small")
            Field(\.large, at: "large")
            Field(\.flag, at: "flag")
          }
        }
      })
    expectEqual(
      reason {
        try Schema("s") {
          Stored(of: Padded(), as: "padded") {
            Field(\.small, at: "small")
            Field(\.flag, at: "flag")
          }
        }
      }, .unaccountedBytes(1..<16))
  }

  @Test func `names and types are there once`() {
    expectEqual(
      reason {
        try Schema("s") {
          Stored(of: Chosen(), as: "a")
          Stored(Rules.self, as: "a")
        }
      }, .nameTwice)
    expectEqual(
      reason {
        try Schema("s") {
          Stored(of: Chosen(), as: "a", formerly: "b")
          Stored(Rules.self, as: "b")
        }
      }, .nameTwice)
    expectEqual(
      reason {
        try Schema("s") {
          Stored(of: Chosen(), as: "a")
          Stored(of: Chosen(), as: "b")
        }
      }, .typeTwice("Chosen"))
    expectEqual(
      reason {
        try Schema("s") {
          Stored(of: Chosen(), as: "a")
          Excluded(Chosen.self)
        }
      }, .typeTwice("Chosen"))
    expectEqual(
      reason {
        try Schema("s") {
          Links(Near.self, as: "a")
          Links(Near.self, as: "b")
        }
      }, .typeTwice("b"))
    expectEqual(
      reason {
        try Schema("s") {
          Stored(of: Point(), as: "p") {
            Field(\.x, at: "x")
            Field(\.y, at: "x")
          }
        }
      }, .fieldTwice("x"))
    expectEqual(reason { try Schema("s") { Stored(of: Chosen(), as: "") } }, .emptyName)
    expectEqual(
      reason {
        try Schema("s") {
          Links(Near.self, as: "a")
          Stored(of: Chosen(), as: "a")
        }
      }, .nameTwice)
    expectEqual(
      reason {
        try Schema("s") {
          Stored(of: Chosen(), as: "b", formerly: "a")
          Links(Near.self, as: "c", formerly: "a")
        }
      }, .nameTwice)
  }

  @Test func `nothing has the name that stands for entities in text`() {
    expectEqual(reason { try Schema("s") { Stored(of: Chosen(), as: "@") } }, .reservedName)
    expectEqual(
      reason { try Schema("s") { Links(Near.self, as: "a", formerly: "@") } }, .reservedName)
  }

  @Test func `only fields that can be written are stored, and fields have names`() {
    struct Text: Component { var text = URL(fileURLWithPath: "/") }
    expectEqual(
      reason {
        try Schema("s") {
          Stored(of: Text(), as: "t") {
            Field(
              \.text, at: "t", as: Transformer("half", decode: { _ in URL(fileURLWithPath: "/") }))
          }
        }
      }, .oneWay("Text.text"))
    expectEqual(
      reason {
        try Schema("s") {
          Stored(of: Text(), as: "t") { Field.transforming(\Text.text, by: URL.transformer) }
        }
      }, .fieldWithoutName("Text.text"))
  }

  @Test func `versions begin at 1, migrations at one before the last`() {
    expectEqual(
      reason { try Schema("s") { Stored(of: Chosen(), as: "a", version: 0) } }, .badVersion(0))
    expectEqual(
      reason {
        try Schema("s") { Stored(of: Chosen(), as: "a", version: 2).migrating(from: 2) { _ in } }
      }, .badVersion(2))
  }

  @Test func `one component identifies entities`() {
    expectEqual(
      reason {
        try Schema("s") {
          Stored(of: Point(), as: "a") {
            Field(\.x, at: "x")
            Field(\.y, at: "y")
          }
          .identified(by: \.x)
          Stored(Rules.self, as: "b").identified(by: \.mode)
        }
      }, .identityTwice("a"))
  }

  @Test func `classes and computed properties need Codable`() {
    final class Box: Component { let number = 1 }
    expectEqual(
      reason { try Schema("s") { Stored(of: Box(), as: "box") } }, .noStoredProperties)
  }

  @Test func `errors say what and where`() {
    let error = SchemaError(.unaccountedBytes(4..<8), schema: "shop", name: "point")
    expectEqual(
      "\(error)",
      "schema 'shop', 'point': bytes 4 to 7 belong to no listed field: list it, or leave it out with leaving(_:)"
    )
  }
}
