import ECS
import ECSSnapshots
import Foundation

/// Reads a recording: every length is compared with what is left before anything is made of it.
struct RunReader {
  private let data: Data
  private var position: Int

  /// How many entities there are up to here.
  private var entityCount: UInt32 = 0
  private var causeCount = 0

  /// Checks the head of a file, and that the rest is as it was written.
  init(_ data: Data) throws(ReplayError) {
    self.data = data
    position = data.startIndex
    guard data.prefix(8) == RunFormat.magic else {
      let isPart = RunFormat.magic.starts(with: data) && !data.isEmpty
      throw ReplayError(isPart ? .truncated : .notARecording)
    }
    position += 8
    let version = try read(UInt32.self)
    guard version == RunFormat.version else { throw ReplayError(.laterFormat(Int(version))) }
    let length = try read(UInt64.self)
    let checksum = try read(UInt64.self)
    guard length == UInt64(data.endIndex - position) else { throw ReplayError(.truncated) }
    guard Checksum.of(data[position...]) == checksum else { throw ReplayError(.damaged) }
  }

  mutating func readRecording() throws(ReplayError) -> RunRecording {
    let length = try read(UInt64.self)
    guard length <= UInt64(left) else { throw malformed("the snapshot is too long") }
    let snapshot: Snapshot
    do {
      snapshot = try Snapshot(Data(try take(Int(length))))
    } catch let error as SnapshotError {
      throw ReplayError(.snapshot(error))
    } catch {
      throw malformed("\(error)")
    }
    entityCount = UInt32(clamping: snapshot.entityCount)
    let directory = Data(try take(try readCount(ofAtLeast: 1)))
    let kinds = try readKinds()
    var causes: [Cause] = []
    for _ in 0..<(try readCount(ofAtLeast: 15)) { causes.append(try readCause()) }
    causeCount = causes.count
    var items: [RecordedItem] = []
    for _ in 0..<(try readCount(ofAtLeast: 5)) { items.append(try readItem()) }
    guard left == 0 else { throw malformed("\(left) bytes are left over") }
    let recording = RunRecording(
      snapshot: snapshot, directory: directory, kinds: kinds, causes: causes, items: items)
    try check(recording)
    return recording
  }

  /// Makes sure that passes end as they began, and that commits are in order.
  private func check(_ recording: RunRecording) throws(ReplayError) {
    var (begun, seen): (Set<UInt32>, Set<UInt32>) = ([], [])
    var last = 0
    for item in recording.items {
      switch item {
      case .begin(let pass, _, _):
        guard pass > 0, seen.insert(pass).inserted else { throw malformed("pass \(pass) is twice") }
        begun.insert(pass)
      case .end(let pass):
        guard begun.remove(pass) != nil else { throw malformed("pass \(pass) ends only") }
      case .commit(let commit):
        guard commit.number > last else {
          throw malformed("commit \(commit.number) follows \(last)")
        }
        last = commit.number
        guard commit.pass == 0 || begun.contains(commit.pass) else {
          throw malformed("commit \(last) is in pass \(commit.pass), which does not run")
        }
      }
    }
  }

  // MARK: Parts

  private mutating func readCause() throws(ReplayError) -> Cause {
    let kind = Int(try read(UInt8.self))
    guard kind < RunFormat.causeKinds.count else { throw malformed("a cause of kind \(kind)") }
    let name = try readText()
    let (loop, file) = (try readOptionalText(), try readOptionalText())
    let line = Int(try read(Int64.self))
    return Cause(
      kind: RunFormat.causeKinds[kind], name: name, loop: loop, file: file,
      line: file == nil ? nil : line)
  }

  private mutating func readItem() throws(ReplayError) -> RecordedItem {
    switch try read(UInt8.self) {
    case 0:
      let (number, time) = (try read(Int64.self), try read(Int64.self))
      let pass = try read(UInt32.self)
      let kinds = try readKinds()
      let direct = try readPart()
      return .commit(
        RecordedCommit(
          number: Int(number), time: time, pass: pass, kinds: kinds, direct: direct,
          responses: try readPart()))
    case 1:
      let (pass, loop) = (try read(UInt32.self), try readText())
      let phase = Int(try read(UInt8.self))
      guard phase < RunFormat.phases.count else { throw malformed("a phase \(phase)") }
      return .begin(pass: pass, loop: loop, phase: RunFormat.phases[phase])
    case 2: return .end(pass: try read(UInt32.self))
    case let tag: throw malformed("an item of kind \(tag)")
    }
  }

  private mutating func readKinds() throws(ReplayError) -> [[UInt32]] {
    var kinds: [[UInt32]] = []
    for _ in 0..<(try readCount(ofAtLeast: 4)) {
      var kind: [UInt32] = []
      for _ in 0..<(try readCount(ofAtLeast: 4)) { kind.append(try read(UInt32.self)) }
      kinds.append(kind)
    }
    return kinds
  }

