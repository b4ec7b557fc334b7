import ECSTestSupport
import Foundation
import Testing

/// The dashboard of repo-insights, by its keys and its screen.
@Suite struct RepoInsightsLiveTests {
  let program: ExampleProgram
  let repository: SmallRepository

  /// Ada and Bo: each has changed a file of their own and one that is common; a file that was
  /// moved, and one that is gone.
  init() throws {
    program = try ExampleProgram("repo-insights")
    repository = try SmallRepository()
    try repository.load(
      """
      commit refs/heads/main
      committer Ada <ada@example.org> 1767571200 +0000
      data 0
      M 644 inline common.txt
      data 2
      1

      M 644 inline old.swift
      data 6
      1
      2
      3

      M 644 inline gone.txt
      data 2
      1

      commit refs/heads/main
      committer Ada <ada@example.org> 1767574800 +0000
      data 0
      M 644 inline common.txt
      data 4
      1
      2

      D gone.txt
      R old.swift Sources/ada.swift
      commit refs/heads/main
      committer Bo <bo@example.org> 1767578400 +0000
      data 0
      M 644 inline common.txt
      data 6
      1
      2
      3

      M 644 inline Sources/bo.swift
      data 2
      1


      """)
    try repository.git("reset", "--quiet", "--hard")
  }

  private func start(
    in other: SmallRepository? = nil, columns: Int = 80, rows: Int = 24
  ) throws -> (RunningProgram, PseudoTerminal, TerminalScreen) {
    let terminal = try #require(PseudoTerminal(columns: columns, rows: rows))
    let environment = SmallRepository.environment.merging(["TERM": "xterm-256color"]) { $1 }
    let process = try program.start(
      [(other ?? repository).url.path, "--live"], on: terminal, environment: environment)
    return (process, terminal, TerminalScreen(columns: columns, rows: rows))
  }

