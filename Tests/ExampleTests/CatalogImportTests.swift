import Foundation
import Testing

@Suite struct CatalogImportTests {
  let program: ExampleProgram

  init() throws { program = try ExampleProgram("catalog-import") }

  @Test func `The sample is imported, and what is refused is told with the reason`() async throws {
    let result = try await program.run([])
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    #expect(
      result.output == """
        Import: 13 records
          made      4
          updated   1
          unchanged 1
          refused   7
        Refused
          line 4    id                    expected integer, found string
          line 5    title                 a value is missing
          line 6    state                 "archived" is no State
          line 7    tags[1]               expected string, found number
          line 8    $                     no JSON: line 8, column 51: the data ends too early
          line 9    dates.published       'yesterday' is no ISO 8601 date
          line 10   author.id             a value is missing
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
    #expect(first.status == 0)
    let json = try String(contentsOf: folder["out.json"], encoding: .utf8)
    #expect(json.contains("9007199254740993"))
    let second = try await program.run(
      ["out.json", "--output", "again.json"], in: folder.url)
    let third = try await program.run(["-"], input: json)
    #expect(second.output == third.output)
    #expect(second.output.contains("Import: 4 records\n  made      4\n"))
    #expect(try String(contentsOf: folder["again.json"], encoding: .utf8) == json)
  }

  @Test func `A missing file and a wrong call are told with a status of their own`() async throws {
    for (arguments, message) in [
      (["none.json"], "none.json: No such file or directory\n"),
      (["."], ".: Is a directory\n"),
      (["--output", "none/out.json"], "none/out.json: "),
    ] {
      let result = try await program.run(arguments)
      #expect(result.status == 1)
      #expect(result.errors.hasPrefix("catalog-import: \(message)"))
      #expect(!result.errors.contains("NSError") && !result.errors.contains("Domain="))
    }
    for arguments in [
      ["--wrong"], ["-x"], ["--output"], ["one", "two"], [""], ["--output", ""],
    ] {
      let result = try await program.run(arguments)
      #expect(result.status == 64)
      #expect(result.errors.hasPrefix("Usage: catalog-import"))
      #expect(result.output.isEmpty)
    }
    #expect(try await program.run(["--help"]).status == 0)
  }

  @Test func `A reader that goes away is an error`() async throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let result = try await program.run([], output: pipe.fileHandleForWriting)
    #expect(result.status == 1)
    #expect(
      result.errors == "catalog-import: Standard output can't be written to: Broken pipe.\n")
  }

  @Test func `Input that is no catalog is refused, not a crash`() async throws {
    for input in ["[", "null", "[1,2", String(repeating: "[", count: 100_000)] {
      let result = try await program.run(["-"], input: input)
      #expect(result.status == 0)
      #expect(result.output.contains("Refused"))
    }
  }
}
