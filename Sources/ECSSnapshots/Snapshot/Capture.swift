import ECS

/// A copy of a context, made in its critical section, before any of it is encoded.
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
  }

  private(set) var tables: [Table] = []
  private(set) var links: [CapturedLinks] = []
  private(set) var unlisted: Set<CID> = []

  /// The smallest and the largest creation number.
  private var numbers: (least: UInt64, most: UInt64) = (.max, 0)

  /// All creation numbers, by table, if their differences need more than 32 bits.
  private var wide: [[UInt64]]?

  var count: Int { tables.reduce(0) { $0 + $1.count } }

  /// Copies everything, and runs a body in the same section.
  init(
    _ context: Context, _ schema: Schema, withEntities: Bool = false, _ begin: () -> Void = {}
  ) {
    context.sectionToRead {
      defer { begin() }
      links = schema.links.map { $0.capture(context) }
      let needsEntities =
        withEntities || schema.hasReferences || links.contains { !$0.links.isEmpty }
        || !context.group(UnknownComponents.matcher).isEmpty
      context.withColumns { columns in copy(columns, schema, needsEntities) }
      guard count > 0, numbers.most - numbers.least > UInt64(UInt32.max) else { return }
      var all: [[UInt64]] = []
      context.withColumns { columns in
        guard Capture.isKept(columns.types, schema) else { return }
        all.append(
          [UInt64](capacity: columns.count) { output in
            columns.appendCreationNumbers(of: 0..<columns.count, to: &output)
          })
      }
      wide = all
    }
  }

  /// Whether entities of these types are part of a snapshot: those that have nothing but what is
  /// left out are not.
  static func isKept(_ types: [CID], _ schema: Schema) -> Bool {
    types.isEmpty
      || types.contains { schema.numbers[$0] != nil || $0 == UnknownComponents.cid }
  }

  private mutating func copy(
    _ columns: borrowing Columns, _ schema: Schema, _ needsEntities: Bool
  ) {
    let types = columns.types
    for cid in types
    where schema.numbers[cid] == nil && !schema.excluded.contains(cid)
      && cid != UnknownComponents.cid
    {
      unlisted.insert(cid)
    }
    guard Capture.isKept(types, schema) else { return }
    let components = types.compactMap { schema.numbers[$0] }.sorted()
    var captured: [any CapturedColumn] = []
    for component in components { captured.append(schema.components[component].capture(columns)) }
    let unknown: [UnknownComponents]? =
      types.contains(UnknownComponents.cid) ? valueCopies(of: columns) : nil
    var entities: [Entity]?
    if needsEntities {
      var all: [Entity] = []
      for offset in 0..<columns.count { all.append(columns.entity(at: offset)) }
      entities = all
    }
    let order = copyOrder(of: columns)
    tables.append(
      Table(
        components: components, columns: captured, unknown: unknown, count: columns.count,
        entities: entities, order: order))
  }

  /// Copies creation numbers in pieces, since no more than half of their bits are needed.
  private mutating func copyOrder(of columns: borrowing Columns) -> ByteBlock {
    let order = ByteBlock(capacity: columns.count * 4)
    var (least, most) = numbers
    var start = 0
    while start < columns.count {
      let end = min(start + 4096, columns.count)
      let numbers = [UInt64](capacity: end - start) { output in
        columns.appendCreationNumbers(of: start..<end, to: &output)
      }
      let ends = order.appendLowerHalves(of: numbers.span)
      (least, most) = (min(least, ends.least), max(most, ends.most))
      start = end
    }
    numbers = (least, most)
    return order
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
      for row in 0..<table.count {
        let offset = UInt64(
          table.order.bytes.load(UInt32.self, at: row * 4)
            &- UInt32(truncatingIfNeeded: numbers.least))
        all.append((wide?[index][row] ?? offset, index, row))
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
