/// The options of a cluster.
public struct ClusterOptions: Sendable {
  /// How many partitions there are.
  ///
  /// As many workers as that can work at the same time. A cluster keeps the number with which it
  /// began.
  public var partitions = 64

  /// How long a worker that does not say anything keeps its partitions.
  public var lease = Duration.seconds(10)

  /// How many events may wait in a partition before senders have to.
  public var waitingEvents = 100_000

  /// How many events at most are sent together to a partition.
  public var packSize = 512

  /// How many events at most are applied together; fewer are if that takes more than an eighth of
  /// the lease.
  public var batchSize = 4096

  /// After how many batches a partition gets a new snapshot, and its log of changes begins anew.
  public var batchesBetweenSnapshots = 1000

  /// How long senders try before they throw, while the broker can't be reached, or it or a
  /// partition is full and takes nothing; nil for ever.
  public var patience: Duration? = .seconds(30)

  /// What senders do while too many events wait.
  public var whenFull = FullPolicy.wait

  /// What becomes of events that can't be applied.
  public var poison = PoisonPolicy.setAside

  /// The usual ones.
  public init() {}

  /// How long before a lease ends, by the worker's own clock, it no longer shows its partitions'
  /// events.
  var margin: Duration { lease / 10 }
}
