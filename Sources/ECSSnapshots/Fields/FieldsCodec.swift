import ECS
import ECSRecipes

/// A component whose fields are listed.
struct FieldsCodec<C: Component>: ComponentCodec {
  let name: String
  let formerNames: [String]
  let version: Int
  private(set) var prototype: C
  let fields: [any FieldCodec<C>]
  let description: FileComponent
  let migrations: [Int: StoredFields.Migration]
  let identity: StoredIdentity<C>?

  var componentType: any Component.Type { C.self }
  var hasIdentity: Bool { identity != nil }
  let isReference: Bool

  init(
    _ stored: Stored<C>, _ prototype: C, _ list: [Field<C>], in schema: String
  ) throws(SchemaError) {
    (name, formerNames, version) = (stored.name, stored.formerNames, stored.version)
    self.prototype = prototype
    func fail(_ reason: SchemaError.Reason) throws(SchemaError) {
      throw SchemaError(reason, schema: schema, name: stored.name)
    }
    var fields: [any FieldCodec<C>] = []
    for field in list {
      guard let fieldName = field.dataPath else {
        try fail(.fieldWithoutName(field.name))
        continue
      }
      if fieldName.isEmpty { try fail(.fieldWithoutName(field.name)) }
      if fields.contains(where: { $0.name == fieldName }) { try fail(.fieldTwice(fieldName)) }
      let codec = field.codec(named: fieldName)
      if codec is TransformedFieldCodec<C>, field.isOneWay { try fail(.oneWay(field.name)) }
      fields.append(codec)
    }
    self.fields = fields
    isReference = fields.contains(where: \.isReference)
    (migrations, identity) = (stored.migrations, stored.identity)
    let gap = try FieldsCodec.unaccounted(fields, stored.left, stored, in: schema)
    if let gap { try fail(.unaccountedBytes(gap)) }
    description = FieldsCodec.description(stored, fields)
  }

  /// The bytes of a value that belong to no field; nil if there are none, other than those that
  /// only align a field.
  private static func unaccounted(
    _ fields: [any FieldCodec<C>], _ left: [any PartialKeyPath<C> & Sendable], _ stored: Stored<C>,
    in schema: String
  ) throws(SchemaError) -> Range<Int>? {
    var parts: [(range: Range<Int>, alignment: Int)] = []
    for field in fields {
      if let bytes = field.bytes { parts.append((bytes, field.alignment)) }
    }
    for path in left {
      guard let offset = MemoryLayout<C>.offset(of: path) else { continue }
      func layout<Value>(_ type: Value.Type) -> (Int, Int) {
        (MemoryLayout<Value>.size, MemoryLayout<Value>.alignment)
      }
      let (size, alignment) = _openExistential(type(of: path).valueType, do: layout)
      parts.append((offset..<offset + size, alignment))
    }
    if C.self is AnyObject.Type || (parts.isEmpty && !fields.isEmpty) {
      throw SchemaError(.noStoredProperties, schema: schema, name: stored.name)
    }
    var end = 0
    for part in parts.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      let aligned = (end + part.alignment - 1) / part.alignment * part.alignment
      if part.range.lowerBound > aligned { return end..<part.range.lowerBound }
      end = max(end, part.range.upperBound)
    }
    return end < MemoryLayout<C>.size ? end..<MemoryLayout<C>.size : nil
  }

  private static func description(
    _ stored: Stored<C>, _ fields: [any FieldCodec<C>]
  ) -> FileComponent {
    var component = FileComponent(
      name: stored.name, version: stored.version, encoding: .fields,
      fields: fields.map { FileComponent.Field(name: $0.name, type: $0.type) })
    let layout = C.cid.layout
    // Bytes between fields hold nothing that would be the same twice.
    var isPlain = layout.isTrivial
    for (index, field) in fields.enumerated() {
      guard let bytes = field.bytes, field.type.width == bytes.count else {
        isPlain = false
        break
      }
      component.fields[index].offset = bytes.lowerBound
    }
    if isPlain, FileComponent.fill(component.fields, layout.stride) {
      component.encoding = .bytes
      component.stride = layout.stride
    } else {
      for position in component.fields.indices { component.fields[position].offset = 0 }
    }
    return component
  }

  func beginning(as value: any Component) -> any ComponentCodec {
    guard let value = value as? C else { return self }
    var codec = self
    codec.prototype = value
    return codec
  }

  func capture(upTo count: Int) -> any CapturedColumn {
    if description.encoding == .bytes {
      return CapturedBytes(
        codec: self, block: ByteBlock(capacity: count * description.stride))
    }
    return CapturedValues(codec: self, upTo: count)
  }

  func capture(_ values: [any Component]) -> any CapturedColumn {
    CapturedValues(codec: self, values: values.compactMap { $0 as? C })
  }

  // PERFORMANCE: an array is cast as a whole, and its values are put into no boxes.
  func capture<Value: Component>(values: [Value]) -> any CapturedColumn {
    CapturedValues(codec: self, values: values as? [C] ?? [])
  }

  // MARK: Reading

  func load(_ source: ComponentSource) throws(SnapshotError) -> any LoadedColumn {
    let found = source.component
    if found.encoding == .bytes, description.encoding == .bytes, found.stride == description.stride,
      Set(found.fields) == Set(description.fields),
      !needsMigration(from: found.version), identity == nil
    {
      // Whatever the bytes of numbers are, they are numbers.
      for (index, field) in found.fields.enumerated() where field.type.scalar == .bool {
        try source.column(index).read(Bool.self, Arrivals(count: 0)) { (_, _) in }
      }
      return LoadedBytes(codec: self, source: source)
    }
    return try rows(source)
  }

  /// Reads all values.
  fileprivate func rows(_ source: ComponentSource) throws(SnapshotError) -> LoadedValues<C> {
    guard source.component.encoding != .whole, !needsMigration(from: source.component.version)
    else {
      let objects = try migrated(source)
      return try rows(objects, source.entityCount, source.offset)
    }
    let checked = Arrivals(count: source.entityCount)
    return LoadedValues(
      name: name, identity: identity, offset: source.offset, values: try values(source, checked),
      link: linking { (values, arrivals) throws(SnapshotError) in
        for field in fields where field.isReference {
          try read(field, source, into: values, arrivals)
        }
      })
  }

  func normalized(_ data: JSONValue, field index: Int) throws(TransformFailure) -> JSONValue {
    try fields[index].normalized(data, prototype)
  }

  func prototypeData(field index: Int) throws(TransformFailure) -> JSONValue {
    try fields[index].data(of: prototype)
  }

  private func rows(
    _ objects: [JSONObject], _ count: Int, _ offset: Int?
  ) throws(SnapshotError) -> LoadedValues<C> {
    let values = ValueBlock(repeating: prototype, count: objects.count)
    let checked = Arrivals(count: count)
    for row in objects.indices {
      for field in fields {
        guard let data = objects[row][field.name] else { continue }
        try set(field, data, in: values, row, offset, checked)
      }
    }
    return LoadedValues(
      name: name, identity: identity, offset: offset, values: values,
      link: linking { (values, arrivals) throws(SnapshotError) in
        for row in objects.indices {
          for field in fields where field.isReference {
            guard let data = objects[row][field.name] else { continue }
            try set(field, data, in: values, row, offset, arrivals)
          }
        }
      })
  }

  /// Nil if no field refers to entities.
  private func linking(
    _ body: @escaping @Sendable (ValueBlock<C>, Arrivals) throws(SnapshotError) -> Void
  ) -> Linking<C>? {
    guard isReference else { return nil }
    // What was read once without an error is so again.
    return { values, arrivals in try? body(values, arrivals) }
  }

  /// Reads all values; without their entities as long as all is only checked.
  private func values(
    _ source: ComponentSource, _ arrivals: Arrivals
  ) throws(SnapshotError) -> ValueBlock<C> {
    let values = ValueBlock(repeating: prototype, count: source.rows)
    for field in fields { try read(field, source, into: values, arrivals) }
    return values
  }

  /// Reads a field of all values, if it is there.
  private func read(
    _ field: any FieldCodec<C>, _ source: ComponentSource, into values: ValueBlock<C>,
    _ arrivals: Arrivals
  ) throws(SnapshotError) {
    guard let index = source.component.fields.firstIndex(where: { $0.name == field.name }) else {
      return
    }
    let column = source.column(index)
    if column.type == field.type {
      try field.read(column, into: values, arrivals)
    } else {
      for (row, data) in try column.readData(arrivals).enumerated() {
        try set(field, data, in: values, row, source.offset, arrivals)
      }
    }
  }

  private func set(
    _ field: any FieldCodec<C>, _ data: JSONValue, in values: ValueBlock<C>, _ row: Int,
    _ offset: Int?, _ arrivals: Arrivals
  ) throws(SnapshotError) {
    do throws(TransformFailure) {
      try values.update(row) { (value) throws(TransformFailure) in
        try field.set(data, in: &value, arrivals)
      }
    } catch {
      throw SnapshotError(
        .invalid("\(error.reason)"), name: "\(name).\(field.name)", offset: offset)
    }
  }
}

