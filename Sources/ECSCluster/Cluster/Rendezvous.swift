/// The assignment of partitions to workers: each worker finds out for itself, and all come to the
/// same result.
///
/// Of workers that come and go, only those partitions move that have to.
enum Rendezvous {
  /// The worker that is to have a partition; nil if there is none.
  static func owner(of partition: Int, among workers: [String]) -> String? {
    workers.max { one, other in
      let (first, second) = (weight(one, partition), weight(other, partition))
      return first == second ? one < other : first < second
    }
  }

  private static func weight(_ worker: String, _ partition: Int) -> UInt64 {
    var hasher = PartitionHasher()
    for byte in worker.utf8 { hasher.combine(byte) }
    hasher.combine(UInt64(partition))
    return hasher.finish()
  }
}
