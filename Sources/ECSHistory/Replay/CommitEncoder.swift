import ECS
import ECSSnapshots
import Foundation

/// Writes commits as recordings have them: with numbers instead of entities, components and causes.
struct CommitEncoder {
  let archive: SchemaArchive
  private(set) var numbers: [Entity: UInt32] = [:]

  /// The entities by their numbers, as far as they are known.
  private(set) var entities: [Entity?] = []
  private(set) var causes: [Cause] = []
  private var causeNumbers: [Cause: UInt32] = [:]

  /// The numbers that the next new entities are to have.
  private var expected: ArraySlice<UInt32> = []

  /// Begins with entities that have the first numbers, and keeps further ones free.
  init(_ archive: SchemaArchive, _ entities: some Collection<Entity>, count: Int = 0) {
    self.archive = archive
    self.entities = [Entity?](repeating: nil, count: max(count, entities.count))
    for (number, entity) in entities.enumerated() { assign(UInt32(number), to: entity) }
  }

  mutating func assign(_ number: UInt32, to entity: Entity) {
    if let old = entities[Int(number)] { numbers[old] = nil }
    numbers[entity] = number
    entities[Int(number)] = entity
  }

  /// Takes numbers away again.
  mutating func forget(_ numbers: some Sequence<UInt32>) {
    for number in numbers {
      if let entity = entities[Int(number)] { self.numbers[entity] = nil }
      entities[Int(number)] = nil
    }
  }

  /// The changes of a commit that were made directly, and those that observers made in response.
  ///
  /// At the indices in `held`, entities were created by `setUniqueComponent(_:)`.
  mutating func encode(
    _ commit: Commit, held: Set<Int>
  ) throws(SnapshotError) -> (direct: RecordedPart, responses: RecordedPart) {
    try encode(commit, held: held, isDirectOnly: false)
  }

  /// The changes of a commit that were made directly, by which new entities get expected numbers.
  mutating func encodeDirect(
    _ commit: Commit, held: Set<Int>, expecting expected: [UInt32]
  ) throws(SnapshotError) -> RecordedPart {
    self.expected = expected[...]
    defer { self.expected = [] }
    return try encode(commit, held: held, isDirectOnly: true).direct
  }

  private mutating func encode(
    _ commit: Commit, held: Set<Int>, isDirectOnly: Bool
  ) throws(SnapshotError) -> (direct: RecordedPart, responses: RecordedPart) {
    var (direct, responses) = (PartBuilder(), PartBuilder())
    var isResponse = false
    for (index, change) in commit.enumerated() {
      // When observers are called, nothing is changed directly any more.
      if !isResponse, change.cause.kind == .observer {
        if isDirectOnly { break }
        isResponse = true
      }
      if isResponse {
        try add(change, held.contains(index), to: &responses)
      } else {
        try add(change, held.contains(index), to: &direct)
      }
    }
    try direct.endBatch(archive, numbers)
    try responses.endBatch(archive, numbers)
    return (direct.part, responses.part)
  }

  private mutating func add(
    _ change: CommittedChange, _ isHeld: Bool, to builder: inout PartBuilder
  ) throws(SnapshotError) {
    let cause = causeNumber(change.cause)
    switch change.kind {
    case .created:
      if !builder.isCreating { try builder.endBatch(archive, numbers) }
      let entity = knownNumber(change.entity) ?? newNumber(change.entity)
      builder.add(
        RecordedPart.Change(kind: isHeld ? .held : .created, entity: entity, cause: cause))
      // Not in the order of their types, which is another one in each process.
      let components = change.newComponents().compactMap { component in
        archive.number(of: type(of: component).cid).map { (number: $0, component: component) }
      }
      for (_, component) in components.sorted(by: { $0.number < $1.number }) {
        add(.with, component, of: entity, cause, to: &builder)
      }
    case .destroyed:
      guard let entity = numbers[change.entity] else { return }
      builder.add(RecordedPart.Change(kind: .destroyed, entity: entity, cause: cause))
    case .added, .replaced:
      guard let component = change.newComponents().first,
        archive.number(of: type(of: component).cid) != nil
      else { return }
      let entity = try number(of: change.entity, cause, &builder)
      add(change.kind == .added ? .added : .replaced, component, of: entity, cause, to: &builder)
    case .removed:
      guard let cid = change.component, let number = archive.number(of: cid),
        let entity = numbers[change.entity]
      else { return }
      builder.add(
        RecordedPart.Change(kind: .removed, entity: entity, cause: cause, number: UInt32(number)))
    case .linked, .unlinked, .moved, .linkUpdated:
      guard let relation = change.relation, let number = archive.number(of: relation),
        let target = change.target
      else { return }
      if change.kind != .linked, numbers[change.entity] == nil || numbers[target] == nil {
        return
      }
      let entity = try self.number(of: change.entity, cause, &builder)
      var recorded = RecordedPart.Change(
        kind: change.kind == .unlinked ? .unlinked : .linked, entity: entity, cause: cause,
        number: UInt32(number), target: try self.number(of: target, cause, &builder))
      if let value = change.newLinkValue, let number = archive.valueNumber(ofRelation: number) {
        builder.add(
          RecordedPart.Change(
            kind: .linkValue, entity: entity, cause: cause, number: UInt32(number)), value)
        if change.kind == .linkUpdated { recorded.kind = .linkUpdated }
      }
      if let move = change.move {
        recorded.kind = .moved
        recorded.isAmongTargets = move.isAmongTargets
        recorded.next = move.next.flatMap { numbers[$0] }
      }
      builder.add(recorded)
    }
  }

