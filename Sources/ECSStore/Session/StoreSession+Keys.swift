#if SQLite
  import ECS

  extension StoreSession {
    /// Gives entities back the keys of their rows that the database has given out.
    ///
    /// An undo that has no keys to bring back leaves entities of rows without them. Before anything
    /// is merged, since what lacks its key differs from its row; and before changes are taken out,
    /// since observers hear of it, and may save.
    ///
    /// - Parameter saved: What is to be merged: of all others, nothing is asked then.
    func giveKeysBack(_ saved: SavedChanges? = nil) {
      let numbers = tables.indices.filter { number in
        let plan = tables[number].plan
        return plan.isGenerated && plan.keyComponent.map { $0 != plan.root } == true
      }
      if numbers.isEmpty || collector.isEmpty { return }
      context.perform {
        let touched = saved == nil ? Array(touched()) : []
        for number in numbers {
          let table = tables[number]
          guard let component = table.plan.keyComponent else { continue }
          let entities = saved.map { table.entities(of: $0.tables[number]) } ?? touched
          let lost = entities.filter { $0.has(table.plan.root) && !$0.has(component) }
          ignoring {
            for entity in lost {
              guard let row = table.row(of: entity) else { continue }
              table.shadow.apply(row, to: entity, only: ColumnSet(table.plan.keyColumns))
            }
          }
        }
      }
    }
  }

  extension SessionTable {
    /// The entities of rows that others have saved, as far as they are known.
    fileprivate func entities(of saved: SavedChanges.TableChanges) -> [Entity] {
      // Where they were, they are here.
      (saved.former.compactMap(\.self) + saved.addresses + saved.gone).compactMap(entity(at:))
    }
  }
#endif
