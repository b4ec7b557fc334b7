import ECS
import ECSSnapshots

/// Makes recorded changes in a context, and compares them with those that were found.
struct ReplayBuilder {
  private let archive: SchemaArchive
  private let undo: UndoState

  /// Tells which entity is which.
  private var encoder: CommitEncoder

  /// The numbers of the entities that are new in the part that is being made.
  private var assigned: [UInt32] = []

  init(
    _ recording: RunRecording, _ archive: SchemaArchive, _ entities: NewEntities,
    _ undo: UndoState
  ) {
    (self.archive, self.undo) = (archive, undo)
    encoder = CommitEncoder(archive, entities, count: recording.entityCount)
  }

  /// Whether a commit has changes of what is recorded.
  func concerns(_ commit: Commit) -> Bool {
    commit.contains { change in
      switch change.kind {
      case .linked, .unlinked, .moved, .linkUpdated:
        change.relation.map { archive.number(of: $0) != nil } ?? false
      default:
        (change.newComponents() + change.oldComponents()).contains {
          archive.number(of: type(of: $0).cid) != nil
        }
      }
    }
  }

  /// What the commit of a loop has changed directly, which is to be what was recorded.
  mutating func encode(
    _ commit: Commit, _ held: Set<Int>, _ recorded: RecordedCommit?
  ) throws(ReplayError) -> RecordedPart {
    let expected = recorded?.direct.changes.filter(\.kind.isBeginning).map(\.entity) ?? []
    do throws(SnapshotError) {
      return try encoder.encodeDirect(commit, held: held, expecting: expected)
    } catch {
      throw ReplayError(.snapshot(error))
    }
  }

  /// Forgets which entities the numbers from one on have stood for.
  mutating func forget(from number: Int) {
    encoder.forget(UInt32(number)..<UInt32(entities.count))
  }

  /// The kinds of entities that came up in a commit.
  func kinds(_ commit: RecordedCommit) -> [[CID]] { archive.kinds(commit.kinds) }

  // MARK: Entities

  private var entities: [Entity?] { encoder.entities }

  private func entity(_ number: UInt32) -> Entity? { encoder.entities[Int(number)] }

  private func living(_ number: UInt32) throws(ReplayError) -> Entity {
    guard let entity = entity(number), entity.isAlive else {
      throw ReplayError(.malformed("entity \(number) is changed, but not alive"))
    }
    return entity
  }

  private mutating func assign(_ number: UInt32, to entity: Entity) {
    encoder.assign(number, to: entity)
    assigned.append(number)
  }

  // MARK: Making

  private typealias Values = [UInt32: ArchivedValues]

  /// Makes the changes of a part, or none of them.
  mutating func make(_ part: RecordedPart, in context: Context) throws(ReplayError) {
    if part.isEmpty { return }
    // Values are read outside of the critical section: that may be code of others.
    var values: [Values] = []
    for batch in part.batches { values.append(try load(batch)) }
    assigned = []
    do throws(ReplayError) {
      try context.perform("replay") { () throws(ReplayError) in
        try context.transaction { () throws(ReplayError) in
          try context.ignoringRequirements { () throws(ReplayError) in
            for (batch, values) in zip(part.batches, values) {
              try make(batch, values, in: context)
            }
          }
        }
      }
    } catch {
      encoder.forget(assigned)
      throw error
    }
  }

  private func load(_ batch: RecordedPart.Batch) throws(ReplayError) -> Values {
    var values: Values = [:]
    for column in batch.columns {
      do throws(SnapshotError) {
        values[column.component] = try archive.load(
          column.data, column.blocks, of: Int(column.component), rows: column.rows,
          entityCount: entities.count)
      } catch {
        throw ReplayError(.snapshot(error))
      }
    }
    return values
  }

  private mutating func make(
    _ batch: RecordedPart.Batch, _ values: Values, in context: Context
  ) throws(ReplayError) {
    let changes = batch.changes
    let first = changes.firstIndex { !$0.kind.isBeginning && $0.kind != .with } ?? changes.count
    try create(Array(changes[..<first]), values, in: context)
    let resolved = values.mapValues { $0.resolved(entities) }
    var value: (any Component)?
    for change in changes[first...] {
      if change.kind == .linkValue {
        value = resolved[change.number]?[change.row]
      } else {
        try make(change, resolved, value)
        value = nil
      }
    }
  }

