/// Records were refused, and so nothing was imported.
public struct ImportError: Error, Sendable, Hashable {
  /// All records that were refused, in order.
  public let failures: [ImportReport.Failure]
}

extension ImportError: CustomStringConvertible {
  /// The number of records that were refused, and the first ten.
  public var description: String {
    (["\(failures.count) refused"] + failures.lines(of: failures.count)).joined(separator: "\n")
  }
}
