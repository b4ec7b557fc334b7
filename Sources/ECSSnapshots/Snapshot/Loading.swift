import ECS
import ECSRecipes

/// A snapshot whose values are checked, so that nothing can go wrong any more.
struct Loading {
  struct Group {
    /// The numbers of the components in the schema, and their values.
    var columns: [(component: Int, values: any LoadedColumn)] = []
    var unknown: [ComponentSource] = []
    var positions: Positions
    var rows: Int
  }

  enum Positions {
    case range(Range<Int>)
    case list([Int])

    subscript(row: Int) -> Int {
      switch self {
      case .range(let range): range.lowerBound + row
      case .list(let list): list[row]
      }
    }
  }

  private let snapshot: Snapshot
  let schema: Schema
  private(set) var groups: [Group] = []
  private(set) var links: [LoadedLinks] = []
  private(set) var unknownComponents: [String] = []
  private(set) var unknownRelations: [String] = []
  private let policy: UnknownPolicy

  /// The line of each position, if it is text that is read.
  private let lines: [Int]?

  let count: Int

  init(
    _ snapshot: Snapshot, _ schema: Schema, _ policy: UnknownPolicy, lines: [Int]? = nil,
    where isNeeded: (any ComponentCodec) -> Bool = { _ in true }
  ) throws(SnapshotError) {
    (self.snapshot, self.schema, self.policy, self.lines) = (snapshot, schema, policy, lines)
    count = snapshot.entityCount
    let numbers = try componentNumbers()
    for group in snapshot.directory.groups { try load(group, numbers, isNeeded) }
    try checkOrder()
    try checkHolders()
    try checkKeys()
    try loadLinks()
  }

  /// Makes sure that a snapshot whose values are in order can be restored: that keys, holders of
  /// unique components and links are as they have to be.
  ///
  /// The offsets of such errors are lines.
  static func check(
    _ snapshot: Snapshot, _ schema: Schema, lines: [Int]
  ) throws(SnapshotError) {
    _ = try Loading(snapshot, schema, .fail, lines: lines) { $0.hasIdentity || $0.isUnique }
  }

  /// The number in the schema of each component of the snapshot.
  private mutating func componentNumbers() throws(SnapshotError) -> [Int?] {
    let used = Set(snapshot.directory.groups.flatMap(\.components))
    var numbers: [Int?] = []
    for (index, component) in snapshot.directory.components.enumerated() {
      let known = schema.componentNames[component.name]
      if let known {
        let codec = schema.components[known]
        if component.version > codec.version {
          throw SnapshotError(
            .laterVersion(found: component.version, supported: codec.version),
            name: component.name)
        }
        if numbers.contains(known) {
          throw SnapshotError(
            .malformed("The component is there twice, by its present and its former name"),
            name: component.name)
        }
      } else if used.contains(index) {
        if policy == .fail { throw SnapshotError(.unknown, name: component.name) }
        unknownComponents.append(component.name)
      }
      numbers.append(known)
    }
    return numbers
  }

  private mutating func load(
    _ group: Directory.Group, _ numbers: [Int?], _ isNeeded: (any ComponentCodec) -> Bool
  ) throws(SnapshotError) {
    let directory = snapshot.directory
    var next = group.firstBlock
    let order = directory.blocks[next].range
    next += 1
    var loaded = Group(positions: try positions(order, group.rows), rows: group.rows)
    for number in group.components {
      let component = directory.components[number]
      let blocks = directory.blocks[next..<next + component.blockCount].map(\.range)
      next += component.blockCount
      let source = ComponentSource(
        component: component, data: snapshot.contents, blocks: blocks, rows: group.rows,
        entityCount: count)
      if let known = numbers[number] {
        let codec = schema.components[known]
        if isNeeded(codec) { loaded.columns.append((known, try codec.load(source))) }
      } else {
        // What can't be read is not kept, nor dropped without a word.
        _ = try UnknownComponents.read(source, Arrivals(count: count))
        if policy == .keep { loaded.unknown.append(source) }
      }
    }
    groups.append(loaded)
  }

  private func positions(_ block: Range<Int>, _ rows: Int) throws(SnapshotError) -> Positions {
    let count = count
    return try snapshot.contents.withBytes(block) { (bytes) throws(SnapshotError) in
      let first = Int(bytes.load(UInt32.self, at: 0))
      // PERFORMANCE: N2: the usual case needs no memory.
      if first + rows <= count, bytes.countsUp() { return .range(first..<first + rows) }
      var list: [Int] = []
      list.reserveCapacity(rows)
      for row in 0..<rows { list.append(Int(bytes.load(UInt32.self, at: row * 4))) }
      return .list(list)
    }
  }

