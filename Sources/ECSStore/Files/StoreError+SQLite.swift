#if SQLite
  import ECS
  import Foundation
  import GRDB

  extension StoreError {
    /// What a store makes of an error that something in it threw.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - file: Where it is, and how long others are waited for.
    init(_ error: any Error, in file: StoreFile) {
      switch error {
      case let error as StoreError: self = error
      case let error as DatabaseError: self.init(error, in: file)
      default: self = .sql(code: 0, message: "\(error)")
      }
    }

    private init(_ error: DatabaseError, in file: StoreFile) {
      let message = error.message ?? "\(error)"
      self =
        switch error.resultCode {
        case .SQLITE_CANTOPEN: .cannotOpen(path: file.path, reason: message)
        case .SQLITE_NOTADB: .notADatabase(path: file.path)
        case .SQLITE_CORRUPT: .corrupt(path: file.path, detail: message)
        case .SQLITE_BUSY, .SQLITE_LOCKED: .locked(waited: file.busyTimeout)
        case .SQLITE_FULL: .full
        case .SQLITE_READONLY, .SQLITE_PERM: .readOnly
        case .SQLITE_IOERR: .disk(detail: message)
        default: .sql(code: Int(error.extendedResultCode.rawValue), message: message)
        }
    }

    /// What a store makes of an error of a row's statement.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - file: Where the file is.
    ///   - table: The table.
    ///   - key: The key of the row, as far as it is known.
    ///   - entity: Whose row it is.
    init(
      _ error: DatabaseError, in file: StoreFile, table: String, key: RowKey?, entity: Entity
    ) {
      let column = StoreError.column(in: error.message ?? "")
      self =
        switch error.extendedResultCode {
        case .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID:
          .duplicateKey(table: table, key: key.map { "\($0)" } ?? column)
        case .SQLITE_CONSTRAINT_UNIQUE: .unique(table: table, column: column, entity: entity)
        case .SQLITE_CONSTRAINT_NOTNULL, .SQLITE_CONSTRAINT_CHECK:
          .validation(table: table, column: column, entity: entity)
        case .SQLITE_CONSTRAINT_FOREIGNKEY: .foreignKey(table: table, entity: entity)
        // SQLITE_CONSTRAINT_DATATYPE: a value of another type, in a strict table.
        case ResultCode(rawValue: 3091):
          .schemaMismatch(table: table, detail: error.message ?? "a value has another type")
        case .SQLITE_MISMATCH:
          .schemaMismatch(table: table, detail: error.message ?? "a key has another type")
        default:
          if case .sql(_, let reason) = StoreError(error, in: file) {
            .refused(table: table, entity: entity, reason: reason)
          } else {
            StoreError(error, in: file)
          }
        }
    }

    /// The column, or the columns, that a message such as `UNIQUE constraint failed: book.isbn`
    /// names; the text of a check, if it is about one.
    private static func column(in message: String) -> String {
      guard let colon = message.range(of: "failed: ") else { return message }
      return message[colon.upperBound...].split(separator: ",").map { part in
        let part = part.drop { $0 == " " }
        return part.firstIndex(of: ".").map { part[part.index(after: $0)...] } ?? part
      }.joined(separator: ", ")
    }
  }

  extension StoreError: CustomStringConvertible {
    /// What went wrong, in words.
    public var description: String {
      switch self {
      case .cannotOpen(let path, let reason): "\(path) can't be opened: \(reason)"
      case .notADatabase(let path): "\(path) is no database"
      case .corrupt(let path, let detail): "\(path) is damaged: \(detail)"
      case .newerSchema(let found, let supported):
        "the file has version \(found), but this program knows \(supported) at most"
      case .schemaMismatch(let table, let detail): "table \(table): \(detail)"
      case .migrationFailed(let version, let reason): "migration to version \(version): \(reason)"
      case .locked(let waited): "another process has been writing for \(waited)"
      case .full: "the disk is full"
      case .readOnly: "the file must not be written"
      case .fileGone(let path): "\(path) was removed or replaced"
      case .disk(let detail): "the disk failed: \(detail)"
      case .badValue(let key, let reason): "the value of '\(key)' can't be kept: \(reason)"
      case .duplicateKey(let table, let key): "table \(table) has the key \(key) already"
      case .unique(let table, let column, let entity):
        "\(entity): another row of table \(table) has the same \(column)"
      case .validation(let table, let column, let entity):
        "\(entity): table \(table) does not take its \(column)"
      case .refused(let table, let entity, let reason):
        "\(entity): table \(table) does not take it: \(reason)"
      case .foreignKey(let table, let entity):
        "\(entity): a link of table \(table) leads to a row that is not there"
      case .missingKey(let table, let entity): "\(entity) has no key for table \(table)"
      case .unstorable(let table, let column, let entity, let reason):
        "\(entity): \(table).\(column): \(reason)"
      case .unreadable(let table, let key, let column, let reason):
        "\(table).\(column) of \(key): \(reason)"
      case .notFound(let table, let key): "table \(table) has no row \(key)"
      case .noForeignKey(let table, let relation): "table \(table) does not keep \(relation)"
      case .conflicts(let conflicts): "\(conflicts.count) fields were changed here and elsewhere"
      case .neverSaved: "there still is something to save after everything was saved several times"
      case .closed: "the store was closed"
      case .sql(let code, let message): "SQLite \(code): \(message)"
      }
    }
  }
#endif
