import ECSTestSupport
import Foundation
import Testing

/// What repo-insights counts, compared with what Git counts.
@Suite struct RepoInsightsNumbersTests {
  @Test func `Merges, renames, binary files and empty commits count as they do for Git`()
    async throws
  {
    let repository = try SmallRepository()
    try repository.write("a.txt", "1\n2\n3\n4\n5\n6\n")
    try repository.write("b.bin", "\0\u{1}")
    try repository.commit("First")
    try repository.git("checkout", "--quiet", "-b", "side")
    try repository.write("side.txt", "side\n")
    try repository.commit("On the side", author: "Bo <bo@example.org>")
    try repository.git("checkout", "--quiet", "main")
    try repository.git("mv", "a.txt", "moved to.txt")
    try repository.write("b.bin", "\0\u{2}")
    try repository.commit("Rename")
    try repository.commit("Nothing at all")
    try repository.git("merge", "--quiet", "--no-ff", "--message", "Merge", "side")
    try repository.write("moved to.txt", "1\n2\n3\n4\n5\n6\n7\n")
    try repository.commit("Change after the rename")

    let report = try await InsightsReport(of: repository.url)
    try report.expectGitsNumbers(of: repository.url)
    expectEqual(report.totals.commits, 6)
    expectEqual(report.totals.merges, 1)
    expectEqual(report.totals.renames, 1)
    expectEqual(report.totals.binaryChanges, 2)
    // What was moved is one file with two names.
    expectFalse(report.files.contains { $0.path == "a.txt" })
    let moved = report.files.first { $0.path == "moved to.txt" }
    expectEqual(moved?.commits, 3)
    expectEqual(moved?.added, 7)
    expectEqual(moved?.formerPaths, ["a.txt"])
    expectTrue((report.totals.files, report.totals.paths) == (3, 4))
  }

  @Test func `File names of any kind come through`() async throws {
    let names = [
      "with space", "with \"quotes\" and \\", "tab\tin it", "line\nbreak", "-", "1\t2\t3",
      "commit-x", "Grüße/日本語/🦊.txt", "{a => b}", "folder => other/x", "e\u{301}", "\u{E9}",
      " leading", "trailing ", "<&>'",
    ]
    let renamed = "renamed\n\"again\""
    let repository = try SmallRepository()
    let head = "commit refs/heads/main\ncommitter Ada <ada@example.org> 1767571200 +0000\ndata 0\n"
    let files = names.map { "M 644 inline \(quoted($0))\ndata 5\nline\n\n" }.joined()
    try repository.load(head + files + head + "R \(quoted("with space")) \(quoted(renamed))\n")
    let report = try await InsightsReport(of: repository.url)
    expectEqual(report.totals.paths, names.count + 1)
    expectEqual(report.totals.files, names.count)
    expectEqual(report.totals.renames, 1)
    // Strings take both ways of writing é for the same: compare what they are made of.
    expectEqual(
      Set(report.files.flatMap { [$0.path] + $0.formerPaths }.map { Array($0.utf8) }),
      Set((names + [renamed]).map { Array($0.utf8) }))
    expectEqual(report.files.map(\.added).reduce(0, +), names.count)
  }

  @Test func `Addresses that the mailmap joins are one author`() async throws {
    let repository = try SmallRepository()
    try repository.write(
      ".mailmap", "Ada Lovelace <ada@example.org>\nAda Lovelace <ada@example.org> <old@mail>\n")
    try repository.commit("One")
    try repository.commit("Two", author: "countess <old@mail>")
    try repository.commit("Three", author: "Bo <bo@example.org>")
    let report = try await InsightsReport(of: repository.url)
    try report.expectGitsNumbers(of: repository.url)
    expectEqual(report.authors.map(\.name), ["Ada Lovelace", "Bo"])
    expectEqual(report.authors.map(\.commits), [2, 1])
  }

