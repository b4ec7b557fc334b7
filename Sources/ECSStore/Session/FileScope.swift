#if SQLite
  /// What of a file has to be read again.
  struct FileScope {
    /// The tables of which all rows are compared.
    var tables: Set<Int> = []

    /// The links that are compared as a whole.
    var links: Set<Int> = []

    /// The rows that changed of other tables.
    var keys: [Int: ChangedKeys] = [:]

    var isEmpty: Bool { tables.isEmpty && links.isEmpty && keys.isEmpty }

    /// Everything.
    static func all(_ plan: SchemaPlan) -> FileScope {
      FileScope(tables: Set(plan.tables.indices), links: Set(plan.links.indices))
    }

    /// Tables of rows and of pairs, by their names; others don't count.
    init(_ names: Set<String>, _ plan: SchemaPlan) {
      tables = Set(names.compactMap(plan.number))
      let names = Set(names.map { $0.lowercased() })
      for (number, link) in plan.links.enumerated() {
        switch link.place {
        case .columns: if tables.contains(link.owner) { links.insert(number) }
        case .pairs(let pairs): if names.contains(pairs.name.lowercased()) { links.insert(number) }
        }
      }
    }

    init(tables: Set<Int> = [], links: Set<Int> = []) {
      (self.tables, self.links) = (tables, links)
    }

    mutating func add(_ other: FileScope) {
      tables.formUnion(other.tables)
      links.formUnion(other.links)
      keys.merge(other.keys) { _, later in later }
      for table in tables { keys[table] = nil }
    }
  }

  /// The keys of rows that changed, and where these were before.
  struct ChangedKeys {
    /// In the order of changing; each once.
    private(set) var keys: [RowKey] = []
    private var known: Set<RowKey> = []

    /// Where rows were whose keys have changed, by where they are.
    private(set) var origins: [RowKey: RowKey] = [:]

    func contains(_ key: RowKey) -> Bool { known.contains(key) }

    mutating func add(_ key: RowKey) { if known.insert(key).inserted { keys.append(key) } }

    mutating func addGone(_ key: RowKey) {
      add(key)
      origins[key] = nil
    }

    /// Rows whose keys have changed at once, which may have changed places.
    mutating func addMoves(_ moves: [(from: RowKey, to: RowKey)]) {
      let origins = moves.map { self.origins[$0.from] ?? $0.from }
      for move in moves {
        add(move.from)
        self.origins[move.from] = nil
      }
      for (move, origin) in zip(moves, origins) {
        add(move.to)
        self.origins[move.to] = origin == move.to ? nil : origin
      }
    }
  }
#endif
