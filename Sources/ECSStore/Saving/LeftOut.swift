#if SQLite
  import ECS
  import GRDB

  /// The entities that a save leaves out: neither their rows nor links from them are written, which
  /// stay as they are in the file.
  struct LeftOut {
    /// Why, by the entities.
    private(set) var errors: [Entity: StoreError] = [:]

    /// In which round they were refused, and the present one.
    private var rounds: [Entity: Int] = [:]
    private(set) var round = 0

    /// In which order they were.
    private var numbers: [Entity: Int] = [:]
    private var count = 0

    /// By the entities that were refused, those that have gone and whose rows they were to take
    /// over.
    private var takenOver: [Entity: Set<Entity>] = [:]

    /// Those that had gone when they were refused.
    private var gone: Set<Entity> = []

    /// Those that have gone, and whose rows the last plan has left where they are.
    var formers: Set<Entity> = []

    var isEmpty: Bool { errors.isEmpty }
    func contains(_ entity: Entity) -> Bool { errors[entity] != nil }

    /// Those that have gone, and whose rows what is left out was to take over.
    var wanted: Set<Entity> { errors.keys.reduce(into: []) { $0.formUnion(takenOver[$1] ?? []) } }

    /// False if the entity is left out already: the first reason stays.
    mutating func add(_ entity: Entity, _ error: StoreError) -> Bool {
      if errors[entity] != nil { return false }
      errors[entity] = error
      rounds[entity] = round
      numbers[entity] = count
      count += 1
      return true
    }

    /// False if all of them are left out already.
    mutating func add(_ refused: RowsRefused) -> Bool {
      for pair in refused.formers { takenOver[pair.entity, default: []].insert(pair.former) }
      gone.formUnion(refused.gone)
      defer { round += 1 }
      return refused.rows.reduce(false) { add($1.entity, $1.error) || $0 }
    }

    /// Forgets entities that are to be no rows any more, unless that was what was refused.
    ///
    /// - Returns: Those that were left out for their sake, and are to be saved now.
    mutating func dropGone(_ isRow: (Entity) -> Bool) -> Set<Entity> {
      errors = errors.filter { gone.contains($0.key) || isRow($0.key) }
      let before = formers
      formers.formIntersection(wanted)
      return before.subtracting(formers)
    }

    // MARK: Trying once more

    /// Notes what kept entities from being saved when they were tried once more.
    mutating func note(_ entities: Set<Entity>, _ error: StoreError) {
      for entity in entities { errors[entity] = error }
    }

    /// Those that were refused for values that another row has.
    var duplicates: Set<Entity> {
      Set(errors.lazy.filter { $0.value.isOfSameValues }.map(\.key))
    }

    /// The duplicates, refused since a round, that may have been so for the sake of others which
    /// were refused then or later, for something else.
    func keptOut(since first: Int, _ claims: RowClaims) -> Set<Entity> {
      let tried = errors.filter { rounds[$0.key, default: 0] >= first }
      let hasOthers = tried.values.contains { !$0.isOfSameValues }
      let refused = Dictionary(
        uniqueKeysWithValues: tried.map { ($0.key, claims.claim(of: $0.key, $0.value)) })
      /// The last round in which one was refused that has a claim, and those in which one was that
      /// was refused for something else.
      var rivals: [RowClaim: (last: Int, others: Set<Int>)] = [:]
      for (entity, cause) in refused {
        let round = rounds[entity, default: 0]
        for claim in claims[entity] {
          rivals[claim, default: (round, [])].last = max(rivals[claim]?.last ?? round, round)
          if claim != cause { rivals[claim]?.others.insert(round) }
        }
      }
      let last = tried.keys.lazy.compactMap { rounds[$0] }.max() ?? 0
      return duplicates.filter { entity in
        guard let cause = refused[entity], let round = rounds[entity] else { return false }
        // That of a link, or by another program's index, is not known: it is tried once.
        guard let cause else { return first == 0 && (round < last || hasOthers) }
        guard let rivals = rivals[cause] else { return false }
        return round < rivals.last || rivals.others.contains(round)
      }
    }

    /// Of some, the one that was refused last: it may be what kept out the others.
    func last(of entities: Set<Entity>) -> Entity? {
      entities.max { numbers[$0, default: 0] < numbers[$1, default: 0] }
    }

    /// Leaves entities out no longer.
    mutating func readmit(_ entities: Set<Entity>) {
      for entity in entities { errors[entity] = nil }
    }
  }

  extension StoreError {
    /// Whether the database has refused a row for values that another one has.
    var isOfSameValues: Bool {
      switch self {
      case .duplicateKey, .unique: true
      default: false
      }
    }
  }

  /// The database has refused rows of a save that is to leave them out: what it has written is to
  /// be taken back, and all else to be planned anew.
  struct RowsRefused: Error {
    /// At least one.
    let rows: [(entity: Entity, error: StoreError)]

    /// Those whose rows they were to take over.
    let formers: [(entity: Entity, former: Entity)]

    /// Those of them that have gone: it is their rows that can't.
    let gone: Set<Entity>
  }

  extension SavePlan {
    func isLeftOut(_ entity: Entity) -> Bool {
      leftOut.contains(entity) || formers.contains(entity)
    }

    /// Leaves rows where they are whose entities have gone, if what was to take them over is left
    /// out, and nothing that is saved gets their keys.
    mutating func leaveFormers(_ session: StoreSession) {
      let wanted = leftOut.wanted
      if wanted.isEmpty { return }
      for (index, table) in session.tables.enumerated() where !tables[index].deletes.isEmpty {
        let given = Set(tables[index].addresses)
        let kept = Set(
          tables[index].deletes.filter {
            wanted.contains(table.entities[$0]) && !given.contains(table.addresses[$0])
          })
        let entities = Set(kept.map { table.entities[$0] })
        tables[index].deletes.removeAll(where: kept.contains)
        changes.tables[index].gone.removeAll(where: entities.contains)
        formers.formUnion(entities)
      }
    }

    /// Lets rows of what is left out, whose links follow keys, be written before those that others
    /// get which were to take over these links: those are refused then.
    mutating func putLeftOutFirst() {
      if leftOut.isEmpty { return }
      for table in tables.indices {
        let first = tables[table].updates.filter { isLeftOut($0.entity) }
        if first.isEmpty { continue }
        tables[table].updates = first + tables[table].updates.filter { !isLeftOut($0.entity) }
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
        plan.tables.compactMap { table in
          table.takeovers[row.entity].map { (entity: row.entity, former: $0) }
        }
      }
      let gone = Set(plan.changes.tables.lazy.flatMap(\.gone))
      throw RowsRefused(
        rows: refused, formers: formers, gone: gone.intersection(refused.map(\.entity)))
    }
  }
#endif
