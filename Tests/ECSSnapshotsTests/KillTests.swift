import ECS
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Foundation
import Testing

/// A process that is killed while it saves.
@Suite(.longRunning, .noHangs) struct KillTests {
  /// How many processes are killed: `ECS_SNAPSHOT_KILLS`, or what the normal run can afford.
  private static var kills: Int {
    ProcessInfo.processInfo.environment["ECS_SNAPSHOT_KILLS"].flatMap(Int.init)
      ?? Effort.full(20, debug: 8)
  }

  @Test func `killing a process that saves leaves a whole file`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("world.ecs").path
    try Saves.save(0, to: path)
    var (last, partial): (Int32, Int) = (0, 0)
    for number in 0..<Self.kills {
      let delay = SplitMix64.first(of: UInt64(number)) % 30_000
      let first = last + 1
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, delay = delay as UInt64, first = first as Int32] in
        try Saves.saveUntilKilled(from: first, to: path, after: delay)
      }
      let generation = try #require(try Saves.generation(of: path))
      expectGreaterThanOrEqual(generation, first)
      last = generation
      for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
      where file.hasSuffix(".partial") {
        partial += 1
        try FileManager.default.removeItem(at: folder.appendingPathComponent(file))
      }
    }
    print("\(Self.kills) processes were killed, \(partial) of them within a save, at \(last).")
  }
}

private enum Saves {
  static func schema() throws -> Schema {
    try Schema("saves") {
      Stored(of: Score(), as: "score") {
        Field(\.points, at: "points")
        Field(\.isFinal, at: "final")
      }
    }
  }

  static func snapshot(_ generation: Int32) throws -> Snapshot {
    let context = Context()
    context.createEntities(20_000, with: Score(points: generation))
    return try context.snapshot(try schema())
  }

  static func save(_ generation: Int32, to path: String) throws {
    try snapshot(generation).write(to: URL(fileURLWithPath: path))
  }

  /// Writes one snapshot after the other; all of them are taken before, so that it is writing that
  /// is interrupted.
  static func saveUntilKilled(from first: Int32, to path: String, after delay: UInt64) throws {
    let snapshots = try (first..<first + 20).map(snapshot)
    let url = URL(fileURLWithPath: path)
    try snapshots[0].write(to: url)
    Thread.detachNewThread {
      // Not a test that waits for something: this process is to end at any moment.
      usleep(UInt32(delay))
      kill(getpid(), SIGKILL)
    }
    for snapshot in snapshots { try snapshot.write(to: url) }
    while true { try snapshots[19].write(to: url) }
  }

  /// The generation that all entities of a file have; nil if they differ.
  static func generation(of path: String) throws -> Int32? {
    let context = Context()
    try Snapshot(contentsOf: URL(fileURLWithPath: path)).restore(into: context, try schema())
    let points = Set(context.group(Score.matcher).compactMap { $0.get(Score.self)?.points })
    return points.count == 1 && context.count == 20_000 ? points.first : nil
  }
}

extension SplitMix64 {
  fileprivate static func first(of seed: UInt64) -> UInt64 {
    var random = SplitMix64(seed: seed)
    return random.next()
  }
}