  @Test func `A shallow clone says so and counts what is there`() async throws {
    let repository = try SmallRepository()
    for number in 1...5 {
      try repository.write("file", String(repeating: "line\n", count: number))
      try repository.commit("\(number)")
    }
    let clone = repository.folder["clone"]
    try SmallRepository.git(
      ["clone", "--quiet", "--depth", "2", "file://\(repository.url.path)", clone.path],
      in: repository.folder.url)
    let report = try await InsightsReport(of: clone)
    expectTrue(report.repository.shallow)
    expectEqual(report.repository.cutOff, 1)
    expectEqual(report.totals.commits, 2)
    // Git takes the four lines that were there for the work of the first commit.
    expectEqual(report.totals.added, 1)
    expectEqual(report.authors, [.init(name: "Ada", commits: 2, added: 1, deleted: 0)])
    expectEqual(report.files, [.init(path: "file", commits: 1, added: 1, deleted: 0)])
    let whole = try await InsightsReport(of: repository.url)
    expectEqual(whole.repository.cutOff, 0)
  }

  @Test func `Pairs are counted however many there are`() async throws {
    let repository = try SmallRepository()
    var (stream, expected) = ("", [String: Int]())
    for number in 0..<600 {
      let files = Set((0..<9).map { number * 7 % 40 + $0 * $0 * (number % 5 + 1) }).sorted()
      stream += "commit refs/heads/main\ncommitter Ada <a@mail> \(1_700_000_000 + number) +0000\n"
      stream += "data 1\nx\n"
      for file in files { stream += "M 644 inline \(file)\ndata 4\n\(1000 + number)\n" }
      for (place, one) in files.enumerated() {
        for other in files[(place + 1)...] {
          let names = ["\(one)", "\(other)"].sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
          expected[names.joined(separator: " "), default: 0] += 1
        }
      }
    }
    try repository.load(stream)
    let report = try await InsightsReport(of: repository.url)
    let pairs = report.pairs.map { ("\($0.first) \($0.second)", $0.commits) }
    expectEqual(Dictionary(pairs) { $0 + $1 }, expected.filter { $0.value > 1 })
    expectEqual(report.pairs.map(\.commits), report.pairs.map(\.commits).sorted(by: >))
  }

  @Test func `A repository without commits has an empty report`() async throws {
    let repository = try SmallRepository()
    let report = try await InsightsReport(of: repository.url)
    expectNil(report.repository.head)
    expectEqual(report.totals.commits, 0)
    expectNil(report.totals.first)
    expectTrue(report.authors.isEmpty && report.files.isEmpty && report.weeks.isEmpty)
    let text = try await ExampleProgram("repo-insights").run([repository.url.path])
    expectEqual(text.status, 0)
    expectEqual(text.output, "repository\nNo commits.\n")
  }

  @Test func `Only what came after a date counts if one is given`() async throws {
    let repository = try SmallRepository()
    try repository.commit("Early")
    repository.wait(days: 14)
    try repository.write("late", "line\n")
    try repository.commit("Late")
    let report = try await InsightsReport(of: repository.url, "--since=2026-01-10")
    try report.expectGitsNumbers(of: repository.url, ["--since=2026-01-10"])
    expectEqual(report.filter.since?.hasPrefix("2026-01-10 "), true)
    expectEqual(report.totals.commits, 1)
    let none = try await InsightsReport(of: repository.url, "--since", "2026-03-01")
    expectEqual(none.totals.commits, 0)
  }

