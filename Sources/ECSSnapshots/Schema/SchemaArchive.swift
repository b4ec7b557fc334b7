package import ECS
package import Foundation

/// Components and relations of a schema by numbers, and values as it writes them: for files of
/// changes.
package struct SchemaArchive: Sendable {
  /// What a file says of each component, and the number of it in the schema.
  private let components: [(described: FileComponent, codec: any ComponentCodec)]
  private let links: [any LinkCodec]
  private let numbers: [CID: Int]
  private let linkNumbers: [ObjectIdentifier: Int]

  /// The components that are the values of links, by the numbers of relations.
  private let valueNumbers: [Int?]

  private init(
    _ components: [(described: FileComponent, codec: any ComponentCodec)],
    _ links: [any LinkCodec]
  ) throws(SnapshotError) {
    (self.components, self.links) = (components, links)
    var numbers: [CID: Int] = [:]
    let valueNames = Set(links.compactMap(\.values?.name))
    for (index, component) in components.enumerated()
    where !valueNames.contains(component.codec.name) {
      if numbers.updateValue(index, forKey: component.codec.cid) != nil {
        throw SnapshotError(.malformed("The component is there twice"), name: component.codec.name)
      }
    }
    var linkNumbers: [ObjectIdentifier: Int] = [:]
    for (position, link) in links.enumerated() {
      if linkNumbers.updateValue(position, forKey: link.typeID) != nil {
        throw SnapshotError(.malformed("The relation is there twice"), name: link.name)
      }
    }
    (self.numbers, self.linkNumbers) = (numbers, linkNumbers)
    valueNumbers = links.map { link in
      link.values.flatMap { values in
        components.firstIndex { $0.codec.name == values.name }
      }
    }
  }

  /// Numbers components and relations as a schema does.
  package init(_ schema: Schema) throws(SnapshotError) {
    let codecs = schema.components + schema.links.compactMap(\.values)
    try self.init(codecs.map { ($0.description.inFields, $0) }, schema.links)
  }

  /// Numbers components and relations as a directory does; the schema may be that of a later
  /// program.
  package init(_ schema: Schema, directory: Data) throws(SnapshotError) {
    let found = try directory.withBytes(0..<directory.count) { (bytes) throws(SnapshotError) in
      var reader = ByteReader(bytes, start: 0, name: "directory")
      let components = try Directory.readComponents(&reader)
      var relations: [String] = []
      for _ in 0..<(try reader.readCount(ofAtLeast: 4)) { relations.append(try reader.readText()) }
      try reader.finish()
      return (components: components, relations: relations)
    }
    var components: [(described: FileComponent, codec: any ComponentCodec)] = []
    for component in found.components {
      let known = schema.componentNames[component.name].map { schema.components[$0] }
      let values = schema.links.lazy.compactMap(\.values).first {
        $0.name == component.name || $0.formerNames.contains(component.name)
      }
      guard let codec = known ?? values else {
        throw SnapshotError(.unknown, name: component.name)
      }
      if component.version > codec.version {
        throw SnapshotError(
          .laterVersion(found: component.version, supported: codec.version), name: component.name)
      }
      if component.encoding == .bytes {
        throw SnapshotError(.malformed("The component has no columns"), name: component.name)
      }
      components.append((component, codec))
    }
    var links: [any LinkCodec] = []
    for name in found.relations {
      guard let number = schema.linkNames[name] else { throw SnapshotError(.unknown, name: name) }
      links.append(schema.links[number])
    }
    try self.init(components, links)
  }

  /// What is to be kept of it, so that numbers mean the same later.
  package var directory: Data {
    let block = ByteBlock()
    Directory.write(components.map(\.described), to: block)
    block.append(UInt32(links.count))
    for link in links {
      block.append(UInt32(link.name.utf8.count))
      block.append(link.name)
    }
    var data = Data()
    data.append(block.bytes)
    return data
  }

  // MARK: Numbers

  package var componentCount: Int { components.count }
  package var relationCount: Int { links.count }

  package func number(of cid: CID) -> Int? { numbers[cid] }
  package func cid(_ index: Int) -> CID { components[index].codec.cid }
  package func name(_ index: Int) -> String { components[index].codec.name }

  package func number(of relation: any Relation.Type) -> Int? {
    linkNumbers[ObjectIdentifier(relation)]
  }
  package func relation(_ index: Int) -> any Relation.Type { links[index].relation }

  /// The number of the component that is the value of a relation's links; nil if they have none.
  package func valueNumber(ofRelation index: Int) -> Int? { valueNumbers[index] }
  package func relationName(_ index: Int) -> String { links[index].name }

  /// How many blocks values of a component take.
  package func blockCount(of index: Int) -> Int { components[index].described.blockCount }

  // MARK: Values

  /// Writes values of a component; entities that have no numbers are written as none.
  ///
  /// - Throws: ``SnapshotError`` if a `Codable` conformance or a transformer does not take a value.
  package func encode(
    _ values: [any Component], of index: Int, _ entities: [Entity: UInt32]
  ) throws(SnapshotError) -> [Data] {
    let captured = components[index].codec.capture(values)
    return try captured.encode(nil, EntityPositions(entities)).map {
      var data = Data(capacity: $0.count)
      data.append($0.bytes)
      return data
    }
  }

  /// Reads and checks values of a component, which refer to entities by numbers below a count.
  package func load(
    _ data: Data, _ blocks: [Range<Int>], of index: Int, rows: Int, entityCount: Int
  ) throws(SnapshotError) -> ArchivedValues {
    let (described, codec) = components[index]
    let source = ComponentSource(
      component: described, data: .data(data), blocks: blocks, rows: rows,
      entityCount: entityCount)
    return ArchivedValues(rows: try codec.load(source).readable())
  }
}

/// Values of a component that were read.
package struct ArchivedValues: Sendable {
  fileprivate let rows: any LoadedRows

  /// The same with the entities that they refer to, by numbers.
  package func resolved(_ entities: [Entity?]) -> ArchivedValues {
    ArchivedValues(
      rows: rows.resolved(Arrivals(count: entities.count, nil, FoundEntities(entities))))
  }

  /// Fills a column with the values of some rows.
  package func fill(_ columns: borrowing NewColumns, _ rows: [Int]) {
    self.rows.fill(columns, rows)
  }

  /// Gives an entity the value of a row.
  package func set(_ row: Int, of entity: Entity) { rows.set(row, of: entity) }

  /// The value of a row.
  package subscript(row: Int) -> any Component { rows.component(row) }
}

/// Checksums of data.
package enum Checksum {
  /// The checksum of some bytes, as snapshots have them.
  package static func of(_ data: Data) -> UInt64 {
    data.withBytes(0..<data.count) { XXH64.hash($0) }
  }
}
