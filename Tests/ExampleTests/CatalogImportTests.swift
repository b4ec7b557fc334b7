import ECSTestSupport
import Foundation
import Testing

@Suite struct CatalogImportTests {
  let program: ExampleProgram

  init() throws { program = try ExampleProgram("catalog-import") }

  @Test func `The sample is imported, and refused records are reported with reasons`() async throws
  {
    let result = try await program.run([])
    expectEqual(result.status, 0)
    expectTrue(result.errors.isEmpty)
    expectEqual(
      result.output,
      """
      Import: 13 records
        made      4
        updated   1
        unchanged 1
        refused   7
      Refused
        record 4, line 4    id                    expected integer, found string
        record 5, line 5    title                 a value is missing
        record 6, line 6    state                 "archived" is not a valid State
        record 7, line 7    tags[1]               expected string, found number
        record 8, line 8    $                     not JSON: line 8, column 51: the data ends too early
        record 9, line 9    dates.published       'yesterday' is not an ISO 8601 date
        record 10, line 10  author.id             a value is missing
      Catalog
        articles  4
        users     2
        tags      3
      Reading it back: 4 records
        made      0
        updated   0
        unchanged 4
        refused   0

      """)
  }

  @Test func `What is written is read from a file and from standard input alike`() async throws {
    let folder = try TemporaryFolder()
    let first = try await program.run(["--output", "out.json"], in: folder.url)
    expectEqual(first.status, 0)
    let json = try String(contentsOf: folder["out.json"], encoding: .utf8)
    expectTrue(json.contains("9007199254740993"))
    let second = try await program.run(
      ["out.json", "--output", "again.json"], in: folder.url)
    let third = try await program.run(["-"], input: json)
    expectEqual(second.output, third.output)
    expectTrue(second.output.contains("Import: 4 records\n  made      4\n"))
    try expectEqual(String(contentsOf: folder["again.json"], encoding: .utf8), json)
  }

  @Test func `A missing file and wrong options have their own exit codes`() async throws {
    for (arguments, message) in [
      (["none.json"], "none.json: No such file or directory.\n"),
      (["."], ".: Is a directory.\n"),
      (
        ["--output", "none/out.json"], "Can't write to 'none/out.json': No such file or directory."
      ),
    ] {
      let result = try await program.run(arguments)
      expectEqual(result.status, 1)
      expectTrue(result.errors.hasPrefix("catalog-import: \(message)"))
      expectTrue(!result.errors.contains("NSError") && !result.errors.contains("Domain="))
    }
    for arguments in [
      ["--wrong"], ["-x"], ["--output"], ["one", "two"], [""], ["--output", ""],
    ] {
      let result = try await program.run(arguments)
      expectEqual(result.status, 64)
      expectTrue(result.errors.hasPrefix("Usage: catalog-import"))
      expectTrue(result.output.isEmpty)
    }
    try await expectEqual(program.run(["--help"]).status, 0)
  }

  @Test func `A reader that goes away ends the program quietly`() async throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let result = try await program.run([], output: pipe.fileHandleForWriting)
    expectTrue(result.status == -SIGPIPE && result.errors.isEmpty)
  }

  @Test func `Input that isn't a catalog is refused without a crash`() async throws {
    for input in ["[", "null", "[1,2", String(repeating: "[", count: 100_000)] {
      let result = try await program.run(["-"], input: input)
      expectEqual(result.status, 65)
      expectTrue(result.output.contains("Refused"))
      expectEqual(result.errors, "catalog-import: Every record was refused.\n")
    }
    try await expectEqual(program.run(["-"], input: "").status, 0)
    try await expectEqual(program.run(["-"], input: "[]").status, 0)
  }

  @Test(arguments: [
    #"[{"id":1,"title":"A"},{"id":2,"title":"B"}"#, #"[{"id":1,"title":"A"},{"id":2,"ti"#,
    "{\"id\":1,\"title\":\"A\"}\n{\"id\":2,\"ti",
  ]) func `Incomplete input is told apart from complete input`(input: String) async throws {
    let result = try await program.run(["-"], input: input)
    expectEqual(result.status, 65)
    expectEqual(result.errors, "catalog-import: The input ends too early.\n")
    expectTrue(result.output.contains("  articles  1\n"))
  }

  @Test func `A refused record of a list is reported by number`() async throws {
    let input = #"[{"id":1,"title":"A"},{"id":2},{"id":3,"title":"C"}]"#
    let result = try await program.run(["-"], input: input)
    expectEqual(result.status, 0)
    expectTrue(result.output.contains("  record 2, line 1    title "))
  }

  @Test func `Output that can't be written is reported before anything is done`() async throws {
    let folder = try TemporaryFolder()
    try Data("earlier".utf8).write(to: folder["kept.json"])
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: folder["kept.json"].path)
    let refused = try await program.run(["--output", "none/out.json"])
    expectTrue(refused.status == 1 && refused.output.isEmpty)
    // What was there stays until there is something to replace it, and its mode stays after that.
    let failed = try await program.run(["none.json", "--output", "kept.json"], in: folder.url)
    expectEqual(failed.status, 1)
    try expectEqual(Data(contentsOf: folder["kept.json"]), Data("earlier".utf8))
    try await expectEqual(program.run(["--output", "kept.json"], in: folder.url).status, 0)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder["kept.json"].path)
    expectEqual(attributes[.posixPermissions] as? Int, 0o640)
    try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.url.path), ["kept.json"])
  }
}
