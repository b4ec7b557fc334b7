import ECS
import ECSRecipes

/// A codec that writes a field of a component to columns and reads it from them.
protocol FieldCodec<Root>: Sendable {
  associatedtype Root: Sendable

  /// The name of the field in snapshots.
  var name: String { get }
  var type: FieldType { get }

  /// Where the field is in the memory of a value; nil if it is not stored there.
  var bytes: Range<Int>? { get }
  var alignment: Int { get }
  var isReference: Bool { get }

  func write(
    _ values: [Root], to block: ByteBlock, _ positions: borrowing EntityPositions)
    throws(SnapshotError)

  /// Reads a column of this very type.
  func read(_ column: FieldColumn, into values: ValueBlock<Root>, _ arrivals: Arrivals)
    throws(SnapshotError)

  /// Sets the field from data in the form that `Codable` gives values, or the transformer if there
  /// is no other.
  func set(_ data: JSONValue, in value: inout Root, _ arrivals: Arrivals) throws(TransformFailure)

  /// The field of a value as data; without entities.
  func data(of value: Root) throws(TransformFailure) -> JSONValue

  /// Data as it is written if the field is read from it, which is checked if the field has a
  /// transformer of its own.
  func normalized(_ data: JSONValue, _ prototype: Root) throws(TransformFailure) -> JSONValue
}

/// A field whose values snapshots have a form of their own for.
struct TypedFieldCodec<Root: Sendable, Value: FieldValue>: FieldCodec {
  let name: String
  let field: Field<Root>
  let access: FieldAccess<Root, Value>
  let bytes: Range<Int>?

  init(name: String, field: Field<Root>, access: FieldAccess<Root, Value>) {
    (self.name, self.field, self.access) = (name, field, access)
    bytes = MemoryLayout<Root>.offset(of: access.keyPath)
      .map { $0..<$0 + MemoryLayout<Value>.size }
  }

  var type: FieldType { Value.type }
  var alignment: Int { MemoryLayout<Value>.alignment }
  var isReference: Bool { Value.isReference }

  func write(
    _ values: [Root], to block: ByteBlock, _ positions: borrowing EntityPositions
  ) throws(SnapshotError) {
    guard let bytes else {
      return Value.write(values.count, to: block, positions) { access.get(values[$0]) }
    }
    if values.isEmpty { return Value.write(0, to: block, positions) { access.get(values[$0]) } }
    values.withFields(at: bytes.lowerBound) { Value.write(from: $0, to: block, positions) }
  }

  func read(
    _ column: FieldColumn, into values: ValueBlock<Root>, _ arrivals: Arrivals
  ) throws(SnapshotError) {
    guard let bytes else {
      return try column.read(Value.self, arrivals) { (row, value) in
        values.update(row) { access.set(value, in: &$0) }
      }
    }
    try values.changeFields(at: bytes.lowerBound) { (fields) throws(SnapshotError) in
      try Value.read(column, into: fields, arrivals)
    }
  }

  func set(
    _ data: JSONValue, in value: inout Root, _ arrivals: Arrivals
  ) throws(TransformFailure) {
    guard isReference else {
      guard let made = Value.make(data) else { throw .invalid("\(data) is no \(Value.self)") }
      return access.set(made, in: &value)
    }
    let entities = try Self.entities(in: data, arrivals)
    if let entities = entities as? Value {
      access.set(entities, in: &value)
    } else if let entity = entities.first as? Value {
      access.set(entity, in: &value)
    } else if let none = Entity?.none as? Value {
      access.set(none, in: &value)
    }
  }

  /// The entities that a number, or a list of numbers, stands for; none as long as all is only
  /// checked.
  private static func entities(
    in data: JSONValue, _ arrivals: Arrivals
  ) throws(TransformFailure) -> [Entity] {
    var entities: [Entity] = []
    for element in data.array ?? (data.isNull ? [] : [data]) {
      guard let position = element.number?.int, position >= 0, position < arrivals.count else {
        throw .invalid("\(element) is not the number of an entity")
      }
      if let entity = arrivals.entity(position) { entities.append(entity) }
    }
    return entities
  }

  func data(of value: Root) -> JSONValue { access.get(value).data(EntityPositions()) }
  func normalized(_ data: JSONValue, _ prototype: Root) -> JSONValue { data }
}

/// A field of any other type, which is written in the form that its transformer gives it.
struct TransformedFieldCodec<Root: Sendable>: FieldCodec {
  let name: String
  let field: Field<Root>
  let bytes: Range<Int>?
  let alignment: Int

  init(name: String, field: Field<Root>) {
    (self.name, self.field) = (name, field)
    func layout<Value>(_ type: Value.Type) -> (size: Int, alignment: Int) {
      field.isOptional
        ? (MemoryLayout<Value?>.size, MemoryLayout<Value?>.alignment)
        : (MemoryLayout<Value>.size, MemoryLayout<Value>.alignment)
    }
    let layout = layout(field.valueType)
    bytes = MemoryLayout<Root>.offset(of: field.keyPath).map { $0..<$0 + layout.size }
    alignment = layout.alignment
  }

  var type: FieldType { FieldType(.json) }
  var isReference: Bool { false }

  func write(
    _ values: [Root], to block: ByteBlock, _ positions: borrowing EntityPositions
  ) throws(SnapshotError) {
    var all: [JSONValue] = []
    for value in values {
      do throws(TransformFailure) {
        all.append(try field.data(of: value))
      } catch {
        throw SnapshotError(.invalid("\(error.reason)"), name: field.name)
      }
    }
    JSONValue.write(all.count, to: block, positions) { all[$0] }
  }

  func read(
    _ column: FieldColumn, into values: ValueBlock<Root>, _ arrivals: Arrivals
  ) throws(SnapshotError) {
    try column.read(JSONValue.self, arrivals) { (row, data) throws(SnapshotError) in
      do throws(TransformFailure) {
        try values.update(row) { (value) throws(TransformFailure) in
          try field.set(data, in: &value)
        }
      } catch {
        throw SnapshotError(.invalid("\(error.reason)"), name: column.name, offset: column.offset)
      }
    }
  }

  func set(
    _ data: JSONValue, in value: inout Root, _ arrivals: Arrivals
  ) throws(TransformFailure) {
    try field.set(data, in: &value)
  }

  func data(of value: Root) throws(TransformFailure) -> JSONValue { try field.data(of: value) }

  func normalized(
    _ data: JSONValue, _ prototype: Root
  ) throws(TransformFailure) -> JSONValue {
    var value = prototype
    try field.set(data, in: &value)
    return try field.data(of: value)
  }
}

extension Field {
  /// How snapshots write and read the field, by its name there.
  func codec(named name: String) -> any FieldCodec<Root> {
    func typed<Value: FieldValue>(_ type: Value.Type) -> (any FieldCodec<Root>)? {
      if let access = access as? FieldAccess<Root, Value>, Value.hasType {
        return TypedFieldCodec(name: name, field: self, access: access)
      }
      if let access = access as? FieldAccess<Root, Value?>, Value?.hasType {
        return TypedFieldCodec(name: name, field: self, access: access)
      }
      return nil
    }
    if let type = valueType as? any FieldValue.Type, let codec = typed(type) { return codec }
    return TransformedFieldCodec(name: name, field: self)
  }
}
