import ECSCluster
import Foundation

/// A Redis of a test's own, below a temporary folder.
// Used by one test.
final class RedisServer: @unchecked Sendable {
  private static let path = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin")
    .split(separator: ":").map { "\($0)/redis-server" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  static var isThere: Bool { path != nil }

  let port: Int
  private let folder: URL
  private var process: Process?

  /// Where it takes encrypted connections, if it does.
  let tlsPort: Int
  private let options: [String]

  /// Where its files are, unless they are on the system's own.
  private let disk: SmallDisk?

  init(options: [String] = [], isEncrypted: Bool = false, on disk: SmallDisk? = nil) throws {
    self.disk = disk
    port = Int.random(in: 20_000..<32_000)
    tlsPort = port + 12_000
    self.options = options + (isEncrypted ? ["--tls-port", "\(tlsPort)"] : [])
    folder = (disk?.folder ?? FileManager.default.temporaryDirectory)
      .appendingPathComponent("redis-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try start()
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(at: folder)
  }

  func broker() throws -> RedisBroker {
    try RedisBroker("redis://127.0.0.1:\(port)", timeout: .seconds(5))
  }

  /// Starts it, and waits until it answers.
  func start() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: RedisServer.path ?? "")
    process.arguments =
      [
        "--port", "\(port)", "--bind", "127.0.0.1", "--dir", folder.path, "--save", "",
        "--appendonly", "yes", "--appendfsync", "always", "--daemonize", "no",
      ] + options
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process
    let session = try broker().makeSession(for: "ready")
    while true {
      do {
        _ = try session.beat("test", for: .zero)
        return
      } catch {
        guard process.isRunning else { throw error }
        Thread.sleep(forTimeInterval: 0.01)
      }
    }
  }

  var isRunning: Bool { process?.isRunning ?? false }

  /// Ends it as a crash does.
  func kill() {
    guard let process, process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Does nothing more until it is to go on.
  func pause() { signal(SIGSTOP) }
  func goOn() { signal(SIGCONT) }

  private func signal(_ number: Int32) {
    if let process { Foundation.kill(process.processIdentifier, number) }
  }

  func command(_ words: String...) throws { _ = try answer(words) }

  /// What it answers, as text.
  func answer(_ words: String...) throws -> String { try answer(words) }

  func answer(_ words: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(
      fileURLWithPath: (RedisServer.path ?? "").replacingOccurrences(
        of: "redis-server", with: "redis-cli"))
    process.arguments = ["-p", "\(port)"] + words
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let answer = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .newlines)
  }
}
