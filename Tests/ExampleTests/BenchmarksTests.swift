import ECSTestSupport
import Foundation
import Testing

@Suite struct BenchmarksTests {
  let benchmarks: ExampleProgram

  init() throws {
    benchmarks = try ExampleProgram("benchmarks")
  }

  @Test func `A row is run by both contenders, in both forms`() async throws {
    let result = try await benchmarks.run(["--smoke", "--filter", "^A1$"])
    expectEqual(result.status, 0)
    expectTrue(result.errors.isEmpty)
    let lines = result.output.split(separator: "\n")
    expectTrue(lines.contains { $0.hasPrefix("A1/") && $0.contains(" batch ") && $0.contains("×") })
    expectTrue(lines.contains { $0.hasPrefix(" ") && $0.contains(" call ") })
  }

  @Test func `Rows are measured in processes of their own`() async throws {
    let result = try await benchmarks.run(["--samples", "1", "--n", "100", "--filter", "^[SM]1"])
    expectEqual(result.status, 0)
    expectTrue(result.output.contains("ns/entity"))
    expectTrue(result.output.contains("B/entity"))
  }

  @Test(arguments: [["--in-process"], []])
  func `A wrong checksum fails the run`(how: [String]) async throws {
    let arguments = ["--sabotage", "--samples", "1", "--n", "100", "--filter", "^S1$"] + how
    let result = try await benchmarks.run(arguments)
    expectEqual(result.status, 70)
    expectTrue(result.errors.contains("S1/100 batch: wrong checksum"))
  }

  @Test(arguments: [
    (["--frobnicate"], "Unknown option '--frobnicate'"),
    (["--n"], "--n needs a value"),
    (["--n", "many"], "--n takes a number from 1 to 100000000, not 'many'"),
    (["--smoke=yes"], "--smoke takes no value"),
    (["--filter", "("], "--filter takes a regular expression"),
    (["--filter", "nothing is called this"], "No row is left to run"),
    (["--n", "0"], "--n takes a number from 1 to 100000000, not '0'"),
    (["--n=-5"], "--n takes a number from 1 to 100000000, not '-5'"),
    (["--samples", "0"], "--samples takes a number from 1 to 100000, not '0'"),
    (["--json", "a", "--svg", "./a"], "--svg takes another file than --json, not './a'"),
  ])
  func `An invalid option is refused with a reason`(
    arguments: [String], reason: String
  ) async throws {
    let result = try await benchmarks.run(arguments)
    expectEqual(result.status, 64)
    expectTrue(result.output.isEmpty)
    expectTrue(result.errors.contains(reason))
  }

  @Test func `A run is compared with a saved one`() async throws {
    let folder = try TemporaryFolder()
    let file = folder["saved.json"].path
    let options = ["--smoke", "--filter", "^S1$"]
    try await expectEqual(benchmarks.run(options + ["--json", file]).status, 0)
    let result = try await benchmarks.run(options + ["--baseline", file])
    expectEqual(result.status, 0)
    expectTrue(result.output.contains("baseline"))
    expectTrue(result.output.contains("change: ratio of the minima"))
  }

  @Test func `A file that cannot be used is refused before anything is measured`() async throws {
    let folder = try TemporaryFolder()
    try Data("{}".utf8).write(to: folder["other.json"])
    for (option, file, status) in [
      ("--baseline", folder["none.json"], 66), ("--baseline", folder["other.json"], 66),
      ("--json", folder["no/such/folder.json"], 73), ("--svg", folder.url, 73),
    ] {
      let result = try await benchmarks.run([option, file.path])
      expectEqual(result.status, Int32(status))
      expectTrue(result.output.isEmpty)
      expectTrue(result.errors.contains(file.path))
    }
  }

  @Test func `The chart is well-formed and shows rows and series`() async throws {
    let folder = try TemporaryFolder()
    let result = try await benchmarks.run(
      ["--smoke", "--scale", "--filter", "^(S1|M1)$", "--svg", folder["chart.svg"].path])
    expectEqual(result.status, 0)
    let chart = try String(contentsOf: folder["chart.svg"], encoding: .utf8)
    expectTrue(chart.hasPrefix("<?xml"))
    expectTrue(chart.contains(">S1/260</text>"))
    expectTrue(chart.contains(">Memory</text>"))
    expectTrue(chart.contains("<path "))
    expectEqual(
      chart.components(separatedBy: "<text").count, chart.components(separatedBy: "</text>").count
    )
    expectTrue(!chart.contains("nan") && !chart.contains("inf"))
  }

  @Test func `The series of growth can be measured alone`() async throws {
    let result = try await benchmarks.run(["--smoke", "--scale-only", "--filter", "^S1$"])
    expectEqual(result.status, 0)
    expectTrue(result.output.contains("growth"))
    expectFalse(result.output.contains("S1/"))
  }

  @Test func `A link stays where results are saved through it`() async throws {
    let folder = try TemporaryFolder()
    try Data(String(repeating: "earlier ", count: 10_000).utf8).write(to: folder["saved.json"])
    try FileManager.default.createSymbolicLink(
      atPath: folder["link"].path, withDestinationPath: "saved.json")
    let options = ["--smoke", "--filter", "^S1$"]
    try await expectEqual(benchmarks.run(options + ["--json", "link"], in: folder.url).status, 0)
    let link = try FileManager.default.destinationOfSymbolicLink(atPath: folder["link"].path)
    expectEqual(link, "saved.json")
    let saved = try JSONSerialization.jsonObject(with: Data(contentsOf: folder["saved.json"]))
    expectTrue(saved is [String: Any])
  }

  @Test func `Unreadable results are an error`() async throws {
    let output = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/dev/null"))
    let result = try await benchmarks.run(["--list"], output: output)
    expectEqual(result.status, 73)
    expectTrue(result.errors.contains("Cannot write standard output: Bad file descriptor."))
  }

  @Test func `Workers end when the process that started them is gone`() async throws {
    // What holds the other end of this pipe is alive: the program, or a worker that got it from
    // there. Nice, since the worker works for as long as the other tests keep this one waiting.
    var pipe: Pipe?
    let terminal = try #require(PseudoTerminal())
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let options = "--filter '^I1$' --n 100000 --samples 100000"
    process.arguments = [
      "-c", "exec nice -n 19 '\(benchmarks.executable.path)' \(options) 9>&1 >/dev/null",
    ]
    process.standardError = terminal.device
    let program = try RunningProgram(process) {
      pipe = Pipe()
      process.standardOutput = pipe
    }
    let witness = try #require(pipe)
    try witness.fileHandleForWriting.close()
    // The worker is started after this is drawn.
    _ = await terminal.read(until: "I1")
    program.send(SIGTERM)
    await expectEqual(program.status(), -SIGTERM)
    // A worker would go on for hours.
    let end = witness.fileHandleForReading
    let output = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: try? end.readToEnd()) }
    }
    expectNotEqual(output?.isEmpty, false)
  }
}
