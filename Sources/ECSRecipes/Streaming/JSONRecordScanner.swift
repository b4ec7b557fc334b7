import JSONValues

/// Finds where records of a stream begin and end, without keeping more than one and a chunk.
struct JSONRecordScanner {
  /// The next thing in a stream.
  enum Found {
    /// A record: its bytes are those in the range, and where it begins.
    case record(Range<Int>, StreamLocation)

    /// A record that is longer than the limit; it is left out.
    case tooLong(StreamLocation)

    /// The list is broken, or the stream begins with half a byte order mark: no more can be read.
    case unreadable(JSONSyntaxError)

    /// There is no list where it should be: no more can be read.
    case noList(RecipeError.Reason, JSONPath)
  }

  private enum State {
    case start
    /// Before the list, on the way to it.
    case seeking
    /// Between records.
    case between
    case record
    /// After the end of the list.
    case end
    /// After the end of a list that is inside another value, which is not read.
    case rest
  }

  /// The bytes that are not dealt with yet, those of the present record first.
  private(set) var bytes: [UInt8] = []

  /// The position of the next byte to be looked at, and that of the first byte of the record.
  private var position = 0
  private var recordStart = 0
  private var recordLocation = StreamLocation(offset: 0, line: 1, column: 1)

  /// The number of bytes before those that are kept.
  private var dropped = 0
  private var line = 1

  /// The number of bytes before the present line.
  private var lineStart = 0

  private var format: JSONStreamFormat
  private let limit: Int
  private var seeker: JSONListSeeker?
  private var state = State.start
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var expectsRecord = false

  /// Whether the present record is too long, so that its bytes are not kept.
  private var isTooLong = false

  /// The number of bytes of a byte order mark that the stream begins with.
  private var mark = 0
  private let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
  private var isInMark: Bool { mark > 0 && mark < byteOrderMark.count }

  /// Begins a stream; the format does not count if the list is not outermost.
  init(format: JSONStreamFormat, at path: JSONPath, limit: Int) {
    self.format = path.steps.isEmpty ? format : .array
    self.limit = limit
    seeker = path.steps.isEmpty ? nil : JSONListSeeker(path)
  }

  /// Adds bytes to be looked at; those of records before are dropped.
  mutating func append(_ chunk: some Collection<UInt8>) {
    let kept = state == .record && !isTooLong ? recordStart : position
    bytes.removeSubrange(..<kept)
    dropped += kept
    position -= kept
    recordStart = max(0, recordStart - kept)
    bytes.append(contentsOf: chunk)
  }

  /// Looks for the next record; nil if there is none in the bytes that are there.
  mutating func next() -> Found? {
    while position < bytes.count {
      let found: Found? =
        switch state {
        case .start: start()
        case .seeking: seek()
        case .between: format == .array ? betweenOfArray() : betweenLines()
        case .record: format == .array ? restOfElement() : restOfLine()
        case .end: afterEnd()
        case .rest: skipRest()
        }
      if let found { return found }
    }
    return nil
  }

  /// Takes the end of the stream; gives what it ends.
  mutating func finish() -> Found? {
    switch (format, state) {
    case (_, .start) where isInMark: return unreadable(.endOfData)
    case (.array, .start), (.array, .seeking), (.array, .between), (.array, .record):
      return unreadable(.endOfData)
    case (_, .record): return record(endingAt: position)
    default: return nil
    }
  }

  // MARK: Outside records

  private mutating func start() -> Found? {
    let byte = bytes[position]
    if dropped + position == mark, mark < byteOrderMark.count, byte == byteOrderMark[mark] {
      mark += 1
      position += 1
      return nil
    }
    if isInMark { return unreadable(.unexpected(byte, expected: "a byte order mark")) }
    if skipSpace(byte) { return nil }
    if seeker != nil {
      state = .seeking
      return nil
    }
    if format == .automatic { format = byte == UInt8(ascii: "[") ? .array : .lines }
    guard format == .array else {
      state = .between
      return nil
    }
    guard byte == UInt8(ascii: "[") else { return unreadable(.unexpected(byte, expected: "'['")) }
    position += 1
    state = .between
    return nil
  }

