import ECSTestSupport
import Foundation
import Testing

@Suite struct ParallelismTests {
  @Test func `How many tests run at once is said before they begin`() {
    let name = "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH"
    expectNotNil(ProcessInfo.processInfo.environment[name].flatMap(Int.init))
  }
}