  /// Makes a change; one that links entities, with a value.
  private func make(
    _ change: RecordedPart.Change, _ values: Values, _ value: (any Component)?
  ) throws(ReplayError) {
    switch change.kind {
    case .created, .held, .appeared, .with, .linkValue: break
    case .added, .replaced:
      let entity = try living(change.entity)
      guard let component = values[change.number]?[change.row] else { return }
      try check(component, of: entity)
      undo.set(component, on: entity)
    case .removed: entity(change.entity)?.remove(archive.cid(Int(change.number)))
    case .destroyed: entity(change.entity)?.destroy()
    case .linked, .linkUpdated:
      let (source, target) = (try living(change.entity), try living(change.target))
      let relation = archive.relation(Int(change.number))
      guard relation.valueIdentifier == value.map({ type(of: $0).cid }) else {
        throw ReplayError(.malformed("a link of entity \(change.entity) has another value"))
      }
      guard undo.link(relation, source, target, value) else {
        throw ReplayError(.malformed("entity \(change.entity) would be its own ancestor"))
      }
    case .unlinked:
      guard let source = entity(change.entity), let target = entity(change.target),
        source.isAlive, target.isAlive
      else { return }
      undo.unlink(archive.relation(Int(change.number)), source, target)
    case .moved:
      undo.move(
        archive.relation(Int(change.number)), try living(change.entity), try living(change.target),
        isAmongTargets: change.isAmongTargets, before: change.next.flatMap { entity($0) })
    }
  }

  /// Makes sure that a component does not take a key of another entity, nor change one.
  private func check(_ component: any Component, of entity: Entity?) throws(ReplayError) {
    let cid = type(of: component).cid
    let hasOne = entity?.has(cid) ?? false
    for identity in undo.holder.identities(of: component) {
      guard hasOne ? identity.holder == entity : identity.holder == nil else {
        throw ReplayError(.malformed("a key of \(cid.name) is somebody else's, or changes"))
      }
    }
  }

  // MARK: Creating

  private struct NewEntity {
    let number: UInt32
    let isHeld: Bool
    var components: [(component: UInt32, row: Int)] = []
  }

  private mutating func create(
    _ changes: [RecordedPart.Change], _ values: Values, in context: Context
  ) throws(ReplayError) {
    var all: [NewEntity] = []
    for change in changes {
      if change.kind == .with {
        let last = all.count - 1
        guard !all[last].components.contains(where: { $0.component == change.number }) else {
          throw ReplayError(.malformed("entity \(change.entity) is created with one twice"))
        }
        all[last].components.append((change.number, change.row))
      } else {
        all.append(NewEntity(number: change.entity, isHeld: change.kind == .held))
      }
    }
    var pending: [NewEntity] = []
    for new in all {
      let known = entity(new.number)
      let isUnique = new.components.contains {
        archive.cid(Int($0.component)).type is any UniqueComponent.Type
      }
      guard known != nil || isUnique || pending.contains(where: { $0.number == new.number }) else {
        pending.append(new)
        continue
      }
      try create(pending, values, in: context)
      pending = []
      if known ?? entity(new.number) != nil {
        try revive(new, values)
      } else {
        try create([new], values, in: context)
      }
      guard new.isHeld else { continue }
      for (component, _) in new.components {
        let cid = archive.cid(Int(component))
        if cid.type is any UniqueComponent.Type { undo.holder.markMadeHolder(of: cid) }
      }
    }
    try create(pending, values, in: context)
  }

  private func revive(_ new: NewEntity, _ values: Values) throws(ReplayError) {
    guard let entity = entity(new.number), !entity.isAlive else {
      throw ReplayError(.malformed("entity \(new.number) is created, but alive"))
    }
    var components: [any Component] = []
    for (component, row) in new.components {
      guard let value = values[component]?.resolved(entities)[row] else { continue }
      try check(value, of: nil)
      components.append(value)
    }
    guard undo.holder.revive(entity, with: components) else {
      throw ReplayError(.malformed("entity \(new.number) can't live again"))
    }
  }

  /// Creates entities together, so that their values can refer to each other.
  private mutating func create(
    _ new: [NewEntity], _ values: Values, in context: Context
  ) throws(ReplayError) {
    if new.isEmpty { return }
    var keys: Set<Identity.Key> = []
    for (component, row) in new.flatMap(\.components) {
      guard let value = values[component]?[row] else { continue }
      try check(value, of: nil)
      for identity in undo.holder.identities(of: value)
      where !keys.insert(identity.key).inserted {
        throw ReplayError(.malformed("two entities are created with one key"))
      }
    }
    // Entities with the same components, in the order in which they were added.
    var kinds: [[UInt32]: [Int]] = [:]
    var order: [[UInt32]] = []
    for (position, entity) in new.enumerated() where !entity.components.isEmpty {
      let kind = entity.components.map(\.component)
      if kinds[kind] == nil { order.append(kind) }
      kinds[kind, default: []].append(position)
    }
    let tables = order.map { kind in
      NewTable(kind.map { archive.cid(Int($0)) }, kinds[kind] ?? [])
    }
    var resolved: Values?
    let created = context.createEntities(new.count, in: tables) { table, columns in
      if resolved == nil {
        for (position, entity) in new.enumerated() {
          assign(entity.number, to: columns.entities[position])
        }
        resolved = values.mapValues { $0.resolved(entities) }
      }
      for (index, component) in order[table].enumerated() {
        let rows = (kinds[order[table]] ?? []).map { new[$0].components[index].row }
        resolved?[component]?.fill(columns, rows)
      }
    }
    guard resolved == nil else { return }
    for (position, entity) in new.enumerated() { assign(entity.number, to: created[position]) }
  }

