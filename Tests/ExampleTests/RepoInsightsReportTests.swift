import ECSTestSupport
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// What the reports of repo-insights look like.
@Suite struct RepoInsightsReportTests {
  let program: ExampleProgram
  let repository: SmallRepository

  /// Two weeks of work by two authors.
  init() throws {
    program = try ExampleProgram("repo-insights")
    repository = try SmallRepository()
    for number in 1...3 {
      try repository.write("Sources/one.swift", String(repeating: "1\n", count: number))
      try repository.write("Sources/two.swift", String(repeating: "2\n", count: number))
      try repository.commit("Both, \(number)")
    }
    repository.wait(days: 7)
    try repository.write("README", "<hello> & \"good-bye\"\n")
    try repository.commit("Read \u{1B}[31mme", author: "Bo \"B\" & Söhne <bo@example.org>")
  }

  @Test func `Weeks, directories, pairs and the largest commits are counted`() async throws {
    let report = try await InsightsReport(of: repository.url, "--top", "1")
    expectEqual(
      report.weeks,
      [
        .init(monday: "2026-01-05", commits: 3, added: 6, deleted: 0),
        .init(monday: "2026-01-12", commits: 1, added: 1, deleted: 0),
      ])
    expectEqual(
      report.directories,
      [
        .init(path: "Sources", commits: 3, added: 6, deleted: 0),
        .init(path: "", commits: 1, added: 1, deleted: 0),
      ])
    expectEqual(
      report.files.map(\.path), ["Sources/one.swift", "Sources/two.swift", "README"])
    expectEqual(
      report.pairs,
      [
        .init(first: "Sources/one.swift", second: "Sources/two.swift", commits: 3, degree: 100)
      ])
    expectTrue((report.totals.first, report.totals.last) == ("2026-01-05", "2026-01-12"))
    let commit = try #require(report.largestCommits.first)
    expectEqual(report.largestCommits.count, 1)
    expectTrue(commit.author == "Ada" && commit.files == 2 && commit.added == 2)
    expectEqual(commit.id.count, 40)
  }

  @Test func `Every run gives the same report`() async throws {
    let arguments = [repository.url.path, "--json", "-"]
    let first = try await program.run(arguments).output
    for _ in 1...3 {
      let next = try await program.run(arguments).output
      expectEqual(next, first)
    }
  }

  @Test func `Where there is no terminal the report is plain text`() async throws {
    let result = try await program.run(["--all"], in: repository.url)
    expectEqual(result.status, 0)
    expectTrue(result.errors.isEmpty)
    expectTrue(result.output.allSatisfy { $0.isASCII || $0 == "ö" })
    expectFalse(result.output.contains("\u{1B}"))
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    expectTrue(lines.allSatisfy { $0.count <= 80 && $0.last != " " })
    for line in [
      "repository  2026-01-05 to 2026-01-12", "4 commits (0 merges) by 2 authors, 3 files",
      "+7 -0 lines, 0 renames, 0 binary changes", "Activity  commits per day",
      "Authors         commits  share  added  deleted       first        last",
      "Ada                   3   75 %      6        0  2026-01-05  2026-01-05",
      "Bo \"B\" & Söhne        1   25 %      1        0  2026-01-12  2026-01-12",
      "Sources/one.swift        3   75 %      3        0  ################",
      "  + Sources/two.swift", "Mon    ****                           4  100 %",
    ] {
      expectTrue(lines.contains { $0.hasPrefix(line) }, "\(line)")
    }
  }

  @Test func `A terminal gets colors and finer bars`() async throws {
    let terminal = try #require(PseudoTerminal())
    let last = "Both, 1"
    let (arguments, environment) = (
      [repository.url.path, "--all"], ["LC_ALL": "C.UTF-8", "TERM": "xterm"]
    )
    let result = try await program.run(
      arguments, environment: environment.merging(["NO_COLOR": ""]) { $1 },
      output: terminal.device)
    expectEqual(result.status, 0)
    let text = await terminal.read(until: last)
    expectTrue(text.contains("\u{1B}[1mrepository\u{1B}[0m"))
    expectTrue(text.contains("\u{1B}[36m████████████████\u{1B}[0m"))
    expectTrue(text.contains("└──"))
    expectTrue(text.contains("Read \\u{1b}[31mme"))
    let plain = try await program.run(
      arguments, environment: environment.merging(["NO_COLOR": "1"]) { $1 },
      output: terminal.device)
    expectEqual(plain.status, 0)
    await expectFalse(terminal.read(until: last).contains("\u{1B}["))
  }

