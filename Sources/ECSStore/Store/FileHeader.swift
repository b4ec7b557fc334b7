#if SQLite
  import Foundation

  /// What the first bytes of a database say of its length.
  struct FileHeader {
    /// How long the file has to be at least; nil if the header does not say it.
    let byteCount: UInt64?

    /// Whether it keeps a write-ahead log.
    let isInWriteAheadLogMode: Bool

    /// Nil if there is no header.
    init?(_ path: String) {
      guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
      defer { try? handle.close() }
      guard let bytes = try? handle.read(upToCount: 100), bytes.count == 100,
        bytes.starts(with: Data("SQLite format 3\0".utf8))
      else { return nil }
      isInWriteAheadLogMode = bytes[bytes.startIndex + 18] == 2
      func number(_ range: Range<Int>) -> UInt64 {
        bytes[bytes.startIndex + range.lowerBound..<bytes.startIndex + range.upperBound]
          .reduce(0) { $0 << 8 | UInt64($1) }
      }
      let size = number(16..<18)
      // Programs before SQLite 3.7 write another number where they have changed the file.
      byteCount =
        number(24..<28) == number(92..<96) ? (size == 1 ? 65536 : size) * number(28..<32) : nil
    }

    /// Throws if a file is shorter than it says, as what an interrupted copy leaves: SQLite would fill it up.
    static func checkLength(_ path: String) throws(StoreError) {
      // What is beside the file belongs to it, and may have the rest.
      for suffix in ["-wal", "-journal"] {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)
        if let size = attributes?[.size] as? Int, size > 0 { return }
      }
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      guard let size = attributes?[.size] as? UInt64, let expected = FileHeader(path)?.byteCount,
        size < expected
      else { return }
      throw .corrupt(path: path, detail: "it has \(size) of \(expected) bytes")
    }
  }
#endif
