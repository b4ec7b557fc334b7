import ECS
import ECSRecipes
import Foundation

/// Makes a block of values that come one by one, as data.
protocol ColumnBuilder: AnyObject {
  /// False if the data is no value of the type.
  func append(_ data: JSONValue, _ type: FieldType, _ line: Int) -> Bool

  /// The block; the positions of entities are known by now.
  func finish(_ positions: [String: Int]) throws(UnknownName) -> ByteBlock
}

/// The name of an entity that is not there.
struct UnknownName: Error {
  var name: String
  var line: Int
}

/// Makes the column of a field.
func makeColumnBuilder(_ type: FieldType) -> any ColumnBuilder {
  if type.scalar == .entity { return EntitiesBuilder() }
  // PERFORMANCE: N4.load: what is used most is compiled for its type.
  switch (type.scalar, type.isList, type.isOptional) {
  case (.string, false, false): return ValuesBuilder<String>()
  case (.string, false, true): return ValuesBuilder<String?>()
  case (.int8, false, false), (.int16, false, false), (.int32, false, false),
    (.int64, false, false), (.uint8, false, false), (.uint16, false, false),
    (.uint32, false, false), (.uint64, false, false), (.float, false, false),
    (.double, false, false), (.bool, false, false):
    return BytesBuilder()
  default:
    func builder<Value: FieldValue>(_ type: Value.Type) -> any ColumnBuilder {
      ValuesBuilder<Value>()
    }
    return builder(type.valueType)
  }
}

/// Values whose bytes stand one behind the other, of one field or of several that take turns.
final class BytesBuilder: ColumnBuilder {
  private let block = ByteBlock()

  func append(_ data: JSONValue, _ type: FieldType, _ line: Int) -> Bool {
    switch type.scalar {
    case .int8: append(Int8.make(data))
    case .int16: append(Int16.make(data))
    case .int32: append(Int32.make(data))
    case .int64: append(Int64.make(data))
    case .uint8: append(UInt8.make(data))
    case .uint16: append(UInt16.make(data))
    case .uint32: append(UInt32.make(data))
    case .uint64: append(UInt64.make(data))
    case .float: append(Float.make(data)?.bits)
    case .double: append(Double.make(data)?.bits)
    case .bool: append(Bool.make(data)?.bits)
    case .date: append(Date.make(data)?.bits)
    case .uuid: append(UUID.make(data)?.bits)
    case .entity, .string, .data, .json: false
    }
  }

  @inline(__always)
  private func append<Bits: FixedWidthInteger & BitwiseCopyable>(_ bits: Bits?) -> Bool {
    guard let bits else { return false }
    block.append(bits)
    return true
  }

  func finish(_ positions: [String: Int]) -> ByteBlock { block }
}

/// Values of any type, which are written when all are there.
private final class ValuesBuilder<Value: FieldValue>: ColumnBuilder {
  private var values: [Value] = []

  func append(_ data: JSONValue, _ type: FieldType, _ line: Int) -> Bool {
    guard let value = Value.make(data) else { return false }
    values.append(value)
    return true
  }

  func finish(_ positions: [String: Int]) -> ByteBlock {
    let block = ByteBlock()
    Value.write(values.count, to: block, EntityPositions()) { values[$0] }
    return block
  }
}

/// Entities, which are names until all lines are read.
private final class EntitiesBuilder: ColumnBuilder {
  private var type = FieldType(.entity)

  /// The names of each row; nil if there is no list and no entity.
  private var rows: [(names: [JSONValue]?, line: Int)] = []

  func append(_ data: JSONValue, _ type: FieldType, _ line: Int) -> Bool {
    self.type = type
    if data.isNull, type.isOptional || !type.isList {
      rows.append((nil, line))
    } else if type.isList {
      guard let elements = data.array else { return false }
      rows.append((elements.filter { !$0.isNull }, line))
    } else {
      rows.append(([data], line))
    }
    return true
  }

  // As columns of entities are written, whether optional or in lists.
  func finish(_ positions: [String: Int]) throws(UnknownName) -> ByteBlock {
    let block = ByteBlock()
    if type.isOptional { for row in rows { block.append(UInt8(row.names == nil ? 0 : 1)) } }
    if type.isList {
      for row in rows { if let names = row.names { block.append(UInt32(names.count)) } }
    }
    for row in rows {
      guard let names = row.names else {
        if !type.isOptional { block.append(Entity.nobody) }
        continue
      }
      for name in names {
        // People may write numbers as well, and migrations refer to entities by them.
        let position = name.string.map { positions[$0] } ?? name.number?.int
        guard let position, position >= 0, position < positions.count else {
          throw UnknownName(name: "\(name)", line: row.line)
        }
        block.append(UInt32(position))
      }
    }
    return block
  }
}
