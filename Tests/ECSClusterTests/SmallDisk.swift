import ECSTestSupport
import Foundation

/// A file system of some megabytes, which can be full. It takes root's rights on Linux.
// Used by one test.
final class SmallDisk: @unchecked Sendable {
  /// Whether there can be one.
  static let isPossible = (try? SmallDisk(megabytes: 1)) != nil

  let folder: URL

  init(megabytes: Int) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("disk-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    do {
      try SmallDisk.run(
        "mount", "-t", "tmpfs", "-o", "size=\(megabytes)m,mode=700", "tmpfs", folder.path)
    } catch {
      try? FileManager.default.removeItem(at: folder)
      throw error
    }
  }

  deinit {
    // Also if a file there is still open.
    try? SmallDisk.run("umount", "-l", folder.path)
    try? FileManager.default.removeItem(at: folder)
  }

  private var ballast: URL { folder.appendingPathComponent("ballast") }

  /// Takes all the room that is left.
  func fill() throws {
    _ = FileManager.default.createFile(atPath: ballast.path, contents: nil)
    let file = try FileHandle(forWritingTo: ballast)
    defer { try? file.close() }
    for size in [1 << 16, 1 << 12] {
      let zeros = Data(count: size)
      while (try? file.write(contentsOf: zeros)) != nil {}
    }
  }

  /// Gives it back.
  func makeRoom() throws { try FileManager.default.removeItem(at: ballast) }

  private struct Failure: Error {}

  private static func run(_ words: String...) throws {
    #if os(Linux)
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = words
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.start()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw Failure() }
    #else
      throw Failure()
    #endif
  }
}
