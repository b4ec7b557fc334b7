public import ECS

extension Context {
  /// Takes a snapshot of everything that a schema names.
  ///
  /// All is of one moment, at which others wait for microseconds: then columns are frozen, as by
  /// `Context.frozen(of:)`, and links. They are copied while the context goes on, some pages of 512
  /// entities at a time. A page that changes before is copied by that change, and all links of a
  /// relation by the first that changes; until all is copied, changes take about as long as beside
  /// a journal. An iteration that changes a component copies all that is left of the tables that
  /// it goes through, as for pictures. What can't be copied as it is is encoded in the end.
  /// Entities that have no components are part of it; those that have only such that the schema
  /// does not name are not.
  ///
  /// Inside of a section of the same thread, such as `Context.perform(_:)`, all is copied in it,
  /// and others wait for that; inside of `Context.reading(_:)` other threads go on reading.
  ///
  /// - Throws: ``SnapshotError`` if a `Codable` conformance or a transformer does not take a value.
  /// - Precondition: Not called inside a closure or chunk iteration, or in the closure of an
  ///   update.
  /// - Complexity: O(*n* · *c*), where *n* is the number of entities and *c* that of components;
  ///   O(*n* log *n*) more if entities were destroyed since the oldest that lives was created.
  ///   Others wait for O(*t* · *c*), where *t* is the number of combinations of component types,
  ///   and a word for each 512 entities, and then for some pages with all their components at a
  ///   time.
  public func snapshot(_ schema: Schema) throws(SnapshotError) -> Snapshot {
    var capture = Capture(self, schema)
    return try capture.snapshot(schema)
  }

  /// Takes a snapshot, and begins something in the critical section of whose moment it is.
  ///
  /// - Parameters:
  ///   - schema: What of it is saved.
  ///   - begin: What begins.
  ///   - meanwhile: For tests: called again and again while columns are copied outside of a
  ///     section.
  /// - Returns: The snapshot, and the entities by their positions in it.
  /// - Throws: ``SnapshotError``.
  package func snapshot(
    _ schema: Schema, _ begin: () -> Void, meanwhile: (() -> Void)? = nil
  ) throws(SnapshotError) -> (Snapshot, [Entity]) {
    var capture = Capture(self, schema, withEntities: true, begin, meanwhile: meanwhile)
    let snapshot = try capture.snapshot(schema)
    return (snapshot, capture.entities())
  }
}

extension Capture {
  fileprivate mutating func snapshot(_ schema: Schema) throws(SnapshotError) -> Snapshot {
    rank()
    var encoder = SnapshotEncoder(schema, entityPositions())
    for table in tables { try encoder.add(table) }
    for (codec, links) in zip(schema.links, links) { try encoder.add(links, codec) }
    return encoder.finish(unlisted: unlisted)
  }
}

/// Puts a snapshot together.
struct SnapshotEncoder {
  private let schema: Schema
  private let positions: EntityPositions
  private var directory: Directory
  private var blocks: [ByteBlock] = []
  private var linkBlocks: [ByteBlock] = []

  /// The unknown components of the directory, behind those of the schema.
  private var unknown: [FileComponent: Int] = [:]

  /// The names of all components.
  private var names: Set<String>

  // What is captured of values, and not of columns, is in fields.
  init(_ schema: Schema, _ positions: EntityPositions, inFields: Bool = false) {
    (self.schema, self.positions) = (schema, positions)
    directory = Directory(name: schema.name)
    directory.components = schema.components.map {
      inFields ? $0.description.inFields : $0.description
    }
    names = Set(directory.components.map(\.name) + schema.links.compactMap(\.values?.name))
  }

