import ECSRecipes
import Foundation

/// The values of a field in a row group of a file.
struct FieldColumn {
  let data: SnapshotData

  /// Where the column's block is.
  let block: Range<Int>

  let rows: Int
  var type: FieldType

  /// The component and the field, for messages.
  let name: String

  /// If values lie in rows with those of other fields: the bytes of a row, and where the value is.
  let stride: (row: Int, offset: Int)?

  var offset: Int { block.lowerBound }

  /// Calls a body with each value that is there.
  func read<Value: FieldValue>(
    _ type: Value.Type, _ arrivals: Arrivals, _ body: (Int, Value) throws(SnapshotError) -> Void
  ) throws(SnapshotError) {
    try data.withBytes(block) { (bytes) throws(SnapshotError) in
      var reader = ByteReader(bytes, start: block.lowerBound, name: name)
      guard let stride else {
        try Value.read(rows, from: &reader, arrivals, body)
        return try reader.finish()
      }
      try reader.check(rows, of: stride.row)
      for row in 0..<rows {
        let start = row * stride.row + stride.offset
        var value = ByteReader(
          bytes.extracting(start..<start + Value.width), start: block.lowerBound + start, name: name
        )
        try Value.read(1, from: &value, arrivals) { (_, value) throws(SnapshotError) in
          try body(row, value)
        }
      }
    }
  }

  /// All values as data; entities are numbers.
  func readData(_ arrivals: Arrivals) throws(SnapshotError) -> [JSONValue] {
    guard type.scalar == .entity else { return try type.valueType.readData(self, arrivals) }
    // As entities only to see that there are such.
    try type.valueType.check(self, arrivals.count)
    var numbers = self
    numbers.type.scalar = .uint32
    func clear(_ value: JSONValue) -> JSONValue {
      guard case .array(let elements) = value else {
        return value.number?.uint32 == .max ? .null : value
      }
      return .array(elements.map(clear).filter { !$0.isNull })
    }
    return try numbers.type.valueType.readData(numbers, arrivals).map(clear)
  }
}

extension FieldValue {
  fileprivate static func readData(
    _ column: FieldColumn, _ arrivals: Arrivals
  ) throws(SnapshotError) -> [JSONValue] {
    var values = [JSONValue](repeating: .null, count: column.rows)
    let nowhere = EntityPositions()
    try column.read(Self.self, arrivals) { (row, value) in values[row] = value.data(nowhere) }
    return values
  }

  fileprivate static func check(_ column: FieldColumn, _ count: Int) throws(SnapshotError) {
    try column.read(Self.self, Arrivals(count: count)) { (_, _) in }
  }
}

extension JSONNumber {
  fileprivate var uint32: UInt32? { integer() }
}
