/// The last failure of each partition, and of all together, so that each is reported once as long
/// as it stays the same.
struct ReportedFailures {
  /// That of all together is that of no partition.
  private var last: [Int?: ClusterError] = [:]

  var isEmpty: Bool { last.isEmpty }

  /// Notes a failure; false if it need not be reported, since it was the last one already, of this
  /// partition or of others.
  mutating func insert(_ error: ClusterError, of partition: Int?) -> Bool {
    if error.isAlike(last[partition]) { return false }
    let isKnown = last.values.contains { error.isAlike($0) }
    last[partition] = error
    return !isKnown
  }

  /// What was wrong with all together is so no longer.
  mutating func removeShared() { last[nil] = nil }

  mutating func removeAll() { last = [:] }
}
