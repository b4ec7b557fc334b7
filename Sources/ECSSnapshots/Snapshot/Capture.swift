import ECS

/// A copy of a context at one moment, before any of it is encoded.
///
/// Its columns are frozen in a critical section, and copied while the context goes on. Inside of a
/// section of the same thread they are copied there: nothing can go on, and what is being changed,
/// or may be taken back, can't be frozen.
struct Capture: Sendable {
  struct Table: Sendable {
    /// The numbers of the components in the schema, ascending.
    var components: [Int]
    var columns: [any CapturedColumn]
    var unknown: [UnknownComponents]?
    var count: Int

    /// Nil if their identities are not asked for.
    var entities: [Entity]?

    /// The order of creation: first numbers that are larger for younger entities, and in the end
    /// positions.
    var order: ByteBlock

    /// Creation numbers by their lower halves, if all are from one on within 32 bits.
    fileprivate func numbers(from least: UInt64) -> [UInt64] {
      let bytes = order.bytes
      return (0..<bytes.byteCount / 4).map { row in
        let lower = bytes.load(UInt32.self, at: row * 4)
        return least &+ UInt64(lower &- UInt32(truncatingIfNeeded: least))
      }
    }
  }

  private(set) var tables: [Table] = []
  private(set) var links: [CapturedLinks] = []
  private(set) var unlisted: Set<CID> = []
  private var needsEntities = false

  /// The smallest and the largest creation number.
  private var numbers: (least: UInt64, most: UInt64) = (.max, 0)

  /// All creation numbers, by table, if their differences need more than 32 bits.
  private var wide: [[UInt64]]?

  var count: Int { tables.reduce(0) { $0 + $1.count } }

  /// Copies everything.
  ///
  /// - Parameters:
  ///   - context: The context.
  ///   - schema: What of it is copied.
  ///   - withEntities: Whether entities are asked for in any case.
  ///   - begin: Runs in the section in which all is as it is copied.
  ///   - meanwhile: For tests: runs again and again while columns are copied outside of a section.
  init(
    _ context: Context, _ schema: Schema, withEntities: Bool = false, _ begin: () -> Void = {},
    meanwhile: (() -> Void)? = nil
  ) {
    let links: [FrozenLinks]
    if context.isInSection {
      links = context.sectionToRead {
        defer { begin() }
        let links = freezeLinks(context, schema, withEntities)
        context.withColumns { columns in
          guard note(columns.types, schema) else { return }
          append(columns, to: addTable(columns.types, columns.count, schema))
        }
        return links
      }
    } else {
      let columns: FrozenColumns
      (links, columns) = context.perform {
        defer { begin() }
        let links = freezeLinks(context, schema, withEntities)
        let columns = context.frozenColumns(of: schema.cids + [UnknownComponents.cid]) {
          note($0, schema)
        }
        return (links, columns)
      }
      for kind in columns.kinds { _ = addTable(kind.types, kind.count, schema) }
      repeat {
        meanwhile?()
      } while columns.read(isAwaited: meanwhile.map { _ in { true } }) { table, columns in
        append(columns, to: table)
      }
    }
    var entities = EntitiesBySlot()
    if links.contains(where: { $0.count > 0 }) {
      for table in tables { entities.add(table.entities ?? []) }
    }
    self.links = links.map { $0.all(between: entities) }
  }

  /// Whether entities of these types are part of a snapshot: those that have nothing but what is
  /// left out are not.
  static func isKept(_ types: [CID], _ schema: Schema) -> Bool {
    types.isEmpty
      || types.contains { schema.numbers[$0] != nil || $0 == UnknownComponents.cid }
  }

  // MARK: In a section

  private mutating func freezeLinks(
    _ context: Context, _ schema: Schema, _ withEntities: Bool
  ) -> [FrozenLinks] {
    let links = schema.links.map { $0.freeze(context) }
    needsEntities =
      withEntities || schema.hasReferences || links.contains { $0.count > 0 }
      || !context.group(UnknownComponents.matcher).isEmpty
    return links
  }

  /// Notes types that are not mentioned, and returns whether entities that have these are kept.
  private mutating func note(_ types: [CID], _ schema: Schema) -> Bool {
    for cid in types
    where schema.numbers[cid] == nil && !schema.excluded.contains(cid)
      && cid != UnknownComponents.cid
    {
      unlisted.insert(cid)
    }
    return Capture.isKept(types, schema)
  }

