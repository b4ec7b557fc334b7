public import ECS

/// The difference between the changes that happened and those that a test expected.
public struct UnexpectedChanges: Error, Sendable {
  /// The expected changes.
  public let expected: [ExpectedChange]

  /// The changes that happened.
  public let happened: [Change]

  /// Both lists, as one with marks.
  private let lines: [String]

  /// Makes an error from two lists; nil if they agree.
  public init?(expected: [ExpectedChange], happened: [Change]) {
    let steps = Alignment.steps(expected, happened) { $0.matches($1) }
    if steps.allSatisfy({ $0 == .both }) { return nil }
    self.expected = expected
    self.happened = happened
    var lines: [String] = []
    var (nextExpected, nextHappened) = (0, 0)
    for step in steps {
      switch step {
      case .both:
        lines.append("    \(Self.text(happened[nextHappened]))")
        nextExpected += 1
        nextHappened += 1
      case .first:
        lines.append("  - \(expected[nextExpected])")
        nextExpected += 1
      case .second:
        lines.append("  + \(Self.text(happened[nextHappened]))")
        nextHappened += 1
      }
    }
    self.lines = lines
  }

  private static func text(_ change: Change) -> String {
    Change.description(change.kind, change.entity, change.component)
  }
}

extension UnexpectedChanges: CustomStringConvertible {
  /// The changes in order: missing ones after a minus, unexpected ones after a plus.
  public var description: String {
    let heading =
      "The changes differ from the \(expected.count) that were expected (- is missing, + is unexpected):"
    return ([heading] + lines).joined(separator: "\n")
  }
}
