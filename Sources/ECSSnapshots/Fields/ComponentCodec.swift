import ECS
import ECSRecipes

/// A codec that writes and reads a component type of a schema.
protocol ComponentCodec: Sendable {
  var componentType: any Component.Type { get }
  var name: String { get }
  var formerNames: [String] { get }
  var version: Int { get }

  /// By the version from which they lead to the next one.
  var migrations: [Int: StoredFields.Migration] { get }

  /// What files say of the component.
  var description: FileComponent { get }
  var isReference: Bool { get }
  var hasIdentity: Bool { get }

  /// The same, whose values begin as another one instead of the prototype.
  func beginning(as value: any Component) -> any ComponentCodec

  /// Begins a copy of a column of up to so many values.
  func capture(upTo count: Int) -> any CapturedColumn

  /// Takes values of the type in the form of ``FileComponent/inFields``.
  func capture(_ values: [any Component]) -> any CapturedColumn

  /// The same with values of one type, which is the codec's.
  func capture<Value: Component>(values: [Value]) -> any CapturedColumn

  /// A field as it is written if it is read from data, which is checked unless snapshots have a
  /// form of their own for it.
  func normalized(_ data: JSONValue, field number: Int) throws(TransformFailure) -> JSONValue

  /// The field that a value has of which data says nothing.
  func prototypeData(field number: Int) throws(TransformFailure) -> JSONValue

  /// Reads and checks the values of a row group.
  func load(_ source: ComponentSource) throws(SnapshotError) -> any LoadedColumn
}

/// The values of a component that were copied from a context.
protocol CapturedColumn: Sendable {
  /// Copies further values, perhaps in a critical section.
  mutating func append(_ columns: borrowing Columns)

  /// Makes the blocks of some rows, or of all of them.
  func encode(
    _ rows: [Int]?, _ positions: borrowing EntityPositions
  ) throws(SnapshotError) -> [ByteBlock]
}

/// The values of a component that are ready to be put into a context.
protocol LoadedColumn: Sendable {
  /// Fills a column with all values, which may be gone from here then: it is called once.
  ///
  /// It runs in the critical section of a context, and so calls nothing that a program has written
  /// for its values.
  func fill(_ columns: borrowing NewColumns, _ arrivals: Arrivals)

  /// Adds the keys of all rows; throws if there is one of them already.
  func addKeys(to keys: inout Set<AnyHashable>) throws(SnapshotError)

  /// The keys of all rows, if the schema says that the component has some.
  func keys() -> [AnyHashable]?

  /// The same, to be taken row by row.
  func readable() throws(SnapshotError) -> any LoadedRows
}

/// The values of a component that can be taken row by row.
protocol LoadedRows: LoadedColumn {
  /// All values, without the entities that they refer to; nil if they are of another type.
  func values<Value>(of type: Value.Type) -> ValueBlock<Value>?

  /// The same with the entities that values refer to; runs in a critical section.
  func resolved(_ arrivals: Arrivals) -> any LoadedRows

  /// Fills a column with the values of some rows.
  func fill(_ columns: borrowing NewColumns, _ rows: [Int])

  /// Gives an entity the value of a row.
  func set(_ row: Int, of entity: Entity)

  /// The value of a row.
  func component(_ row: Int) -> any Component
}

/// The values of a component in a row group of a file.
struct ComponentSource {
  let component: FileComponent
  let data: SnapshotData
  let blocks: [Range<Int>]
  let rows: Int

  /// The number of entities in the file.
  let entityCount: Int

  var offset: Int? { blocks.first?.lowerBound }

  func column(_ index: Int) -> FieldColumn {
    let field = component.fields[index]
    let isBytes = component.encoding == .bytes
    return FieldColumn(
      data: data, block: blocks[isBytes ? 0 : index], rows: rows, type: field.type,
      name: field.name.isEmpty ? component.name : "\(component.name).\(field.name)",
      stride: isBytes ? (component.stride, field.offset) : nil)
  }

  /// The values as data, by the names of their fields.
  func records() throws(SnapshotError) -> [JSONObject] {
    let arrivals = Arrivals(count: entityCount)
    var records = [JSONObject](repeating: [:], count: rows)
    for (index, field) in component.fields.enumerated() {
      let column = column(index)
      for (row, value) in try column.readData(arrivals).enumerated() {
        guard component.encoding == .whole else {
          records[row][field.name] = value
          continue
        }
        guard let object = value.object else {
          throw SnapshotError(
            .invalid("\(value.kind) is no object with fields"), name: component.name,
            offset: column.offset)
        }
        records[row] = object
      }
    }
    return records
  }

  func error(_ reason: SnapshotError.Reason, _ name: String? = nil) -> SnapshotError {
    SnapshotError(reason, name: name ?? component.name, offset: offset)
  }
}

extension ComponentCodec {
  func capture<Value: Component>(values: [Value]) -> any CapturedColumn { capture(values) }

  var cid: CID { componentType.cid }
  var isUnique: Bool { componentType is any UniqueComponent.Type }

  /// The entity that holds the component, if there can only be one.
  func holder(in context: Context) -> Entity? {
    func holder<U: UniqueComponent>(_ type: U.Type) -> Entity? { context.uniqueEntity(type) }
    return (componentType as? any UniqueComponent.Type).flatMap { holder($0) }
  }

  /// The values of an earlier version, brought to that of the schema.
  func migrated(_ source: ComponentSource) throws(SnapshotError) -> [JSONObject] {
    var records = try source.records()
    for row in records.indices { migrate(&records[row], from: source.component.version) }
    return records
  }

  /// Brings a value of a version before to that of the schema.
  func migrate(_ object: inout JSONObject, from found: Int) {
    for version in found..<version {
      guard let migration = migrations[version] else { continue }
      var fields = StoredFields(object: object)
      migration(&fields)
      object = fields.object
    }
  }

  /// Whether ``migrate(_:from:)`` changes anything.
  func needsMigration(from found: Int) -> Bool {
    migrations.keys.contains { $0 >= found && $0 < version }
  }
}
