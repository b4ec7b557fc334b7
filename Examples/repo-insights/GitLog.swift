import Foundation

/// The history of a repository, read from a running `git log` in batches of whole commits.
///
/// Never more than a batch is in memory. Fields end with NUL, so that any name can be told from
/// what is around it, and each commit begins with a marker that no file of the history can be
/// named by, since it is drawn when the program starts.
final class GitLog {
  /// What each commit begins with.
  let marker: [UInt8]

  private let process: Process
  private let output: FileHandle
  private var buffer: [UInt8] = []

  /// Where no marker has been looked for yet.
  private var searched = 1

  private static let batchSize = 1 << 17

  init(_ repository: Repository, since: String?) throws {
    let word = "commit-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    marker = Array(word.utf8)
    // What users may have configured must not change the form of the answer.
    var arguments = ["-c", "log.showSignature=false", "-c", "diff.relative=false"]
    arguments += ["log", "-z", "--numstat", "-M", "--use-mailmap", "--no-color", "--no-notes"]
    arguments += ["--encoding=UTF-8", "--format=\(word)%x00%H%x00%P%x00%aN%x00%ct%x00%s"]
    if let since { arguments.append("--since=\(since)") }
    (process, output) = repository.git.process(arguments + ["HEAD", "--"])
    try process.run()
  }

  /// The bytes of the next commits, which are whole; nil at the end.
  func nextBatch() throws -> ArraySlice<UInt8>? {
    while let data = try output.read(upToCount: GitLog.batchSize), !data.isEmpty {
      buffer.append(contentsOf: data)
      if let end = lastMarker() { return takeBatch(before: end) }
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