  @Test func `The picture is well-formed and names authors and files`() async throws {
    let file = repository.folder["report.svg"]
    let result = try await program.run([repository.url.path, "--svg", file.path])
    expectEqual(result.status, 0)
    let reader = TextReader()
    let parser = XMLParser(data: try Data(contentsOf: file))
    parser.delegate = reader
    expectTrue(parser.parse(), "\(String(describing: parser.parserError))")
    for text in ["repository", "2026-01-05 to 2026-01-12", "Ada", "Bo \"B\" & Söhne", "README"] {
      expectTrue(reader.texts.contains { $0.trimmingCharacters(in: .newlines) == text }, "\(text)")
    }
    // Two weeks, and a bar on a track for each author and each file.
    expectEqual(reader.elements["rect"], 1 + 2 + 2 * 2 + 2 * 3)
  }

  @Test(arguments: [
    (4, ["01-05", "01-06", "01-07", "01-08", "01-09"]),
    (40, ["01-05", "01-12", "01-19", "01-26", "02-02", "02-09"]),
    (400, ["2026-04", "2026-07", "2026-10", "2027-01"]),
    (4000, (2027...2036).map(String.init)),
  ])
  func `A picture's axis is marked at days, weeks, months or years`(days: Int, marks: [String])
    async throws
  {
    let repository = try SmallRepository()
    try repository.commit("first")
    for _ in 1...4 {
      repository.wait(days: days / 4)
      try repository.commit("another")
    }
    let result = try await program.run([repository.url.path, "--svg", "-"])
    let labels = result.output.matches(of: /x="([0-9.]+)" y="410"[^>]*>([^<]*)</)
    expectEqual(labels.map { String($0.2) }, marks)
    let places = labels.compactMap { Double($0.1) }
    // None is over another, and none at the edge.
    expectTrue(
      zip(places, places.dropFirst()).allSatisfy { $1 - $0 > Double(marks[0].count) * 7.5 })
    expectTrue(places.allSatisfy { (60...920).contains($0) })
  }

  @Test func `An empty picture is well-formed, too`() async throws {
    let empty = try SmallRepository()
    let result = try await program.run([empty.url.path, "--svg", "-"])
    expectEqual(result.status, 0)
    expectTrue(XMLParser(data: Data(result.output.utf8)).parse())
    expectTrue(result.output.contains("No commits"))
  }

  @Test func `Any folder of a work tree and a bare repository give the same numbers`() async throws
  {
    let bare = repository.folder["bare.git"]
    try SmallRepository.git(
      ["clone", "--quiet", "--bare", repository.url.path, bare.path], in: repository.folder.url)
    let whole = try await InsightsReport(of: repository.url)
    let part = try await InsightsReport(of: repository.url.appendingPathComponent("Sources"))
    let copy = try await InsightsReport(of: bare)
    expectEqual(part.totals, whole.totals)
    expectEqual(part.repository.path, whole.repository.path)
    expectEqual(copy.totals, whole.totals)
    expectEqual(copy.repository.name, "bare")
  }

