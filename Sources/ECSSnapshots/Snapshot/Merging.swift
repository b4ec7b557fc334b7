import ECS

/// A snapshot whose values are checked, to be put into a context that has some of it.
struct Merging<C: Component, Key: Hashable & Sendable> {
  private let loading: Loading
  private let index: PrimaryIndex<C, Key>

  /// Whether entities that are found lose the components that they do not have, of the schema and
  /// unknown ones.
  private let isExact: Bool

  /// The keys of entities that have some: those of the groups, one after the other.
  private var keys: [Key] = []

  /// The groups whose entities have keys.
  private var keyed: [Int] = []

  /// Entities without a key that hold a unique component, with its number in the schema.
  private var holders: [(position: Int, component: Int)] = []

  init(
    _ loading: Loading, _ index: PrimaryIndex<C, Key>, _ keyless: KeylessPolicy,
    isExact: Bool = false
  ) throws(SnapshotError) {
    (self.loading, self.index, self.isExact) = (loading, index, isExact)
    let schema = loading.schema
    guard let number = schema.numbers[C.cid], !schema.components[number].isReference else {
      throw SnapshotError(.noIdentity, name: C.cid.name)
    }
    keys.reserveCapacity(loading.count)
    for (groupIndex, group) in loading.groups.enumerated() {
      if let column = group.columns.first(where: { $0.component == number }) {
        guard let values = try column.values.readable().values(of: C.self) else { continue }
        keyed.append(groupIndex)
        values.withValues { index.appendKeys(of: $0, to: &keys) }
      } else if keyless == .fail {
        try checkKeys()
        throw SnapshotError(.noKey, name: schema.components[number].name)
      } else {
        for (component, _) in group.columns where schema.components[component].isUnique {
          holders.append((group.positions[0], component))
        }
      }
    }
  }

  /// Throws if a key is there twice.
  private func checkKeys() throws(SnapshotError) {
    guard let key = index.firstRepeated(in: keys) else { return }
    let schema = loading.schema
    throw SnapshotError(
      .duplicateKey("\(key)"), name: schema.numbers[C.cid].map { schema.components[$0].name })
  }

  /// Does all of it, or nothing; runs in a critical section.
  func merge(into context: Context) throws(SnapshotError) -> RestoreReport {
    // PERFORMANCE: N6: the usual case looks for each key once, and moves values in columns.
    if !hasUnique, let entities = loading.put(by: index, keys) {
      return loading.report(
        created: entities.count, links: loading.links.reduce(0) { $0 + $1.pairs.count })
    }
    try checkKeys()
    let found = try findEntities(in: context)
    let losers = losers(found, in: context)
    if losers.isEmpty { return try put(into: context, found, losers) }
    // Only when they have lost their components is it known which others end with them.
    return try context.transaction { () throws(SnapshotError) in
      try put(into: context, found, losers)
    }
  }

  /// Whether a unique component may come away from its holder.
  private var hasUnique: Bool {
    loading.groups.contains { group in
      group.columns.contains { loading.schema.components[$0.component].isUnique }
    }
  }

  /// Finds out which entities are there, and makes sure that everything else can be done.
  private func findEntities(in context: Context) throws(SnapshotError) -> FoundEntities {
    var found = FoundEntities(count: loading.count)
    func insert(_ entity: Entity, _ position: Int, _ name: String) throws(SnapshotError) {
      if let reason = found.insert(entity, at: position) { throw SnapshotError(reason, name: name) }
    }
    for (position, entity) in keyedEntities() { try insert(entity, position, C.cid.name) }
    for (position, component) in holders {
      let codec = loading.schema.components[component]
      if let entity = codec.holder(in: context) { try insert(entity, position, codec.name) }
    }
    for links in loading.links { try links.codec.checkCycles(links.pairs, found) }
    found.finish()
    return found
  }

  /// The entities with keys, in the order of these, and the positions of those.
  private func keyedEntities() -> [(position: Int, entity: Entity)] {
    var holders: [(position: Int, entity: Entity)] = []
    var (next, start) = (0, 0)
    index.forEachHolder(of: keys) { number, entity in
      while number - start >= loading.groups[keyed[next]].rows {
        start += loading.groups[keyed[next]].rows
        next += 1
      }
      holders.append((loading.groups[keyed[next]].positions[number - start], entity))
    }
    return holders
  }

  /// Entities that were not found and lose a unique component, with its name.
  ///
  /// They may end, and others with them. One that was found does not: it keeps that by which it was
  /// found.
  private func losers(
    _ found: FoundEntities, in context: Context
  ) -> [(name: String, holder: Entity)] {
    var losers: [(name: String, holder: Entity)] = []
    for group in loading.groups {
      for (component, _) in group.columns {
        let codec = loading.schema.components[component]
        guard codec.isUnique, let holder = codec.holder(in: context),
          found.positions[holder] == nil
        else { continue }
        losers.append((codec.name, holder))
      }
    }
    return losers
  }

  /// Throws if an entity that was found has ended with one that lost its unique component.
  private func checkLives(
    _ entity: Entity, _ losers: [(name: String, holder: Entity)]
  ) throws(SnapshotError) {
    if losers.isEmpty || entity.isAlive { return }
    throw SnapshotError(.endsWithHolder, name: losers.first { !$0.holder.isAlive }?.name)
  }

  /// The values of each group, to be taken row by row.
  private func readColumns() throws(SnapshotError) -> [[any LoadedRows]] {
    var columns: [[any LoadedRows]] = []
    for group in loading.groups {
      var rows: [any LoadedRows] = []
      for column in group.columns { rows.append(try column.values.readable()) }
      columns.append(rows)
    }
    return columns
  }

