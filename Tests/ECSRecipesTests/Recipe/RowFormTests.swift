import ECS
import ECSRecipes
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
    #expect(written(Int.min, Int.transformer) == .integer(.min))
    #expect(written(UInt8.max, UInt8.transformer) == .integer(255))
    #expect(written(true, Bool.transformer) == .integer(1))
    #expect(written(1.5, Double.transformer) == .real(1.5))
    #expect(written(-Double.infinity, Double.transformer) == .real(-.infinity))
    #expect(written("a\0b", String.transformer) == .text("a\0b"))
    #expect(written(Data([1, 2]), Data.transformer) == .bytes(Data([1, 2])))
    let id = UUID()
    #expect(comesBack(id, UUID.transformer))
    #expect((try? UUID.transformer.rows.read(.text(id.uuidString))) == id)
    #expect(comesBack(Decimal(string: "0.1") ?? 0, Decimal.transformer))
    #expect(comesBack(URL(string: "https://example.org/a"), URL.transformer.optional))
  }

  @Test func `others follow from their JSON form`() {
    let now = Date(timeIntervalSince1970: 1_700_000_000.5)
    #expect(written(now, .iso8601) == .text("2023-11-14T22:13:20.500Z"))
    #expect(written(now, .secondsSince1970) == .real(1_700_000_000.5))
    #expect(written(now, .millisecondsSince1970) == .integer(1_700_000_000_500))
    for transformer in [Transformer<Date>.iso8601, .secondsSince1970, .millisecondsSince1970] {
      #expect(comesBack(now, transformer))
      #expect(comesBack(now, transformer.or(.iso8601)))
    }
    #expect(written([1, 2], [Int].transformer) == .text("[1,2]"))
    #expect(comesBack([1, 2], [Int].transformer))
    #expect(written(Place(city: "X"), .codable) == .text(#"{"city":"X"}"#))
    #expect(comesBack(Place(city: "X"), .codable))
    #expect(written(42, .fromString) == .text("42"))
    #expect(comesBack(JSONValue.object(["a": .null]), JSONValue.transformer))
    #expect(written(JSONValue.null, JSONValue.transformer) == .null)
    #expect(written(Level.high, .rawValue) == .integer(2))
    #expect(written(Color.red, .rawValue) == .text("red"))
    #expect(comesBack(Color.red, .rawValue))
  }

  @Test func `transformers that are made of others keep their form`() {
    let doubled = Double.transformer.then("doubled") {
      $0 * 2
    } encode: {
      $0 / 2
    }
    #expect(written(.infinity, doubled) == .real(.infinity))
    let custom = Int.transformer.inRows(as: .text) {
      .text("#\($0)")
    } read: {
      (value) throws(TransformFailure) in
      guard case .text(let text) = value, let number = Int(text.dropFirst()) else {
        throw .invalid("no number")
      }
      return number
    }
    #expect(written(7, custom) == .text("#7"))
    #expect(comesBack(7, custom))
  }

  @Test func `what has no form is an error, in both directions`() {
    #expect(written(UInt64.max, UInt64.transformer) == nil)
    #expect(written(Double.nan, Double.transformer) == nil)
    #expect(written(Float.nan, Float.transformer) == nil)
    #expect(written(Decimal.nan, Decimal.transformer) == nil)
    #expect(
      reason(reading: .integer(256), UInt8.transformer) == .invalid("256 does not fit in UInt8"))
    #expect(
      reason(reading: .text("1"), Int.transformer) == .invalid("expected integer, found text"))
    #expect(reason(reading: .null, String.transformer) == .invalid("expected text, found NULL"))
    #expect(reason(reading: .integer(2), Bool.transformer) == .invalid("2 is neither 0 nor 1"))
    #expect(
      reason(reading: .text("blue"), Transformer<Color>.rawValue)
        == .invalid("blue is not a valid Color"))
    #expect(
      reason(reading: .bytes(Data([1])), UUID.transformer) == .invalid("1 bytes are not a UUID"))
    #expect(reason(reading: .text("["), [Int].transformer) != nil)
    #expect(reason(reading: .bytes(Data()), [Int].transformer) != nil)
  }

  @Test func `bytes are base64 in data`() throws {
    #expect(try Data.transformer.encode(Data([255, 0])) == "/wA=")
    #expect(try Data.transformer.decode("/wA=") == Data([255, 0]))
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
    #expect(items.kinds == [.text, .integer])
    #expect(items.areOptional == [false, true])
    #expect(try items.write(Item(name: "a")) == [.text("a"), .null])
    #expect(try items.read([.text("b"), .integer(2)]) == Item(name: "b", count: 2))
    let fields = try #require(items.fields)
    #expect(fields.count == 2 && fields[0].isPlain && fields[1].isPlain)
    #expect(fields[1].areAlike(Item(count: 1), Item(name: "x", count: 1)))
    #expect(!fields[1].areAlike(Item(count: 1), Item(count: nil)))
    var target = Item(name: "kept")
    fields[1].copy(Item(count: 5), to: &target)
    #expect(target == Item(name: "kept", count: 5))
    let tags = try #require(recipe.components[1].rows as? ComponentRows<Tag>)
    #expect(try tags.write(Tag()) == [.integer(1)])
    let wholes = try #require(recipe.components[2].rows as? ComponentRows<Whole1>)
    #expect(try wholes.write(Whole1(value: 3)) == [.integer(3)])
    #expect(try wholes.read([.integer(4)]) == Whole1(value: 4))
    #expect(wholes.fields == nil)
    let context = Context()
    var found: [Item] = []
    #expect(items.append(context.createEntity(with: Item(name: "c")), &found))
    #expect(!items.append(context.createEntity(), &found))
    #expect(found == [Item(name: "c")])
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
