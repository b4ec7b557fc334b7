import ECSTestSupport
import Foundation
import Testing

@Suite struct ServiceRegistryTests {
  let registry: ExampleProgram

  init() throws {
    registry = try ExampleProgram("service-registry")
  }

  @Test func `Services are found in the context and replaced by mocks for a while`() async throws {
    let result = try await registry.run(["services"])
    expectEqual(result.status, 0)
    expectEqual(
      result.output,
      """
      Services
        Good morning, Berlin! It is 11 degrees.
        log: no weather: NoConnection()
        mocked: Good evening, Berlin!
        Good morning, Lisbon! It is 19 degrees.

      """)
  }

  @Test func `Modals are held weakly and closed all at once from the top`() async throws {
    let result = try await registry.run(["modals"])
    expectEqual(result.status, 0)
    expectEqual(
      result.output,
      """
      Modal stack
        the backdrop appears
        the owner of Terms has dropped it
        closing Newsletter
        closing Sign in
        the backdrop disappears
        0 are open

      """)
  }

  @Test func `Observers with an index are called in order, and events are cleaned up`() async throws
  {
    let result = try await registry.run(["events"])
    expectEqual(result.status, 0)
    expectEqual(
      result.output,
      """
      Event flow
        index 1: Ada's key is checked
        index 2: Ada is welcomed
        no index: Ada is counted
        Ada was welcomed
        index 1: Bob's key is checked
        index 2: Bob is welcomed
        no index: Bob is counted
        0 events are left

      """)
  }

  @Test func `Without arguments all parts are shown`() async throws {
    let output = try await registry.run([]).output
    let titles = output.split(separator: "\n").filter { !$0.hasPrefix(" ") }
    expectEqual(titles, ["Services", "Modal stack", "Event flow"])
  }

  @Test func `An unknown part is an error`() async throws {
    let result = try await registry.run(["modals", "service"])
    expectTrue(result.status == 64 && result.output.isEmpty)
    expectEqual(result.errors, "usage: service-registry [services | modals | events]...\n")
  }

  @Test func `A reader that goes away ends the program quietly`() async throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let result = try await registry.run([], output: pipe.fileHandleForWriting)
    expectTrue(result.status == -SIGPIPE && result.errors.isEmpty)
  }

  @Test func `A full disk is an error`() async throws {
    guard let full = FileHandle(forWritingAtPath: "/dev/full") else { return }
    let result = try await registry.run([], output: full)
    expectEqual(result.status, 74)
    expectEqual(
      result.errors,
      "service-registry: Writing to standard output failed: No space left on device.\n")
  }
}
