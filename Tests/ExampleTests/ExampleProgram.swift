import Foundation
import Testing

/// Runs an example as its users do: as a program of its own.
struct ExampleProgram {
  let executable: URL

  /// What a run left behind.
  struct Result {
    let status: Int32
    let output: String
    let errors: String
  }

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
  ///   - seconds: How long it may take.
  /// - Returns: The exit status, or the negative number of the signal that ended the program, and
  ///   what it wrote.
  /// - Throws: What kept the program from being run.
  func run(
    _ arguments: [String], input: String = "", in folder: URL? = nil,
    environment: [String: String] = [:], output: FileHandle? = nil, seconds: Int = 120
  ) async throws -> Result {
    let files = try TemporaryFolder()
    try Data(input.utf8).write(to: files["input"])
    try Data().write(to: files["output"])
    try Data().write(to: files["errors"])
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = folder ?? files.url
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = try FileHandle(forReadingFrom: files["input"])
    process.standardOutput = try output ?? FileHandle(forWritingTo: files["output"])
    process.standardError = try FileHandle(forWritingTo: files["errors"])
    let limit = DispatchWorkItem { process.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds), execute: limit)
    defer { limit.cancel() }
    try await withCheckedThrowingContinuation { (end: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in end.resume() }
      do { try process.run() } catch { end.resume(throwing: error) }
    }
    return try Result(
      status: process.terminationReason == .exit
        ? process.terminationStatus : -process.terminationStatus,
      output: String(decoding: Data(contentsOf: files["output"]), as: UTF8.self),
      errors: String(decoding: Data(contentsOf: files["errors"]), as: UTF8.self))
  }
}

/// A folder that exists as long as this object.
final class TemporaryFolder {
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
