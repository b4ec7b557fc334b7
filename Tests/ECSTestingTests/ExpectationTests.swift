import ECSTestSupport
import Testing

@Suite struct ExpectationTests {
  @Test func `What is as expected is not noted`() {
    expectTrue(true)
    expectFalse(false)
    expectNil(nil as Int?)
    expectNotNil(1 as Int?)
    expectEqual(1, 1)
    expectNotEqual(1, 2)
    expectLessThan(1, 2)
    expectLessThanOrEqual(1, 1)
    expectGreaterThan(2, 1)
    expectGreaterThanOrEqual(1, 1)
  }

  @Test func `What is not as expected is noted, with the values`() {
    expectFailure("is false") { expectTrue(false) }
    expectFailure("is true") { expectFalse(true) }
    expectFailure("1 is not nil") { expectNil(1) }
    expectFailure("is nil") { expectNotNil(nil as Int?) }
    expectFailure("1 is not equal to 2") { expectEqual(1, 2) }
    expectFailure("both are 1") { expectNotEqual(1, 1) }
    expectFailure("1 is not less than 1") { expectLessThan(1, 1) }
    expectFailure("2 is not less than or equal to 1") { expectLessThanOrEqual(2, 1) }
    expectFailure("1 is not greater than 1") { expectGreaterThan(1, 1) }
    expectFailure("1 is not greater than or equal to 2") { expectGreaterThanOrEqual(1, 2) }
  }

  @Test func `A number that is none is neither less nor greater`() {
    expectFailure("nan is not less than 1.0") { expectLessThan(Double.nan, 1) }
    expectFailure("nan is not less than or equal to 1.0") { expectLessThanOrEqual(Double.nan, 1) }
  }

  @Test func `What is noted begins with the comment`() {
    expectFailure("seed 7: 1 is not equal to 2") { expectEqual(1, 2, "seed 7") }
  }

  @Test func `A comment is not made for what is as expected`() {
    func comment() -> Comment {
      Issue.record("made")
      return ""
    }
    expectTrue(true, comment())
    expectEqual(1, 1, comment())
  }

  /// Whether one issue was recorded, in the line of the caller.
  private func expectFailure(_ text: String, line: Int = #line, _ expectation: () -> Void) {
    withKnownIssue {
      expectation()
    } matching: { issue in
      guard let comment = issue.comments.first, let location = issue.sourceLocation else {
        return false
      }
      return comment.rawValue == text && location.line == line && location.fileID == #fileID
    }
  }
}
