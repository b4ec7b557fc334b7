import ECSRecipes

/// The values of a component that are read from text, for the entities of one row group.
struct TextRows {
  private let codec: any ComponentCodec
  private let description: FileComponent

  /// The version of the component in the text.
  private let version: Int

  /// Nil if values have to be read as a whole.
  private let reader: JSONRecordReader?

  /// One for each block.
  private var columns: [any ColumnBuilder]

  /// The fields in the order in which their bytes stand in a value, if values are as in memory.
  private let order: [Int]

  // Used again and again.
  private var values: [JSONValue?]
  private var others: [UInt64] = []

  init(_ codec: any ComponentCodec, version: Int) {
    (self.codec, self.version, description) = (codec, version, codec.description)
    let isMigrated = codec.needsMigration(from: version)
    reader =
      description.encoding == .whole || isMigrated
      ? nil : JSONRecordReader([description.fields.map(\.name)])
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

  mutating func append(
    _ bytes: [UInt8], in range: Range<Int>, _ line: Int
  ) throws(SnapshotError) {
    for number in values.indices { values[number] = nil }
    if let reader, reader.read(bytes, in: range, into: &values, others: &others) {
      return try appendValues(line)
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
    if description.encoding == .whole, !codec.needsMigration(from: version) {
      values[0] = data
      return try appendValues(line)
    }
    guard let data = codec.migrated(data, from: version), let object = data.object else {
      throw SnapshotError(
        .invalid("\(data.kind) is no object with fields"), name: codec.name, offset: line)
    }
    if description.encoding == .whole {
      values[0] = data
    } else {
      for number in values.indices { values[number] = object[description.fields[number].name] }
    }
    try appendValues(line)
  }

  private mutating func appendValues(_ line: Int) throws(SnapshotError) {
    for number in order {
      let field = description.fields[number]
      let data: JSONValue
      do throws(TransformFailure) {
        if let value = values[number] {
          data = field.type.scalar == .json ? try codec.normalized(value, field: number) : value
        } else {
          data = try codec.prototypeData(field: number)
        }
      } catch {
        throw SnapshotError(.invalid("\(error.reason)"), name: name(of: number), offset: line)
      }
      let column = columns[description.encoding == .bytes ? 0 : number]
      if !column.append(data, field.type, line) {
        throw SnapshotError(
          .invalid("\(data) is no \(field.type.valueType)"), name: name(of: number), offset: line)
      }
    }
  }

  private func name(of field: Int) -> String {
    description.encoding == .whole
      ? description.name : "\(description.name).\(description.fields[field].name)"
  }

  func blocks(_ positions: [String: Int]) throws(SnapshotError) -> [ByteBlock] {
    var blocks: [ByteBlock] = []
    for (number, column) in columns.enumerated() {
      do throws(UnknownName) {
        blocks.append(try column.finish(positions))
      } catch {
        throw SnapshotError(
          .invalid("\(error.name) is no entity of the snapshot"), name: name(of: number),
          offset: error.line)
      }
    }
    return blocks
  }
}
