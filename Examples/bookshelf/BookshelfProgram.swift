import ExampleSupport
import Foundation

#if SQLite
  import ECS
  import ECSHistory
  import ECSStore

  @main
  enum BookshelfProgram {
    static func main() {
      // A reader that goes away ends the program when it is written to; see `OutputFile`.
      signal(SIGPIPE, SIG_IGN)
      do throws(Failure) {
        let file = try fileFromArguments()
        let library: Library
        do {
          library = try Library(file: file)
        } catch {
          throw Failure(message: "can't open \(file.path): \(error)", exitCode: EX_DATAERR)
        }
        exit(try run(Commands(library: library)))
      } catch {
        warn(error.message)
        exit(error.exitCode)
      }
    }

    /// Carries out what is typed to the end, and tells what others do meanwhile; returns the exit status.
    private static func run(_ commands: Commands) throws(Failure) -> Int32 {
      var (lines, status) = (Lines(), EXIT_SUCCESS)
      let prompt = try Prompt(
        "bookshelf> ",
        greeting: """
          \(commands.library.books.group.count) books. Try: add Solaris by Stanisław Lem
          'help' lists the commands, 'quit' ends.

          """)
      try prompt.show()
      while true {
        let event = lines.next(waiting: 200)
        // Before each command, so that it starts from what is saved.
        do {
          let news = try commands.library.refresh()
          if !news.isEmpty { try prompt.interrupt() }
          for line in news { try say("elsewhere: \(line)") }
          if !news.isEmpty { try prompt.show() }
        } catch let failure as Failure {
          throw failure
        } catch {
          warn("can't read what others have saved: \(error)")
          status = EX_IOERR
        }
        guard case .line(let line) = event else {
          guard case .end = event else { continue }
          try prompt.end()
          return status
        }
        if line == "quit" { return status }
        defer { try? prompt.show() }
        if line == "help" {
          try OutputFile.show(help)
          continue
        }
        do {
          for answer in try commands.carryOut(line) { try say(answer) }
        } catch let failure as Failure {
          throw failure
        } catch {
          warn("can't do '\(printable(line))': \(printable(text(of: error)))")
          status = EX_DATAERR
        }
      }
    }

    private static func text(of error: any Error) -> String {
      switch error {
      case let refusal as Commands.Refusal: refusal.reason
      case let error as CocoaError: reason(of: error)
      default: "\(error)"
      }
    }

    /// Says a line, in which there may be what others have written.
    private static func say(_ line: String) throws(Failure) {
      try OutputFile.show(printable(line) + "\n")
    }

    private static let help = """
      Books, their authors, and the shelves on which they stand.

      usage: bookshelf [--file PATH]

      Commands are read from standard input, one per line:
        add TITLE [by NAME, NAME...]     books are called by what is printed
        edit BOOK title|year|pages|stars [VALUE]
        remove BOOK
        put BOOK [at PLACE] on SHELF     moves the book if it stands there
        take BOOK from SHELF
        list | find WORDS | shelves | show SHELF
        import FILE.json                 a list of books, or {"books": [...], "shelves": [...]}
        undo | redo | quit

      The file is books.sqlite unless given. Each command is saved when it is answered. The program can run
      several times at once on the same file: what the others change is told.

      """

    private static func fileFromArguments() throws(Failure) -> URL {
      let arguments = Array(CommandLine.arguments.dropFirst())
      if arguments == ["--help"] || arguments == ["-h"] {
        try OutputFile.show(help)
        exit(EXIT_SUCCESS)
      }
      if arguments.isEmpty { return URL(fileURLWithPath: "books.sqlite") }
      guard arguments.count == 2, arguments[0] == "--file", !arguments[1].isEmpty else {
        throw Failure(
          message: "can't understand \(arguments.joined(separator: " ")); try --help",
          exitCode: EX_USAGE)
      }
      return URL(fileURLWithPath: arguments[1])
    }
  }
#else
  @main
  enum BookshelfProgram {
    static func main() {
      warn("keeps books in a database: build it with '--traits SQLite'")
      exit(EX_UNAVAILABLE)
    }
  }
#endif

func warn(_ message: String) {
  try? FileHandle.standardError.write(contentsOf: Data("bookshelf: \(message)\n".utf8))
}
