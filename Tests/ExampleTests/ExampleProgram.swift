import ECSTestSupport
import Foundation
import Testing

/// Runs an example as its users do: as a program of its own.
struct ExampleProgram: Sendable {
  let executable: URL

  /// What a run left behind.
  struct Result {
    let status: Int32
    let output: String
    let errors: String
  }

  /// A program that is there already.
  init(executable: URL) { self.executable = executable }

  /// Finds the program, which is built into the folder that the tests run from.
  init(_ name: String) throws {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    let folder = bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    executable = folder.appendingPathComponent(name)
    try #require(
      FileManager.default.isExecutableFile(atPath: executable.path),
      "\(executable.path) is not built: build all products, as `swift test` does.")
  }

  /// Runs the program to its end; one that goes on for too long is stopped and has another status.
  ///
  /// Input and output go through files, so that no full pipe can hold it up.
  ///
  /// - Parameters:
  ///   - arguments: What follows the name of the program.
  ///   - input: What the program reads.
  ///   - folder: Where it runs; an empty folder if nil.
  ///   - environment: Variables that it sees instead of, or besides, those of the tests.
  ///   - output: Where its output goes instead of the result.
  ///   - errors: Where its messages go instead of the result.
  ///   - seconds: How long it may take.
  /// - Returns: The exit status, or the negative number of the signal that ended the program, and
  ///   what it wrote.
  /// - Throws: What kept the program from being run.
  func run(
    _ arguments: [String], input: String = "", in folder: URL? = nil,
    environment: [String: String] = [:], output: FileHandle? = nil, errors: FileHandle? = nil,
    seconds: Int = 600
  ) async throws -> Result {
    let files = try TemporaryFolder()
    try Data(input.utf8).write(to: files["input"])
    try Data().write(to: files["output"])
    try Data().write(to: files["errors"])
    let process = Process()
    process.currentDirectoryURL = folder ?? files.url
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let handles = try [
      FileHandle(forReadingFrom: files["input"]), FileHandle(forWritingTo: files["output"]),
      FileHandle(forWritingTo: files["errors"]),
    ]
    // Foundation keeps processes for longer than they run.
    defer { for handle in handles { try? handle.close() } }
    process.standardInput = handles[0]
    process.standardOutput = output ?? handles[1]
    process.standardError = errors ?? handles[2]
    let status = try await run(process, arguments, seconds)
    return try Result(
      status: status,
      output: String(decoding: Data(contentsOf: files["output"]), as: UTF8.self),
      errors: String(decoding: Data(contentsOf: files["errors"]), as: UTF8.self))
  }

  /// Starts the program and returns it running.
  ///
  /// It runs when this returns; a task that ran it might have to wait for all other tests.
  func start(
    _ arguments: [String], on terminal: PseudoTerminal? = nil, environment: [String: String] = [:]
  ) throws -> RunningProgram {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = terminal?.device ?? .nullDevice
    process.standardOutput = terminal?.device ?? .nullDevice
    process.standardError = terminal?.device ?? .nullDevice
    return try RunningProgram(process)
  }

  private func run(
    _ process: Process, _ arguments: [String], _ seconds: Int
  ) async throws -> Int32 {
    process.executableURL = executable
    process.arguments = arguments
    let limit = DispatchWorkItem { process.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds), execute: limit)
    defer { limit.cancel() }
    try await withCheckedThrowingContinuation { (end: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in end.resume() }
      do { try process.start() } catch { end.resume(throwing: error) }
    }
    let isExit = process.terminationReason == .exit
    return isExit ? process.terminationStatus : -process.terminationStatus
  }
}

/// A program that can be sent signals, and waited for.
final class RunningProgram: Sendable {
  let identifier: Int32
  private let ending: AsyncStream<Int32>

  init(_ process: Process, _ prepare: () -> Void = {}) throws {
    // Tests that run in the background may be made to ignore signals, and programs inherit that.
    for number in [SIGINT, SIGQUIT, SIGHUP, SIGTERM] { signal(number, SIG_DFL) }
    let (ending, continuation) = AsyncStream.makeStream(of: Int32.self)
    process.terminationHandler = { process in
      let isExit = process.terminationReason == .exit
      continuation.yield(isExit ? process.terminationStatus : -process.terminationStatus)
      continuation.finish()
    }
    try process.start(prepare)
    (identifier, self.ending) = (process.processIdentifier, ending)
  }

  func send(_ signal: Int32) { kill(identifier, signal) }

  /// The exit status, or the negative number of the signal that has ended the program, once it has
  /// ended.
  func status() async -> Int32? {
    for await status in ending { return status }
    return nil
  }
}

/// A folder that exists as long as this object.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("swift-ecs-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  subscript(name: String) -> URL { url.appendingPathComponent(name) }
}
