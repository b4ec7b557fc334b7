import ECSTestSupport
import Foundation
import Testing

@Suite struct FlockTests {
  let flock: ExampleProgram

  init() throws {
    flock = try ExampleProgram("flock")
  }

  @Test func `A hundred thousand boids fly`() async throws {
    let result = try await flock.run(["--frames", "1"])
    expectEqual(result.status, 0)
    expectTrue(result.output.contains("100000 boids, 1 frames, "))
    expectTrue(result.output.contains(" frames per second"))
    expectTrue(result.errors.isEmpty)
  }

  @Test func `A seed gives the same flock every time and another seed another one`() async throws {
    var states: [Substring?] = []
    for seed in ["7", "7", "8"] {
      let result = try await flock.run(["--boids", "1500", "--frames", "6", "--seed", seed])
      states.append(result.output.split(separator: "\n").last)
    }
    expectEqual(states[0]?.hasPrefix("state "), true)
    expectEqual(states[0], states[1])
    expectNotEqual(states[0], states[2])
  }

  @Test func `Boids align with their neighbors`() async throws {
    let output = try await flock.run(["--boids", "1000", "--frames", "80"]).output
    let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("alignment") })
    let numbers = line.split { !$0.isNumber && $0 != "." }.compactMap { Double($0) }
    expectTrue(numbers.count == 2 && numbers[0] > numbers[1] + 0.2, "\(line)")
  }

  @Test func `The last frame is plain text where there is no terminal`() async throws {
    let output = try await flock.run(["--boids", "1000", "--frames", "2"]).output
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    expectEqual(lines.count, 23 + 3 + 1)
    expectTrue(lines.prefix(23).allSatisfy { $0.count == 80 && $0.allSatisfy(\.isASCII) })
    expectFalse(output.contains("\u{1B}"))
  }

  @Test func `Each frame becomes a picture`() async throws {
    let folder = try TemporaryFolder()
    let album = folder["new/album"]
    let result = try await flock.run([
      "--boids", "1000", "--frames", "3", "--png", album.path, "--size", "64x48",
    ])
    expectEqual(result.status, 0, "\(result.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: album.path).sorted()
    expectEqual(names, ["frame-00001.png", "frame-00002.png", "frame-00003.png"])
    for name in names {
      let picture = try PortablePicture(Data(contentsOf: album.appendingPathComponent(name)))
      expectTrue((picture.width, picture.height) == (64, 48))
      expectGreaterThan(Set(picture.pixels).count, 16)
    }
  }

  @Test func `Pictures of many boids are a fraction of their pixels`() async throws {
    let album = try TemporaryFolder()
    let result = try await flock.run(
      ["--boids", "8000", "--frames", "4", "--png", album.url.path, "--size", "320x180"])
    expectEqual(result.status, 0, "\(result.errors)")
    let data = try Data(contentsOf: album["frame-00004.png"])
    expectLessThan(data.count, 320 * 180 * 3 / 2)
    let picture = try PortablePicture(data)
    expectTrue((picture.width, picture.height) == (320, 180))
    expectGreaterThan(Set(picture.pixels).count, 1000)
  }

  @Test func `A folder that cannot be written is an error`() async throws {
    let folder = try TemporaryFolder()
    try Data().write(to: folder["file"])
    let result = try await flock.run([
      "--boids", "1000", "--frames", "1", "--png", folder["file/album"].path,
    ])
    expectNotEqual(result.status, 0)
    expectEqual(
      result.errors,
      "flock: Can't make the folder '\(folder["file"].path)': Not a directory.\n")
    expectTrue(result.output.isEmpty)
  }

  @Test(arguments: [
    (["--frames"], "--frames needs a value"),
    (["--frames", "none"], "--frames is 'none', but must be a number from 1 to 1000000"),
    (["--boids", "0"], "--boids is '0', but must be a number from 1 to 4000000"),
    (["--size", "9x9"], "--size is '9x9', but must be a size like 1280x720, from 16 to 8192 each"),
    (["--bird"], "there is no option '--bird'"),
  ]) func `Bad options are errors that say what is wrong`(
    arguments: [String], message: String
  ) async throws {
    let result = try await flock.run(arguments)
    expectEqual(result.status, 64)
    expectEqual(result.errors, "flock: \(message); --help lists the options\n")
  }

  @Test func `A full disk is an error`() async throws {
    guard let full = FileHandle(forWritingAtPath: "/dev/full") else { return }
    let result = try await flock.run(["--boids", "1000", "--frames", "1"], output: full)
    expectEqual(result.status, 1)
    expectEqual(
      result.errors,
      "flock: Writing to standard output failed: No space left on device.\n")
  }

  @Test
  func `A terminal gets as many boids as can be told from each other, as fast as they are seen`()
    async throws
  {
    let terminal = try #require(PseudoTerminal(columns: 90, rows: 20))
    let before = terminal.settings
    let process = try flock.start(["--frames", "9"], on: terminal)
    let text = await terminal.read(until: "\u{1B}[?1049l", "state ", "\n")
    expectTrue(text.contains("600 boids, 9 frames, "))
    expectTrue(text.contains(" on the screen per second; Control-C"))
    // No screen shows more than about sixty.
    let rates = text.matches(of: /9 frames, ([0-9.]+) on/).compactMap { Double($0.1) }
    expectTrue(!rates.isEmpty && rates.allSatisfy { $0 < 70 })
    await expectEqual(process.status(), 0)
    expectEqual(terminal.settings, before)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func `The terminal is restored however the flock ends`(signal: Int32) async throws {
    let terminal = try #require(PseudoTerminal(columns: 90, rows: 20))
    let before = terminal.settings
    let process = try flock.start([], on: terminal)
    _ = await terminal.read(until: "\u{1B}[?1049h", "Control-C")
    expectNotEqual(terminal.settings, before)
    process.send(signal)
    let rest = await terminal.read(until: "\u{1B}[?1049l")
    expectTrue(rest.contains("\u{1B}[?25h"))
    // Control-C is how a flock ends.
    await expectEqual(process.status(), (signal == SIGINT ? 0 : -signal))
    expectEqual(terminal.settings, before)
  }
}
