public import ECS
import Foundation

/// Sends events to a cluster.
///
/// Calls may be made from any task, at the same time: what they send goes to the broker together.
/// Events of one key that are sent one after the other stay in that order.
public final class Sender<Event: Component, Key: PartitionKey>: Sendable {
  private let engine: SenderEngine<Event, Key>

  /// The name by which the broker identifies the sender.
  public let producer: String

  init(_ cluster: Cluster<Event, Key>, _ producer: String?) {
    self.producer = producer ?? UUID().uuidString
    engine = SenderEngine(cluster, self.producer, isLasting: producer != nil)
  }

  deinit { engine.close() }

  /// Sends an event, and returns when the broker has it.
  ///
  /// It waits while too many events wait for workers, or the broker does not answer. Cancelling the
  /// task changes nothing, since the event may be on its way.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - number: The number by which a producer with a name of its own identifies the event:
  ///     numbers rise, and those that the partition has already are dropped; they are less than
  ///     half of what fits. Nil for the next one.
  /// - Throws: ``ClusterError``. After ``ClusterError/undecided(_:)`` the event may be there; sent
  ///   again with the same number, it is there once. If an event with a number is not sent, no
  ///   event of its partition is that waits behind it and has a number: send them again, in their
  ///   order. After events with greater numbers it is ``ClusterError/outOfOrder(number:)``.
  public func send(_ event: Event, number: UInt64? = nil) async throws(ClusterError) {
    try await engine.send([event], number)
  }

  /// Sends events, as ``send(_:number:)`` does one after the other.
  ///
  /// - Parameters:
  ///   - events: The events.
  ///   - first: The number of the first one; the others have the next ones.
  /// - Throws: ``ClusterError``, of the first event that was not sent; others may have been, but
  ///   none of the same key behind it.
  public func send(
    contentsOf events: [Event], firstNumber first: UInt64? = nil
  ) async throws(ClusterError) {
    try await engine.send(events, first)
  }

  /// Puts events behind others, without waiting for the broker, and without a thread: for tests,
  /// which call ``step()``.
  ///
  /// What a call would return is given to a closure, which must not call the sender.
  package func enqueue(
    _ events: [Event], firstNumber first: UInt64? = nil,
    onEnd: ((Result<Void, ClusterError>) -> Void)? = nil
  ) {
    engine.enqueueForSteps(events, first, onEnd)
  }

  /// Does once what the sender's thread does again and again.
  ///
  /// - Returns: How long it would rest; nil if it is over.
  @discardableResult
  package func step() -> Duration? { engine.step() }

  /// Whether something may still come late, so that the broker is not to forget the producer; for
  /// tests.
  package var mayComeLate: Bool { engine.hasFailed }

  /// Ends the sender when what it was given is sent, or can't be; what is sent later throws.
  public func close() { engine.close() }

  /// Calls a closure with what happens, on the sender's thread and without any lock.
  ///
  /// - Returns: A token; releasing it ends the observation.
  public func observe(
    _ body: @escaping @Sendable (SenderEvent) -> Void
  ) -> ClusterObservation {
    engine.observers.add(body)
  }

  /// How many events wait for the broker.
  public var waitingCount: Int { engine.waitingCount }
}

extension Cluster {
  /// Makes a sender.
  ///
  /// - Parameter producer: A name that lasts, of which there is one sender at a time: events that
  ///   it numbers are kept once, also if the program ends and sends them again. A sender that
  ///   begins takes the place of the one before, of which nothing comes any more; its calls throw
  ///   ``BrokerError/superseded(_:)``. Nil for a name of its own.
  /// - Returns: The sender.
  public func makeSender(producer: String? = nil) -> Sender<Event, Key> { Sender(self, producer) }
}
