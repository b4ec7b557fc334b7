import ECSTestSupport
import Foundation
import Testing

@Suite struct RepoInsightsInspectionTests {
  let program: ExampleProgram
  let repository: SmallRepository

  init() throws {
    program = try ExampleProgram("repo-insights")
    repository = try SmallRepository()
  }

  #if Inspector
    @Test func `The entities are shown until a line comes`() async throws {
      let result = try await program.run([repository.url.path, "--inspect"], input: "\n")
      expectTrue(result.status == 0 && result.errors.isEmpty)
      expectNotNil(
        result.output.wholeMatch(
          of: /Open http:\/\/127\.0\.0\.1:\d+\/#[0-9a-f]{32} in a browser .*\n/))
    }
  #else
    @Test func `Without the trait it says that it needs it`() async throws {
      let result = try await program.run([repository.url.path, "--inspect"])
      expectEqual(result.status, 64)
      expectTrue(result.errors.contains("--inspect needs a build with '--traits Inspector'."))
    }
  #endif

  @Test func `It shows nothing else`() async throws {
    let result = try await program.run([repository.url.path, "--inspect", "--top", "3"])
    expectEqual(result.status, 64)
    expectTrue(result.errors.contains("--inspect shows and writes nothing else."))
  }
}
