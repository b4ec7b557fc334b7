/// Entities that are about to be created with the same component types.
struct EntityBatch {
  /// The component types.
  private(set) var types: [CID]

  /// The types that were set or removed, in this order.
  private let script: [(cid: CID, isSet: Bool)]

  /// The positions of the entities among all that are created together.
  let positions: NewTable.Positions

  /// The values of components that are not staged.
  let source: PrototypeValues
  let rows: PrototypeRows

  /// Values that the entities have for themselves.
  private(set) var staged: [StagedValues]

  init(
    _ types: [CID], _ positions: NewTable.Positions, _ source: PrototypeValues,
    _ rows: PrototypeRows, staged: [StagedValues] = [], script: [(cid: CID, isSet: Bool)] = []
  ) {
    (self.types, self.script, self.positions) = (types, script, positions)
    (self.source, self.rows, self.staged) = (source, rows, staged)
  }

  var count: Int { rows.count }

  var table: NewTable { NewTable(types: types, positions: positions) }

  /// The position of an entity.
  func position(_ number: Int) -> Int {
    switch positions {
    case .range(let range): range.lowerBound + number
    case .list(let list): list[number]
    }
  }

  /// A copy of a value of an entity.
  func value(of cid: CID, _ number: Int) -> (any Component)? {
    if let own = staged.first(where: { $0.cid == cid }) {
      return unsafe cid.pointer.pointee.copy(own.place(number))
    }
    switch rows {
    case .first: return source.value(of: cid.key, row: 0)
    case .list(let rows): return source.value(of: cid.key, row: rows[number])
    }
  }

  /// Fills the columns of the entities; staged values are gone then.
  func fill(_ columns: borrowing NewColumns) {
    for cid in types where cid.pointer.pointee.stride > 0 {
      let place = unsafe columns.claim(cid)
      if let own = staged.first(where: { $0.cid == cid }) {
        // SAFETY: the column has room for all entities of the batch.
        unsafe own.move(to: place)
      } else {
        unsafe source.copy(cid, rows, to: place)
      }
    }
  }

  /// Adds what comes along with components that were set, and takes away what goes with those that
  /// were removed.
  ///
  /// Returns the values that no entity gets.
  mutating func complete() -> [StagedValues] {
    if script.isEmpty { return [] }
    var present = source.types
    var brought: [CID: RequiredComponent] = [:]
    func remove(_ cid: CID) {
      guard present.contains(cid),
        let others = ComponentRequirements.dependents(on: cid.key, among: present)
      else { return }
      for cid in others + [cid] {
        present.removeAll { $0 == cid }
        brought[cid] = nil
      }
    }
    for (cid, isSet) in script {
      guard isSet else {
        remove(cid)
        continue
      }
      brought[cid] = nil
      if present.contains(cid) { continue }
      present.append(cid)
      for required in cid.requirements?.components(of: cid) ?? []
      where !present.contains(required.cid) {
        present.append(required.cid)
        brought[required.cid] = required
      }
    }
    let unused = staged.filter { !present.contains($0.cid) || brought[$0.cid] != nil }
    staged.removeAll { values in unused.contains { $0 === values } }
    types = present
    for cid in present {
      if let required = brought[cid] { staged.append(values(of: required)) }
    }
    return unused
  }

  private func values(of required: RequiredComponent) -> StagedValues {
    let values = StagedValues(required.cid, capacity: count)
    for number in 0..<count {
      // SAFETY: there is room for so many values.
      unsafe required.part.initialize(values.place(number))
    }
    values.noteValues(count)
    return values
  }

  /// Replaces the handles in components that refer to entities.
  mutating func mapEntities(_ map: (Entity) -> Entity) {
    for cid in types {
      guard let type = cid.type as? any EntityReferencing.Type else { continue }
      let own: StagedValues
      if let present = staged.first(where: { $0.cid == cid }) {
        own = present
      } else {
        own = StagedValues(cid, capacity: count)
        // SAFETY: there is room for so many values.
        unsafe source.copy(cid, rows, to: own.base)
        own.noteValues(count)
        staged.append(own)
      }
      unsafe type.mapEntities(of: own.base, count: count, map)
    }
  }

  var refersToEntities: Bool { types.contains { $0.type is any EntityReferencing.Type } }
}

extension NewTable {
  fileprivate init(types: [CID], positions: Positions) {
    switch positions {
    case .range(let range): self.init(types, range)
    case .list(let list): self.init(types, list)
    }
  }
}
