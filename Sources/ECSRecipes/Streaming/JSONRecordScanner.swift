/// Finds where records of a stream begin and end, byte by byte, without keeping more than one.
struct JSONRecordScanner {
  /// A record's bytes, and where they stand.
  struct Record {
    var bytes: [UInt8]
    var line: Int
  }

  /// What the stream turned out to have instead of a record.
  enum Failure: Error {
    /// The record that begins on a line is longer than the limit; it is left out.
    case tooLong(line: Int)

    /// The list is no list, or the stream begins with half a byte order mark: no more can be read.
    case unreadable(JSONSyntaxError)
  }

  private enum State {
    case start
    /// Between records.
    case between
    case record
    /// After the end of the list.
    case end
  }

  private var format: JSONStreamFormat
  private let limit: Int
  private var state = State.start
  private var bytes: [UInt8] = []
  private var isTooLong = false
  private var startLine = 1
  private var line = 1
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var expectsRecord = false

  /// The number of bytes of a byte order mark that the stream begins with.
  private var mark = 0
  private let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
  private var isInMark: Bool { mark > 0 && mark < byteOrderMark.count }
  private(set) var offset = 0

  init(format: JSONStreamFormat, limit: Int) {
    self.format = format
    self.limit = limit
  }

  /// Takes one byte; gives the record that it ends.
  mutating func take(_ byte: UInt8) throws(Failure) -> Record? {
    defer {
      offset += 1
      if byte == UInt8(ascii: "\n") { line += 1 }
    }
    if state == .start { return try start(byte) }
    return format == .array ? try takeOfArray(byte) : try takeOfLines(byte)
  }

  /// Takes the end of the stream; gives the record that it ends.
  mutating func finish() throws(Failure) -> Record? {
    switch (format, state) {
    case (_, .start) where isInMark: throw .unreadable(failure(.endOfData))
    case (.array, .start): throw .unreadable(failure(.endOfData))
    case (.array, .between), (.array, .record): throw .unreadable(failure(.endOfData))
    case (_, .record): return try endRecord()
    default: return nil
    }
  }

  private mutating func start(_ byte: UInt8) throws(Failure) -> Record? {
    if offset == mark, mark < byteOrderMark.count, byte == byteOrderMark[mark] {
      mark += 1
      return nil
    }
    if isInMark { throw .unreadable(failure(.unexpected(byte, expected: "a byte order mark"))) }
    if isSpace(byte) { return nil }
    if format == .automatic { format = byte == UInt8(ascii: "[") ? .array : .lines }
    state = .between
    guard format == .array else { return try takeOfLines(byte) }
    guard byte == UInt8(ascii: "[") else {
      throw .unreadable(failure(.unexpected(byte, expected: "'['")))
    }
    return nil
  }

  private mutating func takeOfLines(_ byte: UInt8) throws(Failure) -> Record? {
    if state == .between {
      if isSpace(byte) { return nil }
      beginRecord()
    }
    if byte == UInt8(ascii: "\n") { return try endRecord() }
    keep(byte)
    return nil
  }

  private mutating func takeOfArray(_ byte: UInt8) throws(Failure) -> Record? {
    switch state {
    case .record: return try takeInRecord(byte)
    case .between:
      if isSpace(byte) { return nil }
      if byte == UInt8(ascii: "]"), !expectsRecord {
        state = .end
        return nil
      }
      guard byte != UInt8(ascii: ","), byte != UInt8(ascii: "]") else {
        throw .unreadable(failure(.unexpected(byte, expected: "a value")))
      }
      beginRecord()
      return try takeInRecord(byte)
    case .start, .end:
      guard isSpace(byte) else {
        throw .unreadable(failure(.unexpected(byte, expected: "the end")))
      }
      return nil
    }
  }

  private mutating func takeInRecord(_ byte: UInt8) throws(Failure) -> Record? {
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
      case UInt8(ascii: "]") where depth == 0:
        state = .end
        return try takenRecord()
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
      case UInt8(ascii: ",") where depth == 0:
        expectsRecord = true
        return try endRecord()
      default: break
      }
    }
    keep(byte)
    return nil
  }

  private mutating func beginRecord() {
    state = .record
    startLine = line
    (depth, isInString, isEscaped, isTooLong) = (0, false, false, false)
  }

  private mutating func keep(_ byte: UInt8) {
    if bytes.count < limit { bytes.append(byte) } else { isTooLong = true }
  }

  private mutating func endRecord() throws(Failure) -> Record? {
    state = .between
    return try takenRecord()
  }

  private mutating func takenRecord() throws(Failure) -> Record? {
    let record = Record(bytes: bytes, line: startLine)
    bytes = []
    if isTooLong { throw .tooLong(line: startLine) }
    return record
  }

  private func failure(_ reason: JSONSyntaxError.Reason) -> JSONSyntaxError {
    JSONSyntaxError(reason: reason, offset: offset, line: line, column: 1)
  }

  private func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
  }
}

/// How records follow each other in a stream.
public enum JSONStreamFormat: Sendable, Hashable {
  /// As ``array`` if the first character is `[`, as ``lines`` otherwise.
  case automatic

  /// One record in each line; empty lines are skipped.
  case lines

  /// The elements of one JSON list.
  case array
}
