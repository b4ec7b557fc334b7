import ECS
import ECSRecipes

/// What entities are called in JSON: by their keys, or by `#` and their positions.
final class EntityNames: Sendable {
  private let names: [Entity: String]

  init(_ names: [Entity: String]) { self.names = names }

  subscript(entity: Entity) -> String? { names[entity] }

  /// The name of an entity that has a key; none begins as those of positions do.
  static func name(ofKey key: AnyHashable) -> String {
    let text = "\(key.base)"
    return text.hasPrefix("#") ? "#" + text : text
  }

  static func name(ofPosition position: Int) -> String { "#\(position)" }
}

extension ByteBlock {
  /// Appends text in quotes.
  func appendQuoted(_ text: String) {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5c }) {
      append(UInt8(ascii: "\""))
      append(text)
      append(UInt8(ascii: "\""))
    } else {
      append(JSONValue.string(text).json())
    }
  }
}

extension FieldValue {
  func appendText(to block: ByteBlock, _ names: EntityNames) {
    block.append(data(EntityPlaces()).json())
  }
}

extension ByteBlock {
  /// Appends a number: as an integer if it is one, otherwise as the shortest decimal number that gives it
  /// back, and as text if JSON has none.
  func appendFloating(_ value: some BinaryFloatingPoint & CustomStringConvertible) {
    if value.isFinite, value.magnitude < 0x1p24, value.rounded(.towardZero) == value,
      !(value.isZero && value.sign == .minus)
    {
      append(Int32(value).description)
    } else if value.isFinite, !value.isZero {
      append(value.description)
    } else {
      appendQuoted(value.isZero ? "-0.0" : value.description)
    }
  }
}
