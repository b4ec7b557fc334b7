import ECS
import ECSStore
import Foundation
import GRDB

extension Row {
  /// K1: all rows are new.
  static func savingNew(_ parts: Parts, _ n: Int, _ workspace: Workspace) -> Row {
    let items = (1...n).map(Item.init)
    let sums = Sums(items)
    func round(
      _ name: String, _ prepare: @escaping (URL) throws -> (() throws -> Void)
    ) -> (Int) throws -> Round {
      { _ in
        let file = try workspace.makeFile(parts)
        let run = try prepare(file)
        return Round(
          run: run,
          check: {
            try verify(BareDatabase(file.path).sums(), sums, name)
            workspace.remove(file)
          })
      }
    }
    return Row(
      id: "K1\(parts.suffix)", title: "save \(n) new rows", operations: n, unit: "row",
      contenders: [
        Contender(
          "C",
          makeRound: round("C") { file in
            let database = try BareDatabase(file.path)
            return { try database.insert(items) }
          }),
        Contender(
          "GRDB unchecked",
          makeRound: round("GRDB unchecked") { file in
            let pool = try DatabasePool(path: file.path)
            return { try pool.insert(items, isChecked: false) }
          }),
        Contender(
          "GRDB",
          makeRound: round("GRDB") { file in
            let pool = try DatabasePool(path: file.path)
            return { try pool.insert(items, isChecked: true) }
          }),
        Contender(
          "session", goal: ("GRDB", parts == .one ? 0.95 : 1),
          makeRound: round("session") { file in
            let store = try Store(at: .file(file), schema: parts.makeSchema())
            let session = try store.session()
            session.context.perform {
              for item in items { parts.create(item, in: session.context) }
            }
            return { try verify(try session.save().inserted, n, "session") }
          }),
      ])
  }

  /// K2: one row in a hundred has another price: neighbours, or each far from the next, so that each is
  /// on a page of its own, whose writing outweighs all else.
  static func savingDirty(
    _ parts: Parts, isScattered: Bool, _ n: Int, _ workspace: Workspace
  ) throws -> Row {
    let items = (1...n).map(Item.init)
    let changed = (0..<max(1, n / 100)).map { isScattered ? $0 * 100 : n / 2 + $0 }
    func prices(_ round: Int) -> [(id: Int64, price: Double)] {
      changed.map { (items[$0].id, items[$0].price + Double(round + 1)) }
    }
    func sums(_ round: Int) -> Sums {
      var sums = Sums(items)
      sums.values[3] += Double(changed.count * (round + 1))
      return sums
    }
    let files = try (0..<3).map { _ in try workspace.makeFile(parts, items) }
    func check(_ file: URL, _ round: Int, _ name: String) -> () throws -> Void {
      { try verify(BareDatabase(file.path).sums(), sums(round), name) }
    }
    let bare = try BareDatabase(files[0].path)
    let pool = try DatabasePool(path: files[1].path)
    let session = try Store(at: .file(files[2]), schema: parts.makeSchema()).session()
    let entities = parts.group(in: session.context).sorted()
    return Row(
      id: "K2\(parts.suffix)\(isScattered ? ".scattered" : "")",
      title: "save \(changed.count) changed of \(n) rows",
      operations: changed.count, unit: "changed row",
      contenders: [
        Contender("C") { round in
          let prices = prices(round)
          return Round(run: { try bare.setPrices(prices) }, check: check(files[0], round, "C"))
        },
        Contender("GRDB") { round in
          let prices = prices(round)
          return Round(run: { try pool.setPrices(prices) }, check: check(files[1], round, "GRDB"))
        },
        Contender("session", goal: ("GRDB", parts == .one ? 1.25 : 1.4)) { round in
          for (place, price) in zip(changed, prices(round)) {
            parts.setPrice(price.price, of: entities[place])
          }
          return Round(
            run: { try verify(try session.save().updated, changed.count, "session") },
            check: check(files[2], round, "session"))
        },
      ])
  }

  /// K5: nothing has changed.
  static func savingNothing(_ n: Int, _ workspace: Workspace) throws -> Row {
    let file = try workspace.makeFile(.one, (1...n).map(Item.init))
    let session = try Store(at: .file(file), schema: Parts.one.makeSchema()).session()
    let calls = 10_000
    return Row(
      id: "K5", title: "save nothing (goal: 500 ns)", operations: calls, unit: "call",
      contenders: [
        Contender("session") { _ in
          Round(
            run: {
              for _ in 0..<calls { try verify(try session.save(), SaveReport(), "session") }
            }, check: {})
        }
      ])
  }
}

extension DatabasePool {
  /// Inserts rows with one statement, and its arguments as GRDB takes them.
  func insert(_ items: [Item], isChecked: Bool) throws {
    try write { database in
      let statement = try database.makeStatement(
        sql: "INSERT INTO item (id, name, price, stock) VALUES (?, ?, ?, ?)")
      for item in items {
        if isChecked {
          try statement.execute(arguments: [item.id, item.name, item.price, item.stock])
        } else {
          statement.setUncheckedArguments([item.id, item.name, item.price, item.stock])
          try statement.execute()
        }
      }
    }
  }

  func setPrices(_ prices: [(id: Int64, price: Double)]) throws {
    try write { database in
      let statement = try database.makeStatement(sql: "UPDATE item SET price = ? WHERE id = ?")
      for (id, price) in prices { try statement.execute(arguments: [price, id]) }
    }
  }
}
