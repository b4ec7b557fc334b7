import ExampleSupport

/// Reads commits from a batch of Git's log.
///
/// A commit is its marker and fields, each of which NUL ends, and its changes, of which a line break
/// comes first if there are any. A change is `added TAB deleted TAB path NUL`, with `-` for both
/// numbers if the file is binary. After a rename the path is empty, and the old and the new path
/// follow.
struct LogParser {
  private var rest: ArraySlice<UInt8>
  private let marker: [UInt8]
  private let boundary: Set<CommitKey>

  /// - Parameters:
  ///   - batch: Whole commits.
  ///   - marker: What each commit begins with.
  ///   - boundary: The commits whose changes are not to be counted, as they are not known.
  init(_ batch: ArraySlice<UInt8>, marker: [UInt8], boundary: Set<CommitKey>) {
    rest = batch
    self.marker = marker
    self.boundary = boundary
  }

  /// The next commit; nil at the end of the batch.
  mutating func next() throws(Failure) -> ParsedCommit? {
    guard !rest.isEmpty else { return nil }
    guard try field() == marker[...] else { throw misunderstanding() }
    let id = CommitKey(hexadecimal: try field())
    let hashes = try field()
    let parents = hashes.isEmpty ? 0 : hashes.count { $0 == UInt8(ascii: " ") } + 1
    let author = RawText(try field())
    let address = RawText(try field())
    let date = Int(String(decoding: try field(), as: UTF8.self)) ?? 0
    let hour = LogParser.hourOfWeek(String(decoding: try field(), as: UTF8.self))
    let subject = RawText(try field())
    return ParsedCommit(
      id: id, parents: parents, author: author, address: address, date: date, hourOfWeek: hour,
      subject: subject, changes: try changes(), isCutOff: boundary.contains(id))
  }

  /// The hour in the week of a moment such as `1767571200 +0130`.
  private static func hourOfWeek(_ text: String) -> Int {
    let parts = text.split(separator: " ")
    guard parts.count == 2, let seconds = Int(parts[0]), let zone = Int(parts[1]) else { return 0 }
    let local = seconds + (zone / 100 * 60 + zone % 100) * 60
    let day = Day(seconds: local)
    let hour = (local - day.number * 86_400) / 3600
    return (day.number - day.monday.number) * 24 + hour
  }

  private mutating func changes() throws(Failure) -> [FileChange] {
    var changes: [FileChange] = []
    if rest.first == UInt8(ascii: "\n") { rest.removeFirst() }
    while let first = rest.first, !rest.starts(with: marker) {
      if first == 0 {
        rest.removeFirst()
      } else {
        changes.append(try change())
      }
    }
    return changes
  }

  private mutating func change() throws(Failure) -> FileChange {
    let tab = UInt8(ascii: "\t")
    let parts = try field().split(separator: tab, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw misunderstanding() }
    let isBinary = parts[0].first == UInt8(ascii: "-")
    let added = isBinary ? 0 : try number(parts[0])
    let deleted = isBinary ? 0 : try number(parts[1])
    let former = parts[2].isEmpty ? RawText(try field()) : nil
    return FileChange(
      path: RawText(former == nil ? parts[2] : try field()), added: added, deleted: deleted,
      isBinary: isBinary, formerPath: former)
  }

  private mutating func field() throws(Failure) -> ArraySlice<UInt8> {
    guard let end = rest.firstIndex(of: 0) else { throw misunderstanding() }
    defer { rest = rest[(end + 1)...] }
    return rest[..<end]
  }

  private func number(_ digits: ArraySlice<UInt8>) throws(Failure) -> Int {
    // Lines of a file: more digits would be another form of log.
    guard !digits.isEmpty, digits.count < 19 else { throw misunderstanding() }
    var number = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { throw misunderstanding() }
      number = number * 10 + Int(digit - 0x30)
    }
    return number
  }

  private func misunderstanding() -> Failure {
    let near = String(decoding: rest.prefix(40), as: UTF8.self)
    return Failure(message: "Git's log has an unexpected form, near '\(printable(near))'.")
  }
}
