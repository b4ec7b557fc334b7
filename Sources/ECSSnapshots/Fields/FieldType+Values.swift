import ECS
import ECSRecipes
import Foundation

extension FieldType {
  /// The type that reads such values.
  var valueType: any FieldValue.Type {
    var type: any FieldValue.Type =
      switch scalar {
      case .int8: Int8.self
      case .int16: Int16.self
      case .int32: Int32.self
      case .int64: Int64.self
      case .uint8: UInt8.self
      case .uint16: UInt16.self
      case .uint32: UInt32.self
      case .uint64: UInt64.self
      case .float: Float.self
      case .double: Double.self
      case .bool: Bool.self
      case .uuid: UUID.self
      case .date: Date.self
      case .entity: Entity.self
      case .string: String.self
      case .data: Data.self
      case .json: JSONValue.self
      }
    func list<Value: FieldValue>(_ type: Value.Type) -> any FieldValue.Type { [Value].self }
    func optional<Value: FieldValue>(_ type: Value.Type) -> any FieldValue.Type { Value?.self }
    if isList { type = list(type) }
    if isOptional { type = optional(type) }
    return type
  }

  /// The bytes of a value, if all take the same and stand for themselves wherever they are.
  var width: Int? {
    guard !isList, !isOptional, scalar != .entity else { return nil }
    return valueType.width
  }
}
