#if SQLite
  import ECS

  /// The changes of a save, for sessions that have not seen them.
  ///
  /// Nothing of it changes once it is made.
  final class SavedChanges {
    struct TableChanges {
      /// Rows as they are now.
      var rows: TableRows

      /// Where they were before, if they were, and where they are.
      var former: [RowKey?] = []
      var addresses: [RowKey] = []
      var gone: [RowKey] = []

      /// Where rows were that are elsewhere now.
      var left: Set<RowKey> { Set(moves.keys) }

      /// Where rows are that were elsewhere, by where they were.
      var moves: [RowKey: RowKey] {
        var moves: [RowKey: RowKey] = [:]
        for (former, address) in zip(former, addresses) where former != address {
          if let former { moves[former] = address }
        }
        return moves
      }
    }

    struct LinkTargets {
      var source: RowKey
      var targets: [RowKey]

      /// The columns of values, if links have some.
      var values: StoredLinkValues = [:]
    }

    var tables: [TableChanges]
    var links: [[LinkTargets]]

    init(_ plan: SchemaPlan) {
      tables = plan.tables.map { TableChanges(rows: TableRows($0)) }
      links = plan.links.map { _ in [] }
    }

    var isEmpty: Bool {
      tables.allSatisfy { $0.addresses.isEmpty && $0.gone.isEmpty } && links.allSatisfy(\.isEmpty)
    }
  }
#endif