  private mutating func readPart() throws(ReplayError) -> RecordedPart {
    var part = RecordedPart()
    for _ in 0..<(try readCount(ofAtLeast: 8)) { part.batches.append(try readBatch()) }
    return part
  }

  private mutating func readBatch() throws(ReplayError) -> RecordedPart.Batch {
    var batch = RecordedPart.Batch()
    var rows: [UInt32: Int] = [:]
    var isCreating = true
    for _ in 0..<(try readCount(ofAtLeast: 9)) {
      var change = try readChange()
      if change.kind == .with {
        guard let before = batch.changes.last, before.entity == change.entity,
          before.kind == .with || before.kind == .created || before.kind == .held
        else { throw malformed("a component of nobody") }
      }
      if change.kind.isBeginning || change.kind == .with {
        guard isCreating else { throw malformed("an entity is created late") }
      } else {
        isCreating = false
      }
      if change.kind.hasValue {
        change.row = rows[change.number, default: 0]
        rows[change.number, default: 0] += 1
      }
      batch.changes.append(change)
    }
    for _ in 0..<(try readCount(ofAtLeast: 8)) {
      let column = try readColumn(&rows)
      guard column.component > batch.columns.last?.component ?? 0 || batch.columns.isEmpty else {
        throw malformed("columns are not in order")
      }
      batch.columns.append(column)
    }
    guard rows.isEmpty else { throw malformed("values are missing") }
    return batch
  }

  private mutating func readChange() throws(ReplayError) -> RecordedPart.Change {
    let tag = try read(UInt8.self)
    guard let kind = RecordedPart.Kind(rawValue: tag) else { throw malformed("a change \(tag)") }
    var change = RecordedPart.Change(
      kind: kind, entity: try read(UInt32.self), cause: try read(UInt32.self))
    if kind.hasNumber { change.number = try read(UInt32.self) }
    if kind.isLink { change.target = try read(UInt32.self) }
    if kind.isBeginning, change.entity == entityCount, entityCount < .max - 1 { entityCount += 1 }
    guard change.entity < entityCount, change.target < entityCount || !kind.isLink else {
      throw malformed("an entity \(max(change.entity, change.target)) of \(entityCount)")
    }
    if kind == .moved {
      change.isAmongTargets = try read(UInt8.self) != 0
      let next = try read(UInt32.self)
      guard next < entityCount || next == .max else { throw malformed("an entity \(next)") }
      change.next = next == .max ? nil : next
    }
    guard change.cause < causeCount else { throw malformed("a cause \(change.cause)") }
    return change
  }

  private mutating func readColumn(
    _ rows: inout [UInt32: Int]
  ) throws(ReplayError) -> RecordedPart.Column {
    let component = try read(UInt32.self)
    guard let count = rows.removeValue(forKey: component) else {
      throw malformed("values of component \(component) are not set")
    }
    var (lengths, sum): ([Int], Int) = ([], 0)
    for _ in 0..<(try readCount(ofAtLeast: 4)) {
      let length = Int(try read(UInt32.self))
      lengths.append(length)
      sum += length
    }
    return RecordedPart.Column(
      component: component, rows: count, lengths: lengths, data: try take(sum))
  }

  // MARK: Bytes

  private var left: Int { data.endIndex - position }

  private func malformed(_ why: String) -> ReplayError { ReplayError(.malformed(why)) }

  private mutating func take(_ count: Int) throws(ReplayError) -> Data {
    guard count <= left else { throw malformed("\(count) bytes should follow, \(left) are left") }
    defer { position += count }
    return data[position..<position + count]
  }

  private mutating func read<Number: FixedWidthInteger>(
    _ type: Number.Type
  ) throws(ReplayError) -> Number {
    let size = Number.bitWidth / 8
    guard size <= left else { throw ReplayError(.truncated) }
    var number: Number = 0
    for byte in 0..<size {
      number |= Number(truncatingIfNeeded: data[position + byte]) << Number(byte * 8)
    }
    position += size
    return number
  }

  /// Reads how many things follow, each of which takes some bytes at least.
  private mutating func readCount(ofAtLeast size: Int) throws(ReplayError) -> Int {
    let count = Int(try read(UInt32.self))
    guard count <= left / size else {
      throw malformed("\(count) parts should follow in \(left) bytes")
    }
    return count
  }

  private mutating func readText() throws(ReplayError) -> String {
    let bytes = try take(try readCount(ofAtLeast: 1))
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw malformed("a text is not UTF-8")
    }
    return text
  }

  private mutating func readOptionalText() throws(ReplayError) -> String? {
    try read(UInt8.self) == 0 ? nil : try readText()
  }
}
