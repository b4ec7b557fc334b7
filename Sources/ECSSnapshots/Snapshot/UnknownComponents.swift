public import ECS
import ECSRecipes

/// Components of an entity that came from a snapshot whose schema knew more than this program does.
///
/// ``UnknownPolicy/keep`` attaches them, and they are written again with the next snapshot: so a
/// program does not destroy what a later one has saved. Entities that they refer to are followed.
public struct UnknownComponents: Component {
  struct Kept: Sendable {
    var component: FileComponent

    /// The value of each field; nil where there was none.
    var values: [(any FieldValue)?]
  }

  var kept: [Kept]

  /// The names of the components.
  public var names: [String] { kept.map(\.component.name) }
}

extension UnknownComponents {
  /// Entities for which they are equal can be in one group.
  var components: [FileComponent] { kept.map(\.component) }

  /// Reads the values of an unknown component.
  static func read(
    _ source: ComponentSource, _ arrivals: Arrivals
  ) throws(SnapshotError) -> [Kept] {
    // Written again, each field has a column of its own.
    var component = source.component
    if component.encoding == .bytes {
      (component.encoding, component.stride) = (.fields, 0)
      for index in component.fields.indices { component.fields[index].offset = 0 }
    }
    let empty = [(any FieldValue)?](repeating: nil, count: component.fields.count)
    var rows = [Kept](repeating: Kept(component: component, values: empty), count: source.rows)
    for position in component.fields.indices {
      try component.fields[position].type.valueType.read(position, source, arrivals, into: &rows)
    }
    return rows
  }

  /// Makes the blocks of one component of entities that have it.
  static func encode(
    _ rows: [Kept], _ component: FileComponent, _ positions: borrowing EntityPositions
  ) -> [ByteBlock] {
    var blocks: [ByteBlock] = []
    for (index, field) in component.fields.enumerated() {
      let block = ByteBlock()
      field.type.valueType.write(index, of: rows, to: block, positions)
      blocks.append(block)
    }
    return blocks
  }
}

extension FieldValue {
  fileprivate static func read(
    _ index: Int, _ source: ComponentSource, _ arrivals: Arrivals,
    into rows: inout [UnknownComponents.Kept]
  ) throws(SnapshotError) {
    try source.column(index).read(Self.self, arrivals) { (row, value) in
      rows[row].values[index] = value
    }
  }

  fileprivate static func write(
    _ index: Int, of rows: [UnknownComponents.Kept], to block: ByteBlock,
    _ positions: borrowing EntityPositions
  ) {
    if Self.self == Entity.self {
      // Of these alone some may not be there.
      for row in rows { Entity.write(row.values[index] as? Entity, to: block, positions) }
    } else {
      let values = rows.compactMap { $0.values[index] as? Self }
      write(values.count, to: block, positions) { values[$0] }
    }
  }
}
