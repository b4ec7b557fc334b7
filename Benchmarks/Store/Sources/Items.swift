import ECS
import ECSStore
import Foundation

/// A row's values, whatever keeps them.
struct Item: Component, Equatable {
  var id: Int64 = 0
  var name = ""
  var price = 0.0
  var stock = 0

  /// What row number `number` holds: a text of 13 to 18 bytes.
  init(_ number: Int) {
    id = Int64(number)
    name = "item number \(number)"
    price = Double(number) / 4
    stock = number % 1000
  }

  init() {}
}

/// The same values in three components.
struct Label: Component, Equatable {
  var id: Int64 = 0
  var name = ""
}
struct Price: Component, Equatable { var value = 0.0 }
struct Stock: Component, Equatable { var count = 0 }

/// How many components an entity's row is made of.
enum Parts: CaseIterable {
  case one, three

  var suffix: String { self == .one ? "" : ".parts" }

  func makeSchema() throws -> ECSStore.Schema {
    switch self {
    case .one:
      let table = try ECSStore.Table("item", key: \Item.id) {
        Fields(of: Item()) {
          Field(\.id, at: "id")
          Field(\.name, at: "name")
          Field(\.price, at: "price")
          Field(\.stock, at: "stock")
        }
      }
      return try ECSStore.Schema { table }
    case .three:
      let table = try ECSStore.Table("item", key: \Label.id) {
        Fields(of: Label()) {
          Field(\.id, at: "id")
          Field(\.name, at: "name")
        }
        Fields(of: Price()) { Field(\.value, at: "price") }
        Fields(of: Stock()) { Field(\.count, at: "stock") }
      }
      return try ECSStore.Schema { table }
    }
  }

  func create(_ item: Item, in context: Context) {
    switch self {
    case .one: context.createEntity(with: item)
    case .three:
      context.createEntity(
        with: Label(id: item.id, name: item.name), Price(value: item.price),
        Stock(count: item.stock))
    }
  }

  func setPrice(_ price: Double, of entity: Entity) {
    switch self {
    case .one: entity.update(Item.self) { $0.price = price }
    case .three: entity.set(Price(value: price))
    }
  }

  func group(in context: Context) -> ECS.Group {
    self == .one ? context.group(Item.matcher) : context.group(Label.matcher)
  }

  /// Keeps an index of keys from here on.
  func index(_ context: Context) -> AnyObject {
    switch self {
    case .one: context.primaryIndex { (item: Item) in item.id }
    case .three: context.primaryIndex { (label: Label) in label.id }
    }
  }
}