  private func add(
    _ kind: RecordedPart.Kind, _ component: any Component, of entity: UInt32, _ cause: UInt32,
    to builder: inout PartBuilder
  ) {
    guard let number = archive.number(of: type(of: component).cid) else { return }
    builder.add(
      RecordedPart.Change(kind: kind, entity: entity, cause: cause, number: UInt32(number)),
      component)
  }

  /// The number of an entity, which appears if it had none.
  private mutating func number(
    of entity: Entity, _ cause: UInt32, _ builder: inout PartBuilder
  ) throws(SnapshotError) -> UInt32 {
    if let number = numbers[entity] { return number }
    if !builder.isCreating { try builder.endBatch(archive, numbers) }
    let number = newNumber(entity)
    builder.add(RecordedPart.Change(kind: .appeared, entity: number, cause: cause))
    return number
  }

  /// The number of an entity that lives again.
  private mutating func knownNumber(_ entity: Entity) -> UInt32? {
    guard let number = numbers[entity] else { return nil }
    if expected.first == number { expected.removeFirst() }
    return number
  }

  private mutating func newNumber(_ entity: Entity) -> UInt32 {
    let number = expected.popFirst() ?? UInt32(entities.count)
    if number == entities.count { entities.append(nil) }
    assign(number, to: entity)
    return number
  }

  private mutating func causeNumber(_ cause: Cause) -> UInt32 {
    if let number = causeNumbers[cause] { return number }
    causeNumbers[cause] = UInt32(causes.count)
    causes.append(cause)
    return UInt32(causes.count - 1)
  }
}

/// Collects changes.
private struct PartBuilder {
  private(set) var part = RecordedPart()
  private var batch = RecordedPart.Batch()
  private var values: [UInt32: [any Component]] = [:]

  /// Whether there are only changes that create entities as yet.
  private(set) var isCreating = true

  mutating func add(_ change: RecordedPart.Change, _ value: (any Component)? = nil) {
    var change = change
    if let value {
      change.row = values[change.number]?.count ?? 0
      values[change.number, default: []].append(value)
    }
    if !change.kind.isBeginning, change.kind != .with { isCreating = false }
    batch.changes.append(change)
  }

  mutating func endBatch(
    _ archive: SchemaArchive, _ numbers: [Entity: UInt32]
  ) throws(SnapshotError) {
    guard !batch.changes.isEmpty else { return }
    for (component, values) in values.sorted(by: { $0.key < $1.key }) {
      let blocks = try archive.encode(values, of: Int(component), numbers)
      batch.columns.append(
        RecordedPart.Column(
          component: component, rows: values.count, lengths: blocks.map(\.count),
          data: blocks.reduce(into: Data()) { $0.append($1) }))
    }
    part.batches.append(batch)
    (batch, values, isCreating) = (RecordedPart.Batch(), [:], true)
  }
}

extension Commit {
  /// The indices of changes that have created entities by `setUniqueComponent(_:)`; asked for when
  /// the commit is announced.
  func heldIndices() -> Set<Int> {
    var indices: Set<Int> = []
    for (index, change) in enumerated() where change.kind == .created {
      for component in change.newComponents() where component is any UniqueComponent {
        let cid = type(of: component).cid
        if EntityRetainer.isMadeHolder(change.entity, of: cid) { indices.insert(index) }
      }
    }
    return indices
  }
}
