/// The loss of what a broker had of a partition: its data was removed, or a copy that lagged behind
/// has taken its place.
public struct PartitionLoss: Hashable, Sendable {
  /// The partition.
  public let partition: Int

  /// The numbers of events that are gone, or are those of others by now; nil if none is.
  public let events: ClosedRange<UInt64>?

  /// The numbers of changes that are gone, and with them what entities had become; nil if none is.
  public let changes: ClosedRange<UInt64>?
}

extension PartitionLoss: CustomStringConvertible {
  /// A sentence that says so.
  public var description: String {
    func numbers(_ name: String, _ range: ClosedRange<UInt64>?) -> String? {
      range.map { "\(name) \($0.lowerBound) to \($0.upperBound)" }
    }
    let parts = [numbers("events", events), numbers("changes", changes)].compactMap { $0 }
    return "The broker has lost \(parts.joined(separator: " and ")) of partition \(partition)"
  }
}

/// A mark of how far a partition was when it was last looked at.
struct PartitionMark {
  /// How many events were sent.
  var sent: UInt64 = 0

  /// The number of the last entry of its log of changes.
  var logNumber: UInt64 = 0

  /// The epoch of the lease; 0 for none.
  var epoch: UInt64 = 0

  /// That entry, as far as it was seen.
  var lastEntry: EntryShape?

  /// What of that is gone; nil if all is there.
  ///
  /// - Parameters:
  /// - partition: The partition.
  /// - found: How the partition is now; that of a cluster that was founded anew has nothing of it.
  /// - Returns: The loss.
  func loss(of partition: Int, _ found: PartitionMetrics) -> PartitionLoss? {
    func range(_ known: UInt64, _ found: UInt64) -> ClosedRange<UInt64>? {
      found < known ? found + 1...known : nil
    }
    let events = range(sent, found.sent)
    let changes = range(logNumber, found.logNumber)
    if events == nil, changes == nil { return nil }
    return PartitionLoss(partition: partition, events: events, changes: changes)
  }
}

/// The properties that tell an entry of a log of changes from another one that has its number
/// later.
struct EntryShape: Equatable {
  var offset: UInt64
  var size: Int
}
