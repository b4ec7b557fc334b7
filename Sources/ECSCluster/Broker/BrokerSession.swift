/// A session with a broker, for the calls of senders, workers and replicas.
///
/// A session is used by one thread at a time, and never by one of Swift's concurrency: calls wait
/// for the broker, up to the session's timeout. After an error it may be called again, and
/// connects anew if it has to. Whether a call that threw ``BrokerError/timedOut(_:)`` or
/// ``BrokerError/unreachable(_:)`` was carried out is unknown; those that change something can be
/// repeated.
///
/// A partition has a log of *events*, numbered from 1 without gaps by the broker, a log of
/// *changes*, numbered from 1 by commits, and a *lease*: one worker at a time has it, by the
/// broker's clock, and each time that it is acquired, the *epoch* counts up. Each call is atomic
/// for each partition.
public protocol BrokerSession: AnyObject {
  /// Founds the cluster, or makes sure that it was founded with the same settings.
  ///
  /// - Throws: ``BrokerError/mismatch(_:)`` if it has others.
  func open(_ settings: ClusterSettings) throws(BrokerError)

  /// Tells the cluster from one that was founded under its name when the broker had lost all; known
  /// once it is open, and nil if that can't be said.
  var foundation: String? { get }

  // MARK: Events

  /// Appends packs of events, no two of them to one partition.
  ///
  /// A pack is a duplicate if its number is not greater than that of the last one of the same
  /// producer in the partition, which is remembered for a day or longer, and for ever if its name
  /// lasts. If the pack has a claim, it is refused with ``BrokerError/superseded(_:)`` when another
  /// one with this or a later epoch was made. It is refused if so many events, or more, wait in the
  /// partition already.
  ///
  /// What is wrong with one partition fails its pack only. If answers end in the midst, those that
  /// came count, and the other packs have failed.
  ///
  /// If the partition has fewer events of the producer than ``EventPack/after`` says, it has lost
  /// some; the pack is refused then.
  ///
  /// - Returns: What became of each.
  func send(_ packs: [EventPack], limit: Int) throws(BrokerError) -> [SendOutcome]

  /// Makes a sender that of a producer whose name lasts: in each partition, its claim has the epoch
  /// that comes behind the one that is there when it is asked for, and no other claim came in
  /// between.
  ///
  /// - Returns: What each partition has of the producer from then on.
  /// - Throws: ``BrokerError/unavailable(_:)`` if another sender has claimed it at the same time.
  func claim(_ producer: String, sender: String) throws(BrokerError) -> [ProducerPosition]

  /// The number of the last event of a producer in each partition, 0 for none; nil if that can't be
  /// said.
  func lastNumbers(of producer: String) throws(BrokerError) -> [UInt64]?

  /// Forgets a producer whose name does not last, which will not send again, and of which all was
  /// answered.
  func forget(_ producer: String) throws(BrokerError)

  /// Reads packs behind positions, up to a number for each, and waits for some if there are none.
  ///
  /// - Returns: The packs, those of each partition in their order.
  /// - Throws: ``BrokerError/protocolViolation(_:)`` or ``BrokerError/failed(_:)`` if what one of
  ///   the partitions has is damaged: a caller that gets these reads the partitions one by one.
  func read(
    _ positions: [ReadPosition], limit: Int, wait: Duration
  ) throws(BrokerError) -> [StoredPack]

  // MARK: Workers

  /// Says that a worker lives, for some time from now on, or no longer if the time is zero.
  ///
  /// - Returns: All workers that live.
  func beat(_ worker: String, for time: Duration) throws(BrokerError) -> [String]

  /// Takes leases that no other worker has, each of which begins a new epoch.
  ///
  /// What is wrong with one partition fails its own outcome only; so it is with
  /// ``renew(_:worker:for:)``.
  func acquire(
    _ partitions: [Int], worker: String, for time: Duration
  ) throws(BrokerError) -> [AcquireOutcome]

  /// Prolongs leases of epochs.
  func renew(
    _ leases: [(partition: Int, epoch: UInt64)], worker: String, for time: Duration
  ) throws(BrokerError) -> [RenewOutcome]

  /// Gives a lease back, unless it is another's.
  func release(_ partition: Int, epoch: UInt64, worker: String) throws(BrokerError)

  /// In one step: if the lease is the worker's, with this epoch, and the log of changes ends where
  /// it should, appends to it, sets events aside, forgets those up to the offset, and prolongs the
  /// lease.
  func commit(
    _ commit: BatchCommit, worker: String, for time: Duration
  ) throws(BrokerError) -> CommitOutcome

  // MARK: Changes

  /// Reads changes behind positions, as ``read(_:limit:wait:)`` does events.
  func readLog(
    _ positions: [ReadPosition], limit: Int, wait: Duration
  ) throws(BrokerError) -> [LogEntry]

  /// If the lease is the worker's, with this epoch, replaces the snapshot in one step, and forgets
  /// changes up to its number.
  ///
  /// - Returns: Whether it was.
  func writeSnapshot(
    _ snapshot: StoredSnapshot, of partition: Int, epoch: UInt64, worker: String
  ) throws(BrokerError) -> Bool

  /// The snapshot of a partition; nil if there is none.
  func readSnapshot(of partition: Int) throws(BrokerError) -> StoredSnapshot?

  // MARK: Looking

  /// Which part is taken of the memory that it may have, from 0 to 1 and, if workers had to go on,
  /// more; nil if there is no limit, or if that can't be said.
  ///
  /// Events are refused with ``BrokerError/full(_:)`` when little is left. Leases, commits and
  /// snapshots are not, also when nothing is: they make room, and workers write snapshots early for
  /// that.
  func fullness() throws(BrokerError) -> Double?

  /// How partitions are, in their order; nil for those of which what is kept is damaged.
  func metrics() throws(BrokerError) -> [PartitionMetrics?]

  /// Events that were set aside, the oldest first, of one partition.
  func deadEvents(of partition: Int, limit: Int) throws(BrokerError) -> [DeadEvent]

  /// Forgets an event that was set aside.
  func removeDeadEvent(_ number: UInt64, of partition: Int) throws(BrokerError)
}

extension BrokerSession {
  /// Nil: it does not tell one founding from the next.
  public var foundation: String? { nil }

  /// Nil: it can't be said.
  public func lastNumbers(of producer: String) throws(BrokerError) -> [UInt64]? { nil }

  /// Nil: it has no limit that it could say.
  public func fullness() throws(BrokerError) -> Double? { nil }
}

extension BrokerSession {
  /// How partitions are.
  @available(*, unavailable, renamed: "metrics()")
  public func figures() throws(BrokerError) -> [PartitionMetrics?] { try metrics() }
}
