import ExampleSupport
import Foundation

#if ExampleServer
  @main
  enum IssueDeskProgram {
    static func main() async {
      // A reader that goes away ends the program when it is written to; see `OutputFile`.
      signal(SIGPIPE, SIG_IGN)
      do {
        try await run(Array(CommandLine.arguments.dropFirst()))
      } catch let failure as Failure {
        warn(failure.message)
        exit(failure.exitCode)
      } catch {
        warn("\(error)")
        exit(EX_UNAVAILABLE)
      }
    }

    private static let help = """
      Issues on a server, and desks at which they are edited.

      usage: issue-desk [--script]       a server and two desks, and what happens between them
             issue-desk --serve [PORT]   a server on this machine; on port 8321 unless given
             issue-desk --desk [URL]     a desk, with commands from standard input, one per line:

      \(Commands.help.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))

      The server forgets everything when it ends.

      """

    private static func run(_ arguments: [String]) async throws {
      let value = arguments.count == 2 ? arguments[1] : nil
      switch (arguments.first, arguments.count) {
      case (nil, _), ("--script", 1): try await Script.play()
      case ("--help", 1), ("-h", 1): try OutputFile.show(help)
      case ("--serve", 1...2): try await serve(value ?? "8321")
      case ("--desk", 1...2): try await sit(value ?? "http://127.0.0.1:8321")
      default:
        throw Failure(
          message: "can't understand \(arguments.joined(separator: " ")); try --help",
          exitCode: EX_USAGE)
      }
    }

    private static func serve(_ text: String) async throws {
      guard let port = UInt16(text) else {
        throw Failure(message: "'\(text)' is no port", exitCode: EX_USAGE)
      }
      let server = try await IssueServer(IssueTable(["Try a second desk"]), port: port)
      try OutputFile.show("\(server.url)\n")
      try await server.run()
    }

    /// Carries out what is typed to the end, and tells what others do meanwhile.
    private static func sit(_ text: String) async throws {
      guard let url = URL(string: text), url.host != nil else {
        throw Failure(message: "'\(text)' is no address of a server", exitCode: EX_USAGE)
      }
      let commands = Commands(desk: try Desk(server: url))
      let (news, continuation) = AsyncStream.makeStream(of: News.Item.self)
      let source = News(commands) { continuation.yield($0) }
      let telling = Task {
        for await item in news {
          await commands.desk.settle()
          if item.isCurrent { try say("elsewhere: \(item.line)") }
        }
      }
      commands.desk.follow()
      defer { withExtendedLifetime((source, telling)) {} }
      var status = EXIT_SUCCESS
      while let line = readLine() {
        do {
          for answer in try await commands.carryOut(line) { try say(answer) }
        } catch let failure as Failure {
          throw failure
        } catch {
          warn(printable((error as? Commands.Refusal)?.reason ?? "\(error)"))
          status = EX_DATAERR
        }
      }
      let unsent = commands.desk.unsentCount
      if unsent > 0 {
        warn("\(unsent) changes were not sent")
        status = EX_TEMPFAIL
      }
      exit(status)
    }

    /// Says a line, in which there may be what others have written.
    private static func say(_ line: String) throws { try OutputFile.show(printable(line) + "\n") }
  }
#else
  @main
  enum IssueDeskProgram {
    static func main() {
      warn("has a server of its own: build it with '--traits ExampleServer'")
      exit(EX_UNAVAILABLE)
    }
  }
#endif

func warn(_ message: String) {
  try? FileHandle.standardError.write(contentsOf: Data("issue-desk: \(message)\n".utf8))
}
