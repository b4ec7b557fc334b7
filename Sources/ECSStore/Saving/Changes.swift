#if SQLite
  import ECS

  /// The changes of a context, as it was at one moment.
  struct Changes {
    struct TableChanges {
      /// The present rows of entities that were touched.
      var rows: TableRows
      var entities: [Entity] = []

      /// Their rows in the shadow; nil for new ones.
      ///
      /// Unknown until ``find(in:)``.
      var known: [Int?] = []

      /// Where they are among these; see ``noteNumbers()``.
      private(set) var numbers = EntityMap<Int>()

      private(set) var lost: Set<Entity> = []

      /// Entities that were rows, and are not any more.
      ///
      /// Until ``find(in:)``, all that are none.
      var gone: [Entity] = []

      /// Entities that are to be rows and have no key.
      var keyless: [Entity] = []

      /// Looks up which rows are known; this takes no lock of the context.
      mutating func find(in table: SessionTable) {
        known.reserveCapacity(entities.count)
        for entity in entities { known.append(table.row(of: entity)) }
        gone.removeAll { table.row(of: $0) == nil }
      }

      // PERFORMANCE: K2: only links ask.
      /// Notes where entities are, once.
      mutating func noteNumbers() {
        if numbers.isEmpty {
          for (position, entity) in entities.enumerated() { numbers[entity] = position }
        }
        if lost.isEmpty { lost = Set(gone) }
      }

      /// Whether an entity was a row, and is none any more; see ``noteNumbers()``.
      func hasLost(_ entity: Entity) -> Bool { lost.contains(entity) }
    }

    struct LinkChanges {
      /// The present targets of sources that were touched.
      var targets = EntityMap<[Entity]>()

      /// The present values of their links, if links have some.
      var values = EntityMap<[Entity: any Component]>()
    }

    var tables: [TableChanges]
    var links: [LinkChanges]
  }

  extension StoreSession {
    /// Copies what some entities have, while the context is locked; which rows are known is found
    /// later.
    func changes(of entities: EntitySet) -> Changes {
      var changes = Changes(
        tables: tables.map { Changes.TableChanges(rows: TableRows($0.plan)) },
        links: links.map { _ in Changes.LinkChanges() })
      for index in tables.indices {
        let (found, others) = changes.tables[index].rows.append(those: entities)
        (changes.tables[index].entities, changes.tables[index].gone) = (found, others)
        changes.tables[index].keyless = keyless(found, others, index, changes.tables[index].rows)
      }
      for position in links.indices {
        for entity in entities { addTargets(of: entity, position, to: &changes) }
      }
      return changes
    }

    /// Those of some entities that are to be rows of a table and have no key.
    private func keyless(
      _ found: [Entity], _ others: [Entity], _ index: Int, _ rows: TableRows
    ) -> [Entity] {
      let plan = tables[index].plan
      guard plan.hasKey, !plan.isGenerated else { return [] }
      if let component = plan.definition.keyless {
        return others.filter { entity in
          // What another table keeps is kept.
          entity.has(component)
            && !tables.contains { table in
              entity.has(table.plan.root)
                && table.plan.components.contains { $0.layout.cid == component }
            }
        }
      }
      guard let key = plan.keyComponent, key != plan.root else { return [] }
      return found.filter { !$0.has(key) }
    }

    /// Lets links from entities that are left out, which stay as they are in the file, follow keys
    /// that change, and go with rows.
    func addLinks(of leftOut: LeftOut, to changes: inout Changes) {
      if leftOut.isEmpty { return }
      for (index, link) in links.enumerated() {
        for entity in leftOut.errors.keys where link.shadow.contains(entity) {
          changes.links[index].targets[entity] = []
        }
      }
    }

    func addTargets(of entity: Entity, _ index: Int, to changes: inout Changes) {
      let link = links[index]
      if entity.has(tables[link.source].plan.root) {
        let targets = link.targets(of: entity, tables)
        if targets.isEmpty, !link.shadow.contains(entity) { return }
        changes.links[index].targets[entity] = targets
        if link.columnsOfValues == nil { return }
        var values: [Entity: any Component] = [:]
        for target in targets { values[target] = link.relation.value(entity, target) }
        changes.links[index].values[entity] = values
      } else if link.shadow.contains(entity) {
        changes.links[index].targets[entity] = []
      }
    }
  }
#endif
