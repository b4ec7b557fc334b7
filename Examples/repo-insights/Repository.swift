import ExampleSupport
import Foundation

/// The repository whose history is read.
struct Repository: Sendable {
  let git: Git

  /// Where it is: the top of the work tree, or the repository itself if that is bare.
  let path: String

  /// The newest commit; nil if there is none yet.
  let head: String?

  /// Whether the history was cut off when the repository was cloned.
  let isShallow: Bool

  /// The commits whose parents were cut off: Git takes all that is there for their work.
  let boundary: Set<CommitKey>

  var name: String {
    let name = URL(fileURLWithPath: path).lastPathComponent
    return name.count > 4 && name.hasSuffix(".git") ? String(name.dropLast(4)) : name
  }

  /// Finds a repository, of which a branch is to be read or, if nil, what is checked out.
  init(git: Git, branch: String? = nil) throws {
    self.git = git
    switch try git.ask(["rev-parse", "--is-shallow-repository", "--absolute-git-dir"]) {
    case .failure(let complaint):
      // It may be there, and belong to another user.
      let isMissing = ["not a git repository", "cannot change to"].contains {
        complaint.text.contains($0)
      }
      let summary = isMissing ? "There is no Git repository at" : "Git refuses the repository at"
      throw Failure(message: "\(summary) '\(git.folder)'. Git says: \(complaint.whole)")
    case .success(let answer):
      isShallow = answer.first == "true"
      path = try Repository.top(git) ?? answer.last ?? git.folder
    }
    head = try branch.map { try Repository.commit($0, git) } ?? Repository.head(git)
    boundary = isShallow ? try Repository.boundary(git) : []
  }

  /// The commits that a shallow clone ends with, as its file has them.
  private static func boundary(_ git: Git) throws -> Set<CommitKey> {
    let place = try git.ask(["rev-parse", "--path-format=absolute", "--git-path", "shallow"])
    guard let path = place.firstLine else { return [] }
    let lines = try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: 0x0A)
    return Set(lines.map { CommitKey(hexadecimal: Array($0)[...]) })
  }

  private static func head(_ git: Git) throws -> String? {
    if let head = try git.ask(["rev-parse", "--verify", "--quiet", "HEAD"]).firstLine {
      return head
    }
    guard case .failure(let complaint) = try git.ask(["log", "-1"]),
      !complaint.text.contains("does not have any commits")
    else { return nil }
    throw Failure(message: "The repository at '\(git.folder)' is broken: \(complaint.text)")
  }

  private static func commit(_ branch: String, _ git: Git) throws -> String {
    let found = try git.ask(["rev-parse", "--verify", "--quiet", "\(branch)^{commit}"]).firstLine
    guard !branch.hasPrefix("-"), let found else {
      throw Failure.usage("There is no branch or commit '\(branch)'.")
    }
    return found
  }

  private static func top(_ git: Git) throws -> String? {
    try git.ask(["rev-parse", "--show-toplevel"]).firstLine
  }

  /// What Git makes of a selection; it stops if Git would take a date for something else, of which
  /// Git itself never complains.
  func filter(_ selection: Selection) throws -> Filter {
    Filter(
      selection: selection, since: try selection.since.map { try seconds($0, "since", "max-age") },
      until: try selection.until.map { try seconds($0, "until", "min-age") })
  }

  private func seconds(_ date: String, _ option: String, _ answerName: String) throws -> Int {
    let setting = "insights.date"
    let answer = try git.ask(
      ["-c", "\(setting)=\(date)", "config", "--type=expiry-date", "--get", setting])
    let understood = try git.ask(["rev-parse", "--\(option)=\(date)"]).firstLine
    guard case .success = answer, let understood,
      let seconds = Int(understood.trimmingPrefix("--\(answerName)="))
    else { throw Failure.usage("Git can't read '\(date)' as a date.") }
    return seconds
  }

  /// The number of commits to expect.
  func count(_ selection: Selection) throws -> Int? {
    try git.ask(["rev-list", "--count"] + selection.arguments).firstLine.flatMap { Int($0) }
  }

  /// Whether one commit leads to another one.
  func isAncestor(_ commit: String, of other: String) throws -> Bool {
    if case .success = try git.ask(["merge-base", "--is-ancestor", commit, other]) { return true }
    return false
  }

  /// The paths of the files that are there in the newest commit.
  func presentPaths() throws -> Set<RawText> {
    try head.map { try presentPaths(in: $0) } ?? []
  }

  /// The paths of the files that are there in a commit.
  func presentPaths(in commit: String) throws -> Set<RawText> {
    let (process, output) = git.process([
      "ls-tree", "-r", "-z", "--name-only", "--full-tree", commit,
    ])
    try process.run()
    let answer = try output.readToEnd() ?? Data()
    process.waitUntilExit()
    return Set([UInt8](answer).split(separator: 0).map { RawText($0) })
  }
}

extension Result<[String], Git.Complaint> {
  /// The first line of an answer; nil if there is none.
  var firstLine: String? {
    guard case .success(let lines) = self else { return nil }
    return lines.first
  }
}
