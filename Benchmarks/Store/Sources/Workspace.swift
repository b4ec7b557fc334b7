import ECS
import ECSStore
import Foundation

/// A folder for the files of a run.
final class Workspace {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "store-benchmarks-\(UUID().uuidString)")
  private var count = 0

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The path of a new file with the empty table of a store, so that all have the same one.
  func makeFile(_ parts: Parts, _ items: [Item] = []) throws -> URL {
    count += 1
    let file = folder.appendingPathComponent("\(count).sqlite")
    let store = try Store(at: .file(file), schema: parts.makeSchema())
    try store.close()
    if !items.isEmpty { try BareDatabase(file.path).insert(items) }
    return file
  }

  /// Removes a file that is open nowhere.
  func remove(_ file: URL) {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: file.path + suffix)
    }
  }
}
