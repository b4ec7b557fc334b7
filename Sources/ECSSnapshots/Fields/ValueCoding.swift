import ECS
import ECSRecipes
import Foundation

/// The form that the `Codable` conformance of a type gives its values.
struct ValueCoding<C: Sendable>: Sendable {
  let encode: @Sendable (C) throws -> JSONValue
  let decode: @Sendable (JSONValue) throws -> C

  init() where C: Codable {
    encode = { value in
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      return try JSONValue(data: try encoder.encode(value))
    }
    decode = { data in
      let decoder = JSONDecoder()
      decoder.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      return try decoder.decode(C.self, from: data.data())
    }
  }
}

/// A component that is kept as a whole.
struct WholeCodec<C: Component>: ComponentCodec {
  let name: String
  let formerNames: [String]
  let version: Int
  let coding: ValueCoding<C>
  let migrations: [Int: Stored<C>.Migration]
  let identity: StoredIdentity<C>?

  var componentType: any Component.Type { C.self }
  var isReference: Bool { false }
  var hasIdentity: Bool { identity != nil }

  var description: FileComponent {
    FileComponent(
      name: name, version: version, encoding: .whole,
      fields: [FileComponent.Field(name: "", type: FieldType(.json))])
  }

  init(_ stored: Stored<C>, _ coding: ValueCoding<C>) {
    (name, formerNames, version) = (stored.name, stored.formerNames, stored.version)
    (self.coding, migrations, identity) = (coding, stored.migrations, stored.identity)
  }

  func capture(_ columns: borrowing Columns) -> any CapturedColumn {
    CapturedWholes(codec: self, values: copies(of: columns))
  }

  func data(of value: C) throws(SnapshotError) -> JSONValue {
    do {
      return try coding.encode(value)
    } catch {
      throw SnapshotError(.invalid("\(error)"), name: name)
    }
  }

  func load(_ source: ComponentSource) throws(SnapshotError) -> any LoadedColumn {
    let all: [JSONValue]
    if needsMigration(source, migrations) || source.component.encoding != .whole {
      all = try migrated(source, migrations).map(JSONValue.object)
    } else {
      all = try source.column(0).readData(Arrivals(count: source.entityCount))
    }
    return try loaded(all, source.offset)
  }

  func migrated(_ data: JSONValue, from version: Int) -> JSONValue? {
    guard var object = data.object else { return nil }
    migrate(&object, version, migrations)
    return .object(object)
  }

  func needsMigration(from found: Int) -> Bool {
    migrations.keys.contains { $0 >= found && $0 < version }
  }

  func normalized(_ data: JSONValue, field number: Int) throws(TransformFailure) -> JSONValue {
    do {
      return try coding.encode(try coding.decode(data))
    } catch {
      throw .invalid("\(error)")
    }
  }

  func prototypeData(field number: Int) throws(TransformFailure) -> JSONValue {
    throw .invalid("there is no value")
  }

  private func loaded(
    _ all: [JSONValue], _ offset: Int?
  ) throws(SnapshotError) -> any LoadedColumn {
    var values: [C] = []
    values.reserveCapacity(all.count)
    for data in all {
      do {
        values.append(try coding.decode(data))
      } catch {
        throw SnapshotError(.invalid("\(error)"), name: name, offset: offset)
      }
    }
    return LoadedWholes(codec: self, offset: offset, values: values)
  }
}

private struct CapturedWholes<C: Component>: CapturedColumn {
  let codec: WholeCodec<C>
  let values: [C]

  func encode(
    _ rows: [Int]?, _ places: borrowing EntityPlaces
  ) throws(SnapshotError) -> [ByteBlock] {
    var all: [JSONValue] = []
    for row in rows ?? Array(values.indices) { all.append(try codec.data(of: values[row])) }
    let block = ByteBlock()
    JSONValue.write(all.count, to: block, places) { all[$0] }
    return [block]
  }
}

private struct LoadedWholes<C: Component>: LoadedRows {
  let codec: WholeCodec<C>
  let offset: Int?
  let values: [C]

  func fill(_ columns: borrowing NewColumns, _ arrivals: Arrivals) { columns.copy(values.span) }

  func keys() -> [AnyHashable]? { codec.identity.map { values.map($0.key) } }
  func readable() -> any LoadedRows { self }
  func values<Value>(of type: Value.Type) -> [Value]? { values as? [Value] }
  func resolved(_ arrivals: Arrivals) -> any LoadedRows { self }

  func fill(_ columns: borrowing NewColumns, _ rows: [Int]) {
    columns.initialize(C.self) { output in
      for row in rows { output.append(values[row]) }
    }
  }

  func set(_ row: Int, of entity: Entity) { entity.set(values[row]) }

  func addKeys(to keys: inout Set<AnyHashable>) throws(SnapshotError) {
    guard let identity = codec.identity else { return }
    for value in values {
      let key = identity.key(value)
      if !keys.insert(key).inserted {
        throw SnapshotError(.duplicateKey("\(key)"), name: codec.name, offset: offset)
      }
    }
  }
}

extension Stored: ComponentPart {
  func codec(in schema: String) throws(SchemaError) -> any ComponentCodec {
    if version < 1 { throw SchemaError(.badVersion(version), schema: schema, name: name) }
    for migration in migrations.keys where migration < 1 || migration >= version {
      throw SchemaError(.badVersion(migration), schema: schema, name: name)
    }
    return switch form {
    case .fields(let prototype, let fields):
      try FieldsCodec(self, prototype, fields, in: schema)
    case .coding(let coding): WholeCodec(self, coding)
    }
  }
}
