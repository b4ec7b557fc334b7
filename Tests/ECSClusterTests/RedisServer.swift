import ECSCluster
import ECSTestSupport
import Foundation
import Synchronization

/// A Redis of a test's own, below a temporary folder.
// Used by one test.
final class RedisServer: @unchecked Sendable {
  private static let path = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin")
    .split(separator: ":").map { "\($0)/redis-server" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  static var isThere: Bool { path != nil }

  /// The ports that servers of this process had, from a random one on: a server that ends and comes
  /// back finds its own free.
  private static let firstPort = Int.random(in: 0..<12_000)
  private static let portCount = Atomic<Int>(0)

  private(set) var port = 0
  private let folder: URL
  private var process: Process?

  /// Where it takes encrypted connections, if it does.
  private(set) var tlsPort = 0
  private let extraOptions: [String]
  private let isEncrypted: Bool

  /// Where its files are, unless they are on the system's own.
  private let disk: SmallDisk?

  init(options: [String] = [], isEncrypted: Bool = false, on disk: SmallDisk? = nil) throws {
    self.disk = disk
    self.isEncrypted = isEncrypted
    extraOptions = options
    folder = (disk?.folder ?? FileManager.default.temporaryDirectory)
      .appendingPathComponent("redis-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // The server of another process may have a port.
    for attempt in 1...5 {
      let number = RedisServer.portCount.add(1, ordering: .relaxed).oldValue
      port = 20_000 + (RedisServer.firstPort + number) % 12_000
      tlsPort = port + 12_000
      do {
        try start()
        return
      } catch {
        kill()
        guard attempt < 5 else { throw error }
      }
    }
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
      ] + extraOptions + (isEncrypted ? ["--tls-port", "\(tlsPort)"] : [])
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.start()
    self.process = process
    let session = try broker().makeSession(for: "ready")
    while true {
      do {
        _ = try session.beat("test", for: .zero)
        let folder = try answer("CONFIG", "GET", "dir")
        if folder.hasSuffix(self.folder.lastPathComponent) { return }
        process.waitUntilExit()
        throw PortIsTaken()
      } catch {
        guard process.isRunning else { throw error }
        Thread.sleep(forTimeInterval: 0.01)
      }
    }
  }

  /// Another server answers.
  private struct PortIsTaken: Error {}

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
    let answer = try process.startWithOutput().readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .newlines)
  }
}
