import Foundation
import Testing

/// A `git` that waits in a chosen place until the test lets it go on.
final class StubbedGit {
  /// What programs have to be started with, to find it.
  let environment: [String: String]
  private let gate: URL

  /// Makes one in a folder, which waits where a command line contains a text such as " log ".
  init(in folder: URL, waitingAt command: String) throws {
    let bin = folder.appendingPathComponent("bin")
    try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
    gate = folder.appendingPathComponent("gate")
    unsafe try #require(mkfifo(gate.path, 0o600) == 0)
    let script = """
      #!/bin/sh
      case " $* " in *"\(command)"*) cat '\(gate.path)';; esac
      PATH=${PATH#*:} exec git "$@"
      """
    let git = bin.appendingPathComponent("git")
    try Data(script.utf8).write(to: git)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: git.path)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    environment = ["PATH": "\(bin.path):\(path)", "NO_COLOR": "1"]
  }

  /// Waits until a command has come to the gate, and lets it through.
  func open() async throws { try await reached().close() }

  /// Waits until a command has come to the gate, which stays there until the result is closed.
  func reached() async throws -> FileHandle {
    let gate = gate
    return try await withCheckedThrowingContinuation { continuation in
      // Opening waits, and so must not be done by a thread that other tests need.
      Thread.detachNewThread {
        continuation.resume(with: Result { try FileHandle(forWritingTo: gate) })
      }
    }
  }
}
