import ECS
import ECSSnapshots
public import Foundation

/// Everything that happened to a context from a moment on, as a ``RunRecorder`` has recorded it, to
/// be replayed by a ``Replay``.
///
/// The file has a snapshot, and behind it each commit with the values that it has set, by the names
/// of a schema. A later program reads it by its own schema, as a snapshot.
public struct RunRecording: Sendable {
  let snapshot: Snapshot
  let directory: Data

  /// The kinds of entities that had come up before, by the numbers of their components.
  let kinds: [[UInt32]]
  let causes: [Cause]
  let items: [RecordedItem]

  /// The indices of the commits among the items.
  let commitIndices: [Int]

  init(
    snapshot: Snapshot, directory: Data, kinds: [[UInt32]], causes: [Cause],
    items: [RecordedItem]
  ) {
    (self.snapshot, self.directory, self.kinds) = (snapshot, directory, kinds)
    (self.causes, self.items) = (causes, items)
    commitIndices = items.indices.filter { if case .commit = items[$0] { true } else { false } }
  }

  /// Reads a file.
  ///
  /// - Throws: ``ReplayError``.
  public init(contentsOf url: URL) throws(ReplayError) {
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      throw ReplayError(.file("\(url.path) can't be read: \(error.localizedDescription)"))
    }
    try self.init(data)
  }

  /// Reads what is in a file.
  ///
  /// What the values are is seen when they are replayed.
  ///
  /// - Throws: ``ReplayError``. No data crashes the program, or makes it take more memory than some
  ///   times its size.
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public init(_ data: Data) throws(ReplayError) {
    var reader = try RunReader(data)
    self = try reader.readRecording()
  }

  /// The recording as it is in a file.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public var data: Data {
    var writer = RunWriter()
    writer.write(self)
    return writer.finish()
  }

  /// A file with a right checksum of whatever follows its head; for tests.
  package static func file(withBody body: Data) -> Data { RunWriter.seal(body) }

  /// The size of the head of a file; for tests.
  package static var headSize: Int { RunFormat.headSize }

  /// Writes the recording to a file, which has all of it or is as before.
  ///
  /// - Throws: ``ReplayError`` if the file system refuses.
  public func write(to url: URL) throws(ReplayError) {
    do {
      try data.write(to: url, options: .atomic)
    } catch {
      throw ReplayError(.file("\(url.path) can't be written: \(error.localizedDescription)"))
    }
  }

  /// How many entities there have ever been.
  var entityCount: Int { entityCount(before: items.count) }

  /// How many entities there have been up to an item: those with the first numbers.
  func entityCount(before index: Int) -> Int {
    var count = snapshot.entityCount
    for case .commit(let commit) in items[..<index] {
      for batch in commit.direct.batches + commit.responses.batches {
        for change in batch.changes where change.kind.isBeginning {
          count = max(count, Int(change.entity) + 1)
        }
      }
    }
    return count
  }

  // MARK: What there is

  /// The numbers of the commits, ascending; see `Commit.number`.
  public var commits: [Int] { commitIndices.map { number(ofCommitAt: $0) } }

  /// The number of the last commit before an item; nil if that comes before the first.
  func lastCommit(before index: Int) -> Int? {
    let count = commitCount { $0 < index }
    return count == 0 ? nil : number(ofCommitAt: commitIndices[count - 1])
  }

  /// The index behind the last commit with a number or a lower one, where what follows has not
  /// begun; 0 if there is none.
  func index(behind number: Int) -> Int {
    let count = commitCount { self.number(ofCommitAt: $0) <= number }
    return count == 0 ? 0 : commitIndices[count - 1] + 1
  }

  /// How many of the first commits meet a condition that those behind them do not.
  private func commitCount(where isBefore: (_ index: Int) -> Bool) -> Int {
    var (low, high) = (0, commitIndices.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(commitIndices[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func number(ofCommitAt index: Int) -> Int {
    if case .commit(let commit) = items[index] { commit.number } else { 0 }
  }

  /// The names of the loops that ran, in the order of their first passes.
  public var loops: [String] {
    var loops: [String] = []
    for case .begin(_, let loop, _) in items where !loops.contains(loop) { loops.append(loop) }
    return loops
  }
}
