public import ECS

/// Keeps an entity with a ``PartitionStatus`` for each partition of a cluster in a context, for
/// systems and for tools that look into the program.
public final class ClusterMonitor<Event: Component, Key: PartitionKey>: Sendable {
  private let cluster: Cluster<Event, Key>
  private let index: PrimaryIndex<PartitionStatus, Int>
  private let interval: Duration

  init(_ cluster: Cluster<Event, Key>, _ context: Context, _ interval: Duration) {
    (self.cluster, self.interval) = (cluster, interval)
    index = context.primaryIndex { (status: PartitionStatus) in status.partition }
  }

  /// Looks again and again, until the task is cancelled.
  ///
  /// - Throws: ``ClusterError`` of which waiting does not help; if the broker can't be reached, the
  ///   entities stay as they are.
  public func run() async throws(ClusterError) {
    let (cluster, index, interval) = (cluster, index, interval)
    let thread = ServiceThread()
    let error: ClusterError? = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        thread.start("ECSCluster.Monitor") {
          continuation.resume(returning: cluster.monitor(index, thread, interval))
        }
      }
    } onCancel: {
      thread.stop()
    }
    if let error { throw error }
  }
}

extension Cluster {
  /// Makes a monitor, which begins with ``ClusterMonitor/run()``.
  ///
  /// - Parameters:
  ///   - context: Where the entities are; of one cluster in each.
  ///   - interval: How often to look.
  /// - Returns: The monitor.
  public func makeMonitor(
    in context: Context, every interval: Duration = .seconds(1)
  ) -> ClusterMonitor<Event, Key> {
    ClusterMonitor(self, context, interval)
  }

  fileprivate func monitor(
    _ index: PrimaryIndex<PartitionStatus, Int>, _ thread: ServiceThread, _ interval: Duration
  ) -> ClusterError? {
    let session = broker.makeSession(for: name)
    var (last, isOpen) = (time.now(), false)
    while !thread.isStopped {
      do throws(BrokerError) {
        if !isOpen { try session.open(settings) }
        isOpen = true
        let now = time.now()
        let statuses = try statuses(session)
        index.show(statuses, after: now - last)
        last = now
      } catch {
        if !error.isTransient { return .broker(error) }
      }
      thread.rest(interval)
    }
    return nil
  }

  private func statuses(_ session: any BrokerSession) throws(BrokerError) -> [PartitionStatus] {
    try session.metrics().enumerated().map { PartitionStatus(name, $0.offset, $0.element) }
  }

  /// How the partitions are, in their order, without rates.
  ///
  /// - Throws: ``ClusterError/broker(_:)``.
  public func statistics() async throws(ClusterError) -> [PartitionStatus] {
    try await withSession { session throws(BrokerError) in try statuses(session) }
  }

  /// Runs a body with a session, on a thread of its own.
  func withSession<Result: Sendable>(
    _ body: @escaping @Sendable (any BrokerSession) throws(BrokerError) -> Result
  ) async throws(ClusterError) -> Result {
    let result: Swift.Result<Result, ClusterError> = await withCheckedContinuation { continuation in
      ServiceThread().start("ECSCluster.Session") {
        let session = broker.makeSession(for: name)
        do throws(BrokerError) {
          try session.open(settings)
          continuation.resume(returning: .success(try body(session)))
        } catch {
          continuation.resume(returning: .failure(.broker(error)))
        }
      }
    }
    return try result.get()
  }
}

extension PrimaryIndex<PartitionStatus, Int> {
  fileprivate func show(_ statuses: [PartitionStatus], after time: Duration) {
    context?.perform("look at a cluster") {
      for var status in statuses {
        let entity = getOrCreate(status)
        if let earlier = entity.get(PartitionStatus.self) {
          status.compare(with: earlier, after: time)
        }
        entity.setIfChanged(status)
      }
    }
  }
}
