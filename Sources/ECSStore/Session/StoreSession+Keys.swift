#if SQLite
  import ECS

  extension StoreSession {
    /// Gives entities back the keys of their rows that the database has given out.
    ///
    /// An undo that has no keys to bring back leaves entities of rows without them. Before anything
    /// is merged, since what lacks its key differs from its row; and before changes are taken out,
    /// since observers hear of it, and may save.
    func giveKeysBack() {
      let generated = tables.filter(\.plan.isGenerated)
      if generated.isEmpty || collector.isEmpty { return }
      context.perform {
        let touched = touched()
        for table in generated {
          guard let component = table.plan.keyComponent, component != table.plan.root else {
            continue
          }
          let lost = touched.filter {
            $0.has(table.plan.root) && !$0.has(component) && table.row(of: $0) != nil
          }
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
#endif