  @Test func `Whatever is left out, the numbers are Git's`() async throws {
    let repository = try SmallRepository()
    try repository.write("here/a", "1\n")
    try repository.write("there/b", "1\n")
    try repository.commit("Early")
    repository.wait(days: 14)
    try repository.write("here/a", "1\n2\n")
    try repository.commit("By Bo", author: "Bo <bo@example.org>")
    try repository.git("branch", "side")
    repository.wait(days: 14)
    try repository.write("there/b", "1\n2\n")
    try repository.commit("Late")
    for options in [
      ["--until=2026-01-25"], ["--author=Bo"], ["--since=2026-01-10", "--until=2026-01-25"],
      ["--author=Nobody"],
    ] {
      let report = try await InsightsReport(of: repository.url, options)
      try report.expectGitsNumbers(of: repository.url, options)
    }
    let side = try await InsightsReport(of: repository.url, ["--branch", "side"])
    try side.expectGitsNumbers(of: repository.url, revision: "side")
    expectTrue(side.totals.commits == 2 && side.filter.branch == "side")
    let part = try await InsightsReport(of: repository.url, ["--in", "here"])
    try part.expectGitsNumbers(of: repository.url, paths: ["here"])
    expectTrue(part.totals.commits == 2 && part.filter.paths == ["here"])
    let text = try await ExampleProgram("repo-insights").run(
      [repository.url.path, "--until", "2026-01-25", "--author", "Bo", "--in", "here"])
    expectTrue(
      text.output.contains(
        /Only commits until 2026-01-25 \d\d:\d\d UTC, by authors like 'Bo', in here\./))
  }

  @Test func `A branch that doesn't exist is refused`() async throws {
    let repository = try SmallRepository()
    try repository.commit("One")
    for branch in ["none", "--all"] {
      let result = try await ExampleProgram("repo-insights").run(
        [repository.url.path, "--branch", branch])
      expectEqual(result.status, 64)
      expectTrue(result.errors.contains("There is no branch or commit '\(branch)'."))
    }
  }

  @Test func `Files that were moved, removed and moved back are told apart`() async throws {
    let repository = try SmallRepository()
    let text = (0..<20).map { "\($0)\n" }.joined()
    for name in ["one", "two", "gone"] {
      try repository.write(name, text + name)
      try repository.commit(name)
    }
    try repository.git("mv", "one", "uno")
    try repository.commit("Away")
    try repository.git("mv", "uno", "one")
    try repository.commit("And back")
    try repository.git("mv", "two", "due")
    try repository.git("rm", "--quiet", "gone")
    try repository.commit("Two moves, the other one is gone")
    try repository.git("mv", "due", "duo")
    try repository.commit("On")
    // A new file where another one was.
    try repository.write("two", "new\n")
    try repository.commit("New")
    let report = try await InsightsReport(of: repository.url)
    try report.expectGitsNumbers(of: repository.url)
    let files = Dictionary(uniqueKeysWithValues: report.files.map { ($0.path, $0) })
    expectEqual(Set(files.keys), ["one", "duo", "two", "gone"])
    expectTrue(files["one"]?.formerPaths == ["uno"] && files["one"]?.commits == 3)
    expectEqual(files["duo"]?.formerPaths, ["due"])
    expectTrue(files["gone"]?.gone == true && files["two"]?.gone == false)
    expectTrue((report.totals.files, report.totals.paths) == (3, 6))
  }

  @Test func `Hours go by the clocks of authors`() async throws {
    let repository = try SmallRepository()
    // Monday at 23:30 in UTC is Tuesday at 5:00 in India.
    try repository.load(
      """
      commit refs/heads/main
      author Ada <ada@example.org> 1767655800 +0530
      committer Bo <bo@example.org> 1767655800 +0000
      data 1
      x

      """)
    let report = try await InsightsReport(of: repository.url)
    expectTrue(report.hours.count == 168 && report.hours[24 + 5] == 1)
    expectTrue(report.weeks.first?.monday == "2026-01-05" && report.days.first?.day == "2026-01-05")
  }

  @Test func `Names that share an address are pointed out`() async throws {
    let repository = try SmallRepository()
    try repository.commit("One")
    try repository.commit("Two", author: "countess <ada@example.org>")
    try repository.commit("Three", author: "Bo <bo@example.org>")
    let report = try await InsightsReport(of: repository.url)
    expectEqual(report.namesakes, [.init(address: "ada@example.org", names: ["Ada", "countess"])])
    let text = try await ExampleProgram("repo-insights").run([repository.url.path])
    expectTrue(text.output.contains("One address, ada@example.org: Ada, countess."))
  }

