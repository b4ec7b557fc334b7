import ECS
import ECSStore
import Foundation
import GRDB

/// A row as a record of GRDB.
struct ItemRecord: FetchableRecord {
  let item: Item

  init(row: GRDB.Row) {
    var item = Item()
    item.id = row["id"]
    item.name = row["name"]
    item.price = row["price"]
    item.stock = row["stock"]
    self.item = item
  }
}

extension Row {
  /// K3: all rows become values, or entities.
  static func loading(_ parts: Parts, _ n: Int, _ workspace: Workspace) throws -> Row {
    let items = (1...n).map(Item.init)
    let file = try workspace.makeFile(parts, items)
    let sums = Sums(items)
    let bare = try BareDatabase(file.path)
    let pool = try DatabasePool(path: file.path)
    let schema = try parts.makeSchema()
    func session(isIndexed: Bool) -> (Int) throws -> Round {
      { _ in
        let store = try Store(at: .file(file), schema: schema)
        let context = Context()
        let index = isIndexed ? parts.index(context) : nil
        var session: StoreSession?
        return Round(
          run: { session = try store.session(on: context) },
          check: {
            try verify(session?.loaded.rows, n, "session")
            try verify(Sums(parts.items(in: context)), sums, "session")
            try withExtendedLifetime(index) { try store.close() }
          })
      }
    }
    return Row(
      id: "K3\(parts.suffix)", title: "load \(n) rows", operations: n, unit: "row",
      contenders: [
        Contender("C") { _ in
          var loaded: [Item] = []
          return Round(
            run: { loaded = try bare.load() }, check: { try verify(Sums(loaded), sums, "C") })
        },
        Contender("GRDB records") { _ in
          var loaded: [ItemRecord] = []
          return Round(
            run: {
              loaded = try pool.read { try ItemRecord.fetchAll($0, sql: "SELECT * FROM item") }
            }, check: { try verify(Sums(loaded.map(\.item)), sums, "GRDB records") })
        },
        Contender(
          "session", goal: ("GRDB records", 1.2), makeRound: session(isIndexed: false)),
        Contender(
          "session, primary index", goal: ("GRDB records", 1.8),
          makeRound: session(isIndexed: true)),
      ])
  }

  /// K4: others have written, and nothing differs.
  static func refreshing(_ n: Int, _ workspace: Workspace) throws -> Row {
    let items = (1...n).map(Item.init)
    let file = try workspace.makeFile(.one, items)
    let bare = try BareDatabase(file.path)
    let sums = Sums(items)
    let session = try Store(at: .file(file), schema: Parts.one.makeSchema()).session()
    return Row(
      id: "K4", title: "read \(n) rows again", operations: n, unit: "row",
      contenders: [
        Contender("C") { _ in
          var loaded: [Item] = []
          return Round(
            run: { loaded = try bare.load() }, check: { try verify(Sums(loaded), sums, "C") })
        },
        Contender("session", goal: ("C", 2.3)) { _ in
          // Written, and as it was.
          try bare.execute("UPDATE item SET stock = stock + 1 WHERE id = 1")
          try bare.execute("UPDATE item SET stock = stock - 1 WHERE id = 1")
          return Round(
            run: {
              let report = try session.refresh()
              try verify(report.made + report.updated + report.destroyed, 0, "session")
            }, check: { try verify(Sums(Parts.one.items(in: session.context)), sums, "session") })
        },
      ])
  }
}

extension Parts {
  func items(in context: Context) -> [Item] {
    group(in: context).sorted().map { entity in
      switch self {
      case .one: return entity.get(Item.self) ?? Item()
      case .three:
        var item = Item()
        item.id = entity.get(Label.self)?.id ?? 0
        item.name = entity.get(Label.self)?.name ?? ""
        item.price = entity.get(Price.self)?.value ?? 0
        item.stock = entity.get(Stock.self)?.count ?? 0
        return item
      }
    }
  }
}
