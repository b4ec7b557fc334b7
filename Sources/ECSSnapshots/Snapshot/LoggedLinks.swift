package import ECS
package import Foundation

// A snapshot has the links, and of the entities at their ends what has their keys. Behind it is how
// the links are to replace those that are there: a checksum and then, for each relation of the
// snapshot, the sources that are to have no other targets, and the last sources of targets. Each
// list has its length first; all numbers have four bytes.
extension PresentLinks {
  /// Writes them, with the entities by the component that has their keys.
  ///
  /// - Throws: ``SnapshotError`` if a `Codable` conformance or a transformer does not take a value.
  /// - Complexity: O(*k*), where *k* is the number of links and of entities.
  package func encode<C: Component>(
    _ schema: Schema, keys: C.Type
  ) throws(SnapshotError) -> (snapshot: Data, ordering: Data) {
    var positions: [Entity: UInt32] = [:]
    var values: [C] = []
    func add(_ entity: Entity) {
      guard positions[entity] == nil, let value = entity.get(C.self) else { return }
      positions[entity] = UInt32(truncatingIfNeeded: values.count)
      values.append(value)
    }
    for relation in relations {
      for source in relation.sources { add(source) }
      for link in relation.links {
        add(link.source)
        add(link.target)
      }
      for (target, sources) in relation.ends {
        add(target)
        for source in sources { add(source) }
      }
    }
    let keySchema = schema.only([C.cid], withLinks: true)
    guard let column = keySchema.components.first else {
      throw SnapshotError(.unknown, name: C.cid.name)
    }
    var encoder = SnapshotEncoder(keySchema, EntityPositions(positions), inFields: true)
    let order = ByteBlock(capacity: values.count * 4)
    for position in values.indices { order.append(UInt32(truncatingIfNeeded: position)) }
    try encoder.add(
      Capture.Table(
        components: [0], columns: [column.capture(values: values)], unknown: nil,
        count: values.count, entities: nil, order: order))
    let ordering = ByteBlock()
    func append(_ entities: [Entity]) {
      let known = entities.compactMap { positions[$0] }
      ordering.append(UInt32(truncatingIfNeeded: known.count))
      for position in known { ordering.append(position) }
    }
    for relation in relations {
      try encoder.add((links: relation.links, moves: []), relation.codec)
      append(relation.sources)
      ordering.append(UInt32(truncatingIfNeeded: relation.ends.count))
      for (target, sources) in relation.ends {
        ordering.append(positions[target] ?? 0)
        append(sources)
      }
    }
    let sum = ByteBlock()
    sum.append(XXH64.hash(ordering.bytes))
    var data = Data(capacity: sum.count + ordering.count)
    data.append(sum.bytes)
    data.append(ordering.bytes)
    return (encoder.finish(unlisted: []).data, data)
  }
}

/// Links of a log of changes, read and checked.
package struct LoggedLinks<C: Component, Key: Hashable & Sendable> {
  fileprivate struct Relation {
    let links: LoadedLinks

    /// By their positions, as in ``PresentLinks/Relation``.
    var sources: [Int] = []
    var ends: [(target: Int, sources: [Int])] = []
  }

  private let index: PrimaryIndex<C, Key>
  private let schema: Schema
  private var keys: [Key] = []
  private var relations: [Relation] = []

  /// Reads what ``PresentLinks/encode(_:keys:)`` wrote.
  ///
  /// - Throws: ``SnapshotError``.
  package init(
    _ snapshot: Data, _ ordering: Data, _ schema: Schema, _ index: PrimaryIndex<C, Key>
  ) throws(SnapshotError) {
    self.index = index
    self.schema = schema
    let snapshot = try Snapshot(snapshot)
    for relation in snapshot.directory.relations where schema.linkNames[relation.name] == nil {
      throw SnapshotError(.unknown, name: relation.name)
    }
    let keySchema = schema.only([C.cid], withLinks: true)
    let loading = try Loading(snapshot, keySchema, .fail)
    let values = try loading.values(of: C.self)
    guard values.count == loading.count else { throw SnapshotError(.noKey, name: C.cid.name) }
    keys = values.map { index.key(for: $0) }
    if let key = index.firstRepeated(in: keys) {
      throw SnapshotError(.duplicateKey("\(key)"), name: C.cid.name)
    }
    let count = loading.count
    relations = try ordering.withBytes(0..<ordering.count) { (bytes) throws(SnapshotError) in
      var reader = ByteReader(bytes, start: 0, name: "links")
      guard try reader.read(UInt64.self) == XXH64.hash(bytes.extracting(8...)) else {
        throw reader.error(.damaged)
      }
      var relations: [Relation] = []
      for links in loading.links { relations.append(try Relation(links, count, &reader)) }
      try reader.finish()
      return relations
    }
  }

  // MARK: Applying

  /// Removes all links of entities of which no targets are given.
  package func unlinkOthers(of entities: [Entity]) {
    for codec in schema.links {
      let relation = relations.first { $0.links.codec.typeID == codec.typeID }
      let known = Set((relation?.sources ?? []).compactMap { index[keys[$0]] })
      for entity in entities where !known.contains(entity) { codec.unlinkTargets(of: entity) }
    }
  }

  /// Brings links to what they are here; called within a transaction, that is rolled back if it
  /// throws.
  ///
  /// Links of entities that are not there are left out: a log has no entities that were made
  /// elsewhere than by what it keeps, and so has no links of theirs either.
  ///
  /// - Throws: ``SnapshotError`` if links can't be as they are here.
  /// - Complexity: O(*k*), where *k* is the number of links of the sources, and of links here; for
  ///   hierarchies in addition the number of ancestors.
  package func apply() throws(SnapshotError) {
    let entities = keys.map { index[$0] }
    for relation in relations { try relation.apply(to: entities) }
  }
}

