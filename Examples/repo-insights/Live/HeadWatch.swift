import ExampleSupport
import Foundation

/// Looks at the few files that Git changes when a branch gets another commit.
struct HeadWatch {
  private let repository: Repository
  private let revision: String
  private var paths: [String] = []
  private var seen: [String] = []

  /// Watches a branch or, if nil, what is checked out.
  init(_ repository: Repository, _ branch: String?) {
    self.repository = repository
    revision = branch ?? "HEAD"
  }

  /// The newest commit; nil if there is none.
  mutating func head() throws -> String? {
    let git = repository.git
    let name = try git.ask(["rev-parse", "--symbolic-full-name", revision]).firstLine ?? revision
    let files = ["HEAD", "packed-refs", "logs/HEAD", "reftable/tables.list", name]
    paths = try files.compactMap { file in
      try git.ask(["rev-parse", "--path-format=absolute", "--git-path", file]).firstLine
    }
    // Before Git is asked: what comes in between is seen as a change then.
    seen = states()
    return try git.ask(["rev-parse", "--verify", "--quiet", "\(revision)^{commit}"]).firstLine
  }

  /// Waits until one of the files is another one.
  func wait() {
    repeat { usleep(100_000) } while states() == seen
  }

  private func states() -> [String] {
    paths.map { path in
      var status = stat()
      guard unsafe stat(path, &status) == 0 else { return "none" }
      #if os(Linux)
        let time = status.st_mtim
      #else
        let time = status.st_mtimespec
      #endif
      return "\(status.st_ino) \(status.st_size) \(time.tv_sec) \(time.tv_nsec)"
    }
  }
}
