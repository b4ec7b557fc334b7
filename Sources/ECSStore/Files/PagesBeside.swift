#if SQLite
  import Foundation

  /// The pages of a database that are beside its file: in the log that is not in it yet, or in the
  /// journal by which it is put back.
  ///
  /// A process that was killed may leave a file shorter than it says, if the rest is here.
  struct PagesBeside {
    /// How many pages the database has with them.
    private(set) var pageCount: UInt32
    private(set) var pages: Set<UInt32> = []

    /// Whether something was committed that is in the log.
    private(set) var hasCommits = false

    /// Looks for them; the file itself says how many pages it has.
    init(_ path: String, pageSize: Int, pageCount: UInt32) {
      self.pageCount = pageCount
      if let log = FileBytes(path + "-wal") { readLog(log, pageSize) }
      if !hasCommits, let journal = FileBytes(path + "-journal") { readJournal(journal, pageSize) }
    }

    /// Takes the frames up to the last commit, as far as their sums are right.
    private mutating func readLog(_ log: FileBytes, _ pageSize: Int) {
      guard let head = log.read(32), head.number(0) | 1 == 0x377F_0683,
        (512...65536).contains(pageSize), head.number(8) == UInt32(pageSize)
      else { return }
      var sum = LogSum(isBigEndian: head.number(0) & 1 == 1)
      sum.add(head[..<24])
      guard sum.isStored(in: head, at: 24) else { return }
      var uncommitted: [UInt32] = []
      while let frame = log.read(24 + pageSize) {
        guard frame.number(8) == head.number(16), frame.number(12) == head.number(20) else {
          return
        }
        sum.add(frame[..<8])
        sum.add(frame[24...])
        guard sum.isStored(in: frame, at: 16) else { return }
        uncommitted.append(frame.number(0))
        guard frame.number(4) != 0 else { continue }
        hasCommits = true
        pageCount = max(pageCount, frame.number(4))
        pages.formUnion(uncommitted)
        uncommitted = []
      }
    }

    /// Takes the pages as they were before the transaction that has not ended.
    private mutating func readJournal(_ journal: FileBytes, _ pageSize: Int) {
      let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
      var position = 0
      while let head = journal.read(28), head.starts(with: magic) {
        if position == 0 { pageCount = head.number(16) }
        let (count, sector) = (head.number(8), Int(head.number(20)))
        guard (32...65536).contains(sector) else { return }
        journal.skip(sector - 28)
        position += sector
        var read: UInt32 = 0
        while read < count, let record = journal.read(pageSize + 8) {
          pages.insert(record.number(0))
          read += 1
          position += pageSize + 8
        }
        let rest = (sector - position % sector) % sector
        journal.skip(rest)
        position += rest
      }
    }
  }

  /// The sum by which SQLite recognizes frames of a log.
  private struct LogSum {
    let isBigEndian: Bool
    private var (first, second): (UInt32, UInt32) = (0, 0)

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
      var index = bytes.startIndex
      while index + 8 <= bytes.endIndex {
        first = first &+ number(bytes, index) &+ second
        second = second &+ number(bytes, index + 4) &+ first
        index += 8
      }
    }

    func isStored(in bytes: [UInt8], at position: Int) -> Bool {
      bytes.number(position) == first && bytes.number(position + 4) == second
    }

    private func number(_ bytes: ArraySlice<UInt8>, _ index: Int) -> UInt32 {
      let number =
        UInt32(bytes[index]) << 24 | UInt32(bytes[index + 1]) << 16 | UInt32(bytes[index + 2]) << 8
        | UInt32(bytes[index + 3])
      return isBigEndian ? number : number.byteSwapped
    }
  }

  /// The bytes of a file, one after the other.
  struct FileBytes {
    private let handle: FileHandle

    /// Nil if there is no such file.
    init?(_ path: String) {
      guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
      self.handle = handle
    }

    /// The next bytes; nil if there are not so many.
    func read(_ count: Int) -> [UInt8]? {
      guard let data = try? handle.read(upToCount: count), data.count == count else { return nil }
      return [UInt8](data)
    }

    func skip(_ count: Int) {
      if count > 0 { _ = try? handle.read(upToCount: count) }
    }
  }

  extension [UInt8] {
    /// The number at a place, its highest byte first.
    func number(_ index: Int) -> UInt32 {
      self[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
  }
#endif
