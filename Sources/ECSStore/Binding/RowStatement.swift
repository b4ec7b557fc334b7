#if SQLite
  import Foundation
  package import GRDB
  import GRDBSQLite

  /// A prepared statement whose values are bound and read one by one.
  ///
  /// GRDB binds texts up to their first U+0000, and takes longer than SQLite itself; its statement
  /// is prepared, kept and finalized by it all the same. Since it does not see these steps, code
  /// that writes names the tables that changed by `Database.notifyChanges(in:)`.
  ///
  /// Use it only where GRDB lets the connection be used: within `read` and `write`.
  @safe
  package final class RowStatement {
    let statement: Statement

    // SAFETY: the statement finalizes it when it ends, which is kept here.
    @safe private let handle: SQLiteStatement

    package init(_ statement: Statement) {
      self.statement = statement
      handle = unsafe statement.sqliteStatement
    }

    // MARK: Binding, from 1 on

    func bind(_ value: Int64, at index: Int32) { unsafe sqlite3_bind_int64(handle, index, value) }
    func bind(_ value: Double, at index: Int32) { unsafe sqlite3_bind_double(handle, index, value) }
    func bindNull(at index: Int32) { unsafe sqlite3_bind_null(handle, index) }

    /// Binds a text with its length, so that nothing of it is cut off.
    func bind(_ text: String, at index: Int32) {
      var text = text
      text.withUTF8 { bytes in
        // SAFETY: SQLite copies the bytes before it returns. A text without any has no address,
        // which would make it NULL.
        if let base = bytes.baseAddress {
          _ = unsafe base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
            unsafe sqlite3_bind_text64(
              handle, index, $0, sqlite3_uint64(bytes.count), Self.copied, UInt8(SQLITE_UTF8))
          }
        } else {
          unsafe sqlite3_bind_text64(handle, index, "", 0, Self.copied, UInt8(SQLITE_UTF8))
        }
      }
    }

    func bind(_ data: Data, at index: Int32) {
      let count = data.count
      unsafe data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Void in
        // SAFETY: as above.
        if let base = bytes.baseAddress, count > 0 {
          unsafe sqlite3_bind_blob64(handle, index, base, sqlite3_uint64(count), Self.copied)
        } else {
          unsafe sqlite3_bind_zeroblob(handle, index, 0)
        }
      }
    }

    func bind(_ value: RowValue, at index: Int32) {
      switch value {
      case .null: bindNull(at: index)
      case .integer(let value): bind(value, at: index)
      case .real(let value): bind(value, at: index)
      case .text(let value): bind(value, at: index)
      case .bytes(let value): bind(value, at: index)
      }
    }

    /// Tells SQLite to copy what it is given.
    // SAFETY: the documented value of SQLITE_TRANSIENT, which is never called.
    @safe private static let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    // MARK: Running

    /// Goes to the next row; false if there is none.
    package func step() throws(DatabaseError) -> Bool {
      switch unsafe sqlite3_step(handle) {
      case SQLITE_ROW: return true
      case SQLITE_DONE: return false
      default:
        let failure = failure
        reset()
        throw failure
      }
    }

    /// Runs a statement that has no rows, so that it can be bound anew.
    package func run() throws(DatabaseError) {
      while try step() {}
      reset()
    }

    /// Begins from the front; what is bound stays.
    func reset() { unsafe sqlite3_reset(handle) }

    /// Releases what is bound.
    func clear() {
      reset()
      unsafe sqlite3_clear_bindings(handle)
    }

    private var failure: DatabaseError {
      let connection = unsafe sqlite3_db_handle(handle)
      return DatabaseError(
        resultCode: ResultCode(rawValue: unsafe sqlite3_extended_errcode(connection)),
        message: unsafe String(cString: sqlite3_errmsg(connection)), sql: statement.sql)
    }

    // MARK: Reading the present row, from 0 on

    /// What a column of the row holds; nil for NULL.
    func kind(at index: Int32) -> RowValue.Kind? {
      switch unsafe sqlite3_column_type(handle, index) {
      case SQLITE_INTEGER: .integer
      case SQLITE_FLOAT: .real
      case SQLITE_TEXT: .text
      case SQLITE_BLOB: .bytes
      default: nil
      }
    }

    func isNull(at index: Int32) -> Bool {
      unsafe sqlite3_column_type(handle, index) == SQLITE_NULL
    }

    func integer(at index: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, index) }
    func real(at index: Int32) -> Double { unsafe sqlite3_column_double(handle, index) }

    /// A text; nil if it is not in UTF-8.
    func text(at index: Int32) -> String? {
      guard let start = unsafe sqlite3_column_text(handle, index) else { return nil }
      let count = Int(unsafe sqlite3_column_bytes(handle, index))
      // PERFORMANCE: K3: the other initializer looks metadata up for each text. SAFETY: SQLite puts
      // a zero behind so many bytes, and keeps them until the statement goes on.
      if unsafe memchr(start, 0, count) == nil {
        return unsafe start.withMemoryRebound(to: CChar.self, capacity: count + 1) {
          unsafe String(validatingCString: $0)
        }
      }
      // SAFETY: as above.
      return unsafe String(
        validating: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func bytes(at index: Int32) -> Data {
      let count = Int(unsafe sqlite3_column_bytes(handle, index))
      guard count > 0, let start = unsafe sqlite3_column_blob(handle, index) else { return Data() }
      // SAFETY: as above.
      return unsafe Data(bytes: start, count: count)
    }

    // MARK: Comparing the present row

    func holds(_ value: Int64, at index: Int32) -> Bool {
      kind(at: index) == .integer && integer(at: index) == value
    }

    func holds(_ value: Double, at index: Int32) -> Bool {
      kind(at: index) == .real && real(at: index) == value
    }

    /// Whether a column holds a text, byte by byte.
    func holds(_ text: String, at index: Int32) -> Bool {
      guard kind(at: index) == .text, let start = unsafe sqlite3_column_text(handle, index) else {
        return false
      }
      let count = Int(unsafe sqlite3_column_bytes(handle, index))
      // SAFETY: SQLite keeps so many bytes there until the statement goes on.
      return unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
        guard bytes.count == count else { return false }
        guard let base = bytes.baseAddress, count > 0 else { return true }
        return unsafe memcmp(base, start, count) == 0
      } ?? false
    }

    /// Whether a column holds a value in the same form.
    func holds(_ value: RowValue, at index: Int32) -> Bool {
      switch value {
      case .null: isNull(at: index)
      case .integer(let value): holds(value, at: index)
      case .real(let value): holds(value, at: index)
      case .text(let value): holds(value, at: index)
      case .bytes(let value): kind(at: index) == .bytes && bytes(at: index) == value
      }
    }

    /// What a column of the row holds.
    ///
    /// - Throws: If a text is not in UTF-8.
    func value(at index: Int32) throws(TransformFailure) -> RowValue {
      switch kind(at: index) {
      case .integer: return .integer(integer(at: index))
      case .real: return .real(real(at: index))
      case .bytes: return .bytes(bytes(at: index))
      case .text:
        guard let text = text(at: index) else { throw .invalid("the text is not in UTF-8") }
        return .text(text)
      case nil: return .null
      }
    }
  }
#endif
