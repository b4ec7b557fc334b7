public import ECS

/// A report of an import.
public struct ImportReport: Sendable, Hashable {
  /// A record that was refused.
  public struct Failure: Sendable, Hashable {
    /// The number of records before it.
    public let position: Int

    /// Where the record begins in a stream; nil for lists.
    public let location: StreamLocation?

    /// What is wrong; its path starts at the record.
    public let error: RecipeError

    init(position: Int, location: StreamLocation? = nil, error: RecipeError) {
      (self.position, self.location, self.error) = (position, location, error)
    }

    /// Its line in the stream, counted from 1; nil for lists.
    public var line: Int? { location?.line }

    /// Where the record begins in a stream.
    @available(*, unavailable, renamed: "location")
    public var place: StreamLocation? { location }
  }

  /// The number of records that made an entity.
  public var made = 0

  /// The number of records that changed an entity, or one that it is related to.
  public var updated = 0

  /// The number of records that changed nothing.
  public var unchanged = 0

  /// The number of records that were refused.
  public var refused = 0

  /// The first records that were refused, in order, up to the maximum number of the import.
  public var failures: [Failure] = []

  /// The entity of each record, in order, nil for those that were refused; for a stream, only with
  /// ``StreamOptions/listsEntities``.
  public var entities: [Entity?] = []

  /// The entities of the given group that no record was about or named, in the order of the group.
  ///
  /// Nil if no group was given, or if the answer is unknown: because the import was stopped early,
  /// or because not even the key of a refused record could be read.
  public var absent: [Entity]?

  /// Whether it was stopped before all records were read.
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

  mutating func note(_ failure: Failure, limit: Int) {
    refused += 1
    if failures.count < limit { failures.append(failure) }
  }
}

extension ImportReport: CustomStringConvertible {
  /// The numbers, and the first ten of the records that were refused.
  public var description: String {
    let counts = "\(made) made, \(updated) updated, \(unchanged) unchanged, \(refused) refused"
    return ([counts + (isCancelled ? ", cancelled" : "")] + failures.lines(of: refused))
      .joined(separator: "\n")
  }
}

extension ImportReport.Failure: CustomStringConvertible {
  /// The record, where it is, and what is wrong.
  public var description: String {
    "record \(position)\(location.map { ", \($0)" } ?? ""): \(error)"
  }
}

extension [ImportReport.Failure] {
  func lines(of total: Int) -> [String] {
    let shown = prefix(10).map { "  \($0)" }
    return shown.count < total ? shown + ["  and \(total - shown.count) more"] : shown
  }
}