  // MARK: Comparing

  /// The first difference of what was recorded and what was found.
  func compare(
    _ recorded: RecordedCommit, _ found: RecordedPart, _ causes: [Cause]
  ) throws(ReplayError) -> ReplayError? {
    let (expected, present) = (recorded.direct.changes, found.changes)
    let isSame =
      expected.count == present.count
      && zip(expected, present).allSatisfy { $0.isSame(as: $1) }
      && recorded.direct.batches.map(\.columns) == found.batches.map(\.columns)
    if isSame { return nil }
    for index in 0..<max(expected.count, present.count) {
      let one = index < expected.count ? expected[index] : nil
      let other = index < present.count ? present[index] : nil
      if let one, let other, one.isSame(as: other) {
        guard one.kind.hasValue else { continue }
        let (old, new) = (
          value(of: one, at: index, in: recorded.direct), value(of: other, at: index, in: found)
        )
        if let old, let new, try isEqual(old, new, Int(one.number)) { continue }
      }
      let changed = one ?? other
      return ReplayError(
        .difference(
          ReplayDifference(
            commit: recorded.number,
            cause: one.map { causes[Int($0.cause)] } ?? other.map { encoder.causes[Int($0.cause)] }
              ?? .unknown,
            entity: changed.flatMap { entity($0.entity) },
            component: changed.flatMap(name),
            recorded: one.map { text(of: $0, at: index, in: recorded.direct) },
            found: other.map { other in
              let whose = one.map { $0.entity != other.entity } ?? false
              let label = whose ? entity(other.entity).map { " of entity \($0.label)" } : nil
              return text(of: other, at: index, in: found) + (label ?? "")
            })))
    }
    return nil
  }

  /// A commit was recorded or found, and there is no other.
  func difference(
    _ recorded: RecordedCommit?, _ found: RecordedPart?, _ causes: [Cause]
  ) -> ReplayError {
    let part = recorded?.direct ?? found ?? RecordedPart()
    guard let change = part.changes.first else { return ReplayError(.malformed("no changes")) }
    let text = text(of: change, at: 0, in: part)
    return ReplayError(
      .difference(
        ReplayDifference(
          commit: recorded?.number,
          cause: (recorded == nil ? encoder.causes : causes)[Int(change.cause)],
          entity: entity(change.entity), component: name(change),
          recorded: recorded == nil ? nil : text, found: recorded == nil ? text : nil)))
  }

  private func name(_ change: RecordedPart.Change) -> String? {
    guard change.kind.hasNumber else { return nil }
    return change.kind.isLink
      ? archive.relationName(Int(change.number)) : archive.name(Int(change.number))
  }

  /// The value that the change at an index has set.
  private func value(
    of change: RecordedPart.Change, at index: Int, in part: RecordedPart
  ) -> (any Component)? {
    var end = 0
    for batch in part.batches {
      end += batch.changes.count
      guard index < end else { continue }
      return try? load(batch)[change.number]?.resolved(entities)[change.row]
    }
    return nil
  }

  private func isEqual(
    _ one: any Component, _ other: any Component, _ number: Int
  ) throws(ReplayError) -> Bool {
    if isKnownEqual(one, other) { return true }
    do throws(SnapshotError) {
      return try archive.encode([one], of: number, encoder.numbers)
        == archive.encode([other], of: number, encoder.numbers)
    } catch {
      throw ReplayError(.snapshot(error))
    }
  }

  private func text(
    of change: RecordedPart.Change, at index: Int, in part: RecordedPart
  ) -> String {
    let what: String? =
      switch change.kind {
      case .linked, .unlinked, .moved, .linkUpdated:
        "\(name(change) ?? "") to \(entity(change.target).map { "entity \($0.label)" } ?? "an entity")"
      case .removed: name(change)
      case .with, .added, .replaced, .linkValue:
        value(of: change, at: index, in: part).map { "\($0)" }
      default: nil
      }
    let verb =
      switch change.kind {
      case .with: "created with"
      case .linkValue: "linked with"
      case .held: "created as a holder"
      default: "\(change.kind)"
      }
    return what.map { "\(verb) \($0)" } ?? verb
  }
}
