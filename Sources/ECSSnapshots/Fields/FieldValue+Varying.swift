public import ECS
public import ECSRecipes
import Foundation

/// A value that takes as many bytes as it has.
protocol VaryingFieldValue: FieldValue {
  func append(to block: ByteBlock)

  /// Makes a value of all that is left for it.
  @_lifetime(reader: copy reader)
  static func make(_ length: Int, from reader: inout ByteReader) throws(SnapshotError) -> Self
}

extension VaryingFieldValue {
  static var width: Int { 4 }

  static func write(
    _ count: Int, to block: ByteBlock, _ positions: borrowing EntityPositions,
    _ value: (Int) -> Self
  ) {
    let lengths = block.count
    for _ in 0..<count { block.append(UInt32(0)) }
    for index in 0..<count {
      let before = block.count
      value(index).append(to: block)
      block.replace(UInt32(block.count - before), at: lengths + index * 4)
    }
  }

  @_lifetime(reader: copy reader)
  static func read(
    _ count: Int, from reader: inout ByteReader, _ arrivals: Arrivals,
    _ body: (Int, Self) throws(SnapshotError) -> Void
  ) throws(SnapshotError) {
    try reader.check(count, of: 4)
    let lengths = reader.position
    try reader.skip(count * 4)
    for index in 0..<count {
      let length = Int(reader.peek(UInt32.self, at: lengths + index * 4))
      try reader.check(length)
      try body(index, try make(length, from: &reader))
    }
  }
}

extension String: VaryingFieldValue {
  static var type: FieldType { .init(.string) }
  func append(to block: ByteBlock) { block.append(self) }
  func data(_ positions: borrowing EntityPositions) -> JSONValue { .string(self) }
  static func make(_ data: JSONValue) -> String? { data.string }

  @_lifetime(reader: copy reader)
  static func make(_ length: Int, from reader: inout ByteReader) throws(SnapshotError) -> String {
    try reader.readText(length)
  }

  // PERFORMANCE: N5.load: whether all texts are ASCII is found out at once.
  static func read(
    _ column: FieldColumn, into fields: FieldAddresses, _ arrivals: Arrivals
  ) throws(SnapshotError) {
    try column.data.withBytes(column.block) { (bytes) throws(SnapshotError) in
      var reader = ByteReader(bytes, start: column.offset, name: column.name)
      try reader.check(column.rows, of: 4)
      try reader.skip(column.rows * 4)
      let isASCII = bytes.isASCII(from: reader.position)
      for row in 0..<column.rows {
        let length = Int(reader.peek(UInt32.self, at: row * 4))
        fields.set(try reader.readText(length, isASCII: isASCII), at: row)
      }
      try reader.finish()
    }
  }
}

extension Data: VaryingFieldValue {
  static var type: FieldType { .init(.data) }
  func append(to block: ByteBlock) { block.append(bytes) }
  func data(_ positions: borrowing EntityPositions) -> JSONValue { .string(base64EncodedString()) }
  static func make(_ data: JSONValue) -> Data? { data.string.flatMap { Data(base64Encoded: $0) } }

  @_lifetime(reader: copy reader)
  static func make(_ length: Int, from reader: inout ByteReader) throws(SnapshotError) -> Data {
    var data = Data(capacity: length)
    for _ in 0..<length { data.append(reader.take(UInt8.self)) }
    return data
  }
}

extension JSONValue: VaryingFieldValue {
  static var type: FieldType { .init(.json) }
  func append(to block: ByteBlock) { block.append(json()) }
  func data(_ positions: borrowing EntityPositions) -> JSONValue { self }
  static func make(_ data: JSONValue) -> JSONValue? { data }

  @_lifetime(reader: copy reader)
  static func make(
    _ length: Int, from reader: inout ByteReader
  ) throws(SnapshotError) -> JSONValue {
    let location = reader.error(.malformed(""))
    let text = try reader.readText(length)
    do throws(JSONSyntaxError) {
      return try JSONValue(json: text)
    } catch {
      throw SnapshotError(.malformed("\(error)"), name: location.name, offset: location.offset)
    }
  }
}

extension Entity: FieldValue {
  static var type: FieldType { .init(.entity) }
  static var width: Int { 4 }
  static var isReference: Bool { true }

  /// What stands for an entity that is not in the snapshot.
  static var nobody: UInt32 { .max }

  static func write(
    _ count: Int, to block: ByteBlock, _ positions: borrowing EntityPositions,
    _ value: (Int) -> Entity
  ) {
    for index in 0..<count { block.append(positions[value(index)] ?? nobody) }
  }

  @_lifetime(reader: copy reader)
  static func read(
    _ count: Int, from reader: inout ByteReader, _ arrivals: Arrivals,
    _ body: (Int, Entity) throws(SnapshotError) -> Void
  ) throws(SnapshotError) {
    try reader.check(count, of: 4)
    for index in 0..<count {
      let position = reader.take(UInt32.self)
      if position == nobody { continue }
      guard position < arrivals.count else {
        throw reader.malformed("There is no entity \(position) of \(arrivals.count)")
      }
      if let entity = arrivals.entity(Int(position)) { try body(index, entity) }
    }
  }

