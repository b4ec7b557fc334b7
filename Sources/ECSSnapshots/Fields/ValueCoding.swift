import ECS
import ECSRecipes
import Foundation

/// The form that the `Codable` conformance of a type gives its values.
struct ValueCoding<C: Sendable>: Sendable {
  let encode: @Sendable (C) throws -> JSONValue
  let decode: @Sendable (JSONValue) throws -> C

  init(
    encode: @escaping @Sendable (C) throws -> JSONValue,
    decode: @escaping @Sendable (JSONValue) throws -> C
  ) {
    (self.encode, self.decode) = (encode, decode)
  }

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
  let migrations: [Int: StoredFields.Migration]
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

  func beginning(as value: any Component) -> any ComponentCodec { self }

  func capture(upTo count: Int) -> any CapturedColumn {
    CapturedWholes(codec: self, upTo: count)
  }

  func capture(_ values: [any Component]) -> any CapturedColumn {
    CapturedWholes(codec: self, values: values.compactMap { $0 as? C })
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
    if needsMigration(from: source.component.version) || source.component.encoding != .whole {
      all = try migrated(source).map(JSONValue.object)
    } else {
      all = try source.column(0).readData(Arrivals(count: source.entityCount))
    }
    return try loaded(all, source.offset)
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
    return LoadedValues(
      name: name, identity: identity, offset: offset, values: ValueBlock(values), link: nil)
  }
}

private struct CapturedWholes<C: Component>: CapturedColumn {
  let codec: WholeCodec<C>
  private var values: [C]

  init(codec: WholeCodec<C>, values: [C]) { (self.codec, self.values) = (codec, values) }

  init(codec: WholeCodec<C>, upTo count: Int) {
    self.init(codec: codec, values: [])
    values.reserveCapacity(count)
  }

  mutating func append(_ columns: borrowing Columns) { appendValues(of: columns, to: &values) }

  func encode(
    _ rows: [Int]?, _ positions: borrowing EntityPositions
  ) throws(SnapshotError) -> [ByteBlock] {
    var all: [JSONValue] = []
    for row in rows ?? Array(values.indices) { all.append(try codec.data(of: values[row])) }
    let block = ByteBlock()
    JSONValue.write(all.count, to: block, positions) { all[$0] }
    return [block]
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
    case .recipe(let recipe):
      stop("The recipe '\(recipe.recipe.name)' was taken for one component.")
    }
  }

  var cid: CID { C.cid }
}