  /// Adds a table that has room for so many entities, and returns its number.
  private mutating func addTable(_ types: [CID], _ capacity: Int, _ schema: Schema) -> Int {
    let components = types.compactMap { schema.numbers[$0] }.sorted()
    // Arrays that grew while they are filled would be copied in sections.
    var (entities, unknown): ([Entity]?, [UnknownComponents]?)
    if needsEntities { entities = .init(minimumCapacity: capacity) }
    if types.contains(UnknownComponents.cid) { unknown = .init(minimumCapacity: capacity) }
    tables.append(
      Table(
        components: components,
        columns: components.map { schema.components[$0].capture(upTo: capacity) },
        unknown: unknown, count: 0, entities: entities, order: ByteBlock(capacity: capacity * 4)))
    wide?.append([])
    return tables.count - 1
  }

  /// Copies further rows of a table.
  private mutating func append(_ columns: borrowing Columns, to table: Int) {
    for number in tables[table].columns.indices { tables[table].columns[number].append(columns) }
    if var unknown = tables[table].unknown.take() {
      appendValues(of: columns, to: &unknown)
      tables[table].unknown = unknown
    }
    if var entities = tables[table].entities.take() {
      for offset in 0..<columns.count { entities.append(columns.entity(at: offset)) }
      tables[table].entities = entities
    }
    appendOrder(of: columns, to: table)
    tables[table].count += columns.count
  }

  /// Copies creation numbers in pieces, since mostly no more than half of their bits are needed.
  private mutating func appendOrder(of columns: borrowing Columns, to table: Int) {
    var start = 0
    while start < columns.count {
      let end = min(start + 4096, columns.count)
      let piece = [UInt64](capacity: end - start) { output in
        columns.appendCreationNumbers(of: start..<end, to: &output)
      }
      let ends = tables[table].order.appendLowerHalves(of: piece.span)
      let (least, most) = (min(numbers.least, ends.least), max(numbers.most, ends.most))
      if wide == nil, most - least > UInt64(UInt32.max) {
        // Until now, lower halves were enough.
        wide = tables.indices.map { tables[$0].numbers(from: numbers.least) }
        wide?[table].removeLast(piece.count)
      }
      wide?[table] += piece
      numbers = (least, most)
      start = end
    }
  }

  // MARK: Outside of the section

  /// Turns creation numbers into positions: 0 for the oldest entity, and so on.
  mutating func rank() {
    guard count > 0 else { return }
    if wide == nil, numbers.most - numbers.least == UInt64(count - 1) {
      if numbers.least == 0 { return }
      let least = UInt32(truncatingIfNeeded: numbers.least)
      for table in tables { table.order.subtract(least) }
      return
    }
    var all: [(number: UInt64, table: Int, row: Int)] = []
    all.reserveCapacity(count)
    for (index, table) in tables.enumerated() {
      for (row, number) in (wide?[index] ?? table.numbers(from: numbers.least)).enumerated() {
        all.append((number, index, row))
      }
    }
    all.sort { $0.number < $1.number }
    for (position, entry) in all.enumerated() {
      tables[entry.table].order.replace(UInt32(position), at: entry.row * 4)
    }
  }

  /// All entities by their positions, if they were asked for.
  func entities() -> [Entity] {
    var entities: [(position: UInt32, entity: Entity)] = []
    for table in tables {
      for (row, entity) in (table.entities ?? []).enumerated() {
        entities.append((table.order.bytes.load(UInt32.self, at: row * 4), entity))
      }
    }
    return entities.sorted { $0.position < $1.position }.map(\.entity)
  }

  /// The positions of all entities; none if nothing asks for them.
  func entityPositions() -> EntityPositions {
    var positions: [Entity: UInt32] = [:]
    guard tables.contains(where: { $0.entities != nil }) else { return EntityPositions() }
    positions.reserveCapacity(count)
    for table in tables {
      for (row, entity) in (table.entities ?? []).enumerated() {
        positions[entity] = table.order.bytes.load(UInt32.self, at: row * 4)
      }
    }
    return EntityPositions(positions)
  }
}

extension Array {
  fileprivate init(minimumCapacity: Int) {
    self = []
    reserveCapacity(minimumCapacity)
  }
}
