#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Foundation
  import Testing

  /// Processes that are killed while they save.
  @Suite(.noHangs) struct StoreKillTests {
    @Test(arguments: [false, true])
    func `a save that has returned is in the file, and others are there as a whole or not at all`(
      isShared: Bool
    ) async throws {
      let folder = try Folder()
      let path = folder.url.path
      var (last, lost) = (0, 0)
      var random = SplitMix64(seed: isShared ? 1 : 2)
      for _ in 0..<Torment.kills / 2 {
        let delay = random.next() % 30_000
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [path = path as String, delay = delay as UInt64, isShared = isShared as Bool] in
          try Victim.saveUntilKilled(in: path, after: delay, isShared)
        }
        let store = try Victim.store(in: path, isShared)
        let found = try #require(try Generations(store).present)
        let told = try Victim.told(in: path)
        expectTrue(found == told || found == told + 1)
        expectGreaterThan(found, last)
        try expectEqual(store.integrity(), "ok")
        lost += found - told
        last = found
        try store.close()
      }
      print(
        "\(Torment.kills / 2) processes were killed, \(lost) between a save and its return, at \(last)."
      )
    }
  }

  private enum Victim {
    static func store(in folder: String, _ isShared: Bool) throws -> Store {
      let file = URL(fileURLWithPath: folder).appendingPathComponent("library.sqlite")
      return try Store(
        at: .file(file), schema: Town.schema(), options: isShared ? .shared : Store.Options())
    }

    private static func tellings(_ folder: String) -> URL {
      URL(fileURLWithPath: folder).appendingPathComponent("told")
    }

    /// The last save that a process has reported to have returned.
    static func told(in folder: String) throws -> Int {
      let text = try String(contentsOf: tellings(folder), encoding: .utf8)
      // What was written at last may be a part.
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      return lines.last.flatMap { Int($0) } ?? 0
    }

    static func saveUntilKilled(in folder: String, after delay: UInt64, _ isShared: Bool) throws {
      let generations = try Generations(store(in: folder, isShared))
      let file = tellings(folder)
      if !FileManager.default.fileExists(atPath: file.path) { try Data().write(to: file) }
      let handle = try FileHandle(forWritingTo: file)
      try handle.seekToEnd()
      var number = generations.present ?? 0
      func saveNext() throws {
        number += 1
        try generations.save(number)
        try handle.write(contentsOf: Data("\(number)\n".utf8))
      }
      try saveNext()
      Killing.begin(after: delay)
      while true { try saveNext() }
    }
  }
#endif
