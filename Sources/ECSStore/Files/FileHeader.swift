#if SQLite
  import Foundation

  /// The first bytes of a database.
  struct FileHeader {
    private let pageSize: Int

    /// How many pages it has at least; nil if the header does not say it.
    private let pageCount: UInt32?

    /// Whether it keeps a write-ahead log.
    let isInWriteAheadLogMode: Bool

    /// The version of its schema, unless there is another one in a log.
    let version: Int

    /// Nil if there is no header.
    init?(_ path: String) {
      guard let bytes = FileBytes(path)?.read(100), bytes.starts(with: "SQLite format 3\0".utf8)
      else { return nil }
      isInWriteAheadLogMode = bytes[18] == 2
      version = Int(Int32(bitPattern: bytes.number(60)))
      let size = Int(bytes[16]) << 8 | Int(bytes[17])
      pageSize = size == 1 ? 65536 : size
      // Programs before SQLite 3.7 write another number where they have changed the file.
      pageCount = bytes.number(24) == bytes.number(92) ? bytes.number(28) : nil
    }

    /// Throws if a file is shorter than it says, as what an interrupted copy leaves: SQLite would
    /// fill it up, or take it for a new one.
    static func checkLength(_ path: String) throws(StoreError) {
      // Another process may be filling it up.
      for _ in 0..<2 {
        if isComplete(path) { return }
        Thread.sleep(forTimeInterval: 0.01)
      }
      if isComplete(path) { return }
      throw .corrupt(
        path: path, detail: "it is shorter than it says, and the rest is not beside it")
    }

    private static func isComplete(_ path: String) -> Bool {
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      guard let size = attributes?[.size] as? UInt64 else { return true }
      guard let header = FileHeader(path) else {
        // Only what once was a database has a log.
        return size >= 100 || !hasLog(path)
      }
      guard let count = header.pageCount, header.pageSize >= 512 else { return true }
      let present = size / UInt64(header.pageSize)
      if present >= count { return true }
      let beside = PagesBeside(path, pageSize: header.pageSize, pageCount: count)
      var page = present + 1
      while page <= beside.pageCount, beside.pages.contains(UInt32(page)) { page += 1 }
      return page > beside.pageCount
    }

    /// Whether there is a log in which something was committed.
    private static func hasLog(_ path: String) -> Bool {
      guard let head = FileBytes(path + "-wal")?.read(12) else { return false }
      return PagesBeside(path, pageSize: Int(head.number(8)), pageCount: 0).hasCommits
    }
  }
#endif