/// Appends copies of the values of a column.
func appendValues<C: Component>(of columns: borrowing Columns, to copies: inout [C]) {
  if let values = columns.values(of: C.self) { values.append(to: &copies) }
}

private struct CapturedBytes<C: Component>: CapturedColumn {
  let codec: FieldsCodec<C>
  let block: ByteBlock

  func append(_ columns: borrowing Columns) {
    if let bytes = columns.bytes(of: C.cid) { block.append(bytes) }
  }

  func encode(_ rows: [Int]?, _ positions: borrowing EntityPositions) -> [ByteBlock] {
    guard let rows else { return [block] }
    let stride = codec.description.stride
    let part = ByteBlock(capacity: rows.count * stride)
    for row in rows { part.append(block.bytes.extracting(row * stride..<(row + 1) * stride)) }
    return [part]
  }
}

private struct CapturedValues<C: Component>: CapturedColumn {
  let codec: FieldsCodec<C>
  private var values: [C]

  init(codec: FieldsCodec<C>, values: [C]) { (self.codec, self.values) = (codec, values) }

  init(codec: FieldsCodec<C>, upTo count: Int) {
    self.init(codec: codec, values: [])
    values.reserveCapacity(count)
  }

  mutating func append(_ columns: borrowing Columns) { appendValues(of: columns, to: &values) }

  func encode(
    _ rows: [Int]?, _ positions: borrowing EntityPositions
  ) throws(SnapshotError) -> [ByteBlock] {
    let values = rows.map { $0.map { self.values[$0] } } ?? self.values
    var blocks: [ByteBlock] = []
    for field in codec.fields {
      let block = ByteBlock()
      try field.write(values, to: block, positions)
      blocks.append(block)
    }
    return blocks
  }
}

private struct LoadedBytes<C: Component>: LoadedColumn {
  let codec: FieldsCodec<C>
  let source: ComponentSource

  func fill(_ columns: borrowing NewColumns, _ arrivals: Arrivals) {
    source.data.withBytes(source.blocks[0]) { bytes in columns.copyChecked(bytes, of: C.cid) }
  }

  // Only components without an identity are read so.
  func addKeys(to keys: inout Set<AnyHashable>) {}
  func keys() -> [AnyHashable]? { nil }

  func readable() throws(SnapshotError) -> any LoadedRows { try codec.rows(source) }
}