  func isThere(_ positions: borrowing EntityPositions) -> Bool { positions[self] != nil }

  func data(_ positions: borrowing EntityPositions) -> JSONValue {
    positions[self].map { .number(JSONNumber($0)) } ?? .null
  }

  /// Data alone does not say which entity: see ``TypedFieldCodec``.
  static func make(_ data: JSONValue) -> Entity? { nil }
}

extension Optional: FieldValue where Wrapped: FieldValue {
  static var type: FieldType {
    var type = Wrapped.type
    type.isOptional = true
    return type
  }

  static var width: Int { 1 }
  static var isReference: Bool { Wrapped.isReference }
  static var hasType: Bool { Wrapped.hasType && !Wrapped.type.isOptional }

  // Only values that are there have a row in the column.
  static func write(
    _ count: Int, to block: ByteBlock, _ positions: borrowing EntityPositions,
    _ value: (Int) -> Wrapped?
  ) {
    var present: [Wrapped] = []
    for index in 0..<count {
      if let value = value(index), value.isThere(positions) {
        present.append(value)
        block.append(UInt8(1))
      } else {
        block.append(UInt8(0))
      }
    }
    Wrapped.write(present.count, to: block, positions) { present[$0] }
  }

  @_lifetime(reader: copy reader)
  static func read(
    _ count: Int, from reader: inout ByteReader, _ arrivals: Arrivals,
    _ body: (Int, Wrapped?) throws(SnapshotError) -> Void
  ) throws(SnapshotError) {
    try reader.check(count)
    var present: [Int] = []
    for index in 0..<count {
      switch reader.take(UInt8.self) {
      case 0: try body(index, nil)
      case 1: present.append(index)
      default: throw reader.malformed("A value is neither there nor absent")
      }
    }
    try Wrapped.read(present.count, from: &reader, arrivals) {
      (number, value) throws(SnapshotError) in
      try body(present[number], value)
    }
  }

  func data(_ positions: borrowing EntityPositions) -> JSONValue {
    if let self { self.data(positions) } else { .null }
  }

  static func make(_ data: JSONValue) -> Wrapped?? {
    if data.isNull { return .some(nil) }
    return Wrapped.make(data).map(Optional.some)
  }
}

extension Array: FieldValue where Element: FieldValue {
  static var type: FieldType {
    var type = Element.type
    type.isList = true
    return type
  }

  static var width: Int { 4 }
  static var isReference: Bool { Element.isReference }

  static var hasType: Bool {
    Element.hasType && !Element.type.isList && !Element.type.isOptional
  }

  // First all counts, and then all elements.
  static func write(
    _ count: Int, to block: ByteBlock, _ positions: borrowing EntityPositions,
    _ value: (Int) -> [Element]
  ) {
    var all: [Element] = []
    for index in 0..<count {
      var size = 0
      for element in value(index) where element.isThere(positions) {
        all.append(element)
        size += 1
      }
      block.append(UInt32(size))
    }
    Element.write(all.count, to: block, positions) { all[$0] }
  }

  @_lifetime(reader: copy reader)
  static func read(
    _ count: Int, from reader: inout ByteReader, _ arrivals: Arrivals,
    _ body: (Int, [Element]) throws(SnapshotError) -> Void
  ) throws(SnapshotError) {
    try reader.check(count, of: 4)
    var ends: [Int] = []
    var total = 0
    for _ in 0..<count {
      total += Int(reader.take(UInt32.self))
      ends.append(total)
    }
    try reader.check(total, of: Element.width)
    var (row, list): (Int, [Element]) = (0, [])
    func end(before number: Int) throws(SnapshotError) {
      while row < count, ends[row] <= number {
        try body(row, list)
        (row, list) = (row + 1, [])
      }
    }
    try Element.read(total, from: &reader, arrivals) { (number, element) throws(SnapshotError) in
      try end(before: number)
      list.append(element)
    }
    try end(before: total)
  }

  func data(_ positions: borrowing EntityPositions) -> JSONValue {
    var elements: [JSONValue] = []
    for element in self where element.isThere(positions) {
      elements.append(element.data(positions))
    }
    return .array(elements)
  }

  static func make(_ data: JSONValue) -> [Element]? {
    guard let elements = data.array else { return nil }
    let made = elements.compactMap(Element.make)
    return made.count == elements.count ? made : nil
  }
}

extension Entity: RecipeValue {
  /// Takes nothing: only a snapshot can tell what an entity is in data.
  public static var transformer: Transformer<Entity> {
    Transformer("Entity") { (_) throws(TransformFailure) in
      throw .invalid("an entity can only be read from a snapshot")
    } encode: { (_) throws(TransformFailure) in
      throw .invalid("an entity can only be written to a snapshot")
    }
  }
}
