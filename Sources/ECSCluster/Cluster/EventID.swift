/// The identity of an event among those of all clusters: what other systems should refer to it by.
///
/// Its description, such as `orders/12/345`, is the same each time that the event is applied.
public struct EventID: Hashable, Sendable {
  /// The name of the cluster.
  public let cluster: String

  /// The partition.
  public let partition: Int

  /// Its number in the partition, from 1 on.
  public let number: UInt64
}

extension EventID: CustomStringConvertible {
  /// The cluster, the partition and the number, with slashes between them.
  public var description: String { "\(cluster)/\(partition)/\(number)" }
}
