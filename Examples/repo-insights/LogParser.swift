import ExampleSupport

/// Reads commits from a batch of Git's log.
///
/// A commit is its marker and fields, each of which NUL ends, and its changes, of which a line break
/// comes first if there are any. A change is `added TAB deleted TAB path NUL`, with `-` for both
/// numbers if the file is binary. After a rename the path is empty, and the old and the new path
/// follow.
///
/// PERFORMANCE: it goes from byte to byte, and makes nothing but what is kept.
struct LogParser: ~Copyable {
  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private let marker: [UInt8]
  private let boundary: Set<CommitKey>
  private let names: Names

  /// The changes of the commit that is being read.
  private var changed: [FileChange] = []

  /// - Parameters:
  ///   - batch: Whole commits.
  ///   - marker: What each commit begins with.
  ///   - boundary: The commits whose changes are not to be counted, as they are not known.
  ///   - names: Where names and paths go to.
  init(
    _ batch: ArraySlice<UInt8>, marker: [UInt8], boundary: Set<CommitKey>, names: Names
  ) {
    bytes = batch
    position = batch.startIndex
    self.marker = marker
    self.boundary = boundary
    self.names = names
  }

  /// The next commit; nil at the end of the batch.
  mutating func next() throws(Failure) -> ParsedCommit? {
    guard position < bytes.endIndex else { return nil }
    guard isAtMarker, try field().count == marker.count else { throw misunderstanding() }
    let id = CommitKey(hexadecimal: bytes[try field()])
    let hashes = try field()
    let parents = hashes.isEmpty ? 0 : bytes[hashes].count { $0 == UInt8(ascii: " ") } + 1
    let author = names.people.id(of: bytes[try field()])
    let address = names.people.id(of: bytes[try field()])
    let date = integer(try field()) ?? 0
    let hour = hourOfWeek(try field())
    let subject = RawText(bytes[try field()])
    return ParsedCommit(
      id: id, parents: parents, author: author, address: address, date: date, hourOfWeek: hour,
      subject: subject, changes: try changes(),
      isCutOff: !boundary.isEmpty && boundary.contains(id))
  }

  /// The hour in the week of a moment such as `1767571200 +0130`.
  private func hourOfWeek(_ field: Range<Int>) -> Int {
    guard let space = index(of: UInt8(ascii: " "), in: field),
      let seconds = integer(field.lowerBound..<space),
      let zone = integer(space + 1..<field.upperBound), abs(zone) < 10_000
    else { return 0 }
    let local = seconds + (zone / 100 * 60 + zone % 100) * 60
    let day = Day(seconds: local)
    let hour = (local - day.number * 86_400) / 3600
    return (day.number - day.monday.number) * 24 + hour
  }

  private mutating func changes() throws(Failure) -> [FileChange] {
    changed.removeAll(keepingCapacity: true)
    if position < bytes.endIndex, bytes[position] == UInt8(ascii: "\n") { position += 1 }
    while position < bytes.endIndex, !isAtMarker {
      if bytes[position] == 0 {
        position += 1
      } else {
        changed.append(try change())
      }
    }
    // In as much memory as it takes: there are many.
    return changed.isEmpty ? [] : Array(changed[...])
  }

  private mutating func change() throws(Failure) -> FileChange {
    let tab = UInt8(ascii: "\t")
    let field = try field()
    guard let first = index(of: tab, in: field),
      let second = index(of: tab, in: first + 1..<field.upperBound)
    else { throw misunderstanding() }
    let isBinary = bytes[field.lowerBound] == UInt8(ascii: "-")
    let added = isBinary ? 0 : try lineCount(field.lowerBound..<first)
    let deleted = isBinary ? 0 : try lineCount(first + 1..<second)
    let path = second + 1..<field.upperBound
    let former = path.isEmpty ? names.paths.id(of: bytes[try self.field()]) : nil
    return FileChange(
      path: names.paths.id(of: bytes[former == nil ? path : try self.field()]), added: added,
      deleted: deleted, isBinary: isBinary, formerPath: former)
  }

  // MARK: Bytes

  /// Whether a commit begins here.
  private var isAtMarker: Bool {
    // Most of what is here begins with something else.
    bytes[position] == marker[0] && bytes[position...].starts(with: marker)
  }

  private mutating func field() throws(Failure) -> Range<Int> {
    guard let end = index(of: 0, in: position..<bytes.endIndex) else { throw misunderstanding() }
    defer { position = end + 1 }
    return position..<end
  }

  private func index(of byte: UInt8, in range: Range<Int>) -> Int? {
    for position in range where bytes[position] == byte { return position }
    return nil
  }

  /// A number of lines: anything but digits would be another form of log.
  private func lineCount(_ range: Range<Int>) throws(Failure) -> Int {
    guard let first = range.first, (0x30...0x39).contains(bytes[first]),
      let number = integer(range)
    else { throw misunderstanding() }
    return number
  }

  /// A whole number, with or without a sign; nil if it is something else, or has so many digits that
  /// it can't be meant.
  private func integer(_ range: Range<Int>) -> Int? {
    var digits = range
    guard let first = range.first else { return nil }
    let isNegative = bytes[first] == UInt8(ascii: "-")
    if isNegative || bytes[first] == UInt8(ascii: "+") { digits = first + 1..<range.upperBound }
    guard !digits.isEmpty, digits.count < 19 else { return nil }
    var number = 0
    for position in digits {
      guard (0x30...0x39).contains(bytes[position]) else { return nil }
      number = number * 10 + Int(bytes[position] - 0x30)
    }
    return isNegative ? -number : number
  }

  private func misunderstanding() -> Failure {
    let near = String(decoding: bytes[position...].prefix(40), as: UTF8.self)
    return Failure(message: "Git's log has an unexpected form, near '\(printable(near))'.")
  }
}
