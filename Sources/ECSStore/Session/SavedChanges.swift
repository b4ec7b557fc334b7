#if SQLite
  import ECS

  /// What a session has saved, for the others.
  ///
  /// Nothing of it changes once it is made.
  final class Commit {
    struct TableCommit {
      /// Rows as they are now.
      var rows: TableRows

      /// Where they were before, if they were, and where they are.
      var former: [RowKey?] = []
      var addresses: [RowKey] = []
      var gone: [RowKey] = []
    }

    struct LinkCommit {
      var source: RowKey
      var targets: [RowKey]
    }

    var tables: [TableCommit]
    var links: [[LinkCommit]]

    init(_ plan: SchemaPlan) {
      tables = plan.tables.map { TableCommit(rows: TableRows($0)) }
      links = plan.links.map { _ in [] }
    }

    var isEmpty: Bool {
      tables.allSatisfy { $0.addresses.isEmpty && $0.gone.isEmpty } && links.allSatisfy(\.isEmpty)
    }
  }
#endif