  /// Makes sure that each position is there once.
  private func checkOrder() throws(SnapshotError) {
    if groups.count == 1, case .range = groups[0].positions { return }
    var isTaken = [Bool](repeating: false, count: count)
    for (group, loaded) in zip(snapshot.directory.groups, groups) {
      let offset = snapshot.directory.blocks[group.firstBlock].range.lowerBound
      func take(_ position: Int) throws(SnapshotError) {
        if position >= count || isTaken[position] {
          throw SnapshotError(
            .malformed("The position \(position) of \(count) is there twice, or none"),
            name: "order", offset: offset)
        }
        isTaken[position] = true
      }
      switch loaded.positions {
      case .range(let range): for position in range { try take(position) }
      case .list(let list): for position in list { try take(position) }
      }
    }
  }

  private func checkHolders() throws(SnapshotError) {
    var holders: [Int: Int] = [:]
    for group in groups {
      for (component, _) in group.columns where schema.components[component].isUnique {
        for row in 0..<min(2, group.rows) {
          let position = group.positions[row]
          guard let other = holders.updateValue(position, forKey: component) else { continue }
          throw SnapshotError(
            .severalHolders, name: schema.components[component].name,
            offset: lines?[max(position, other)])
        }
      }
    }
  }

  private func checkKeys() throws(SnapshotError) {
    guard let identity = schema.identity else { return }
    if let lines { return try checkKeys(of: identity, lines) }
    var keys: Set<AnyHashable> = []
    for group in groups {
      for (component, values) in group.columns where component == identity {
        try values.addKeys(to: &keys)
      }
    }
  }

  /// Finds the first line whose key another one before it has.
  private func checkKeys(of identity: Int, _ lines: [Int]) throws(SnapshotError) {
    var keys = [AnyHashable?](repeating: nil, count: count)
    for group in groups {
      for (component, values) in group.columns where component == identity {
        for (row, key) in (values.keys() ?? []).enumerated() { keys[group.positions[row]] = key }
      }
    }
    var seen: Set<AnyHashable> = []
    for (position, key) in keys.enumerated() {
      guard let key, !seen.insert(key).inserted else { continue }
      throw SnapshotError(
        .duplicateKey("\(key)"), name: schema.components[identity].name, offset: lines[position])
    }
  }

  /// The names of entities that have keys, by position; nil if no component of the snapshot has
  /// any.
  ///
  /// No two are the same: entities whose keys differ and have the same text have no names.
  func keys() -> [String?]? {
    guard let identity = schema.identity else { return nil }
    var names: [String?]?
    var mayCollide = false
    for group in groups {
      guard let column = group.columns.first(where: { $0.component == identity }),
        let keys = column.values.keys()
      else { continue }
      var all = names ?? [String?](repeating: nil, count: count)
      names = nil
      for (row, key) in keys.enumerated() {
        all[group.positions[row]] = EntityTexts.name(ofKey: key)
        // PERFORMANCE: N4: texts that are keys differ as these do, unless they only look the same.
        let text = (key.base as? TextKey)?.text
        mayCollide = mayCollide || text?.utf8.allSatisfy { $0 < 0x80 } != true
      }
      names = all
    }
    return mayCollide ? names.map(Loading.withoutCollisions) : names
  }

  private static func withoutCollisions(_ names: [String?]) -> [String?] {
    var (seen, collided): (Set<String>, Set<String>) = ([], [])
    for case let name? in names where !seen.insert(name).inserted { collided.insert(name) }
    return names.map { name in name.flatMap { collided.contains($0) ? nil : $0 } }
  }

  private mutating func loadLinks() throws(SnapshotError) {
    let directory = snapshot.directory
    for relation in directory.relations {
      guard let known = schema.linkNames[relation.name] else {
        if relation.count == 0 { continue }
        if policy == .fail { throw SnapshotError(.unknown, name: relation.name) }
        unknownRelations.append(relation.name)
        continue
      }
      let block = directory.blocks[relation.firstBlock].range
      let count = count
      let pairs = try snapshot.contents.withBytes(block) { (bytes) throws(SnapshotError) in
        var pairs: [(source: Int, target: Int)] = []
        pairs.reserveCapacity(relation.count)
        for index in 0..<relation.count {
          let source = Int(bytes.load(UInt32.self, at: index * 8))
          let target = Int(bytes.load(UInt32.self, at: index * 8 + 4))
          if source >= count || target >= count {
            throw SnapshotError(
              .badLinks("entity \(source) is linked to \(target), but there are \(count)"),
              name: relation.name, offset: block.lowerBound + index * 8)
          }
          pairs.append((source, target))
        }
        return pairs
      }
      let codec = schema.links[known]
      if links.contains(where: { $0.codec.typeID == codec.typeID }) {
        throw SnapshotError(
          .malformed("The relation is there twice, by its present and its former name"),
          name: relation.name)
      }
      var loaded = try LoadedLinks(codec, pairs) { lines?[$0] }
      try loadValues(of: relation, to: &loaded)
      try codec.check(loaded.pairs, count) { lines?[$0] }
      links.append(loaded)
    }
  }

