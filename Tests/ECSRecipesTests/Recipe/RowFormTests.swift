import ECS
import ECSRecipes
import ECSTestSupport
import Foundation
import Testing

/// What values and components are in columns of tables.
@Suite struct RowFormTests {
  private func written<Value>(_ value: Value, _ transformer: Transformer<Value>) -> RowValue? {
    try? transformer.rows.write(value)
  }

  /// Whether a value comes back from its column.
  private func comesBack<Value: Equatable>(_ value: Value, _ transformer: Transformer<Value>)
    -> Bool
  {
    guard let row = written(value, transformer) else { return false }
    return (try? transformer.rows.read(row)) == value && row.kind == transformer.rows.kind
  }

  private func reason<Value>(reading row: RowValue, _ transformer: Transformer<Value>)
    -> RecipeError.Reason?
  {
    do throws(TransformFailure) {
      _ = try transformer.rows.read(row)
      return nil
    } catch {
      return error.reason
    }
  }

  private enum Level: Int, Sendable {
    case low = 1
    case high
  }
  private enum Color: String, Sendable { case red }
  private struct Place: Codable, Equatable, Sendable { var city = "" }

  @Test func `ready types have forms of their own`() {
    expectEqual(written(Int.min, Int.transformer), .integer(.min))
    expectEqual(written(UInt8.max, UInt8.transformer), .integer(255))
    expectEqual(written(true, Bool.transformer), .integer(1))
    expectEqual(written(1.5, Double.transformer), .real(1.5))
    expectEqual(written(-Double.infinity, Double.transformer), .real(-.infinity))
    expectEqual(written("a\0b", String.transformer), .text("a\0b"))
    expectEqual(written(Data([1, 2]), Data.transformer), .bytes(Data([1, 2])))
    let id = UUID()
    expectTrue(comesBack(id, UUID.transformer))
    expectEqual((try? UUID.transformer.rows.read(.text(id.uuidString))), id)
    expectTrue(comesBack(Decimal(string: "0.1") ?? 0, Decimal.transformer))
    expectTrue(comesBack(URL(string: "https://example.org/a"), URL.transformer.optional))
  }

