extension Context.Statistics {
  /// The entities that a collector holds and that were not drained yet.
  public struct Backlog: Hashable, Sendable {
    /// What the entities of the collector's group match.
    public var matcher: Matcher

    /// The kinds of changes that are collected.
    public var type: ChangeKinds

    /// The number of collected entities.
    public var count: Int
  }
}

extension Context.Statistics.Backlog: CustomStringConvertible {
  /// How many entities wait, and for what.
  public var description: String { "\(count) entities of \(matcher)" }
}

extension Context.Statistics.Backlog {
  fileprivate init(_ set: TableSet, _ log: CollectedSet) {
    matcher = set.matcher
    type = log.kinds.reduce(into: ChangeKinds()) { $0.formUnion(ChangeKinds($1)) }
    count = log.count
  }
}

extension Core {
  private var logs: some Sequence<(set: TableSet, log: CollectedSet)> {
    sets.lazy.flatMap { set in set.logs.lazy.map { (set, $0) } }
  }

  /// The number of entities in collectors.
  var backlog: Int { logs.reduce(0) { $0 + $1.log.count } }

  /// The fullest collector; nil if all are empty.
  var largestBacklog: Context.Statistics.Backlog? {
    var largest: (set: TableSet, log: CollectedSet)?
    for next in logs where next.log.count > largest?.log.count ?? 0 { largest = next }
    return largest.map { Context.Statistics.Backlog($0, $1) }
  }

  /// What each collector holds.
  var backlogs: [Context.Statistics.Backlog] {
    logs.map { Context.Statistics.Backlog($0.set, $0.log) }
  }
}