  mutating func add(_ table: Capture.Table) throws(SnapshotError) {
    directory.entityCount += table.count
    guard let unknown = table.unknown else { return try add(table, nil, []) }
    // Entities that have the same unknown components, in the order of the first of each kind.
    var kinds: [[Int]] = []
    var numbers: [[FileComponent]: Int] = [:]
    for (row, components) in unknown.enumerated() {
      let number = numbers[components.components] ?? kinds.count
      if number == kinds.count {
        numbers[components.components] = number
        kinds.append([])
      }
      kinds[number].append(row)
    }
    for rows in kinds { try add(table, rows, rows.map { unknown[$0] }) }
  }

  private mutating func add(
    _ table: Capture.Table, _ rows: [Int]?, _ unknown: [UnknownComponents]
  ) throws(SnapshotError) {
    var order = table.order
    if let rows {
      order = ByteBlock(capacity: rows.count * 4)
      for row in rows { order.append(table.order.bytes.load(UInt32.self, at: row * 4)) }
    }
    blocks.append(order)
    for column in table.columns { blocks += try column.encode(rows, positions) }
    var group = Directory.Group(components: table.components, rows: rows?.count ?? table.count)
    // Ascending, as all components of a group.
    var kept: [(component: Int, blocks: [ByteBlock])] = []
    for (index, sample) in (unknown.first?.kept ?? []).enumerated() {
      guard schema.componentNames[sample.component.name] == nil else { continue }
      let values = unknown.map { $0.kept[index] }
      kept.append(
        (
          self.number(of: sample.component),
          UnknownComponents.encode(values, sample.component, positions)
        ))
    }
    kept.sort { $0.component < $1.component }
    group.components += kept.map(\.component)
    blocks += kept.flatMap(\.blocks)
    directory.groups.append(group)
  }

  private mutating func number(of component: FileComponent) -> Int {
    if let number = unknown[component] { return number }
    var named = component
    // Two programs may have kept what is called the same and is not.
    while !names.insert(named.name).inserted { named.name += "'" }
    directory.components.append(named)
    unknown[component] = directory.components.count - 1
    return directory.components.count - 1
  }

  mutating func add(
    _ captured: CapturedLinks, _ codec: any LinkCodec
  ) throws(SnapshotError) {
    let block = ByteBlock(capacity: (captured.links.count + captured.moves.count) * 8)
    var count = 0
    func append(_ source: UInt32, _ target: UInt32) {
      block.append(source)
      block.append(target)
      count += 1
    }
    // How many sources the targets have whose sources are to be moved, of those that are kept.
    var sources: [Entity: Int] = [:]
    for (_, target) in captured.moves { sources[target] = 0 }
    var values: [any Component] = []
    for (source, target, value) in captured.links {
      guard let position = positions[source], let end = positions[target] else { continue }
      append(position, end)
      if let value { values.append(value) }
      if !sources.isEmpty { sources[target]? += 1 }
    }
    for (source, target) in captured.moves where sources[target].map({ $0 > 1 }) ?? false {
      if let source = positions[source], let target = positions[target] { append(source, target) }
    }
    var relation = Directory.Relation(name: codec.name, count: count)
    linkBlocks.append(block)
    if let codec = codec.values, !values.isEmpty {
      relation.values = Directory.Relation.Values(
        component: directory.components.count, rows: values.count)
      directory.components.append(codec.description.inFields)
      linkBlocks += try codec.capture(values).encode(nil, positions)
    }
    directory.relations.append(relation)
  }

  func finish(unlisted: Set<CID>) -> Snapshot {
    let (directory, contents) = Header.assemble(directory, blocks + linkBlocks)
    var snapshot = Snapshot(directory: directory, contents: contents)
    snapshot.unlisted = unlisted.sorted { $0.name < $1.name }
    return snapshot
  }
}

extension Snapshot {
  init(directory: Directory, contents: SnapshotData) {
    (self.directory, self.contents) = (directory, contents)
  }
}

extension Entity {
  /// Writes an entity, or that there is none.
  static func write(
    _ entity: Entity?, to block: ByteBlock, _ positions: borrowing EntityPositions
  ) {
    block.append(entity.flatMap { positions[$0] } ?? nobody)
  }
}
