#if SQLite
  /// The part of a file that has to be read again.
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
      for (index, link) in plan.links.enumerated() {
        switch link.storage {
        case .columns: if tables.contains(link.owner) { links.insert(index) }
        case .pairs(let pairs): if names.contains(pairs.name.lowercased()) { links.insert(index) }
        }
      }
    }

    init(tables: Set<Int> = [], links: Set<Int> = []) {
      (self.tables, self.links) = (tables, links)
    }

    /// The names of the tables of which there is something.
    func names(_ plan: SchemaPlan) -> [String] {
      tables.union(keys.keys).map { plan.tables[$0].name }
        + links.compactMap { number in
          if case .pairs(let pairs) = plan.links[number].storage { pairs.name } else { nil }
        }
    }

    /// Whether all rows of a table, or all links from it, are compared.
    func isWhole(_ table: Int, _ links: [SessionLink]) -> Bool {
      tables.contains(table) || self.links.contains { links[$0].source == table }
    }

    mutating func add(_ other: FileScope) {
      tables.formUnion(other.tables)
      links.formUnion(other.links)
      keys.merge(other.keys) { $0.followed(by: $1) }
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

    init() {}

    init(_ keys: some Sequence<RowKey>) { for key in keys { add(key) } }

    func contains(_ key: RowKey) -> Bool { known.contains(key) }

    /// These, and what has changed after them.
    func followed(by later: ChangedKeys) -> ChangedKeys {
      var all = self
      all.addMoves(later.origins.map { (from: $0.value, to: $0.key) })
      for key in later.keys { all.add(key) }
      return all
    }

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
