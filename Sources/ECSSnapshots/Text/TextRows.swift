import ECSRecipes

/// The values of a component that are read from text, for the entities of one row group.
struct TextRows {
  private let codec: any ComponentCodec
  private let description: FileComponent

  /// The version of the component in the text.
  private let version: Int

  /// The fields of that version which refer to entities.
  private let references: [String]

  /// Values that are migrated when all lines are read, since migrations refer to entities by their
  /// numbers.
  private var pending: [(value: JSONObject, line: Int)] = []

  /// What the component is called; there is a reader only if that needs no escapes.
  private let key: [UInt8]

  /// The types of the fields.
  private let types: [FieldType]

  /// Nil if values have to be read as a whole.
  private let reader: JSONRecordReader?

  /// One for each block.
  private var columns: [any ColumnBuilder]

  /// The fields in the order in which their bytes stand in a value, if values are as in memory.
  private let order: [Int]

  // Used again and again.
  private var values: [JSONValue?]
  private var others: [UInt64] = []

  /// Reads values of a component, each field into a block of its own if that is asked for.
  init(
    _ codec: any ComponentCodec, version: Int, references: [String], inFields: Bool = false
  ) {
    (self.codec, self.version, self.references) = (codec, version, references)
    description = inFields ? codec.description.inFields : codec.description
    types = description.fields.map(\.type)
    key = Array(description.name.utf8)
    let isMigrated = codec.needsMigration(from: version)
    reader =
      description.encoding == .whole || isMigrated || JSONRecordReader([description.name]) == nil
      ? nil : JSONRecordReader(description.fields.map(\.name))
    if description.encoding == .bytes {
      columns = [BytesBuilder()]
      order = description.fields.indices.sorted {
        [description] in description.fields[$0].offset < description.fields[$1].offset
      }
    } else {
      columns = description.fields.map { makeColumnBuilder($0.type) }
      order = Array(description.fields.indices)
    }
    values = [JSONValue?](repeating: nil, count: description.fields.count)
  }

  /// Reads the name of the component and a value, for ``appendRead(_:)``; false if something else
  /// comes next.
  mutating func read(from scanner: inout JSONScanner) -> Bool {
    guard let reader, scanner.takeMember(key) else { return false }
    for index in values.indices { values[index] = nil }
    return reader.read(from: &scanner, into: &values, others: &others)
  }

  mutating func append(
    _ bytes: [UInt8], in range: Range<Int>, _ line: Int
  ) throws(SnapshotError) {
    for index in values.indices { values[index] = nil }
    if let reader, reader.read(bytes, in: range, into: &values, others: &others) {
      return try appendRead(line)
    }
    let data: JSONValue
    do throws(JSONSyntaxError) {
      data = try JSONParser.parse(bytes, in: range)
    } catch {
      throw SnapshotError(.malformed("\(error)"), name: "line", offset: line)
    }
    try append(data, line)
  }

  mutating func append(_ data: JSONValue, _ line: Int) throws(SnapshotError) {
    let isMigrated = codec.needsMigration(from: version)
    if description.encoding == .whole, !isMigrated {
      values[0] = data
      return try appendRead(line)
    }
    guard let object = data.object else {
      throw SnapshotError(
        .invalid("\(data.kind) is no object with fields"), name: codec.name, offset: line)
    }
    if isMigrated { return pending.append((object, line)) }
    try append(object, line)
  }

  private mutating func append(_ object: JSONObject, _ line: Int) throws(SnapshotError) {
    if description.encoding == .whole {
      values[0] = .object(object)
    } else {
      for index in values.indices { values[index] = object[description.fields[index].name] }
    }
    try appendRead(line)
  }

  /// Migrates what waits for that.
  private mutating func migrate(_ positions: [String: Int]) throws(SnapshotError) {
    for (value, line) in pending {
      var value = value
      for name in references {
        if let field = value[name] { value[name] = TextRows.numbered(field, positions) }
      }
      codec.migrate(&value, from: version)
      try append(value, line)
    }
    pending = []
  }

  /// The numbers of entities instead of their names, as far as there are such.
  private static func numbered(_ value: JSONValue, _ positions: [String: Int]) -> JSONValue {
    switch value {
    case .string(let name): positions[name].map { .number(JSONNumber($0)) } ?? value
    case .array(let elements):
      .array(elements.filter { !$0.isNull }.map { numbered($0, positions) })
    default: value
    }
  }

  /// Appends what was read.
  mutating func appendRead(_ line: Int) throws(SnapshotError) {
    let isBytes = description.encoding == .bytes
    for number in order {
      let type = types[number]
      let data: JSONValue
      if let value = values[number], type.scalar != .json {
        data = value
      } else {
        data = try self.data(number, line)
      }
      if !columns[isBytes ? 0 : number].append(data, type, line) {
        throw SnapshotError(
          .invalid("\(data) is no \(type.valueType)"), name: name(of: number), offset: line)
      }
    }
  }

  /// A field that is not there, or has a transformer of its own.
  private func data(_ index: Int, _ line: Int) throws(SnapshotError) -> JSONValue {
    do throws(TransformFailure) {
      if let value = values[index] { return try codec.normalized(value, field: index) }
      return try codec.prototypeData(field: index)
    } catch {
      throw SnapshotError(.invalid("\(error.reason)"), name: name(of: index), offset: line)
    }
  }

  private func name(of field: Int) -> String {
    description.encoding == .whole
      ? description.name : "\(description.name).\(description.fields[field].name)"
  }

  mutating func blocks(_ positions: [String: Int]) throws(SnapshotError) -> [ByteBlock] {
    try migrate(positions)
    var blocks: [ByteBlock] = []
    for (index, column) in columns.enumerated() {
      do throws(UnknownName) {
        blocks.append(try column.finish(positions))
      } catch {
        throw SnapshotError(
          .invalid("\(error.name) is no entity of the snapshot"), name: name(of: index),
          offset: error.line)
      }
    }
    return blocks
  }
}