  private mutating func seek() -> Found? {
    let byte = bytes[position]
    switch seeker?.take(byte) {
    case .unexpected(let expected)?: return unreadable(.unexpected(byte, expected: expected))
    case .absent(let reason, let path)?: return .noList(reason, path)
    case .list?: state = .between
    case .goOn?, nil: break
    }
    if byte == UInt8(ascii: "\n") { beginLine() }
    position += 1
    return nil
  }

  private mutating func betweenLines() -> Found? {
    if !skipSpace(bytes[position]) { beginRecord() }
    return nil
  }

  private mutating func betweenOfArray() -> Found? {
    let byte = bytes[position]
    if skipSpace(byte) { return nil }
    if byte == UInt8(ascii: "]"), !expectsRecord {
      position += 1
      state = seeker == nil ? .end : .rest
      return nil
    }
    guard byte != UInt8(ascii: ","), byte != UInt8(ascii: "]") else {
      return unreadable(.unexpected(byte, expected: "a value"))
    }
    beginRecord()
    return nil
  }

  private mutating func afterEnd() -> Found? {
    let byte = bytes[position]
    return skipSpace(byte) ? nil : unreadable(.unexpected(byte, expected: "the end"))
  }

  private mutating func skipRest() -> Found? {
    position = bytes.count
    return nil
  }

  private mutating func skipSpace(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\n"): beginLine()
    case 0x20, 0x0d, 0x09: break
    default: return false
    }
    position += 1
    return true
  }

  /// Notes that the byte at the position ends a line.
  private mutating func beginLine() {
    line += 1
    lineStart = dropped + position + 1
  }

  // MARK: Records

  private mutating func beginRecord() {
    state = .record
    recordStart = position
    recordLocation = location
    (depth, isInString, isEscaped, isTooLong) = (0, false, false, false)
  }

  // PERFORMANCE: Each byte of a stream goes through one of these two loops (P4).

  private mutating func restOfLine() -> Found? {
    var next = position
    while next < bytes.count, bytes[next] != UInt8(ascii: "\n") { next += 1 }
    position = next
    guard next < bytes.count else {
      noteLength()
      return nil
    }
    let found = record(endingAt: next)
    beginLine()
    position += 1
    return found
  }

  private mutating func restOfElement() -> Found? {
    var (next, depth, isInString, isEscaped) = (position, depth, isInString, isEscaped)
    scan: while next < bytes.count {
      let byte = bytes[next]
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: "]") where depth == 0, UInt8(ascii: ",") where depth == 0: break scan
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
        default: break
        }
      }
      if byte == UInt8(ascii: "\n") {
        line += 1
        lineStart = dropped + next + 1
      }
      next += 1
    }
    (position, self.depth, self.isInString, self.isEscaped) = (next, depth, isInString, isEscaped)
    guard next < bytes.count else {
      noteLength()
      return nil
    }
    let found = record(endingAt: next)
    expectsRecord = bytes[next] == UInt8(ascii: ",")
    if !expectsRecord { state = seeker == nil ? .end : .rest }
    position += 1
    return found
  }

  private mutating func noteLength() {
    if position - recordStart > limit { isTooLong = true }
  }

  private mutating func record(endingAt end: Int) -> Found {
    state = .between
    noteLength()
    return isTooLong ? .tooLong(recordLocation) : .record(recordStart..<end, recordLocation)
  }

  private var location: StreamLocation {
    let offset = dropped + position
    return StreamLocation(offset: offset, line: line, column: offset - lineStart + 1)
  }

  private mutating func unreadable(_ reason: JSONSyntaxError.Reason) -> Found {
    let location = location
    return .unreadable(
      JSONSyntaxError(
        reason: reason, offset: location.offset, line: location.line, column: location.column))
  }
}
