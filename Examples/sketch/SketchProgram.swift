import ECS
import ECSSnapshots
import ExampleSupport
import Foundation

@main
enum SketchProgram {
  static func main() {
    // A reader that goes away ends the program when it is written to; see `OutputFile`.
    signal(SIGPIPE, SIG_IGN)
    do throws(Failure) {
      var session = try Session(file: try fileFromArguments())
      let status = try session.run()
      exit(status)
    } catch {
      warn(error.message)
      exit(error.exitCode)
    }
  }

  static let help = """
    A small drawing program that takes back, saves, and survives its own crash.

    usage: sketch [--file PATH]

    Commands are read from standard input, one per line:
      box X Y WIDTH HEIGHT [COLOR]     draw, in columns and rows; shapes are
      oval X Y WIDTH HEIGHT [COLOR]    called by the number that is printed
      text X Y WORDS...
      layer NAME                       draw in this layer from now on
      move NUMBER COLUMNS ROWS         moves that follow each other are one step
      paint NUMBER COLOR
      delete NUMBER | delete layer NAME
      undo | redo
      show | list | export PICTURE.svg
      save | recover | discard | quit
      crash                            end as if the power went off

    The file is sketch.ecs unless given. What is not saved yet is kept beside it, and offered when the
    program is started again.

    """

  private static func fileFromArguments() throws(Failure) -> URL {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments == ["--help"] || arguments == ["-h"] {
      try OutputFile.show(help)
      exit(EXIT_SUCCESS)
    }
    if arguments.isEmpty { return URL(fileURLWithPath: "sketch.ecs") }
    guard arguments.count == 2, arguments[0] == "--file", !arguments[1].isEmpty else {
      throw Failure(
        message: "can't understand \(arguments.joined(separator: " ")); try --help",
        exitCode: EX_USAGE)
    }
    // Saving replaces the file; a link to it stays.
    return URL(fileURLWithPath: arguments[1]).resolvingSymlinksInPath()
  }
}

func warn(_ message: String) {
  try? FileHandle.standardError.write(contentsOf: Data("sketch: \(message)\n".utf8))
}
