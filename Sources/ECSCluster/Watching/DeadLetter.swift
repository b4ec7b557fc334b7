/// An event that could not be applied and was set aside.
public struct DeadLetter<Event: Sendable>: Sendable {
  /// Tells it from all other events.
  public let id: EventID

  /// Why.
  public let reason: String

  /// The event; nil if it can't be read.
  public let event: Event?
}

extension Cluster {
  /// Events that were set aside: of each partition the oldest ones, up to a number.
  ///
  /// - Throws: ``ClusterError/broker(_:)``.
  public func deadLetters(limit: Int = 100) async throws(ClusterError) -> [DeadLetter<Event>] {
    let count = options.partitions
    let events = try await withSession { session throws(BrokerError) in
      var events: [(partition: Int, event: DeadEvent)] = []
      for partition in 0..<count {
        events += try session.deadEvents(of: partition, limit: limit).map { (partition, $0) }
      }
      return events
    }
    return events.map { partition, event in
      let values = (try? decode(event.bytes)) ?? []
      return DeadLetter(
        id: EventID(cluster: name, partition: partition, number: event.number),
        reason: event.reason, event: values.count == 1 ? values[0] : nil)
    }
  }

  /// Forgets an event that was set aside.
  ///
  /// To have it applied after all, send it again before: then it is behind others of its key.
  ///
  /// - Throws: ``ClusterError/broker(_:)``.
  public func removeDeadLetter(_ id: EventID) async throws(ClusterError) {
    try await withSession { session throws(BrokerError) in
      try session.removeDeadEvent(id.number, of: id.partition)
    }
  }
}
