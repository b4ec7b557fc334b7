import ECSTestSupport
import Foundation
import Testing

/// A Git repository in a temporary folder, to be filled by a test.
final class SmallRepository {
  let folder: TemporaryFolder
  let url: URL
  private var hours = 0

  /// Nothing that is configured on the machine, and no user in particular, by default.
  static let environment = [
    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8",
    "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org",
  ]

  init() throws {
    folder = try TemporaryFolder()
    url = folder["repository"]
    try SmallRepository.git(["init", "--quiet", "--initial-branch=main", url.path], in: folder.url)
  }

  /// Runs Git in the repository and returns what it wrote.
  @discardableResult
  func git(_ arguments: String..., environment: [String: String] = [:]) throws -> String {
    try SmallRepository.git(arguments, in: url, environment: environment)
  }

  /// Writes a file, and the folders that it is in.
  func write(_ path: String, _ text: String) throws {
    let file = url.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// Commits all that is there, an hour after the last commit, beginning on a Monday at 1:00.
  func commit(_ message: String, author: String = "Ada <ada@example.org>") throws {
    hours += 1
    let date = "\(1_767_571_200 + hours * 3600) +0000"
    try git("add", "--all")
    try git(
      "commit", "--quiet", "--allow-empty", "--message", message, "--author", author,
      environment: ["GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date])
  }

  /// Loads a stream in the form of `git fast-import`, which can make what no file system can.
  func load(_ stream: String) throws {
    let file = folder["stream"]
    try Data(stream.utf8).write(to: file)
    try SmallRepository.git(
      ["fast-import", "--quiet"], in: url, input: FileHandle(forReadingFrom: file))
  }

  /// Lets the time between two commits be longer.
  func wait(days: Int) { hours += days * 24 }

  @discardableResult
  static func git(
    _ arguments: [String], in folder: URL, environment: [String: String] = [:],
    input: FileHandle = .nullDevice
  ) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git"] + arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment
      .merging(SmallRepository.environment) { $1 }.merging(environment) { $1 }
    process.standardInput = input
    let text = try process.startWithOutput().readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "git \(arguments) failed")
    return String(decoding: text, as: UTF8.self)
  }
}
