#if SQLite
  import GRDB
  import GRDBSQLite

  /// The number of commits of all connections, of whatever process, and where SQLite counts it:
  /// counts of different kinds have nothing to do with each other.
  enum CommitCount: Hashable {
    /// It can't be had.
    case unknown

    /// Others are changing it just now.
    case changing

    /// In the file itself, which has no write-ahead log.
    case file(UInt32)

    /// In the index of the write-ahead log; it begins anew when no connection has the file open.
    case log(UInt32)

    /// After one more.
    var next: CommitCount {
      switch self {
      case .unknown, .changing: self
      case .file(let count): .file(count &+ 1)
      case .log(let count): .log(count &+ 1)
      }
    }

    /// How many commits there were since another count; nil if that is not known.
    func distance(since other: CommitCount) -> UInt32? {
      switch (self, other) {
      case (.file(let count), .file(let first)), (.log(let count), .log(let first)): count &- first
      default: nil
      }
    }
  }

  extension Database {
    /// The count as of now, while others may go on.
    ///
    /// In a transaction or after one, so that the file has been looked at.
    var commitCount: CommitCount {
      guard let connection = unsafe sqliteConnection else { return .unknown }
      var found: UnsafeMutablePointer<sqlite3_file>?
      // SAFETY: the connection is open while GRDB lets it be used; what is found belongs to it, and
      // is used only here.
      unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &found)
      guard let file = unsafe found, let methods = unsafe file.pointee.pMethods else {
        return .unknown
      }
      // Of the header of the file the bytes from 18 to 27: the format, and at last the counter of a
      // file without a write-ahead log, which has 2 for its format.
      var header: [UInt8] = Array(repeating: 0, count: 10)
      // SAFETY: as many bytes are read as there is room for.
      let result = unsafe header.withUnsafeMutableBytes { bytes in
        unsafe methods.pointee.xRead?(file, bytes.baseAddress, Int32(bytes.count), 18)
      }
      guard result == SQLITE_OK else { return .unknown }
      if header[0] != 2 { return .file(header[6...].reduce(0) { $0 << 8 | UInt32($1) }) }
      var log: UnsafeMutablePointer<sqlite3_file>?
      // SAFETY: as above.
      unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log)
      // As long as the connection has not read since another one has made the log, it has none.
      guard let log = unsafe log, unsafe log.pointee.pMethods != nil else { return .changing }
      return unsafe Database.logCount(file, methods)
    }

    /// The counter in the index of a write-ahead log, which begins with its header, twice: of 48
    /// bytes, those from 8 to 11.
    private static func logCount(
      _ file: UnsafeMutablePointer<sqlite3_file>, _ methods: UnsafePointer<sqlite3_io_methods>
    ) -> CommitCount {
      guard unsafe methods.pointee.iVersion >= 2 else { return .unknown }
      var region: UnsafeMutableRawPointer?
      // SAFETY: a connection that has read has mapped the region, in this size, as all others have;
      // it stays so until the connection is closed. None is made, and none grows.
      let result = unsafe methods.pointee.xShmMap?(file, 0, 32 * 1024, 0, &region)
      // A region that can only be read is one as well.
      guard result == SQLITE_OK || result == SQLITE_READONLY, let header = unsafe region else {
        return .unknown
      }
      // SAFETY: the region is longer than both headers, and others change it four bytes at a time.
      let first = unsafe header.load(fromByteOffset: 8, as: UInt32.self)
      // Others change the second one first.
      unsafe methods.pointee.xShmBarrier?(file)
      let second = unsafe header.load(fromByteOffset: 48 + 8, as: UInt32.self)
      return first == second ? .log(first) : .changing
    }
  }
#endif