  private mutating func loadValues(
    of relation: Directory.Relation, to links: inout LoadedLinks
  ) throws(SnapshotError) {
    guard let values = relation.values else {
      guard links.codec.values != nil, !links.pairs.isEmpty else { return }
      guard let value = links.codec.defaultValue else {
        throw SnapshotError(
          .badLinks("the links have no values, which links of the schema have"),
          name: relation.name)
      }
      links.defaultValue = value
      return
    }
    let directory = snapshot.directory
    let component = directory.components[values.component]
    guard values.rows == links.pairs.count else {
      throw SnapshotError(
        .malformed("\(links.pairs.count) links have \(values.rows) values"), name: relation.name)
    }
    guard let codec = links.codec.values,
      component.name == codec.name || codec.formerNames.contains(component.name)
    else {
      if policy == .fail || links.codec.values != nil {
        throw SnapshotError(.unknown, name: component.name)
      }
      unknownComponents.append(component.name)
      return
    }
    if component.version > codec.version {
      throw SnapshotError(
        .laterVersion(found: component.version, supported: codec.version), name: component.name)
    }
    let first = relation.firstBlock + 1
    let source = ComponentSource(
      component: component, data: snapshot.contents,
      blocks: directory.blocks[first..<first + component.blockCount].map(\.range),
      rows: values.rows, entityCount: count)
    links.values = try codec.load(source).readable()
  }

  // MARK: Putting into a context

  /// Creates everything in a context.
  @discardableResult
  func put(into context: Context) -> NewEntities {
    context.ignoringRequirements {
      let entities = context.createEntities(count, in: newTables()) { fill($0, $1) }
      link(entities)
      return entities
    }
  }

  /// Creates everything in the context of an index; nil, having done nothing, if that does not take
  /// the keys together: those of the groups, one after the other.
  func put<C: Component, Key: Hashable & Sendable>(
    by index: PrimaryIndex<C, Key>, _ keys: [Key]
  ) -> NewEntities? {
    let entities = index.createEntities(count, in: newTables(), keys: keys) { fill($0, $1) }
    if let entities { link(entities) }
    return entities
  }

  private func link(_ entities: NewEntities) {
    for links in links {
      let value = links.resolvedValues(Arrivals(count: count, entities))
      for (index, (source, target)) in links.pairs.enumerated() {
        links.codec.link(entities[source], to: entities[target], value(index))
      }
      for (source, target) in links.moves {
        links.codec.moveToEnd(entities[source], ofSourcesOf: entities[target])
      }
    }
  }

  private func newTables() -> [NewTable] {
    groups.map { group in
      switch group.positions {
      case .range(let range): NewTable(types(of: group), range)
      case .list(let list): NewTable(types(of: group), list)
      }
    }
  }

  func types(of group: Group) -> [CID] {
    var types = group.columns.map { schema.components[$0.component].cid }
    if !group.unknown.isEmpty { types.append(UnknownComponents.cid) }
    return types
  }

  private func fill(_ index: Int, _ columns: borrowing NewColumns) {
    let arrivals = Arrivals(count: count, columns.entities)
    let group = groups[index]
    for (_, values) in group.columns { values.fill(columns, arrivals) }
    if let kept = unknown(index, arrivals) { columns.copy(kept.span) }
  }

  /// The unknown components of a group; nil if it has none.
  func unknown(_ index: Int, _ arrivals: Arrivals) -> [UnknownComponents]? {
    let group = groups[index]
    guard !group.unknown.isEmpty else { return nil }
    var kept = [UnknownComponents](repeating: UnknownComponents(kept: []), count: group.rows)
    for source in group.unknown {
      // It was read once without an error.
      for (row, value) in ((try? UnknownComponents.read(source, arrivals)) ?? []).enumerated() {
        kept[row].kept.append(value)
      }
    }
    return kept
  }

  func report(created: Int, merged: Int = 0, links: Int) -> RestoreReport {
    RestoreReport(
      created: created, merged: merged, links: links, unknownComponents: unknownComponents,
      unknownRelations: unknownRelations)
  }
}
