import ECS
import ECSSnapshots
import ECSTestSupport
import Foundation
import Testing

/// Files of each version of the format, which have to be read for ever.
///
/// `ECS_SNAPSHOT_FIXTURES` names a folder to which that of the present version is written, when
/// there is a new one.
@Suite struct FixtureTests {
  @Test(arguments: 1...1)
  func `a file of any version is read`(version: Int) throws {
    let folder = try #require(
      Bundle.module.url(forResource: "Fixtures", withExtension: nil))
    let file = folder.appendingPathComponent("version-\(version).ecs")
    let expected = try String(
      contentsOf: folder.appendingPathComponent("version-\(version).txt"), encoding: .utf8)
    let context = Context()
    let report = try Snapshot(contentsOf: file).restore(into: context, try sampleSchema())
    expectTrue(report.unknownComponents.isEmpty && report.unknownRelations.isEmpty)
    expectEqual(picture(of: context) + "\n", expected)
  }

  @Test(
    .enabled(if: ProcessInfo.processInfo.environment["ECS_SNAPSHOT_FIXTURES"] != nil))
  func `the file of the present version is written where that is asked for`() throws {
    let path = try #require(ProcessInfo.processInfo.environment["ECS_SNAPSHOT_FIXTURES"])
    let folder = URL(fileURLWithPath: path)
    let context = sampleWorld(seed: 7)
    try context.snapshot(try sampleSchema()).write(
      to: folder.appendingPathComponent("version-1.ecs"))
    try Data((picture(of: context) + "\n").utf8).write(
      to: folder.appendingPathComponent("version-1.txt"))
  }
}
