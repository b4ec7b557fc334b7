import ECSTestSupport
import Foundation
import Testing

@Suite struct OptionsMenuTests {
  let menu: ExampleProgram
  let folder: TemporaryFolder

  init() throws {
    menu = try ExampleProgram("options-menu")
    folder = try TemporaryFolder()
  }

  /// Runs commands, and returns the result and the menus that were shown.
  private func run(
    _ commands: String..., file: String = "options.json"
  ) async throws -> (result: ExampleProgram.Result, menus: [String]) {
    let input = commands.map { $0 + "\n" }.joined()
    let result = try await menu.run(["--file", folder[file].path], input: input)
    let menus = result.output.components(separatedBy: "\n\n").filter { !$0.isEmpty }
    return (result, menus)
  }

  private func stored() throws -> [String: Bool] {
    try JSONDecoder().decode(
      [String: Bool].self, from: Data(contentsOf: folder["options.json"]))
  }

  @Test func `The menu shows the options in order with their children below them`() async throws {
    let (result, menus) = try await run()
    expectEqual(result.status, 0)
    expectEqual(
      menus,
      [
        """
        > [x] Notifications       Tell me when something happens
          [ ]   Sound             With a sound
          [x]   Badge             With a number on the icon
          [ ]     Count mail      Include unread mail in the number
          [ ] Synchronize         Keep my devices in sync
          [ ]   Over cellular     Where there is no other network
          [x] Dark mode           Light on a dark background
          [ ] Diagnostics         Send reports when the app fails
        """
      ])
    expectFalse(FileManager.default.fileExists(atPath: folder["options.json"].path))
  }

  @Test func `Switching an option off switches off what is below it`() async throws {
    let (_, menus) = try await run("on notifications.badge.mail", "off notifications")
    expectEqual(menus.count, 3)
    expectTrue(menus[1].contains("[x]     Count mail"))
    expectTrue(menus[2].contains("[ ] Notifications"))
    expectTrue(menus[2].contains("[ ]   Badge"))
    expectTrue(menus[2].contains("[ ]     Count mail"))
    expectTrue(menus[2].contains("[x] Dark mode"))
  }

  @Test func `Switching an option on switches on what is above it`() async throws {
    let (_, menus) = try await run("off notifications", "on notifications.badge.mail")
    expectEqual(menus.count, 3)
    expectTrue(menus[2].contains("[x] Notifications"))
    expectTrue(menus[2].contains("[x]   Badge"))
    expectTrue(menus[2].contains("[x]     Count mail"))
    expectTrue(menus[2].contains("[ ]   Sound"))
  }

  @Test func `The cursor moves and stops at the ends`() async throws {
    let (_, menus) = try await run("up", "down", "down", "toggle")
    expectEqual(menus.last?.contains("> [ ]   Badge"), true)
    let moves = Array(repeating: "down\n", count: 20).joined()
    let result = try await menu.run(["--file", folder["b.json"].path], input: moves)
    expectTrue(
      result.output.hasSuffix("> [ ] Diagnostics         Send reports when the app fails\n\n"))
  }

  @Test func `The state survives a restart`() async throws {
    _ = try await run("on sync.cellular", "off appearance.dark")
    let (_, menus) = try await run()
    expectTrue(menus[0].contains("[x] Synchronize"))
    expectTrue(menus[0].contains("[x]   Over cellular"))
    expectTrue(menus[0].contains("[ ] Dark mode"))
  }