  @Test func `others follow from their JSON form`() {
    let now = Date(timeIntervalSince1970: 1_700_000_000.5)
    expectEqual(written(now, .iso8601), .text("2023-11-14T22:13:20.500Z"))
    expectEqual(written(now, .secondsSince1970), .real(1_700_000_000.5))
    expectEqual(written(now, .millisecondsSince1970), .integer(1_700_000_000_500))
    for transformer in [Transformer<Date>.iso8601, .secondsSince1970, .millisecondsSince1970] {
      expectTrue(comesBack(now, transformer))
      expectTrue(comesBack(now, transformer.or(.iso8601)))
    }
    expectEqual(written([1, 2], [Int].transformer), .text("[1,2]"))
    expectTrue(comesBack([1, 2], [Int].transformer))
    expectEqual(written(Place(city: "X"), .codable), .text(#"{"city":"X"}"#))
    expectTrue(comesBack(Place(city: "X"), .codable))
    expectEqual(written(42, .fromString), .text("42"))
    expectTrue(comesBack(JSONValue.object(["a": .null]), JSONValue.transformer))
    expectEqual(written(JSONValue.null, JSONValue.transformer), .null)
    expectEqual(written(Level.high, .rawValue), .integer(2))
    expectEqual(written(Color.red, .rawValue), .text("red"))
    expectTrue(comesBack(Color.red, .rawValue))
  }

  @Test func `transformers that are made of others keep their form`() {
    let doubled = Double.transformer.then("doubled") {
      $0 * 2
    } encode: {
      $0 / 2
    }
    expectEqual(written(.infinity, doubled), .real(.infinity))
    let custom = Int.transformer.inRows(as: .text) {
      .text("#\($0)")
    } read: {
      (value) throws(TransformFailure) in
      guard case .text(let text) = value, let number = Int(text.dropFirst()) else {
        throw .invalid("no number")
      }
      return number
    }
    expectEqual(written(7, custom), .text("#7"))
    expectTrue(comesBack(7, custom))
  }

  @Test func `what has no form is an error, in both directions`() {
    expectNil(written(UInt64.max, UInt64.transformer))
    expectNil(written(Double.nan, Double.transformer))
    expectNil(written(Float.nan, Float.transformer))
    expectNil(written(Decimal.nan, Decimal.transformer))
    expectEqual(
      reason(reading: .integer(256), UInt8.transformer), .invalid("256 does not fit in UInt8"))
    expectEqual(
      reason(reading: .text("1"), Int.transformer), .invalid("expected integer, found text"))
    expectEqual(reason(reading: .null, String.transformer), .invalid("expected text, found NULL"))
    expectEqual(reason(reading: .integer(2), Bool.transformer), .invalid("2 is neither 0 nor 1"))
    expectEqual(
      reason(reading: .text("blue"), Transformer<Color>.rawValue),
      .invalid("blue is not a valid Color"))
    expectEqual(
      reason(reading: .bytes(Data([1])), UUID.transformer), .invalid("1 bytes are not a UUID"))
    expectNotNil(reason(reading: .text("["), [Int].transformer))
    expectNotNil(reason(reading: .bytes(Data()), [Int].transformer))
  }

  @Test func `bytes are base64 in data`() throws {
    try expectEqual(Data.transformer.encode(Data([255, 0])), "/wA=")
    try expectEqual(Data.transformer.decode("/wA="), Data([255, 0]))
    #expect(throws: TransformFailure.self) { try Data.transformer.decode("no base64!") }
  }

  private struct Item: Component, Equatable {
    var name = ""
    var count: Int?
  }
  private struct Tag: Component, Equatable {}
  private struct Whole1: Component, Equatable { var value = 0 }

  @Test func `components say how they are put into columns`() throws {
    let recipe = try Recipe("item") {
      Fields(of: Item()) {
        Field(\.name, at: "name")
        Field(\.count, at: "count")
      }
      Flag(Tag(), at: "tag")
      Whole(
        Whole1.self, at: "whole",
        as: Int.transformer.then("whole") {
          Whole1(value: $0)
        } encode: {
          $0.value
        })
    }
    let items = try #require(recipe.components[0].rows as? ComponentRows<Item>)
    expectEqual(items.kinds, [.text, .integer])
    expectEqual(items.areOptional, [false, true])
    try expectEqual(items.write(Item(name: "a")), [.text("a"), .null])
    try expectEqual(items.read([.text("b"), .integer(2)]), Item(name: "b", count: 2))
    let fields = try #require(items.fields)
    expectTrue(fields.count == 2 && fields[0].isPlain && fields[1].isPlain)
    expectTrue(fields[1].areAlike(Item(count: 1), Item(name: "x", count: 1)))
    expectFalse(fields[1].areAlike(Item(count: 1), Item(count: nil)))
    var target = Item(name: "kept")
    fields[1].copy(Item(count: 5), to: &target)
    expectEqual(target, Item(name: "kept", count: 5))
    let tags = try #require(recipe.components[1].rows as? ComponentRows<Tag>)
    try expectEqual(tags.write(Tag()), [.integer(1)])
    let wholes = try #require(recipe.components[2].rows as? ComponentRows<Whole1>)
    try expectEqual(wholes.write(Whole1(value: 3)), [.integer(3)])
    try expectEqual(wholes.read([.integer(4)]), Whole1(value: 4))
    expectNil(wholes.fields)
    let context = Context()
    var found: [Item] = []
    expectTrue(items.append(context.createEntity(with: Item(name: "c")), &found))
    expectFalse(items.append(context.createEntity(), &found))
    expectEqual(found, [Item(name: "c")])
  }
}

extension Transformer {
  /// The transformer of an optional value that is there.
  fileprivate var optional: Transformer<Value?> {
    then("optional") {
      $0
    } encode: { (value) throws(TransformFailure) in
      guard let value else { throw .invalid("nil") }
      return value
    }
  }
}
