import ECSTestSupport
import Foundation
import Testing

@Suite struct SketchTests {
  let program: ExampleProgram
  let folder: TemporaryFolder

  init() throws {
    program = try ExampleProgram("sketch")
    folder = try TemporaryFolder()
  }

  private func run(_ commands: String..., file: String = "a.ecs") async throws
    -> ExampleProgram.Result
  {
    let input = commands.map { $0 + "\n" }.joined()
    return try await program.run(["--file", folder[file].path], input: input)
  }

  private func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder[name].path)
  }

  @Test func `Shapes are drawn in the order of their numbers`() async throws {
    let result = try await run("box 0 0 12 4", "oval 2 1 6 2 red", "text 9 3 Hi", "show")
    expectEqual(result.status, 0)
    expectEqual(
      result.output,
      """
      box 1
      oval 2
      text 3
      ┌──────────┐
      │ ╭────╮   │
      │ ╰────╯   │
      └────────Hi┘

      """)
  }

  @Test func `Each command can be taken back and made again`() async throws {
    let result = try await run(
      "layer Front", "box 1 1 4 3", "paint 1 green", "move 1 2 0", "move 1 2 0", "undo", "list",
      "undo", "undo", "list", "undo", "redo", "redo", "list")
    expectEqual(
      result.output,
      """
      box 1
      undo: Move box 1
      box 1 at 1, 1 in green, Front
      undo: Paint box 1, redo: Move box 1
      undo: Paint box 1
      undo: Draw box
      undo: -, redo: Draw box
      nothing to undo
      redo: Draw box
      redo: Paint box 1
      box 1 at 1, 1 in green, Front
      undo: Paint box 1, redo: Move box 1

      """)
  }

  @Test func `A layer takes its shapes with it, and brings them back`() async throws {
    let result = try await run(
      "box 0 0 3 2", "layer Top", "box 4 0 3 2", "box 8 0 3 2", "delete layer Top", "show", "undo",
      "show", "list")
    expectEqual(
      result.output,
      """
      box 1
      box 2
      box 3
      ┌─┐
      └─┘
      undo: Delete Top
      ┌─┐ ┌─┐ ┌─┐
      └─┘ └─┘ └─┘
      box 1 at 0, 0 in black, Layer 1
      box 2 at 4, 0 in black, Top
      box 3 at 8, 0 in black, Top
      undo: Draw box, redo: Delete Top

      """)
  }

  @Test func `What was saved is there again`() async throws {
    let first = try await run("layer Back", "box 0 0 3 2 blue", "text 1 4 Ends & <begins>", "save")
    expectEqual(first.status, 0)
    expectTrue(exists("a.ecs") && !exists("a.ecs.autosave"))
    let second = try await run("list", "undo", "export \(folder["a.svg"].path)")
    expectEqual(
      second.output,
      """
      box 1 at 0, 0 in blue, Back
      text 2 at 1, 4 in black, Back
      undo: -, redo: -
      nothing to undo

      """)
    let picture = try String(contentsOf: folder["a.svg"], encoding: .utf8)
    expectTrue(picture.contains("stroke=\"blue\"") && picture.contains("Ends &amp; &lt;begins&gt;"))
    expectTrue(picture.hasPrefix("<svg ") && picture.hasSuffix("</svg>\n"))
  }

  @Test func `Control characters reach neither the terminal nor a picture`() async throws {
    let result = try await run(
      "layer \u{1B}[2J", "text 0 0 a\u{1B}[31mb", "show", "list", "export \(folder["a.svg"].path)")
    expectEqual(result.status, 0)
    expectEqual(
      result.output,
      """
      text 1
      a\\u{1b}[31mb
      text 1 at 0, 0 in black, \\u{1b}[2J
      undo: Draw text, redo: -

      """)
    let picture = try String(contentsOf: folder["a.svg"], encoding: .utf8)
    expectTrue(!picture.contains("\u{1B}") && picture.contains("a [31mb"))
  }

  @Test func `A crash loses nothing that was drawn`() async throws {
    _ = try await run("box 0 0 3 2", "save")
    let crashed = try await run("box 4 0 3 2", "move 2 1 0", "crash", "box 9 9 9 9")
    expectEqual(crashed.status, -SIGKILL)
    expectTrue(exists("a.ecs.autosave"))
    let other = try await run("show", "quit")
    expectEqual(other.status, 65)
    expectTrue(other.output.hasPrefix("Found unsaved changes, 3 entities: recover or discard?\n"))
    expectTrue(exists("a.ecs.autosave"))
    let recovered = try await run("recover", "show", "save")
    expectTrue(
      recovered.output.hasSuffix("recovered 2 shapes\n┌─┐  ┌─┐\n└─┘  └─┘\n"), "\(recovered)")
    expectFalse(exists("a.ecs.autosave"))
    let after = try await run("show")
    expectEqual(after.output, "┌─┐  ┌─┐\n└─┘  └─┘\n")
  }

  @Test func `Unsaved changes can be forgotten`() async throws {
    _ = try await run("box 0 0 3 2", "save", "delete 1")
    expectTrue(exists("a.ecs.autosave"))
    let result = try await run("discard", "show")
    expectTrue(result.output.hasSuffix("discarded\n┌─┐\n└─┘\n"))
    expectFalse(exists("a.ecs.autosave"))
  }

  @Test func `On a terminal there are a greeting and a prompt, elsewhere neither`() async throws {
    let terminal = try #require(PseudoTerminal())
    let running = try program.start(["--file", folder["a.ecs"].path], on: terminal)
    _ = await terminal.read(until: "0 shapes. Try: box", "'help' lists the commands", "sketch> ")
    try terminal.type("box 0 0 3 2\n")
    _ = await terminal.read(until: "box 1\r\n", "sketch> ")
    try terminal.type("help\n")
    _ = await terminal.read(until: "usage: sketch", "sketch> ")
    try terminal.type("quit\n")
    await expectEqual(running.status(), 0)
  }

  @Test func `A reader that goes away ends the program quietly`() async throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let result = try await program.run(
      ["--file", folder["a.ecs"].path], input: "box 0 0 3 2\nlist\n",
      output: pipe.fileHandleForWriting)
    expectTrue(result.status == -SIGPIPE && result.errors.isEmpty)
  }

  @Test(arguments: [
    "box", "box 1 2 3", "box a b c d", "box 0 0 1 1", "box 0 0 99999 2", "oval 0 0 4 4 \"/>",
    "text 1", "move 1 1 1", "move 9999999999999999999 1 1", "paint 1 red", "delete 7",
    "delete layer None", "undo twice", "recover", "discard", "draw", "export /nowhere/at/all.svg",
  ])
  func `Commands that make no sense change nothing`(command: String) async throws {
    let result = try await run(command, "list")
    expectEqual(result.status, 65)
    expectEqual(result.output, "undo: -, redo: -\n")
    expectTrue(result.errors.contains("sketch: line 1: can't do '\(command)'\n"))
  }

  @Test(arguments: ["", "not a drawing", "ECSSNAP1"])
  func `A damaged file is reported and left alone`(content: String) async throws {
    try Data(content.utf8).write(to: folder["a.ecs"])
    let result = try await run("box 0 0 3 2", "save")
    expectEqual(result.status, 65)
    expectTrue(result.errors.hasPrefix("sketch: can't open \(folder["a.ecs"].path): "))
    try expectEqual(String(contentsOf: folder["a.ecs"], encoding: .utf8), content)
  }

  @Test func `A damaged file beside the drawing is reported and left alone`() async throws {
    try Data("not a drawing".utf8).write(to: folder["a.ecs.autosave"])
    let result = try await run("box 0 0 3 2")
    expectEqual(result.status, 65)
    expectTrue(result.errors.hasPrefix("sketch: can't open \(folder["a.ecs.autosave"].path): "))
    expectTrue(exists("a.ecs.autosave"))
  }

  @Test func `Failing to save is reported`() async throws {
    try Data().write(to: folder["file"])
    let result = try await run("box 0 0 3 2", "save", file: "file/a.ecs")
    expectEqual(result.status, 65)
    expectTrue(result.errors.contains("can't save"))
  }
}