  @Test func `A link to the file stays a link`() async throws {
    try Data(#"{"dark": false}"#.utf8).write(to: folder["options.json"])
    try FileManager.default.createSymbolicLink(
      atPath: folder["link"].path, withDestinationPath: "options.json")
    let (result, _) = try await run("on sync", file: "link")
    expectEqual(result.status, 0)
    let link = try FileManager.default.destinationOfSymbolicLink(atPath: folder["link"].path)
    expectEqual(link, "options.json")
    try expectEqual(stored()["sync"], true)
  }

  @Test func `Values of options that are not known are kept`() async throws {
    try Data(#"{"from.the.future": true, "sync": true}"#.utf8).write(to: folder["options.json"])
    let (_, menus) = try await run("off sync")
    expectFalse(menus[0].contains("future"))
    try expectEqual(stored()["from.the.future"], true)
    try expectEqual(stored()["sync"], false)
  }

  @Test(arguments: ["", "{", "[true]", #"{"sync": "yes"}"#, "\u{0}\u{1}\u{2}"])
  func `A corrupt file is reported and kept aside`(content: String) async throws {
    try Data(content.utf8).write(to: folder["options.json"])
    try Data("older".utf8).write(to: folder["options.json.corrupt"])
    let (result, menus) = try await run("on sync")
    expectEqual(result.status, 0)
    let notice = "options.json was corrupt and is kept as options.json.corrupt-2"
    expectTrue(menus[0].hasSuffix(notice))
    expectFalse(menus[1].contains("corrupt"))
    try expectEqual(String(contentsOf: folder["options.json.corrupt-2"], encoding: .utf8), content)
    try expectEqual(String(contentsOf: folder["options.json.corrupt"], encoding: .utf8), "older")
    try expectEqual(stored()["sync"], true)
  }

  @Test func `A file that breaks the rule of parents is corrected`() async throws {
    try Data(#"{"sync": false, "sync.cellular": true}"#.utf8).write(to: folder["options.json"])
    let (_, menus) = try await run()
    expectTrue(menus[0].contains("[ ]   Over cellular"))
    try expectEqual(stored()["sync.cellular"], false)
  }

  @Test func `Failing to save is reported, and is an error`() async throws {
    try Data().write(to: folder["file"])
    let (result, menus) = try await run("on sync", file: "file/options.json")
    expectEqual(result.status, 74)
    let message = "can't save \(folder["file/options.json"].path): Not a directory"
    expectEqual(menus.last?.contains(message), true, "\(menus.last ?? "")")
    expectTrue(result.errors.hasPrefix("options-menu: can't save "))
  }

  @Test func `A file that can't be read is an error, and is left alone`() async throws {
    try FileManager.default.createDirectory(
      at: folder["options.json"], withIntermediateDirectories: false)
    let (result, _) = try await run("on sync")
    expectEqual(result.status, 66)
    expectTrue(result.errors.hasPrefix("options-menu: can't read "))
    expectTrue(result.errors.hasSuffix(": Is a directory\n"))
  }

  @Test func `Invalid commands are reported with their lines, and the rest is done`()
    async throws
  {
    let (result, menus) = try await run(
      "jump", "on", "on nothing", "toggle sync now", "up 2", "", "on sync", "quit", "off sync")
    expectEqual(result.status, 65)
    expectEqual(
      result.errors,
      """
      options-menu: line 1: can't do 'jump'
      options-menu: line 2: can't do 'on'
      options-menu: line 3: can't do 'on nothing'
      options-menu: line 4: can't do 'toggle sync now'
      options-menu: line 5: can't do 'up 2'

      """)
    expectEqual(menus.count, 2)
    try expectEqual(stored()["sync"], true)
  }

  @Test func `Switching to the same value changes nothing and shows nothing`() async throws {
    let (_, menus) = try await run("on notifications", "off sync")
    expectEqual(menus.count, 1)
    let (_, shown) = try await run("show")
    expectEqual(shown.count, 2)
    expectEqual(shown[0], shown[1])
  }

  @Test func `Other arguments are an error`() async throws {
    for arguments in [["--file"], ["--fil", "x"], ["x"], ["--file", "a", "b"]] {
      let result = try await menu.run(arguments)
      expectEqual(result.status, 64)
      expectTrue(result.errors.hasPrefix("options-menu: can't understand "))
    }
  }

  @Test func `Keys move and switch in a terminal, which is restored`() async throws {
    let terminal = try #require(PseudoTerminal())
    let (path, before) = (folder["options.json"].path, terminal.settings)
    let process = try menu.start(["--file", path], on: terminal)
    let first = await terminal.read(until: "> [x] Notifications", "quit")
    expectTrue(first.contains("\u{1B}[7m> [x] Notifications"))
    expectNotEqual(terminal.settings, before)
    // Down by an arrow and by a letter, past an unknown key, and switch; up, and switch.
    try terminal.type("\u{1B}[Bj\u{1B}[Cx k\r")
    let last = await terminal.read(until: "\u{1B}[7m> [x]   Sound", "quit")
    expectTrue(last.contains("  [ ]   Badge"))
    try terminal.type("q")
    await expectEqual(process.status(), 0)
    expectEqual(terminal.settings, before)
    try expectEqual(stored()["notifications.badge"], false)
    try expectEqual(stored()["notifications.sound"], true)
  }

  @Test func `The file keeps its mode`() async throws {
    let path = folder["options.json"].path
    try Data("{}".utf8).write(to: folder["options.json"])
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    _ = try await run("on sync")
    try expectEqual(stored()["sync"], true)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    expectEqual(attributes[.posixPermissions] as? Int, 0o640)
  }

  @Test func `A full disk is an error`() async throws {
    guard let full = FileHandle(forWritingAtPath: "/dev/full") else { return }
    let result = try await menu.run(["--file", folder["options.json"].path], output: full)
    expectEqual(result.status, 74)
    expectTrue(result.errors.contains("No space left on device"))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `The terminal is restored however the menu ends`(signal: Int32) async throws {
    let terminal = try #require(PseudoTerminal())
    let before = terminal.settings
    let process = try menu.start(["--file", folder["options.json"].path], on: terminal)
    _ = await terminal.read(until: "> [x] Notifications", "quit")
    expectNotEqual(terminal.settings, before)
    process.send(signal)
    await expectTrue(terminal.read(until: "\u{1B}[?1049l").contains("\u{1B}[?25h"))
    await expectEqual(process.status(), -signal)
    expectEqual(terminal.settings, before)
  }
}
