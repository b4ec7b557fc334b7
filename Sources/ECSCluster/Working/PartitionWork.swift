import ECSSnapshots

/// A partition that a worker has.
struct PartitionWork {
  let partition: Int
  let epoch: UInt64

  /// Until when, by the worker's own clock, less a margin.
  var deadline: Duration

  /// The last event that was committed.
  var offset: UInt64

  /// The last entry of the log of changes that the entities have.
  var logNumber: UInt64

  /// The last entry of the log of changes that is there.
  var logEnd: UInt64

  /// The last entry that the entities have, unless they are a snapshot's.
  var lastEntry: EntryShape?

  /// How many events were sent, as far as is known.
  var sent: UInt64 = 0
  var isRestored = false

  /// Whether a commit was not answered: the log of changes says what became of it.
  var isUnsure = false

  /// What that commit, and those before it that were not answered either, have set aside, by the
  /// number of the last event: one of them may become the next entry of the log, also late.
  var unanswered: [UInt64: [DeadEvent]] = [:]

  /// Whether the log ended elsewhere than the worker thought.
  var hasMoved = false
  var entities = 0
  var batchesSinceSnapshot = 0

  /// How many bytes of the log came behind the snapshot, and how many that had.
  var logBytes = 0
  var snapshotBytes = 0

  /// It is not worked on before.
  var pausedUntil = Duration.zero
}

/// Why a batch is taken back.
enum BatchFailure: Error {
  case late
  case large
  case fenced
  case moved
  case broker(BrokerError)
  case schema(SnapshotError)
  case poison(EventID, String)
}
