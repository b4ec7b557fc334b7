import Dispatch
import ECS
import ECSSnapshots
import ECSTestSupport
import Foundation
import Testing

/// Files as they are read.
@Suite(.noHangs) struct FileReadingTests {
  private func error(_ url: URL) -> SnapshotError? {
    do {
      _ = try Snapshot(contentsOf: url)
      return nil
    } catch {
      return error
    }
  }

  @Test func `what can't be read is told with its path`() throws {
    let folder = try TemporaryFolder()
    for url in [folder.url, folder.url.appendingPathComponent("nothing.ecs")] {
      guard case .file(let what) = error(url)?.reason else {
        Issue.record("\(String(describing: error(url)))")
        continue
      }
      expectTrue(what.hasPrefix("\(url.path) can't be read: "))
    }
    let empty = folder.url.appendingPathComponent("empty.ecs")
    try Data().write(to: empty)
    expectEqual(error(empty), SnapshotError(.notASnapshot))
  }

  @Test func `a file that was read is the one that was written`() throws {
    let schema = try sampleSchema()
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("sample.ecs")
    let snapshot = try sampleWorld(seed: 3, count: 500).snapshot(schema)
    try snapshot.write(to: url)
    let found = try Snapshot(contentsOf: url)
    expectTrue(found.data == snapshot.data && found.byteCount == snapshot.byteCount)
    let second = folder.url.appendingPathComponent("again.ecs")
    try found.write(to: second)
    try expectEqual(Data(contentsOf: second), snapshot.data)
  }

  #if !os(Windows)
    @Test func `what does not say how long it is, is read to its end`() throws {
      let schema = try sampleSchema()
      let folder = try TemporaryFolder()
      let context = Context()
      for number in 0..<20_000 { context.createEntity(with: Point(x: Float(number), y: 1)) }
      let data = try context.snapshot(schema).data
      let pipe = folder.url.appendingPathComponent("pipe")
      let isMade = unsafe mkfifo(pipe.path, 0o600) == 0
      expectTrue(isMade)
      DispatchQueue.global().async {
        try? FileHandle(forWritingTo: pipe).write(contentsOf: data)
      }
      try expectEqual(Snapshot(contentsOf: pipe).data, data)
    }
  #endif
}
