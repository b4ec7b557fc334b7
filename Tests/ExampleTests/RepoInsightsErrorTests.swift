import ECSTestSupport
import Foundation
import Testing

/// What repo-insights says when something is wrong.
@Suite struct RepoInsightsErrorTests {
  let program: ExampleProgram

  init() throws {
    program = try ExampleProgram("repo-insights")
  }

  @Test(arguments: [
    (["--top"], "--top needs a value"),
    (["--top", "many"], "--top needs a whole number above 0, not 'many'"),
    (["--top=0"], "--top needs a whole number above 0, not '0'"),
    (["--json", ""], "--json needs a value"),
    (["--tip"], "There is no option '--tip'"),
    (["-x"], "There is no option '-x'"),
    (["one", "two"], "There can be only one path, and 'two' is a second one"),
    ([""], "The path is empty"),
    (["--x\u{1B}[31m"], "There is no option '--x\\u{1b}[31m'"),
    (
      ["--only", "files,lines"],
      "--only knows activity, hours, authors, files, directories, pairs, commits, not 'lines'"
    ),
    (["--json", "-", "--svg", "-"], "Only one of --json and --svg can go to standard output"),
  ]) func `Options that make no sense are refused`(
    arguments: [String], message: String
  ) async throws {
    let result = try await program.run(arguments)
    expectEqual(result.status, 64)
    expectEqual(result.errors, "repo-insights: \(message).\nTry 'repo-insights --help'.\n")
    expectTrue(result.output.isEmpty)
  }

  @Test func `What Git can't read as a date is refused`() async throws {
    let repository = try SmallRepository()
    let result = try await program.run(["--since", "Frogtober"], in: repository.url)
    expectEqual(result.status, 64)
    expectTrue(result.errors.contains("Git can't read 'Frogtober' as a date."))
  }

  @Test func `Help is written to standard output`() async throws {
    let result = try await program.run(["--help"])
    expectEqual(result.status, 0)
    expectTrue(result.output.hasPrefix("Usage: repo-insights [path]"))
    expectTrue(result.errors.isEmpty)
  }

  @Test func `A folder that isn't a repository is an error, and so is a missing one`()
    async throws
  {
    let folder = try TemporaryFolder()
    // Temporary folders may be in a repository.
    let ceiling = [
      "GIT_CEILING_DIRECTORIES": folder.url.resolvingSymlinksInPath().path
    ]
    let inner = folder["inner"]
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    for (path, reason) in [
      (inner.path, "not a git repository"), (folder["none"].path, "No such file or directory"),
    ] {
      let result = try await program.run([path], environment: ceiling)
      expectEqual(result.status, 1)
      expectTrue(result.errors.hasPrefix("repo-insights: There is no Git repository at '\(path)'."))
      expectTrue(result.errors.contains(reason))
      expectTrue(result.output.isEmpty)
    }
  }

  @Test func `Git missing from the search path is an error`() async throws {
    let result = try await program.run([], environment: ["PATH": "/nowhere"])
    expectEqual(result.status, 1)
    expectEqual(
      result.errors, "repo-insights: There is no 'git' in PATH. Install Git and try again.\n")
  }

  @Test func `A reader of the report that goes away ends the program quietly`() async throws {
    let repository = try SmallRepository()
    try repository.commit("One")
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let result = try await program.run(
      [repository.url.path], output: pipe.fileHandleForWriting)
    expectTrue(result.status == -SIGPIPE && result.errors.isEmpty)
  }

  @Test func `A file that can't be written is an error before anything is read`() async throws {
    let repository = try SmallRepository()
    let file = repository.folder["none/report.svg"].path
    let result = try await program.run([repository.url.path, "--svg", file])
    expectEqual(result.status, 1)
    expectEqual(
      result.errors, "repo-insights: Can't write to '\(file)': No such file or directory.\n")
  }

