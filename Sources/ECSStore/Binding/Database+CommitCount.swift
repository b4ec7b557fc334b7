#if SQLite
  import GRDB
  import GRDBSQLite

  extension Database {
    /// What SQLite counts up with each commit of any connection, as of now, while others may go on;
    /// nil if it can't be had.
    ///
    /// In a transaction or after one, so that the file has been looked at. It begins anew when no
    /// connection has the file open.
    var commitCount: UInt32? {
      guard let connection = unsafe sqliteConnection else { return nil }
      var found: UnsafeMutablePointer<sqlite3_file>?
      // SAFETY: the connection is open while GRDB lets it be used; what is found belongs to it, and
      // is used only here.
      unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &found)
      guard let file = unsafe found, let methods = unsafe file.pointee.pMethods else { return nil }
      // Of the header of the file the bytes from 18 to 27: the format, and at last the counter of a
      // file without a write-ahead log, which has 2 for its format.
      var header: [UInt8] = Array(repeating: 0, count: 10)
      // SAFETY: as many bytes are read as there is room for.
      let result = unsafe header.withUnsafeMutableBytes { bytes in
        unsafe methods.pointee.xRead?(file, bytes.baseAddress, Int32(bytes.count), 18)
      }
      guard result == SQLITE_OK else { return nil }
      if header[0] != 2 { return header[6...].reduce(0) { $0 << 8 | UInt32($1) } }
      return unsafe Database.logCount(file, methods)
    }

    /// The counter in the index of a write-ahead log, which begins with its header, twice: of 48
    /// bytes, those from 8 to 11.
    private static func logCount(
      _ file: UnsafeMutablePointer<sqlite3_file>, _ methods: UnsafePointer<sqlite3_io_methods>
    ) -> UInt32? {
      guard unsafe methods.pointee.iVersion >= 2 else { return nil }
      var region: UnsafeMutableRawPointer?
      // SAFETY: a connection that has read has mapped the region, in this size, as all others have;
      // it stays so until the connection is closed. None is made, and none grows.
      let result = unsafe methods.pointee.xShmMap?(file, 0, 32 * 1024, 0, &region)
      guard result == SQLITE_OK, let header = unsafe region else { return nil }
      // SAFETY: the region is longer than both headers, and others change it four bytes at a time.
      let first = unsafe header.load(fromByteOffset: 8, as: UInt32.self)
      // Others change the second one first.
      unsafe methods.pointee.xShmBarrier?(file)
      let second = unsafe header.load(fromByteOffset: 48 + 8, as: UInt32.self)
      return first == second ? first : nil
    }
  }
#endif
