public import ECS
import ECSSnapshots
import Foundation

/// Applies the events of some partitions, those that it owns, to entities of a context.
///
/// A worker takes its share of the partitions by itself, and gives some back when others join. An
/// event is applied inside of a transaction, together with the others of its batch: what that
/// changed of entities with a key goes to the broker, in one step with the number of the last
/// event. Only when it is there does the transaction end, and are observers notified. If it can't
/// be, all of it is taken back.
///
/// While it runs, the entities that have the component of its index belong to it: they come with
/// their partition and go with it. What is changed of them elsewhere than where events are applied
/// is not kept.
public final class Worker<Event: Component, C: Component, Key: PartitionKey>: Sendable {
  let engine: WorkerEngine<Event, C, Key>
  /// The name by which others identify it.
  public var id: String { engine.id }

  init(_ engine: WorkerEngine<Event, C, Key>) { self.engine = engine }

  /// Works until the task is cancelled, and then gives its partitions back.
  ///
  /// Whatever goes wrong is reported to observers, and tried again, except that others write what
  /// this program is too old to read.
  ///
  /// - Throws: ``ClusterError/schema(_:)``; the partitions are given back then, too.
  /// - Precondition: It is not running.
  public func run() async throws(ClusterError) {
    let thread = ServiceThread()
    let isFirst = engine.begin { thread.isStopped }
    require(isFirst, "A worker was run twice at the same time: make another one.")
    let engine = engine
    let error: ClusterError? = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        thread.start("ECSCluster.Worker") {
          while !thread.isStopped, engine.fatalError == nil {
            thread.rest(engine.step(wait: .milliseconds(100)))
          }
          let error = engine.takeFatalError()
          engine.finish()
          continuation.resume(returning: error)
        }
      }
    } onCancel: {
      thread.stop()
    }
    if let error { throw error }
  }

  /// Does once what the worker's thread does again and again; for tests.
  package func step() -> Duration { engine.step(wait: .zero) }

  /// Gives everything back; for tests.
  package func finish() { engine.finish() }

  /// The partitions that it has, and whose entities are there; for tests.
  package var partitions: [Int] {
    engine.works.values.filter(\.isRestored).map(\.partition).sorted()
  }

  /// Calls a closure with what happens, on the worker's thread and without any lock.
  ///
  /// - Returns: A token; releasing it ends the observation.
  public func observe(
    _ body: @escaping @Sendable (WorkerEvent) -> Void
  ) -> ClusterObservation {
    engine.observers.add(body)
  }
}

extension Cluster {
  /// Makes a worker, which begins with ``Worker/run()``.
  ///
  /// - Parameters:
  ///   - context: Where the entities are.
  ///   - index: Finds entities by their keys; an index of the context.
  ///   - creating: Makes the component of the index for a key that no entity has.
  ///   - loop: Makes systems that run after each batch of events, in the same transaction and on
  ///     the same thread, until nothing more is collected. If one throws, events are applied one by
  ///     one.
  ///   - applying: Applies an event to its entity, inside of a transaction. It may change and link
  ///     entities of the same partition only: send events to others. If it throws, nothing of it
  ///     stays; see ``PoisonPolicy``.
  /// - Returns: The worker.
  /// - Precondition: The index belongs to the context, and the schema keeps its component.
  public func makeWorker<C: Component>(
    in context: Context, by index: PrimaryIndex<C, Key>,
    creating: @escaping @Sendable (Key) -> C, loop: (@Sendable () -> Loop)? = nil,
    applying: @escaping @Sendable (ClusterEvent<Event>, Entity) throws -> Void
  ) -> Worker<Event, C, Key> {
    checkIndex(index, context)
    return Worker(
      WorkerEngine(self, context, index, creating: creating, loop: loop, applying: applying))
  }

  func checkIndex<C: Component>(_ index: PrimaryIndex<C, Key>, _ context: Context) {
    require(
      index.context === context,
      "A cluster was given an index of another context: use a primary index of the context.")
    require(
      schema.cids.contains(C.cid),
      "A cluster was given an index of \(C.cid.name), which its schema does not keep: add it there."
    )
  }
}
