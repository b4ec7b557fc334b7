import ECS
import ECSSnapshots
import Foundation

/// The form of files with recordings.
enum RunFormat {
  /// "ECSRUN01".
  static let magic = Data([0x45, 0x43, 0x53, 0x52, 0x55, 0x4e, 0x30, 0x31])
  static let version = 1

  /// Magic, version, length and checksum of what follows.
  static let headSize = 28

  static let phases: [LoopFailure.Phase] = [.initialise, .execute, .cleanup, .teardown]
  static let causeKinds: [Cause.Kind] = [.unknown, .section, .system, .observer]
}

/// Writes a recording.
struct RunWriter {
  private var body = Data()

  /// A file of what was written.
  func finish() -> Data { RunWriter.seal(body) }

  /// Puts the head of a file before what follows.
  static func seal(_ body: Data) -> Data {
    var head = RunWriter()
    head.body.append(RunFormat.magic)
    head.write(UInt32(RunFormat.version))
    head.write(UInt64(body.count))
    head.write(Checksum.of(body))
    return head.body + body
  }

  mutating func write(_ recording: RunRecording) {
    let snapshot = recording.snapshot.data
    write(UInt64(snapshot.count))
    body.append(snapshot)
    write(UInt32(recording.directory.count))
    body.append(recording.directory)
    write(recording.kinds)
    write(UInt32(recording.causes.count))
    for cause in recording.causes { write(cause) }
    write(UInt32(recording.items.count))
    for item in recording.items { write(item) }
  }

  private mutating func write(_ cause: Cause) {
    write(UInt8(RunFormat.causeKinds.firstIndex(of: cause.kind) ?? 0))
    write(cause.name)
    write(cause.loop)
    write(cause.file)
    write(Int64(cause.line ?? 0))
  }

  private mutating func write(_ item: RecordedItem) {
    switch item {
    case .commit(let commit):
      write(UInt8(0))
      write(Int64(commit.number))
      write(commit.time)
      write(commit.pass)
      write(commit.kinds)
      write(commit.direct)
      write(commit.responses)
    case .begin(let pass, let loop, let phase):
      write(UInt8(1))
      write(pass)
      write(loop)
      write(UInt8(RunFormat.phases.firstIndex(of: phase) ?? 0))
    case .end(let pass):
      write(UInt8(2))
      write(pass)
    }
  }

  private mutating func write(_ kinds: [[UInt32]]) {
    write(UInt32(kinds.count))
    for kind in kinds {
      write(UInt32(kind.count))
      for component in kind { write(component) }
    }
  }

  private mutating func write(_ part: RecordedPart) {
    write(UInt32(part.batches.count))
    for batch in part.batches {
      write(UInt32(batch.changes.count))
      for change in batch.changes {
        write(change.kind.rawValue)
        write(change.entity)
        write(change.cause)
        if change.kind.hasNumber { write(change.number) }
        if change.kind.isLink { write(change.target) }
        guard change.kind == .moved else { continue }
        write(UInt8(change.isAmongTargets ? 1 : 0))
        write(change.next ?? .max)
      }
      write(UInt32(batch.columns.count))
      for column in batch.columns {
        write(column.component)
        write(UInt32(column.lengths.count))
        for length in column.lengths { write(UInt32(length)) }
        body.append(column.data)
      }
    }
  }

  private mutating func write(_ text: String) {
    write(UInt32(text.utf8.count))
    body.append(contentsOf: text.utf8)
  }

  private mutating func write(_ text: String?) {
    write(UInt8(text == nil ? 0 : 1))
    if let text { write(text) }
  }

  private mutating func write(_ number: some FixedWidthInteger) {
    var rest = number
    for _ in 0..<number.bitWidth / 8 {
      body.append(UInt8(truncatingIfNeeded: rest))
      if number.bitWidth > 8 { rest >>= 8 }
    }
  }
}