  @Test(arguments: [80, 50])
  func `The report is shown, and keys select, filter and quit`(columns: Int) async throws {
    var (process, terminal, screen) = try start(columns: columns)
    /// What is shown once some text is, in lines of which each is one pane's.
    func shown(_ text: String) async -> [String] {
      screen = await terminal.show(on: screen) { $0.isSettled(with: text) }
      expectTrue(screen.text.contains(text), "\(screen.text)")
      return screen.lines
    }
    _ = await shown("Files 3")
    let first = await shown("watching")
    expectEqual(first[0], "repository  3 commits  +8 -1  watching")
    expectTrue(first.contains { $0.contains("Authors 2") } && !screen.text.contains("gone.txt"))
    expectNotNil(screen.text.firstMatch(of: #/Ada +2 /#))
    expectTrue(first[22].contains(" events/s  ") && first[22].contains(" entities  "))
    // Down to Bo, whose files are two.
    try terminal.type("\u{1B}[B\u{1B}[B\r")
    let bo = await shown("Files 2")
    expectTrue(screen.text.contains("bo.swift") && !screen.text.contains("ada.swift"))
    expectTrue(bo[23].hasPrefix("of Bo"))
    try terminal.type("COMM")
    _ = await shown("Files 1")
    expectTrue(screen.text.contains("common.txt"))
    try terminal.type("\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}")
    _ = await shown("Files 2")
    try terminal.type("\t")
    _ = await shown("Directories 2")
    expectTrue(screen.text.contains("(top level)"))
    try terminal.type("\t")
    // Bo has made one of the commits.
    _ = await shown("Largest commits 1")
    try terminal.type("\t/q")
    _ = await shown("Files 0")
    try terminal.type("\u{1B}")
    _ = await shown("Files 3")
    try terminal.type("q")
    screen = await terminal.show(on: screen) { !$0.isFull }
    expectFalse(screen.isFull)
    await expectEqual(process.status(), 0)
  }

  @Test func `A new commit moves its own rows and no others`() async throws {
    var (process, terminal, screen) = try start()
    for number in 0...2 {
      let commits = "\(3 + number) commits"
      if number > 0 {
        try repository.write("Sources/bo.swift", "\(number)\n\(number)\n")
        try repository.commit("Bo's \(number)", author: "Bo <bo@example.org>")
      }
      screen = await terminal.show(on: screen) {
        $0.lines[0].contains(commits) && $0.isSettled(with: "watching")
      }
    }
    // Bo has passed Ada. An author, a file, its directory and a week, which may be a new one, and a
    // commit.
    let names = screen.lines.compactMap { $0.firstMatch(of: #/^. (Ada|Bo) /#)?.1 }
    expectEqual(names, ["Bo", "Ada"], "\(screen.text)")
    expectTrue(screen.text.contains("last change: 5 of 13 rows"), "\(screen.text)")
    try repository.git("commit", "--quiet", "--amend", "--message", "Another")
    screen = await terminal.show(on: screen) { $0.isSettled(with: "start again") }
    expectTrue(screen.lines[0].contains("the history was rewritten: start again"))
    terminal.resize(columns: 40, rows: 12)
    process.send(SIGWINCH)
    screen = TerminalScreen(columns: 40, rows: 12)
    screen = await terminal.show(on: screen) { $0.isSettled(with: "events/s") }
    expectTrue(screen.text.contains("Files 3") && screen.text.contains("Authors 2"))
    process.send(SIGTERM)
    screen = await terminal.show(on: screen) { !$0.isFull }
    await expectEqual(process.status(), -SIGTERM)
  }

  @Test func `A repository without commits has a dashboard, and takes every key`() async throws {
    let empty = try SmallRepository()
    var (process, terminal, screen) = try start(in: empty)
    screen = await terminal.show(on: screen) { $0.isSettled(with: "no commits yet") }
    expectEqual(screen.lines[0], "repository  0 commits  +0 -0  no commits yet")
    expectTrue(screen.text.contains("Authors 0") && screen.text.contains("Files 0"))
    // Arrows, pages, ends, Return, and Tab to each of the lists and back.
    let moves = ["A", "B", "5~", "6~", "H", "F"].map { "\u{1B}[\($0)" }
    try terminal.type(moves.joined() + "\r\u{7F}\t")
    screen = await terminal.show(on: screen) { $0.isSettled(with: "Directories 0") }
    try terminal.type(moves.joined() + "\r\t")
    screen = await terminal.show(on: screen) { $0.isSettled(with: "Largest commits 0") }
    try terminal.type("\t/x" + moves.joined() + "\r")
    screen = await terminal.show(on: screen) { $0.isSettled(with: "filter: x") }
    try terminal.type("\u{7F}\u{7F}\u{7F}")
    screen = await terminal.show(on: screen) {
      !$0.text.contains("filter: ") && $0.isSettled(with: "Files 0")
    }
    try empty.write("a.txt", "1\n")
    try empty.commit("First", author: "Ada <ada@example.org>")
    screen = await terminal.show(on: screen) { $0.isSettled(with: "Authors 1") }
    screen = await terminal.show(on: screen) { $0.isSettled(with: "watching") }
    expectEqual(screen.lines[0], "repository  1 commit  +1 -0  watching")
    try terminal.type("q")
    await expectEqual(process.status(), 0)
  }

  @Test func `The final numbers are those of the report`() async throws {
    let repository = try SmallRepository()
    try GeneratedHistory(commits: 300).load(into: repository)
    let report = try await InsightsReport(of: repository.url)
    var (process, terminal, screen) = try start(in: repository, columns: 160, rows: 400)
    screen = await terminal.show(on: screen) { $0.isSettled(with: "watching") }
    let totals = report.totals
    let summary = [totals.commits, totals.added, totals.deleted].map(grouped)
    expectTrue(
      screen.lines[0].contains("\(summary[0]) commits  +\(summary[1]) -\(summary[2])"),
      "\(screen.lines[0])")
    expectTrue(screen.text.contains("Authors \(report.authors.count) "))
    expectTrue(screen.text.contains("Files \(totals.files) "))
    // Each row of a pane ends with two numbers; names of files may have some, too.
    let rows = screen.lines.dropFirst(1).drop { !$0.contains("Files ") }.dropFirst()
    let shown = (
      authors: rows.compactMap { $0.firstMatch(of: #/ ([0-9,]+) +([0-9,]+)   /#) },
      files: rows.compactMap { $0.firstMatch(of: #/ ([0-9,]+) +([0-9,]+)$/#) }
    )
    let authors = report.authors.map { [grouped($0.commits), grouped($0.added + $0.deleted)] }
    expectEqual(
      shown.authors.prefix(authors.count).map { [String($0.1), String($0.2)] }, authors)
    let files = report.files.filter { !$0.gone }
      .map { [grouped($0.commits), grouped($0.added + $0.deleted)] }
    expectEqual(shown.files.prefix(files.count).map { [String($0.1), String($0.2)] }, files)
    process.send(SIGTERM)
    _ = await process.status()
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, 0])
  func `The terminal is restored however the dashboard ends`(signal: Int32) async throws {
    var (process, terminal, screen) = try start()
    let before = terminal.settings
    screen = await terminal.show(on: screen) { $0.isSettled(with: "watching") }
    expectNotEqual(terminal.settings, before)
    if signal == 0 { try terminal.type("\u{3}") } else { process.send(signal) }
    screen = await terminal.show(on: screen) { !$0.isFull }
    expectTrue(!screen.isFull && screen.hasCursor && screen.wraps)
    await expectEqual(process.status(), -signal)
    expectEqual(terminal.settings, before)
  }

  @Test func `Without a terminal there is no dashboard`() async throws {
    let result = try await program.run([repository.url.path, "--live"])
    expectEqual(result.status, 1)
    expectEqual(
      result.errors,
      "repo-insights: --live needs a terminal, to write to and to read keys from.\n")
    let refused = try await program.run([repository.url.path, "--live", "--top", "3"])
    expectEqual(refused.status, 64)
  }

  private func grouped(_ number: Int) -> String {
    number.formatted(.number.locale(Locale(identifier: "en_US")))
  }
}
