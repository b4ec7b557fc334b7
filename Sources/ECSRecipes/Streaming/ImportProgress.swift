/// The progress of importing a stream.
public struct ImportProgress: Sendable, Hashable {
  /// The number of bytes that were read.
  public let bytes: Int

  /// The total number of bytes; nil if that is unknown.
  public let totalBytes: Int?

  /// What was done so far, without the list of failures.
  public let report: ImportReport
}
