public import ECS
import Foundation

/// Keeps entities of a context as workers have committed them, without owning anything.
///
/// It begins with snapshots, and follows the logs of changes. The entities that have the component
/// of its index belong to it: nothing else changes them. Those of one batch change in one
/// commit, and those of one key in the order of their events.
public final class Replica<Event: Component, C: Component, Key: PartitionKey>: Sendable {
  let engine: ReplicaEngine<Event, C, Key>

  init(_ engine: ReplicaEngine<Event, C, Key>) { self.engine = engine }

  /// Follows the cluster until the task is cancelled; the entities stay.
  ///
  /// Whatever goes wrong is reported to observers, and tried again, except that workers write what
  /// this program is too old to read.
  ///
  /// - Throws: ``ClusterError/schema(_:)``.
  /// - Precondition: It is not running.
  public func run() async throws(ClusterError) {
    let thread = ServiceThread()
    let isFirst = engine.begin { thread.isStopped }
    require(isFirst, "A replica was run twice at the same time: make another one.")
    let engine = engine
    let error: ClusterError? = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        thread.start("ECSCluster.Replica") {
          while !thread.isStopped, engine.fatalError == nil {
            thread.rest(engine.step(wait: .milliseconds(100)))
          }
          let error = engine.takeFatalError()
          engine.end()
          continuation.resume(returning: error)
        }
      }
    } onCancel: {
      thread.stop()
    }
    if let error { throw error }
  }

  /// Waits until all is there that was committed before the call; or until the task is cancelled,
  /// or the replica has ended.
  public func caughtUp() async {
    let number = engine.makeWaiterNumber()
    await withTaskCancellationHandler {
      await withCheckedContinuation { engine.wait(number, $0) }
    } onCancel: {
      engine.cancelWait(number)
    }
  }

  /// Whether anything waits; for tests.
  package var isWaitedFor: Bool { engine.isWaitedFor }

  /// Does once what the replica's thread does again and again; for tests.
  package func step() -> Duration { engine.step(wait: .zero) }

  /// Calls a closure with what happens, on the replica's thread and without any lock.
  ///
  /// - Returns: A token; releasing it ends the observation.
  public func observe(
    _ body: @escaping @Sendable (ReplicaEvent) -> Void
  ) -> ClusterObservation {
    engine.observers.add(body)
  }
}

extension Cluster {
  /// Makes a replica, which begins with ``Replica/run()``.
  ///
  /// - Parameters:
  ///   - context: Where the entities are.
  ///   - index: Finds entities by their keys; an index of the context.
  /// - Returns: The replica.
  /// - Precondition: The index belongs to the context, and the schema keeps its component.
  public func makeReplica<C: Component>(
    in context: Context, by index: PrimaryIndex<C, Key>
  ) -> Replica<Event, C, Key> {
    checkIndex(index, context)
    return Replica(ReplicaEngine(self, context, index))
  }
}
