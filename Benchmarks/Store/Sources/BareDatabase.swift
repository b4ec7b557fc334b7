import Foundation
import GRDBSQLite

/// A database as the C API gives it, with the settings that a store has.
final class BareDatabase {
  private let handle: OpaquePointer

  init(_ path: String) throws {
    var opened: OpaquePointer?
    let status = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE, nil)
    guard status == SQLITE_OK, let opened else { throw BenchmarkFailure("open: \(status)") }
    handle = opened
    try execute("PRAGMA journal_mode = WAL")
    try execute("PRAGMA synchronous = NORMAL")
    try execute("PRAGMA foreign_keys = ON")
  }

  deinit { sqlite3_close_v2(handle) }

  func execute(_ sql: String) throws {
    let status = sqlite3_exec(handle, sql, nil, nil, nil)
    guard status == SQLITE_OK else { throw BenchmarkFailure("\(sql): \(status)") }
  }

  func insert(_ items: [Item]) throws {
    try execute("BEGIN IMMEDIATE")
    let statement = try prepare("INSERT INTO item (id, name, price, stock) VALUES (?, ?, ?, ?)")
    defer { sqlite3_finalize(statement) }
    for var item in items {
      sqlite3_bind_int64(statement, 1, item.id)
      item.name.withUTF8 { text in
        _ = text.withMemoryRebound(to: CChar.self) {
          sqlite3_bind_text(statement, 2, $0.baseAddress, Int32($0.count), Self.copied)
        }
      }
      sqlite3_bind_double(statement, 3, item.price)
      sqlite3_bind_int64(statement, 4, Int64(item.stock))
      try run(statement)
    }
    try execute("COMMIT")
  }

  func setPrices(_ prices: [(id: Int64, price: Double)]) throws {
    try execute("BEGIN IMMEDIATE")
    let statement = try prepare("UPDATE item SET price = ? WHERE id = ?")
    defer { sqlite3_finalize(statement) }
    for (id, price) in prices {
      sqlite3_bind_double(statement, 1, price)
      sqlite3_bind_int64(statement, 2, id)
      try run(statement)
    }
    try execute("COMMIT")
  }

  func load() throws -> [Item] {
    let statement = try prepare("SELECT id, name, price, stock FROM item")
    defer { sqlite3_finalize(statement) }
    var items: [Item] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      var item = Item()
      item.id = sqlite3_column_int64(statement, 0)
      item.name = String(cString: sqlite3_column_text(statement, 1))
      item.price = sqlite3_column_double(statement, 2)
      item.stock = Int(sqlite3_column_int64(statement, 3))
      items.append(item)
    }
    return items
  }

  /// What is in the table, summed up.
  func sums() throws -> Sums {
    let statement = try prepare(
      "SELECT count(*), total(id), total(length(name)), total(price), total(stock) FROM item")
    defer { sqlite3_finalize(statement) }
    guard sqlite3_step(statement) == SQLITE_ROW else { throw BenchmarkFailure("no sums") }
    return Sums((0..<5).map { sqlite3_column_double(statement, Int32($0)) })
  }

  private func prepare(_ sql: String) throws -> OpaquePointer? {
    var statement: OpaquePointer?
    let status = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard status == SQLITE_OK else { throw BenchmarkFailure("\(sql): \(status)") }
    return statement
  }

  private func run(_ statement: OpaquePointer?) throws {
    let status = sqlite3_step(statement)
    guard status == SQLITE_DONE else { throw BenchmarkFailure("step: \(status)") }
    sqlite3_reset(statement)
  }

  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// What is in a table: the number of rows, and the sums of their columns.
struct Sums: Equatable {
  var values: [Double]

  init(_ values: [Double]) { self.values = values }

  init(_ items: some Sequence<Item>) {
    values = [0, 0, 0, 0, 0]
    for item in items {
      values[0] += 1
      values[1] += Double(item.id)
      values[2] += Double(item.name.utf8.count)
      values[3] += item.price
      values[4] += Double(item.stock)
    }
  }
}
