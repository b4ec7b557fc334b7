/// The times at which a session last reported to Redis that a producer is in use, so that not each
/// pack has to say it.
///
/// Redis forgets producers without a lasting name a day and an hour after that, since for an hour
/// their use may not have been reported.
package struct ProducerUses {
  private static let interval = Duration.seconds(3600)

  private var notes: [Int: (producer: String, time: ContinuousClock.Instant)] = [:]

  package init() {}

  /// Whether the use is to be reported with the next pack of a producer in a partition.
  package func isDue(
    _ producer: String, in partition: Int, at now: ContinuousClock.Instant
  ) -> Bool {
    guard let note = notes[partition], note.producer == producer else { return true }
    return note.time.duration(to: now) >= ProducerUses.interval
  }

  /// It has taken a pack: if the use was reported with that, this is the time.
  package mutating func note(
    _ producer: String, in partition: Int, at now: ContinuousClock.Instant
  ) {
    guard isDue(producer, in: partition, at: now) else { return }
    notes[partition] = (producer, now)
  }
}