  /// Gathers what is in an XML file.
  private final class TextReader: NSObject, XMLParserDelegate {
    var elements: [String: Int] = [:]
    var texts: [String] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String] = [:]
    ) {
      elements[name, default: 0] += 1
      texts.append("")
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
      texts[texts.count - 1] += string
    }
  }

  @Test func `A long run shows a bar on a terminal, and takes it away`() async throws {
    let git = try StubbedGit(in: repository.folder.url, waitingAt: " log ")
    let environment = git.environment
    let terminal = try #require(PseudoTerminal())
    let (program, arguments) = (program, [repository.url.path])
    async let run = program.run(arguments, environment: environment, errors: terminal.device)
    let first = await terminal.read(until: "  0 %  0 of 4 commits")
    expectTrue(first.contains("\r\u{1B}[K"))
    try await git.open()
    let result = try await run
    expectEqual(result.status, 0)
    expectTrue(result.output.contains("4 commits"))
    // Whatever was drawn meanwhile, a line that is cleared and followed by nothing comes last.
    try terminal.device.write(contentsOf: Data("<end>".utf8))
    await expectTrue(terminal.read(until: "<end>").hasSuffix("\r\u{1B}[K<end>"))
  }

  @Test(arguments: [20, 30, 40, 62])
  func `The bar fits on a line, shows the time, and has its percentage whatever the file names`(
    width: Int
  ) async throws {
    try repository.write("HEAD", "not the head\n")
    try repository.commit("HEAD")
    let git = try StubbedGit(in: repository.folder.url, waitingAt: " log ")
    let terminal = try #require(PseudoTerminal(columns: width, rows: 24))
    let (program, arguments, environment) = (program, [repository.url.path], git.environment)
    async let run = program.run(arguments, environment: environment, errors: terminal.device)
    // The last of the text is cut off where there is no room.
    let drawn = await terminal.read(until: width < 30 ? "0 %  0 of 5" : "0 %  0 of 5 commits, ")
    for line in drawn.components(separatedBy: "\r\u{1B}[K") { expectLessThan(line.count, width) }
    try await git.open()
    try await expectEqual(run.status, 0)
  }

  @Test(arguments: [41, 60, 80, 119])
  func `The chart is no wider than the terminal`(width: Int) async throws {
    let other = try SmallRepository()
    // Three hundred weeks, of which each has 7 commits: bins of several weeks have more digits.
    let stream = (0..<2100).map { number in
      "commit refs/heads/main\ncommitter Ada <ada@example.org> "
        + "\(1_500_000_000 + number * 86_400) +0000\ndata 1\nx\n"
    }
    try other.load(stream.joined())
    let terminal = try #require(PseudoTerminal(columns: width, rows: 24))
    let result = try await program.run(
      [other.url.path, "--all"], environment: ["NO_COLOR": "1", "LC_ALL": "C.UTF-8"],
      output: terminal.device)
    expectEqual(result.status, 0)
    let text = await terminal.read(until: "Largest commits", "\n")
    let lines = text.components(separatedBy: "\r\n").filter { $0.contains(/[│└]/) }
    expectGreaterThan(lines.count, 3)
    expectTrue(lines.allSatisfy { $0.count <= width && $0.count > width / 2 }, "\(lines)")
  }

  @Test func `Wide letters get the space that they need in a picture`() async throws {
    let wide = String(repeating: "W", count: 60)
    try repository.write(wide, "x\n")
    try repository.commit("Wide", author: "\(String(repeating: "漢", count: 40)) <w@example.org>")
    let result = try await program.run([repository.url.path, "--svg", "-"])
    let texts = result.output.matches(of: /class="label"[^>]*>([^<]*)</).map { String($0.1) }
    let (names, paths) = (texts.filter { $0.contains("漢") }, texts.filter { $0.contains("WWW") })
    // A column is 420 wide, letters of 12 are as wide as they are high.
    expectTrue(names.count == 1 && names.allSatisfy { $0.count * 12 < 420 && $0.hasSuffix("…") })
    expectTrue(paths.count == 1 && paths.allSatisfy { $0.count * 12 < 420 && $0.hasPrefix("…") })
  }

  @Test func `The report fits on a screen of 24 rows`() async throws {
    for number in 1...30 {
      try repository.write("folder/file \(number)", "\(number)\n")
      try repository.commit("\(number)", author: "Author \(number) <\(number % 20)@mail>")
    }
    for width in [60, 80, 110, 200] {
      let terminal = try #require(PseudoTerminal(columns: width, rows: 24))
      let result = try await program.run(
        [repository.url.path, "--since", "2026-01-01"],
        environment: ["NO_COLOR": "1", "LC_ALL": "C.UTF-8"], output: terminal.device)
      expectEqual(result.status, 0)
      let lines = await terminal.read(until: "--all shows more", "\n")
        .components(separatedBy: "\r\n")
      expectTrue(lines.count <= 24 && lines.count > 20)
      expectTrue(lines.allSatisfy { $0.count <= width }, "\(lines)")
      expectTrue(lines.contains { $0.hasPrefix("Only commits since 2026-01-01 ") })
      // Both tables are there, beside each other where there is room.
      let heads = lines.filter { $0.contains("Authors") || $0.contains("Hottest files") }
      expectEqual(heads.count, (width >= 110 ? 1 : 2))
    }
  }

  @Test func `Only what is asked for is shown`() async throws {
    let result = try await program.run([repository.url.path, "--only", "files,pairs", "--top", "1"])
    expectTrue(
      result.output.contains("Hottest files") && result.output.contains("Changed together"))
    expectTrue(!result.output.contains("Authors") && !result.output.contains("Activity"))
    expectTrue(result.output.contains("Sources/one.swift") && !result.output.contains("README"))
    let refused = try await program.run([repository.url.path, "--only", "files,nonsense"])
    expectEqual(refused.status, 64)
    expectTrue(refused.errors.contains("not 'nonsense'"))
  }

  @Test func `A clock that was wrong does not flatten the chart`() async throws {
    let other = try SmallRepository()
    let dates = [0] + (0..<300).map { 1_700_000_000 + $0 * 86_400 * 7 } + [4_000_000_000]
    try other.load(
      dates.map { date in
        "commit refs/heads/main\ncommitter Ada <ada@example.org> \(date) +0000\ndata 1\nx\n"
      }.joined())
    let result = try await program.run([other.url.path])
    expectTrue(result.output.contains("commits per 4 weeks"))
    expectTrue(result.output.contains("The clock of 2 commits was wrong: the chart omits them."))
    let report = try await InsightsReport(of: other.url)
    try report.expectGitsNumbers(of: other.url)
    expectTrue((report.totals.first, report.totals.last) == ("1970-01-01", "2096-10-02"))
  }

  @Test func `Tables for spreadsheets, wikis and browsers have all counts`() async throws {
    let folder = try TemporaryFolder()
    let names = ["r.csv", "r.md", "r.html"]
    let result = try await program.run(
      [repository.url.path, "--csv", "r.csv", "--markdown", "r.md", "--html", "r.html"],
      in: folder.url)
    expectEqual(result.status, 0, "\(result.errors)")
    let texts = try names.map { try String(contentsOf: folder[$0], encoding: .utf8) }
    let rows = texts[0].components(separatedBy: "\r\n")
    expectEqual(rows[0], "kind,name,other,commits,share,added,deleted,first,last")
    expectTrue(rows.contains("author,Ada,,3,75.0,6,0,2026-01-05,2026-01-05"))
    expectTrue(
      rows.contains("author,\"Bo \"\"B\"\" & Söhne\",,1,25.0,1,0,2026-01-12,2026-01-12"))
    expectTrue(rows.contains("pair,Sources/one.swift,Sources/two.swift,3,100,,,,"))
    expectTrue(rows.contains("day,2026-01-05,,3,75.0,6,0,,"))
    expectTrue(
      texts[1].contains("| Bo \"B\" \\& Söhne | 1 | 25 % | 1 | 0 | 2026-01-12 | 2026-01-12 |"))
    expectTrue(texts[1].contains("## Hottest files\n\n|  | commits |"))
    expectTrue(texts[2].contains("Bo &quot;B&quot; &amp; Söhne"))
    expectTrue(texts[2].contains("prefers-color-scheme: dark"))
    expectTrue(!texts[2].contains("http") && !texts[2].contains("<script"))
    expectFalse(texts.joined().contains("\u{1B}"))
    for tag in ["table", "svg", "div", "tr", "td"] {
      let opened = texts[2].matches(of: try Regex("<\(tag)[ >]")).count
      expectTrue(opened > 0 && opened == texts[2].components(separatedBy: "</\(tag)>").count - 1)
    }
  }

  @Test func `Without a terminal there is no bar`() async throws {
    let result = try await program.run([repository.url.path])
    expectEqual(result.status, 0)
    expectTrue(result.errors.isEmpty)
  }

  @Test func `Authors without a name are told apart from the top level`() async throws {
    let other = try SmallRepository()
    try other.load(
      """
      commit refs/heads/main
      committer  <nobody@example.org> 1767571200 +0000
      data 4
      None
      M 644 inline file
      data 1
      x

      """)
    let folder = try TemporaryFolder()
    let result = try await program.run(
      [other.url.path, "--svg", "report.svg", "--all"], in: folder.url)
    expectEqual(result.status, 0)
    expectTrue(result.output.contains("(no name)"))
    expectEqual(result.output.components(separatedBy: "(top level)").count, 2)
    try expectTrue(String(contentsOf: folder["report.svg"], encoding: .utf8).contains("(no name)"))
  }

  @Test func `The largest commits of a long history are found wherever they are`() async throws {
    let (other, count) = (try SmallRepository(), 1601)
    // As the number of commits is a prime, each has another number of lines.
    let stream = (0..<count).map { number in
      let lines = String(repeating: "x\n", count: number * 7919 % count)
      return """
        commit refs/heads/main
        committer Ada <ada@example.org> \(1_767_571_200 + number) +0000
        data 4
        More
        M 644 inline \(number)
        data \(lines.utf8.count)
        \(lines)

        """
    }
    try other.load(stream.joined())
    let report = try await InsightsReport(of: other.url, "--top", "5")
    expectEqual(report.largestCommits.map(\.added), [1600, 1599, 1598, 1597, 1596])
  }

  @Test func `A list longer than the history has all of it, the largest first`() async throws {
    let report = try await InsightsReport(of: repository.url, "--top", "\(Int.max)")
    expectEqual(report.largestCommits.count, 4)
  }
}
