import ECS
import ExampleSupport
import Foundation

@main @MainActor
enum OptionsMenuProgram {
  private static let help = """
    Shows the options of an imaginary app, and stores them.

    usage: options-menu [--file PATH]

    In a terminal: Up and Down, or k and j, move; Space or Return switches; q quits.
    Otherwise commands are read from standard input, one per line:
      up, down, toggle [KEY], on KEY, off KEY, show, quit
    The keys are those in the file, by default options-menu.json in the folder for app data.

    """

  static func main() async {
    let file = OptionsFile(url: fileFromArguments())
    let menu = Menu()
    // A reader that goes away ends the program when it is written to; see `OutputFile`.
    signal(SIGPIPE, SIG_IGN)
    let isShown = FullScreen.isPresent
    let output = Output()
    let display = Display(menu) { text in output.write(text) }
    // The loop is there before the options, so that it sees these come.
    let loop = makeLoop(menu, file, display)
    do {
      let (values, notice) = try file.load()
      menu.fill(Definition.all, stored: values)
      if let notice { menu.context.setUniqueComponent(Notice(text: notice)) }
    } catch {
      fail("can't read \(file.url.path): \(reason(of: error))", EX_NOINPUT)
    }
    var status = EXIT_SUCCESS
    if isShown {
      await run(menu, on: output, loop)
    } else {
      status = await runScript(menu, loop, show: display.draw)
    }
    if let failure = menu.context.uniqueComponent(SaveFailure.self) { fail(failure.text, EX_IOERR) }
    if let failure = output.failure { fail(failure.message, EX_IOERR) }
    exit(status)
  }

  private static func fileFromArguments() -> URL {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments == ["--help"] || arguments == ["-h"] {
      do throws(Failure) {
        try OutputFile.show(help)
        exit(EXIT_SUCCESS)
      } catch {
        fail(error.message, EX_IOERR)
      }
    }
    if arguments.isEmpty {
      let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
      let folder = folders.first ?? URL(fileURLWithPath: ".", isDirectory: true)
      return folder.appendingPathComponent("swift-ecs/options-menu.json")
    }
    guard arguments.count == 2, arguments[0] == "--file", !arguments[1].isEmpty else {
      fail("can't understand \(arguments.joined(separator: " ")); try --help", EX_USAGE)
    }
    // Saving replaces the file; a link to it stays.
    return URL(fileURLWithPath: arguments[1]).resolvingSymlinksInPath()
  }

  /// The systems, in the order of a pass: first what follows from a change, then saving and showing
  /// the whole result.
  private static func makeLoop(_ menu: Menu, _ file: OptionsFile, _ display: Display)
    -> ReactiveLoop
  {
    let systems: [any System] = [Dependencies(menu), Persistence(menu, file), display]
    return ReactiveLoop(ctx: menu.context, systems: systems, name: "options") {
      [weak context = menu.context] failure in
      let text =
        "can't save \(file.url.path): \(failure.error.map { reason(of: $0) } ?? "\(failure)")"
      // The loop tries again and again; the user sees it once.
      let failure = SaveFailure(text: text)
      if context?.uniqueComponent(SaveFailure.self) != failure {
        context?.setUniqueComponent(failure)
      }
    }
  }

  private static func run(_ menu: Menu, on output: Output, _ loop: ReactiveLoop) async {
    let screen = FullScreen(takesControlKeys: true)
    output.screen = screen
    defer {
      screen.stop()
      output.screen = nil
    }
    let showSize: @Sendable () -> Void = { [context = menu.context] in
      let size = FullScreen.size
      context.setUniqueComponent(WindowSize(columns: size.columns, rows: size.rows))
    }
    screen.onChange(showSize)
    showSize()
    keys: for await key in screen.keys() {
      switch key {
      case .up, .character("k"): menu.moveSelection(by: -1)
      case .down, .character("j"): menu.moveSelection(by: 1)
      case .character(" "), .enter: _ = menu.switch()
      case .character("q"), .control("c"), .control("d"): break keys
      default: break
      }
    }
    await loop.settled()
  }

  private static func runScript(
    _ menu: Menu, _ loop: ReactiveLoop, show: () -> Void
  ) async -> Int32 {
    await loop.settled()
    var (number, status) = (0, EXIT_SUCCESS)
    while let line = readLine() {
      number += 1
      let words = line.split(separator: " ").map(String.init)
      if words == ["quit"] { break }
      if words == ["show"] {
        show()
      } else if !words.isEmpty, !carryOut(words, on: menu) {
        warn("line \(number): can't do '\(line)'")
        status = EX_DATAERR
      }
      await loop.settled()
    }
    return status
  }

  /// Carries out a command that changes the menu; false if there is none such.
  private static func carryOut(_ words: [String], on menu: Menu) -> Bool {
    guard words.count <= 2 else { return false }
    let key = words.count == 2 ? OptionKey(name: words[1]) : nil
    switch (words[0], key) {
    case ("up", nil): menu.moveSelection(by: -1)
    case ("down", nil): menu.moveSelection(by: 1)
    case ("toggle", _): return menu.switch(key)
    case ("on", .some): return menu.switch(key, to: true)
    case ("off", .some): return menu.switch(key, to: false)
    default: return false
    }
    return words.count == 1
  }

  private static func warn(_ message: String) {
    try? FileHandle.standardError.write(contentsOf: Data("options-menu: \(message)\n".utf8))
  }

  private static func fail(_ message: String, _ status: Int32) -> Never {
    Cleanup.runAll()
    warn(message)
    exit(status)
  }
}

/// Where the menu is drawn: the terminal, once it is taken over, or standard output.
@MainActor private final class Output {
  var screen: FullScreen?

  /// What went wrong first.
  private(set) var failure: Failure?

  func write(_ text: String) {
    if let screen { return screen.write(text) }
    // What comes before there is a screen is drawn again on it.
    if FullScreen.isPresent { return }
    do throws(Failure) {
      try OutputFile.show(text)
    } catch {
      failure = failure ?? error
    }
  }
}