  @Test func `A log that ends too early is an error and leaves earlier files alone`() async throws {
    let repository = try SmallRepository()
    try repository.write("file", "line\n")
    try repository.commit("One")
    try repository.write("file", "another line\n")
    try repository.commit("Two")
    let oldest = try repository.git("rev-list", "--max-parents=0", "HEAD").prefix(40)
    let object = ".git/objects/\(oldest.prefix(2))/\(oldest.dropFirst(2))"
    try FileManager.default.removeItem(at: repository.url.appendingPathComponent(object))
    let file = repository.folder["report.json"]
    try Data("earlier".utf8).write(to: file)
    let result = try await program.run([repository.url.path, "--json", file.path])
    expectEqual(result.status, 1)
    expectTrue(
      result.errors.hasSuffix(
        "repo-insights: Reading the history failed: git log ended with status 128.\n"))
    try expectEqual(Data(contentsOf: file), Data("earlier".utf8))
    let names = try FileManager.default.contentsOfDirectory(atPath: repository.folder.url.path)
    expectEqual(names.sorted(), ["report.json", "repository"])
  }

  @Test func `A repository of another user is not reported as missing`() async throws {
    let repository = try SmallRepository()
    try repository.commit("One")
    let result = try await program.run(
      [repository.url.path],
      environment: SmallRepository.environment.merging(
        ["GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"]) { $1 })
    expectEqual(result.status, 1)
    expectTrue(
      result.errors.hasPrefix(
        "repo-insights: Git refuses the repository at '\(repository.url.path)'. Git says: "))
    expectTrue(result.errors.contains("dubious ownership"))
    // What there is to be done is said as well.
    expectTrue(result.errors.contains("safe.directory"))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `No partial files are left when the program is ended`(signal: Int32) async throws {
    let repository = try SmallRepository()
    try repository.commit("One")
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    try Data("earlier".utf8).write(to: folder["report.json"])
    let git = try StubbedGit(in: other.url, waitingAt: " log ")
    let process = try program.start(
      [
        repository.url.path, "--json", folder["report.json"].path, "--svg",
        folder["report.svg"].path,
      ], environment: git.environment)
    let gate = try await git.reached()
    try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.url.path).count, 3)
    process.send(signal)
    await expectEqual(process.status(), -signal)
    try expectEqual(
      FileManager.default.contentsOfDirectory(atPath: folder.url.path), ["report.json"])
    try expectEqual(Data(contentsOf: folder["report.json"]), Data("earlier".utf8))
    try gate.close()
  }

  @Test(arguments: [0o600, 0o664, 0o755])
  func `A file that is replaced keeps its mode`(mode: Int) async throws {
    let repository = try SmallRepository()
    try repository.commit("One")
    let file = repository.folder["report.json"].path
    try Data("earlier".utf8).write(to: URL(fileURLWithPath: file))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    let result = try await program.run([repository.url.path, "--json", file])
    expectEqual(result.status, 0)
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    expectEqual(attributes[.posixPermissions] as? Int, mode)
    expectNotEqual(attributes[.size] as? Int, 7)
  }

  @Test(arguments: [
    ("kill -9 $$", "git log ended with signal 9."),
    ("echo commit; exit 0", "Git's log has an unexpected form, near 'commit\\n'."),
  ]) func `A misbehaving Git is an error`(script: String, message: String) async throws {
    let repository = try SmallRepository()
    try repository.commit("One")
    let git = repository.folder["git"]
    // Everything is left to the real one, except the log.
    let text = """
      #!/bin/sh
      case " $* " in *" log "*) \(script);; esac
      PATH=${PATH#*:} exec git "$@"
      """
    try Data(text.utf8).write(to: git)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: git.path)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let result = try await program.run(
      [repository.url.path], environment: ["PATH": "\(repository.folder.url.path):\(path)"])
    expectEqual(result.status, 1)
    expectTrue(result.errors.hasSuffix(message + "\n"), "\(result.errors)")
    expectTrue(result.output.isEmpty)
  }

  @Test func `A repository whose branch is broken is not taken for an empty one`() async throws {
    let repository = try SmallRepository()
    try repository.commit("One")
    try repository.write(".git/refs/heads/main", "garbage\n")
    let result = try await program.run([repository.url.path])
    expectEqual(result.status, 1)
    expectTrue(
      result.errors.hasPrefix("repo-insights: The repository at '\(repository.url.path)' is broken")
    )
  }

  @Test(arguments: [("report", "report"), ("report", "./report"), ("link", "report")])
  func `Two reports can't go to one file`(json: String, svg: String) async throws {
    let repository = try SmallRepository()
    try repository.commit("One")
    let folder = try TemporaryFolder()
    try Data("earlier".utf8).write(to: folder["report"])
    try FileManager.default.createSymbolicLink(
      atPath: folder["link"].path, withDestinationPath: "report")
    let result = try await program.run(
      [repository.url.path, "--json", json, "--svg", svg], in: folder.url)
    expectEqual(result.status, 64)
    expectTrue(result.errors.contains("--json and --svg can't both go to '\(svg)'."))
    try expectEqual(Data(contentsOf: folder["report"]), Data("earlier".utf8))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    expectEqual(names.sorted(), ["link", "report"])
  }

  @Test func `No partial file is left when another one can't be written`() async throws {
    let repository = try SmallRepository()
    let folder = try TemporaryFolder()
    let result = try await program.run(
      [repository.url.path, "--json", "report.json", "--svg", "none/report.svg"], in: folder.url)
    expectEqual(result.status, 1)
    try expectTrue(FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test func `A file behind a link is replaced, and the link stays`() async throws {
    let repository = try SmallRepository()
    try repository.commit("One")
    let folder = try TemporaryFolder()
    try Data(String(repeating: "earlier ", count: 10_000).utf8).write(to: folder["report.json"])
    try FileManager.default.createSymbolicLink(
      atPath: folder["link"].path, withDestinationPath: "report.json")
    let result = try await program.run([repository.url.path, "--json", "link"], in: folder.url)
    expectEqual(result.status, 0)
    let link = try FileManager.default.destinationOfSymbolicLink(atPath: folder["link"].path)
    expectEqual(link, "report.json")
    let data = try Data(contentsOf: folder["report.json"])
    try expectTrue(JSONSerialization.jsonObject(with: data) is [String: Any])
  }

  @Test(arguments: [">&-", ">&- <&-", "<&- >&- 2>&-"])
  func `Closed standard descriptors don't mix anything up`(closing: String) async throws {
    let repository = try SmallRepository()
    try repository.commit("One")
    let shell = ExampleProgram(executable: URL(fileURLWithPath: "/bin/sh"))
    let (path, repositoryPath) = (program.executable.path, repository.url.path)
    let command = "exec '\(path)' '\(repositoryPath)' --json r.json \(closing)"
    let folder = try TemporaryFolder()
    let result = try await shell.run(["-c", command], in: folder.url)
    expectEqual(result.status, 1)
    if !closing.contains("2>") {
      expectTrue(result.errors.contains("Writing to standard output failed: Bad file descriptor."))
    }
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: folder["r.json"]))
    let totals = (json as? [String: Any])?["totals"] as? [String: Any]
    expectEqual(totals?["commits"] as? Int, 1)
  }

  @Test func `Settings of a hook's repository don't apply to another one`() async throws {
    let repository = try SmallRepository()
    try repository.commit("One")
    for name in [
      "GIT_DIR", "GIT_WORK_TREE", "GIT_OBJECT_DIRECTORY", "GIT_INDEX_FILE", "GIT_SHALLOW_FILE",
    ] {
      let result = try await program.run([repository.url.path], environment: [name: "/none"])
      expectEqual(result.status, 0, "\(name): \(result.errors)")
      expectTrue(result.output.contains("1 commit "))
    }
  }
}
