#if SQLite
  import ECS
  import GRDB

  /// The entities that a save leaves out: neither their rows nor links from them are written, which
  /// stay as they are in the file.
  struct LeftOut {
    /// Why, by the entities.
    private(set) var errors: [Entity: StoreError] = [:]

    /// Entities that have gone, and whose rows others were to take over that are left out.
    private var formers: Set<Entity> = []

    var isEmpty: Bool { errors.isEmpty }
    var entities: Set<Entity> { formers.union(errors.keys) }
    func contains(_ entity: Entity) -> Bool { errors[entity] != nil || formers.contains(entity) }

    /// False if the entity is left out already.
    mutating func add(_ entity: Entity, _ error: StoreError) -> Bool {
      errors.updateValue(error, forKey: entity) == nil
    }

    /// False if all of them are left out already.
    mutating func add(_ refused: RowsRefused) -> Bool {
      formers.formUnion(refused.formers)
      return refused.rows.reduce(false) { add($1.entity, $1.error) || $0 }
    }
  }

  /// The database has refused rows of a save that is to leave them out: what it has written is to
  /// be taken back, and all else to be planned anew.
  struct RowsRefused: Error {
    /// At least one.
    let rows: [(entity: Entity, error: StoreError)]

    /// Those whose rows they were to take over.
    let formers: [Entity]
  }

  extension SavePlan {
    /// Lets rows of what is left out, whose links follow keys, be written before those that others
    /// get which were to take over these links: those are refused then.
    mutating func putLeftOutFirst() {
      if leftOut.isEmpty { return }
      for table in tables.indices {
        let first = tables[table].updates.filter { leftOut.contains($0.entity) }
        if first.isEmpty { continue }
        tables[table].updates.removeAll { leftOut.contains($0.entity) }
        tables[table].updates.insert(contentsOf: first, at: 0)
        tables[table].updateNumbers = [:]
      }
    }
  }

  extension SaveWriter {
    /// Throws that an entity can't be saved, or notes it, if it is to be left out.
    mutating func refuse(_ entity: Entity, _ error: StoreError) throws(StoreError) {
      // What has ended the transaction has taken all others along.
      guard skips, database.isInsideTransaction else { throw error }
      refused.append((entity, error))
    }

    /// Throws if entities are to be left out: what follows might fail because of them.
    func checkRefused() throws(RowsRefused) {
      if refused.isEmpty { return }
      let formers = refused.flatMap { row in
        plan.tables.compactMap { $0.takeovers[row.entity] }
      }
      throw RowsRefused(rows: refused, formers: formers)
    }
  }
#endif
