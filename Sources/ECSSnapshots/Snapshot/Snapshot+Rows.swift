package import ECS

// Snapshots of some entities, or of values that no entity has: for logs of what changes.
extension Snapshot {
  /// Writes values, each as if it was that of an entity of its own, in their order.
  ///
  /// - Throws: ``SnapshotError`` if the schema does not keep the component, or if a `Codable`
  ///   conformance or a transformer does not take a value.
  package init<C: Component>(of values: [C], _ schema: Schema) throws(SnapshotError) {
    guard let number = schema.numbers[C.cid] else {
      throw SnapshotError(.unknown, name: C.cid.name)
    }
    var encoder = SnapshotEncoder(schema, EntityPositions(), inFields: true)
    let column = schema.components[number].capture(values: values)
    if !values.isEmpty {
      try encoder.add(
        Capture.Table(
          components: [number], columns: [column], unknown: nil, count: values.count,
          entities: nil, order: ByteBlock(counting: 0..<values.count)))
    }
    self = encoder.finish(unlisted: [])
  }

  /// Writes what entities have of a schema, without their links; called within a section.
  ///
  /// - Throws: ``SnapshotError`` if a `Codable` conformance or a transformer does not take a value.
  /// - Complexity: O(*n* · *c*), where *n* is the number of entities and *c* that of their
  ///   components.
  package init(of entities: [Entity], _ schema: Schema) throws(SnapshotError) {
    var tables: [[Int]: Rows] = [:]
    var order: [[Int]] = []
    for (position, entity) in entities.enumerated() {
      var unknown: UnknownComponents?
      var present: [(number: Int, value: any Component)] = []
      for component in entity.components() {
        if let number = schema.numbers[type(of: component).cid] {
          present.append((number, component))
        } else if let kept = component as? UnknownComponents {
          unknown = kept
        }
      }
      present.sort { $0.number < $1.number }
      let kind = present.map(\.number) + (unknown == nil ? [] : [-1])
      if tables[kind] == nil { order.append(kind) }
      tables[kind, default: Rows(present.count)].add(position, present.map(\.value), unknown)
    }
    var encoder = SnapshotEncoder(schema, EntityPositions(), inFields: true)
    for kind in order {
      guard let rows = tables[kind] else { continue }
      try encoder.add(rows.table(kind.filter { $0 >= 0 }, schema))
    }
    self = encoder.finish(unlisted: [])
  }

  /// The values of a component in the order of the entities.
  ///
  /// - Throws: ``SnapshotError``.
  package func values<C: Component>(
    of type: C.Type, _ schema: Schema
  ) throws(SnapshotError) -> [C] {
    try Loading(self, schema, .fail).values(of: type)
  }

  /// As ``merge(into:_:by:keyless:unknown:)``, except that entities that are found lose the
  /// components that they do not have here: those of the schema, and those that were kept although
  /// they are unknown.
  ///
  /// - Throws: ``SnapshotError``; the context is as before.
  @discardableResult
  package func replace<C: Component, Key: Hashable & Sendable>(
    in context: Context, _ schema: Schema, by index: PrimaryIndex<C, Key>
  ) throws(SnapshotError) -> RestoreReport {
    let merging = try Merging(try Loading(self, schema, .keep), index, .fail, isExact: true)
    return try context.perform("apply changes") { () throws(SnapshotError) in
      try context.ignoringRequirements { () throws(SnapshotError) in
        try merging.merge(into: context)
      }
    }
  }
}

extension Loading {
  /// The values of a component in the order of the entities.
  func values<C: Component>(of type: C.Type) throws(SnapshotError) -> [C] {
    guard let number = schema.numbers[C.cid] else {
      throw SnapshotError(.unknown, name: C.cid.name)
    }
    var found = [C?](repeating: nil, count: count)
    for group in groups {
      guard let column = group.columns.first(where: { $0.component == number }) else { continue }
      guard let values = try column.values.readable().values(of: C.self) else { continue }
      for row in values.indices { found[group.positions[row]] = values[row] }
    }
    return found.compactMap(\.self)
  }
}

/// Entities with the same components.
private struct Rows {
  private var positions = ByteBlock()
  private var columns: [[any Component]]
  private var unknown: [UnknownComponents] = []
  private var count = 0

  init(_ columnCount: Int) { columns = Array(repeating: [], count: columnCount) }

  mutating func add(_ position: Int, _ values: [any Component], _ kept: UnknownComponents?) {
    positions.append(UInt32(truncatingIfNeeded: position))
    for (index, value) in values.enumerated() { columns[index].append(value) }
    if let kept { unknown.append(kept) }
    count += 1
  }

  func table(_ components: [Int], _ schema: Schema) -> Capture.Table {
    Capture.Table(
      components: components,
      columns: zip(components, columns).map { schema.components[$0].capture($1) },
      unknown: unknown.isEmpty ? nil : unknown, count: count, entities: nil, order: positions)
  }
}

extension ByteBlock {
  /// Numbers of four bytes each.
  fileprivate convenience init(counting numbers: Range<Int>) {
    self.init(capacity: numbers.count * 4)
    for number in numbers { append(UInt32(truncatingIfNeeded: number)) }
  }
}
