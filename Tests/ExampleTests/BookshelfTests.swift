import ECSTestSupport
import Foundation
import Testing

@Suite struct BookshelfTests {
  let program: ExampleProgram
  let folder: TemporaryFolder

  init() throws {
    program = try ExampleProgram("bookshelf")
    folder = try TemporaryFolder()
  }

  #if SQLite
    private var file: String { folder["books.sqlite"].path }

    private func run(_ commands: String...) async throws -> ExampleProgram.Result {
      try await program.run(["--file", file], input: commands.map { $0 + "\n" }.joined())
    }

    @Test func `Books are added, edited, searched and put in order, and are there the next time`()
      async throws
    {
      let first = try await run(
        "add Solaris by Stanisław Lem", "add Dune by Frank Herbert", "add Dune",
        "edit solaris year 1961", "edit solaris stars 5", "put solaris on To read",
        "put dune on To read", "put dune at 1 on To read")
      expectTrue(first.status == 0 && first.errors.isEmpty)
      expectEqual(
        first.output,
        """
        solaris: Solaris by Stanisław Lem
        dune: Dune by Frank Herbert
        dune-2: Dune
        solaris: Solaris by Stanisław Lem, 1961
        solaris: Solaris by Stanisław Lem, 1961 *****
        solaris: Solaris by Stanisław Lem, 1961 *****
        solaris: Solaris by Stanisław Lem, 1961 *****
        dune: Dune by Frank Herbert
        dune: Dune by Frank Herbert
        solaris: Solaris by Stanisław Lem, 1961 *****

        """)
      let second = try await run(
        "show To read", "find lem", "find une", "take dune from To read", "shelves",
        "edit dune year",
        "remove dune-2", "list")
      expectEqual(
        second.output,
        """
        dune: Dune by Frank Herbert
        solaris: Solaris by Stanisław Lem, 1961 *****
        solaris: Solaris by Stanisław Lem, 1961 *****
        dune: Dune by Frank Herbert
        dune-2: Dune
        solaris: Solaris by Stanisław Lem, 1961 *****
        To read: 1
        dune: Dune by Frank Herbert
        dune: Dune by Frank Herbert
        solaris: Solaris by Stanisław Lem, 1961 *****

        """)
    }

    @Test func `Each step can be taken back, and what was taken back is in the file`() async throws
    {
      let first = try await run(
        "add Solaris by Stanisław Lem", "add Dune", "put solaris on A", "put dune at 1 on A",
        "remove solaris", "undo", "show A", "undo", "redo", "undo", "undo")
      expectTrue(first.errors.isEmpty)
      expectEqual(
        first.output.split(separator: "\n").dropFirst(5).map(String.init),
        [
          "remove solaris", "dune: Dune", "solaris: Solaris by Stanisław Lem", "put dune",
          "put dune", "put dune", "put solaris",
        ])
      let second = try await run("list", "shelves", "undo")
      expectEqual(
        second.output, "dune: Dune\nsolaris: Solaris by Stanisław Lem\nnothing to undo\n")
    }

    @Test func `What was answered is in the file, whenever the program is killed`() async throws {
      for round in 0..<6 {
        let terminal = try #require(PseudoTerminal())
        let running = try program.start(["--file", file], on: terminal)
        for number in 0...round {
          try terminal.type("add Book \(round) \(number)\n")
          _ = await terminal.read(until: "book-\(round)-\(number): ", "\n")
        }
        // Some of these may come through; each is there as a whole or not at all.
        try terminal.type("add Other \(round) by A, B\nput book-\(round)-0 on Shelf \(round)\n")
        running.send(SIGKILL)
        await expectEqual(running.status(), -SIGKILL)
      }
      let shown = try await run("list", "shelves")
      expectEqual(shown.status, 0)
      let lines = shown.output.split(separator: "\n").map(String.init)
      for round in 0..<6 {
        for number in 0...round {
          expectTrue(lines.contains("book-\(round)-\(number): Book \(round) \(number)"))
        }
        let others = lines.filter { $0.hasPrefix("other-\(round)") }
        expectTrue(others.allSatisfy { $0 == "other-\(round): Other \(round) by A, B" })
        let shelves = lines.filter { $0.hasPrefix("Shelf \(round)") }
        expectTrue(shelves.allSatisfy { $0 == "Shelf \(round): 1" })
      }
    }

