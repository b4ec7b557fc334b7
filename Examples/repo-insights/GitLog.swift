import ExampleSupport
import Foundation

/// The history of a repository, read from a running `git log` in batches of whole commits.
///
/// Never more than a batch is in memory. Fields end with NUL, so that any name can be distinguished
/// from what is around it, and each commit begins with a marker that no file of the history can be
/// named by, since it is drawn when the program starts.
final class GitLog {
  /// What each commit begins with.
  let marker: [UInt8]

  private let process: Process
  private let output: FileHandle
  private var buffer: [UInt8] = []
  private var chunk = [UInt8](repeating: 0, count: GitLog.batchSize)

  /// Where no marker has been looked for yet.
  private var searched = 1

  private static let batchSize = 1 << 17

  /// How long commits that have come wait for others: short for people, long for a computer.
  private static let patience = Duration.milliseconds(50)

  /// What must not depend on how users have configured Git.
  static let settings = [
    "log.showSignature=false", "log.showRoot=true", "diff.relative=false", "diff.algorithm=default",
    "diff.renameLimit=1000",
  ].flatMap { ["-c", $0] }

  /// Reads what revisions stand for, as `git log` understands them: limits, names, `--` and paths.
  init(_ repository: Repository, _ revisions: [String]) throws {
    let word = "commit-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    marker = Array(word.utf8)
    var arguments = GitLog.settings
    arguments += ["log", "-z", "--numstat", "-M", "--use-mailmap", "--no-color", "--no-notes"]
    arguments += ["--ignore-submodules=none", "--no-ext-diff", "--no-textconv"]
    arguments += ["--encoding=UTF-8", "--date=raw"]
    arguments.append("--format=\(word)%x00%H%x00%P%x00%aN%x00%aE%x00%ct%x00%ad%x00%s")
    (process, output) = repository.git.process(arguments + revisions)
    #if os(Linux)
      // So that Git goes on while nothing is read.
      let setPipeSize: Int32 = 1031
      _ = fcntl(output.fileDescriptor, setPipeSize, 1 << 20)
    #endif
    try process.run()
  }

  /// The bytes of the next commits, which are whole; nil at the end.
  func nextBatch() throws -> ArraySlice<UInt8>? {
    let start = ContinuousClock.now
    while try readMore(isPatient: lastMarker() == nil) {
      let isOver = buffer.count >= GitLog.batchSize || .now - start > GitLog.patience
      if isOver, let end = lastMarker() { return takeBatch(before: end) }
    }
    return buffer.isEmpty ? nil : takeBatch(before: buffer.count)
  }

  /// Waits for Git to end, and fails if it didn't get to the end of the history.
  func finish() throws {
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      let how = process.terminationReason == .exit ? "status" : "signal"
      throw Failure(
        message: "Reading the history failed: git log ended with \(how) "
          + "\(process.terminationStatus).")
    }
  }

  /// Stops reading before the end.
  func cancel() {
    process.terminate()
  }

  /// Reads what Git has written, without waiting for more to come; false at the end.
  ///
  /// If there is
  /// nothing, it waits for as long as it takes, unless it is not patient.
  private func readMore(isPatient: Bool) throws -> Bool {
    var input = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&input, 1, isPatient ? -1 : 50) > 0 else { return true }
    let count = unsafe read(output.fileDescriptor, &chunk, chunk.count)
    guard count >= 0 else {
      if errno == EINTR { return true }
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
    buffer.append(contentsOf: chunk[..<count])
    // Git writes each commit by itself: waking up for each would take longer than reading it.
    if count > 0, count < GitLog.batchSize / 2 { usleep(10_000) }
    return count > 0
  }

  private func takeBatch(before end: Int) -> ArraySlice<UInt8> {
    let batch = buffer[..<end]
    buffer = Array(buffer[end...])
    searched = 1
    return batch
  }

  /// Where the last commit of the buffer begins, which may not have come in whole yet.
  ///
  /// The first one, which begins the buffer, does not count.
  private func lastMarker() -> Int? {
    let end = buffer.count - marker.count
    var position = end
    while position >= searched {
      if buffer[position] == marker[0], buffer[position...].starts(with: marker) { return position }
      position -= 1
    }
    searched = max(1, end + 1)
    return nil
  }
}
