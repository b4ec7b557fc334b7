import ExampleSupport
import Foundation

/// The `git` program, asked about one folder.
struct Git: Sendable {
  let executable: URL
  let folder: String
  let environment: [String: String]

  /// Finds `git` in the search path, to ask it about a folder; nil stands for the current one.
  init(path: String?) throws(Failure) {
    var environment = ProcessInfo.processInfo.environment
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    let candidate = folders.lazy.map { "\($0)/git" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let candidate else {
      throw Failure(message: "There is no 'git' in PATH. Install Git and try again.")
    }
    if path != nil {
      // A hook's idea of where the repository is must not win over what the user asked for.
      for name in Git.repositoryVariables { environment[name] = nil }
    }
    // What Git says is quoted in our own messages, which are English.
    environment["LC_ALL"] = "C"
    self.environment = environment
    executable = URL(fileURLWithPath: candidate)
    folder = path ?? "."
  }

  /// What tells Git where a repository is and what is in it.
  private static let repositoryVariables = [
    "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_INDEX_FILE", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE",
    "GIT_REPLACE_REF_BASE", "GIT_NAMESPACE", "GIT_PREFIX",
  ]

  /// A process that is ready to run, whose output can be read from a pipe.
  func process(_ arguments: [String]) -> (process: Process, output: FileHandle) {
    let process = Process()
    let output = Pipe()
    process.executableURL = executable
    process.arguments = ["-C", folder] + arguments
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    return (process, output.fileHandleForReading)
  }

  /// Runs a command with a short answer.
  ///
  /// - Returns: The lines of the answer, or what Git complained about.
  func ask(_ arguments: [String]) throws -> Result<[String], Complaint> {
    let (process, output) = process(arguments)
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let answer = try output.readToEnd() ?? Data()
    let complaint = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return .failure(Complaint(complaint)) }
    return .success(
      String(decoding: answer, as: UTF8.self).split(separator: "\n").map(String.init))
  }

  /// What Git wrote before it gave up, without its prefix.
  struct Complaint: Error {
    private let lines: [String]

    init(_ data: Data) {
      lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map {
        String($0.trimmingPrefix("fatal: ").trimmingPrefix("error: "))
      }
    }

    /// What is wrong, in a line.
    var text: String { lines.first ?? "no reason" }

    /// All of it, with what Git says there is to be done.
    var whole: String { lines.isEmpty ? text : lines.joined(separator: "\n") }
  }
}
