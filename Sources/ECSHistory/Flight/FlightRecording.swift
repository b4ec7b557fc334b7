import ECS
public import Foundation
import JSONValues

/// The contents of a ``FlightRecorder`` when they were written to a file.
///
/// ```swift
/// let recording = try FlightRecording(contentsOf: URL(fileURLWithPath: "crash.flight"))
/// for line in recording.why("3.1", "Score") { print(line) }
/// ```
///
/// The file is text: an object of JSON in each line, the first of which says what it is; then one
/// for each change, the oldest first.
public struct FlightRecording: Hashable, Sendable {
  /// The changes, the oldest first.
  public let lines: [FlightLine]

  /// How many commits were recorded and gone when it was written.
  public let droppedCommits: Int

  init(_ lines: [FlightLine], droppedCommits: Int) {
    self.lines = lines
    self.droppedCommits = droppedCommits
  }

  /// Reads a file.
  ///
  /// - Throws: ``FlightFileError`` if it can't be read, or is not such a file.
  public init(contentsOf url: URL) throws(FlightFileError) {
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      throw FlightFileError(.file("\(error)"), line: 0)
    }
    try self.init(data: data)
  }

  /// Reads what is in a file.
  ///
  /// - Throws: ``FlightFileError`` if it is something else, or damaged.
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public init(data: Data) throws(FlightFileError) {
    var rows = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard rows.last?.isEmpty == true else { throw FlightFileError(.truncated, line: rows.count) }
    rows.removeLast()
    guard let head = rows.first, let header = try? JSONValue(data: Data(head)),
      header["format"]?.string == FlightRecording.format
    else { throw FlightFileError(.notARecording, line: 1) }
    guard let version = header["version"]?.number?.int, version == FlightRecording.version else {
      throw FlightFileError(.laterFormat, line: 1)
    }
    guard let dropped = header["dropped"]?.number?.int, dropped >= 0,
      let count = header["changes"]?.number?.int
    else { throw FlightFileError(.malformed("dropped"), line: 1) }
    guard count == rows.count - 1 else { throw FlightFileError(.truncated, line: rows.count) }
    var lines: [FlightLine] = []
    lines.reserveCapacity(rows.count)
    for (number, row) in rows.enumerated().dropFirst() {
      lines.append(try FlightRecording.line(Data(row), number: number + 1))
    }
    self.init(lines, droppedCommits: dropped)
  }

  /// The changes of a component of an entity, or of all of it, the latest first.
  ///
  /// - Parameters:
  ///   - entity: The slot and the generation of the entity, such as `3.1`.
  ///   - component: The name of the component; nil for all of the entity.
  /// - Returns: The changes; none if there is no such entity.
  /// - Complexity: O(*n*), where *n* is the number of changes.
  public func why(_ entity: String, _ component: String? = nil) -> [FlightLine] {
    lines.reversed().filter { line in
      guard let component else { return line.entity == entity || line.target == entity }
      return line.entity == entity
        && (line.component == component
          || (line.old + line.new).contains { $0.component == component })
    }
  }

  // MARK: Format

  private static var format: String { "swift-ecs flight recording" }
  private static var version: Int { 1 }

  private static let kinds: [(CommittedChange.Kind, String)] = [
    (.created, "created"), (.destroyed, "destroyed"), (.added, "added"), (.replaced, "replaced"),
    (.removed, "removed"), (.linked, "linked"), (.unlinked, "unlinked"),
    (.moved, "moved"), (.linkUpdated, "linkUpdated"),
  ]

  private static let causes: [(Cause.Kind, String)] = [
    (.unknown, "unknown"), (.section, "section"), (.system, "system"), (.observer, "observer"),
  ]

  /// What a file has.
  public var data: Data {
    let header: JSONValue = [
      "format": .string(FlightRecording.format), "version": 1,
      "dropped": .number(JSONNumber(Int128(droppedCommits))),
      "changes": .number(JSONNumber(Int128(lines.count))),
    ]
    var data = header.data()
    data.append(UInt8(ascii: "\n"))
    for line in lines {
      data.append(FlightRecording.value(line).data())
      data.append(UInt8(ascii: "\n"))
    }
    return data
  }

  private static func value(_ line: FlightLine) -> JSONValue {
    var entries: [(String, JSONValue)] = []
    func add(_ key: String, _ text: String?) {
      if let text { entries.append((key, .string(text))) }
    }
    let (seconds, attoseconds) = line.time.components
    let nanoseconds = Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000)
    entries.append(("commit", .number(JSONNumber(Int128(line.commit)))))
    entries.append(("time", .number(JSONNumber(nanoseconds))))
    add("kind", kinds.first { $0.0 == line.kind }?.1)
    add("entity", line.entity)
    add("component", line.component)
    add("relation", line.relation)
    add("target", line.target)
    for (key, values) in [("old", line.old), ("new", line.new)] where !values.isEmpty {
      let pairs = values.map { JSONValue.array([.string($0.component), .string($0.text)]) }
      entries.append((key, .array(pairs)))
    }
    add("cause", causes.first { $0.0 == line.cause.kind }?.1)
    if line.cause.kind != .unknown || !line.cause.name.isEmpty { add("name", line.cause.name) }
    add("loop", line.cause.loop)
    add("file", line.cause.file)
    if let number = line.cause.line {
      entries.append(("line", .number(JSONNumber(Int128(number)))))
    }
    if !line.callers.isEmpty {
      entries.append(("callers", .array(line.callers.map { .string($0) })))
    }
    return .object(JSONObject(uniqueKeysWithValues: entries))
  }

  private static func line(_ data: Data, number: Int) throws(FlightFileError) -> FlightLine {
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONValue(data: data)
    } catch {
      throw FlightFileError(.malformed("\(error)"), line: number)
    }
    func required<Value>(_ key: String, _ value: Value?) throws(FlightFileError) -> Value {
      guard let value else { throw FlightFileError(.malformed(key), line: number) }
      return value
    }
    func whole(_ key: String) throws(FlightFileError) -> Int? {
      guard let entry = value[key] else { return nil }
      return try required(key, entry.number?.int)
    }
    func text(_ key: String) throws(FlightFileError) -> String? {
      guard let entry = value[key] else { return nil }
      return try required(key, entry.string)
    }
    func values(_ key: String) throws(FlightFileError) -> [FlightLine.Value] {
      guard let entry = value[key] else { return [] }
      var values: [FlightLine.Value] = []
      for pair in try required(key, entry.array) {
        guard let pair = pair.array, pair.count == 2 else {
          throw FlightFileError(.malformed(key), line: number)
        }
        values.append(
          FlightLine.Value(
            component: try required(key, pair[0].string), text: try required(key, pair[1].string)))
      }
      return values
    }
    var callers: [String] = []
    if let entry = value["callers"] {
      for name in try required("callers", entry.array) {
        callers.append(try required("callers", name.string))
      }
    }
    let kindName = try required("kind", value["kind"]?.string)
    let causeName = try required("cause", value["cause"]?.string)
    let time = try required("time", try whole("time"))
    let cause = Cause(
      kind: try required("cause", causes.first { $0.1 == causeName }?.0),
      name: try text("name") ?? "", loop: try text("loop"), file: try text("file"),
      line: try whole("line"))
    return FlightLine(
      commit: try required("commit", try whole("commit")), time: .nanoseconds(time),
      kind: try required("kind", kinds.first { $0.1 == kindName }?.0),
      entity: try required("entity", value["entity"]?.string), component: try text("component"),
      relation: try text("relation"), target: try text("target"), old: try values("old"),
      new: try values("new"), cause: cause, callers: callers)
  }
}

extension FlightRecorder {
  /// Writes what is recorded at this moment to a file, in words, to be read by people and by
  /// ``FlightRecording``.
  ///
  /// A file that is there is replaced as a whole, or not at all.
  ///
  /// - Throws: ``FlightFileError`` if the file system refuses.
  /// - Complexity: O(*n*), where *n* is the number of changes that are kept.
  public func write(to url: URL) throws(FlightFileError) {
    do {
      try recording().data.write(to: url, options: .atomic)
    } catch {
      throw FlightFileError(.file("\(error)"), line: 0)
    }
  }
}
