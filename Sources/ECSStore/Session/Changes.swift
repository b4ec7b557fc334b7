#if SQLite
  import ECS

  /// What has changed in a context, as it was at one moment.
  struct Changes {
    struct TableChanges {
      /// The present rows of entities that were touched.
      var rows: TableRows
      var entities: [Entity] = []

      /// Their rows in the shadow; nil for new ones.
      var known: [Int?] = []

      /// Where they are among these.
      var numbers = EntityMap<Int>()

      /// Entities that were rows, and are not any more.
      var gone: [Entity] = []
    }

    struct LinkChanges {
      /// The present targets of sources that were touched.
      var targets = EntityMap<[Entity]>()
    }

    var tables: [TableChanges]
    var links: [LinkChanges]
  }

  extension StoreSession {
    /// Copies what some entities have, while the context is locked.
    func changes(of entities: some Sequence<Entity>) -> Changes {
      var changes = Changes(
        tables: tables.map { Changes.TableChanges(rows: TableRows($0.plan)) },
        links: links.map { _ in Changes.LinkChanges() })
      for entity in entities {
        for (number, table) in tables.enumerated() {
          let row = table.row(of: entity)
          if entity.has(table.plan.root) {
            changes.tables[number].numbers[entity] = changes.tables[number].entities.count
            changes.tables[number].rows.append(entity)
            changes.tables[number].entities.append(entity)
            changes.tables[number].known.append(row)
          } else if row != nil {
            changes.tables[number].gone.append(entity)
          }
        }
        for number in links.indices { addTargets(of: entity, number, to: &changes) }
      }
      return changes
    }

    func addTargets(of entity: Entity, _ number: Int, to changes: inout Changes) {
      let link = links[number]
      if entity.has(tables[link.source].plan.root) {
        let targets = link.targets(of: entity, tables)
        if targets.isEmpty, !link.shadow.contains(entity) { return }
        changes.links[number].targets[entity] = targets
      } else if link.shadow.contains(entity) {
        changes.links[number].targets[entity] = []
      }
    }
  }
#endif
