/// The settings that all programs of a cluster have to agree on.
public struct ClusterSettings: Hashable, Sendable {
  /// The number of partitions.
  public var partitions: Int

  /// The name of the schema.
  public var schema: String

  /// Makes one of its parts.
  public init(partitions: Int, schema: String) {
    (self.partitions, self.schema) = (partitions, schema)
  }
}
