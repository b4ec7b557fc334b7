/// What an import did.
public struct ImportReport: Sendable, Hashable {
  /// A record that was refused.
  public struct Failure: Sendable, Hashable {
    /// The number of records before it.
    public let position: Int

    /// Its line in the stream, counted from 1; nil for lists.
    public let line: Int?

    /// What is wrong; its path starts at the record.
    public let error: RecipeError
  }

  /// The number of records that made an entity.
  public var made = 0

  /// The number of records that changed an entity, or one that it is related to.
  public var updated = 0

  /// The number of records that changed nothing.
  public var unchanged = 0

  /// The number of records that were refused.
  public var refused = 0

  /// The records that were refused, in order; of a stream, not more than its limit.
  public var failures: [Failure] = []

  /// Whether it was ended before all records were read.
  public var isCancelled = false

  /// The number of records that were read.
  public var count: Int { made + updated + unchanged + refused }

  /// Makes an empty report.
  public init() {}

  mutating func note(_ outcome: RecipeOutcome) {
    switch outcome {
    case .made: made += 1
    case .updated: updated += 1
    case .unchanged: unchanged += 1
    }
  }

  mutating func note(_ failure: Failure, limit: Int = .max) {
    refused += 1
    if failures.count < limit { failures.append(failure) }
  }
}

/// How an import deals with records that are refused.
public enum ImportPolicy: Sendable, Hashable {
  /// One bad record refuses all.
  case allOrNothing

  /// Bad records are left out and reported.
  case skipAndReport
}

/// Records were refused, and so nothing was imported.
public struct ImportError: Error, Sendable, Hashable {
  /// All records that were refused, in order.
  public let failures: [ImportReport.Failure]
}

extension ImportError: CustomStringConvertible {
  /// Each failure in a line.
  public var description: String {
    failures.map { "record \($0.position): \($0.error)" }.joined(separator: "\n")
  }
}