    @Test func `Of two that run at once, each tells what the other one changes`() async throws {
      let terminals = try (0..<2).map { _ in try #require(PseudoTerminal()) }
      let running = try terminals.map { try program.start(["--file", file], on: $0) }
      // What is there when a program begins is no news to it.
      for terminal in terminals {
        try terminal.type("undo\n")
        _ = await terminal.read(until: "nothing to undo\r\n")
      }
      try terminals[0].type("add Solaris by Stanisław Lem\n")
      _ = await terminals[1].read(until: "elsewhere: new: Solaris\r\n")
      try terminals[1].type("edit solaris title The Ocean\nput solaris on A\n")
      _ = await terminals[0].read(
        until: "elsewhere: Solaris is now The Ocean", "The Ocean is on A\r\n")
      try terminals[0].type("edit solaris pages 204\n")
      _ = await terminals[1].read(until: "elsewhere: changed: The Ocean\r\n")
      try terminals[1].type("remove solaris\n")
      _ = await terminals[0].read(until: "elsewhere: gone: The Ocean\r\n")
      // Nothing is left that could be taken back.
      try terminals[0].type("undo\n")
      _ = await terminals[0].read(until: "bookshelf: can't do 'undo'", "\n")
      for (terminal, program) in zip(terminals, running) {
        try terminal.type("quit\n")
        _ = await program.status()
      }
      try await expectEqual(run("list", "shelves").output, "A: 0\n")
    }

    @Test func `On a terminal there are a greeting and a prompt, elsewhere neither`() async throws {
      let terminal = try #require(PseudoTerminal())
      let running = try program.start(["--file", file], on: terminal)
      _ = await terminal.read(
        until: "0 books. Try: add Solaris", "'help' lists the commands", "bookshelf> ")
      try terminal.type("add Kim\n")
      _ = await terminal.read(until: "kim: Kim\r\n", "bookshelf> ")
      try terminal.type("help\n")
      _ = await terminal.read(until: "usage: bookshelf", "bookshelf> ")
      try terminal.type("quit\n")
      await expectEqual(running.status(), 0)
    }

    @Test func `JSON is taken all or nothing, whatever is in it`() async throws {
      func load(_ text: String, _ then: String...) async throws -> ExampleProgram.Result {
        try Data(text.utf8).write(to: folder["import.json"])
        let path = folder["import.json"].path
        return try await program.run(
          ["--file", file], input: (["import \(path)"] + then).map { $0 + "\n" }.joined())
      }
      let good = """
        {"books": [{"id": "dune", "title": "Dune", "authors": ["Frank Herbert"], "stars": 4},
                   {"id": "kim", "title": "Kim", "year": 1901, "authors": ["A", "B"]}],
         "shelves": [{"name": "A", "books": ["kim", "dune"]}]}
        """
      let first = try await load(good, "show A")
      expectEqual(
        first.output,
        "2 books, 1 shelves\nkim: Kim by A, B, 1901\ndune: Dune by Frank Herbert ****\n")
      let bad = [
        "", "[", "{\"books\": [{\"id\": 7}]}", "[{\"title\": \"No key\"}]", "[null, 1]",
        "[{\"id\": \"x\", \"title\": \"X\"}, {\"id\": \"y\"}]",
        "[{\"id\": \"x\", \"title\": \"X\", \"pages\": \"many\"}]",
        "{\"books\": [{\"id\": \"x\", \"title\": \"X\"}], \"shelves\": [{\"books\": [\"x\"]}]}",
        "[{\"id\": \"x\", \"title\": \"X\", \"year\": 1e400}]",
        "{\"shelves\": [{\"name\": \"B\", \"books\": [\"unknown\"]}]}", "7", "{}",
        String(repeating: "[", count: 100_000),
      ]
      for text in bad {
        let result = try await load(text, "list", "show A", "undo")
        expectTrue(result.status != 0 && result.errors.contains("can't do 'import"))
        expectEqual(
          result.output,
          """
          dune: Dune by Frank Herbert ****
          kim: Kim by A, B, 1901
          kim: Kim by A, B, 1901
          dune: Dune by Frank Herbert ****
          nothing to undo

          """, "\(text.prefix(60))")
      }
      let text = "[{\"id\": \"e\", \"title\": \"\\u001b[2J\\u0000\"}]"
      let control = try await load(text, "find \u{1B}")
      expectTrue(control.status == 0 && !control.output.contains("\u{1B}"))
    }

    @Test func `What can't be done is told, and changes nothing`() async throws {
      let result = try await run(
        "add Kim", "add Kim by ,", "edit kim year soon", "edit kim stars 6", "edit kim color red",
        "edit nobody title X", "put kim at 0 on A", "put kim in A", "take kim from B", "show B",
        "import /nowhere.json", "dance", "list", "shelves")
      expectTrue(result.status == 65 && result.output == "kim: Kim\nkim: Kim\n")
      expectEqual(result.errors.split(separator: "\n").count, 11)
    }

    @Test func `A file that is no database is left alone`() async throws {
      let text = Data(String(repeating: "This is no database. ", count: 100).utf8)
      try text.write(to: folder["books.sqlite"])
      let result = try await run("add Kim")
      expectTrue(result.status == 65 && result.errors.contains("can't open"))
      try expectEqual(Data(contentsOf: folder["books.sqlite"]), text)
    }
  #else
    @Test func `Without its trait the program says that it needs it`() async throws {
      let result = try await program.run([])
      expectTrue(result.status == 69 && result.errors.contains("--traits SQLite"))
    }
  #endif
}