  /// Makes and changes entities.
  private func put(
    into context: Context, _ found: FoundEntities, _ losers: [(name: String, holder: Entity)]
  ) throws(SnapshotError) -> RestoreReport {
    let columns = try readColumns()
    var resolved: [[any LoadedRows]?] = columns.map { _ in nil }
    // The groups that have entities to be made, and their rows.
    var made: [(group: Int, rows: [Int])] = []
    var tables: [NewTable] = []
    for (index, group) in loading.groups.enumerated() {
      let rows = (0..<group.rows).filter { found.entities[group.positions[$0]] == nil }
      if rows.isEmpty { continue }
      tables.append(
        NewTable(
          loading.types(of: group), rows.map { found.indices[group.positions[$0]] }))
      made.append((index, rows))
    }
    let created = context.createEntities(found.missing, in: tables) { table, target in
      let (group, rows) = made[table]
      let arrivals = Arrivals(count: loading.count, target.entities, found)
      let values = columns[group].map { $0.resolved(arrivals) }
      for column in values { column.fill(target, rows) }
      if let unknown = loading.unknown(group, arrivals) {
        target.initialize(UnknownComponents.self) { output in
          for row in rows { output.append(unknown[row]) }
        }
      }
      resolved[group] = values
    }
    let arrivals = Arrivals(count: loading.count, created, found)
    try change(columns, resolved, found, arrivals, losers)
    let links = loading.links.reduce(0) { $0 + link($1, found, arrivals) }
    return loading.report(
      created: found.missing, merged: found.positions.count, links: links)
  }

  /// Gives entities that were found their values, in the order of creation.
  private func change(
    _ columns: [[any LoadedRows]], _ resolved: [[any LoadedRows]?], _ found: FoundEntities,
    _ arrivals: Arrivals, _ losers: [(name: String, holder: Entity)]
  ) throws(SnapshotError) {
    var rows: [(entity: Entity, position: Int, group: Int, row: Int)] = []
    rows.reserveCapacity(found.positions.count)
    for (index, group) in loading.groups.enumerated() {
      for row in 0..<group.rows {
        let position = group.positions[row]
        if let entity = found.entities[position] { rows.append((entity, position, index, row)) }
      }
    }
    rows.sort { $0.position < $1.position }
    var resolved = resolved
    let unknown = loading.groups.indices.map { loading.unknown($0, arrivals) }
    let absent = isExact ? loading.groups.map(absentComponents) : []
    for (entity, _, group, row) in rows {
      if resolved[group] == nil { resolved[group] = columns[group].map { $0.resolved(arrivals) } }
      for column in resolved[group] ?? [] {
        try checkLives(entity, losers)
        column.set(row, of: entity)
      }
      for cid in isExact ? absent[group] : [] where entity.has(cid) { entity.remove(cid) }
      if isExact {
        if let unknown = unknown[group] {
          entity.set(unknown[row])
        } else if entity.has(UnknownComponents.self) {
          entity.remove(UnknownComponents.self)
        }
      } else if let unknown = unknown[group] {
        entity.set(unknown[row].replacing(in: entity.get(UnknownComponents.self)))
      }
    }
    for (entity, _, _, _) in rows { try checkLives(entity, losers) }
  }

  /// The components of the schema that entities of a group do not have.
  private func absentComponents(_ group: Loading.Group) -> [CID] {
    let present = Set(group.columns.map(\.component))
    let components = loading.schema.components
    return components.indices.filter { !present.contains($0) }.map { components[$0].cid }
  }

  /// Links entities; gives the number of links that were not there.
  private func link(
    _ links: LoadedLinks, _ found: FoundEntities, _ arrivals: Arrivals
  ) -> Int {
    let (codec, pairs) = (links.codec, links.pairs)
    var targets: [Int: [Entity]] = [:]
    for (source, target) in pairs where found.entities[source] != nil {
      if let target = arrivals.entity(target) { targets[source, default: []].append(target) }
    }
    // Those that have them already are left as they are, so that no observer is notified.
    var (known, unchanged): (Int, Set<Int>) = (0, [])
    for (source, wanted) in targets {
      guard let entity = found.entities[source] else { continue }
      let present = codec.targets(of: entity)
      known += Set(present).intersection(wanted).count
      if present == wanted { unchanged.insert(source) }
    }
    // None of a cycle may be there while another is made, so all of them go first.
    for (source, _) in pairs where targets[source] != nil && !unchanged.contains(source) {
      if let entity = found.entities[source] { codec.unlinkTargets(of: entity) }
    }
    for (source, target) in pairs where !unchanged.contains(source) {
      if let entity = found.entities[target] { codec.unlinkSource(of: entity) }
    }
    let value = links.resolvedValues(arrivals)
    for (index, (source, target)) in pairs.enumerated() {
      let isThere = unchanged.contains(source)
      guard let source = arrivals.entity(source), let target = arrivals.entity(target) else {
        continue
      }
      let value = value(index)
      if isThere {
        // A default says nothing of a link that has a value.
        guard let value, links.defaultValue == nil, let old = codec.value(of: source, to: target),
          !isKnownEqual(old, value)
        else { continue }
      }
      codec.link(source, to: target, value)
    }
    // What was there has sources of its own.
    for (source, target) in links.moves where found.entities[target] == nil {
      guard let source = arrivals.entity(source), let target = arrivals.entity(target) else {
        continue
      }
      codec.moveToEnd(source, ofSourcesOf: target)
    }
    return pairs.count - known
  }
}

extension UnknownComponents {
  /// The same, with those of another value whose names are not among these before them.
  fileprivate func replacing(in other: UnknownComponents?) -> UnknownComponents {
    guard let other else { return self }
    let names = Set(names)
    var result = self
    result.kept = other.kept.filter { !names.contains($0.component.name) } + kept
    return result
  }
}