  @Test func `A history of many batches is complete`() async throws {
    let repository = try SmallRepository()
    var stream = ""
    for number in 1...4000 {
      let subject = "Commit \(number)\n"
      let person = "Author \(number % 17) <\(number % 23)@mail> \(1_700_000_000 + number * 5000) +0"
      let text = String(repeating: "\(number)\n", count: number % 7)
      stream += "commit refs/heads/main\nauthor \(person)000\ncommitter \(person)000\n"
      stream += "data \(subject.utf8.count)\n\(subject)"
      for file in 0..<(number % 5) {
        stream += "M 644 inline folder\(number % 11)/file\((number + file) % 97)\n"
        stream += "data \(text.utf8.count)\n\(text)\n"
      }
    }
    try repository.load(stream)
    let report = try await InsightsReport(of: repository.url)
    try report.expectGitsNumbers(of: repository.url)
    expectEqual(report.totals.commits, 4000)
    expectEqual(report.authors.count, 17)
  }

  @Test func `A history of every kind of commit is counted as Git counts it`() async throws {
    let isLong = ProcessInfo.processInfo.environment["ECS_LONG_TESTS"] != nil
    let repository = try SmallRepository()
    let count = isLong ? 100_000 : 1000
    try GeneratedHistory(commits: count).load(into: repository)
    let report = try await InsightsReport(of: repository.url)
    expectTrue(report.totals.commits >= count && report.totals.merges > count / 100)
    expectTrue(report.totals.renames > count / 100 && report.totals.binaryChanges > 0)
    try report.expectGitsNumbers(of: repository.url)
    try report.expectGitsLines(of: repository.url)
  }

  @Test func `User configuration doesn't change the numbers`() async throws {
    let repository = try SmallRepository()
    try repository.write("folder/a", "1\n2\n3\n")
    try repository.write("b", "1\n")
    try repository.commit("First")
    try repository.git("mv", "folder/a", "folder/c")
    try repository.commit("Rename")
    // Two renames at once, more than some want to look for, and what algorithms disagree about.
    try repository.write("x", (0..<20).map { "x\($0)\n" }.joined())
    try repository.write("y", (0..<20).map { "y\($0)\n" }.joined())
    try repository.write("code", "a\nb\nc\na\nb\nb\na\nunique\n")
    try repository.commit("More")
    try repository.git("mv", "x", "x2")
    try repository.git("mv", "y", "y2")
    try repository.write("x2", (1..<21).map { "x\($0)\n" }.joined())
    try repository.write("y2", (1..<21).map { "y\($0)\n" }.joined())
    try repository.write("code", "c\nunique\nb\na\nb\na\nc\n")
    try repository.commit("Two renames")
    // A submodule is a commit in a tree.
    let head = try repository.git("rev-parse", "HEAD").prefix(40)
    for commit in [String(head), String(repeating: "1", count: 40)] {
      try repository.git("update-index", "--add", "--cacheinfo", "160000,\(commit),module")
      try repository.git("commit", "--quiet", "--message", "Module")
    }
    let plain = try await InsightsReport(of: repository.url)
    for (key, value) in [
      ("color.ui", "always"), ("log.showSignature", "true"), ("diff.relative", "true"),
      ("diff.renames", "false"), ("core.quotePath", "true"), ("format.pretty", "oneline"),
      ("log.showRoot", "false"), ("diff.ignoreSubmodules", "all"), ("diff.algorithm", "patience"),
      ("diff.renameLimit", "1"), ("diff.noprefix", "true"), ("diff.submodule", "log"),
      ("log.diffMerges", "first-parent"), ("submodule.recurse", "true"),
      ("log.mailmap", "false"), ("i18n.logOutputEncoding", "ISO-8859-1"), ("log.decorate", "full"),
    ] {
      try repository.git("config", key, value)
    }
    let report = try await InsightsReport(of: repository.url.appendingPathComponent("folder"))
    expectEqual(report.totals, plain.totals)
    expectEqual(report.files, plain.files)
  }

  /// A path as `git fast-import` reads it.
  private func quoted(_ path: String) -> String {
    let escaped = path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped.replacing("\n", with: "\\n"))\""
  }
}