extension LoggedLinks.Relation {
  fileprivate init(
    _ links: LoadedLinks, _ count: Int, _ reader: inout ByteReader
  ) throws(SnapshotError) {
    self.links = links
    guard links.moves.isEmpty else {
      throw SnapshotError(.badLinks("links are there twice"), name: links.codec.name)
    }
    sources = try reader.readPositions(below: count)
    let known = Set(sources)
    for (source, _) in links.pairs where !known.contains(source) {
      throw reader.malformed("Entity \(source) is linked, and is no source")
    }
    var targets: Set<Int> = []
    for _ in 0..<(try reader.readCount(ofAtLeast: 8)) {
      let target = Int(try reader.read(UInt32.self))
      guard target < count, targets.insert(target).inserted else {
        throw reader.malformed("The position \(target) of \(count) is there twice, or none")
      }
      ends.append((target, try reader.readPositions(below: count)))
    }
  }

  fileprivate func apply(to entities: [Entity?]) throws(SnapshotError) {
    let codec = links.codec
    let value = links.resolvedValues(Arrivals(count: entities.count))
    var wanted: [Entity: [Entity]] = [:]
    for (source, target) in links.pairs {
      guard let source = entities[source], let target = entities[target] else { continue }
      wanted[source, default: []].append(target)
    }
    let sources = sources.compactMap { entities[$0] }
    // None that goes may be in the way of one that comes.
    for source in sources {
      let kept = Set(wanted[source] ?? [])
      for target in codec.targets(of: source) where !kept.contains(target) {
        codec.unlink(source, from: target)
      }
    }
    for (number, (source, target)) in links.pairs.enumerated() {
      guard let source = entities[source], let target = entities[target] else { continue }
      if codec.isLinked(source, to: target) {
        guard let value = value(number), let old = codec.value(of: source, to: target),
          !isKnownEqual(old, value)
        else { continue }
        codec.link(source, to: target, value)
        continue
      }
      if codec.wouldCycle(source, to: target) {
        throw SnapshotError(.badLinks("an entity would be below itself"), name: codec.name)
      }
      codec.link(source, to: target, value(number))
    }
    for source in sources {
      let targets = wanted[source] ?? []
      let kept = zip(codec.targets(of: source), targets).prefix { $0 == $1 }.count
      for target in targets[kept...] { codec.moveToEnd(target, ofTargetsOf: source) }
    }
    for (target, sources) in ends {
      guard let target = entities[target] else { continue }
      let sources = sources.compactMap { entities[$0] }
      for source in sources where !codec.isLinked(source, to: target) {
        throw SnapshotError(.badLinks("a source is not linked to its target"), name: codec.name)
      }
      if codec.lastSources(sources.count, of: target) == sources { continue }
      for source in sources { codec.moveToEnd(source, ofSourcesOf: target) }
    }
  }
}

extension ByteReader {
  /// Reads a list of positions, none of them twice.
  @_lifetime(self: copy self)
  fileprivate mutating func readPositions(below limit: Int) throws(SnapshotError) -> [Int] {
    var positions: [Int] = []
    var known: Set<Int> = []
    for _ in 0..<(try readCount(ofAtLeast: 4)) {
      let position = Int(try read(UInt32.self))
      guard position < limit, known.insert(position).inserted else {
        throw malformed("The position \(position) of \(limit) is there twice, or none")
      }
      positions.append(position)
    }
    return positions
  }
}

extension Schema {
  /// Removes the links of an entity, at both ends, of all relations that are kept.
  package func unlink(_ entity: Entity) {
    for codec in links {
      codec.unlinkTargets(of: entity)
      codec.unlinkSources(of: entity)
    }
  }

  /// Removes the links of an entity to targets, of all relations that are kept.
  package func unlinkTargets(of entity: Entity) {
    for codec in links { codec.unlinkTargets(of: entity) }
  }
}
