import ECSTestSupport
import Foundation
import Testing

/// Runs the example as its page says, on a real Redis, if there is one to be started.
@Suite(.enabled(if: Redis.path != nil, "There is no redis-server here."))
struct OrderDeskTests {
  private let desk: ExampleProgram
  private let files: TemporaryFolder
  private let port = Int.random(in: 20_000..<32_000)

  init() throws {
    desk = try ExampleProgram("order-desk")
    files = try TemporaryFolder()
  }

  private var broker: [String] { ["--broker", "redis://127.0.0.1:\(port)", "--lease", "1000"] }

  private func start(_ program: URL, _ arguments: [String], output: String) throws -> Process {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    try Data().write(to: files[output])
    process.standardOutput = try FileHandle(forWritingTo: files[output])
    process.standardError = FileHandle.nullDevice
    try process.start()
    return process
  }

  private func startRedis() throws -> Process {
    try start(
      URL(fileURLWithPath: Redis.path ?? ""),
      ["--port", "\(port)", "--bind", "127.0.0.1", "--dir", files.url.path, "--save", ""],
      output: "redis")
  }

  private func produce(_ arguments: String...) async throws {
    let result = try await desk.run(["produce"] + arguments + broker, seconds: 60)
    expectEqual(result.status, 0, "\(result.output) \(result.errors)")
  }

  @Test func `orders are produced as often as one likes, and workers go on`() async throws {
    let redis = try startRedis()
    defer { redis.terminate() }
    let work = try start(desk.executable, ["work"] + broker, output: "work")
    defer { if work.isRunning { work.terminate() } }
    for _ in 0..<2 { try await produce("--orders", "500", "--customers", "20") }
    // The same ones, of which only those behind the first are new.
    for orders in [100, 100, 150] {
      try await produce("--orders", "\(orders)", "--customers", "10", "--producer", "a")
    }
    try await produce("--orders", "100", "--customers", "20", "--producer", "a")
    try await produce("--orders", "100", "--customers", "10", "--producer", "b")
    let result = try await desk.run(["watch", "--until", "1350"] + broker, seconds: 120)
    expectEqual(result.status, 0, "\(result.output) \(result.errors)")
    expectTrue(result.output.contains("each of 80 customers has each order once"))
    expectTrue(work.isRunning)
    work.terminate()
    work.waitUntilExit()
    expectEqual(work.terminationStatus, 0)
    let log = try String(contentsOf: files["work"], encoding: .utf8)
    expectFalse(log.contains("came after"))
    let status = try await desk.run(["status"] + broker, seconds: 60)
    expectTrue(status.output.split(separator: "\n").allSatisfy { $0.hasSuffix(" 0 set aside") })
  }

  @Test func `orders that are out of their place are named, and end no worker`() async throws {
    let redis = try startRedis()
    defer { redis.terminate() }
    try await produce("--orders", "100", "--customers", "10", "--producer", "a")
    // As if Redis had lost what it had of the producer.
    let script = "for p = 0, 63 do redis.call('DEL', '{order-desk:' .. p .. '}:prod') end"
    try command("EVAL", script, "0")
    try await produce("--orders", "120", "--customers", "10", "--producer", "a")
    let work = try start(desk.executable, ["work"] + broker, output: "work")
    defer { if work.isRunning { work.terminate() } }
    let result = try await desk.run(["watch", "--until", "120"] + broker, seconds: 120)
    expectEqual(result.status, 0, "\(result.output) \(result.errors)")
    expectTrue(work.isRunning)
    let log = try String(contentsOf: files["work"], encoding: .utf8)
    expectTrue(log.contains("setAside") && log.contains("came after 10"))
    let status = try await desk.run(["status"] + broker, seconds: 60)
    expectTrue(status.output.contains(" 10 set aside"))
  }

  private func command(_ words: String...) throws {
    let client = URL(
      fileURLWithPath: (Redis.path ?? "").replacingOccurrences(
        of: "redis-server", with: "redis-cli"))
    let process = try start(client, ["-p", "\(port)"] + words, output: "answer")
    process.waitUntilExit()
    expectEqual(process.terminationStatus, 0)
  }

  @Test(arguments: ["produce", "work", "watch", "status"])
  func `that there is no broker is said at once`(command: String) async throws {
    let result = try await desk.run([command] + broker, seconds: 2)
    expectTrue((result.output + result.errors).contains("The broker can't be reached"))
  }
}

private enum Redis {
  static let path = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin")
    .split(separator: ":").map { "\($0)/redis-server" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }
}
