public import ECS
public import ECSSnapshots
import Foundation

/// Events that are applied by several programs, each to its share of the entities.
///
/// ```swift
/// let cluster = try Cluster(
///   "orders", of: Payment.self, by: \.account, schema: schema,
///   broker: try RedisBroker("redis://127.0.0.1"))
///
/// let sender = cluster.makeSender()
/// try await sender.send(Payment(account: 7, amount: 100))
///
/// let accounts = context.primaryIndex { (account: Account) in account.id }
/// let worker = cluster.makeWorker(in: context, by: accounts) { Account(id: $0) } applying: {
///   payment, account in
///   account.update(Account.self) { $0.balance += payment.value.amount }
/// }
/// try await worker.run()
/// ```
///
/// Events of a key are applied in the order in which they were sent, each exactly once, by one
/// worker at a time; what systems do outside of their context happens at least once. See
/// <doc:MoreThanOneMachine>.
public struct Cluster<Event: Component, Key: PartitionKey>: Sendable {
  /// The name, which keeps its data apart from that of others.
  public let name: String

  /// What is kept of events, of entities and of their links.
  public let schema: Schema

  /// How it works.
  public let options: ClusterOptions

  let broker: any Broker
  let key: @Sendable (Event) -> Key
  let time: ClusterTime

  /// Reads and writes events alone.
  let eventSchema: Schema

  /// Names a cluster; whether the broker is there is seen when it is used.
  ///
  /// - Parameters:
  ///   - name: The name, of letters and digits.
  ///   - events: The type of the events, which the schema keeps.
  ///   - key: Which entity an event is for.
  ///   - schema: What is kept of events and entities: all that systems need to go on elsewhere.
  ///   - broker: The engine.
  ///   - options: How it works. All programs have the same number of partitions and the same lease.
  /// - Throws: ``ClusterError/unsupported(_:)`` if the schema does not keep events, or has fields
  ///   that are entities, be it in components or in the values of links.
  public init(
    _ name: String, of events: Event.Type, by key: any KeyPath<Event, Key> & Sendable,
    schema: Schema, broker: any Broker, options: ClusterOptions = ClusterOptions()
  ) throws(ClusterError) {
    let reader = FieldReader(key)
    try self.init(
      name, by: { reader.get($0) }, schema: schema, broker: broker, options: options,
      time: .continuous)
  }

  package init(
    _ name: String, by key: @escaping @Sendable (Event) -> Key, schema: Schema,
    broker: any Broker, options: ClusterOptions, time: ClusterTime
  ) throws(ClusterError) {
    guard !name.isEmpty, name.utf8.allSatisfy({ ClusterName.allows($0) }) else {
      throw .unsupported("A cluster is called \"\(name)\": take letters, digits, - and _.")
    }
    guard options.partitions > 0, options.lease >= .milliseconds(100), options.packSize > 0,
      options.batchSize > 0, options.batchesBetweenSnapshots > 0, options.waitingEvents > 0
    else {
      throw .unsupported(
        "A cluster's numbers have to be greater than zero, and its lease 100 ms or longer.")
    }
    guard schema.cids.contains(Event.cid) else {
      throw .unsupported("The schema \(schema.name) does not keep \(Event.cid.name), the events.")
    }
    if Event.self is any UniqueComponent.Type {
      throw .unsupported("\(Event.cid.name) is unique, and so can't be a list of events.")
    }
    if schema.refersToEntities {
      throw .unsupported(
        "The schema \(schema.name) has fields that are entities, which may be on other machines: use their keys, or relations."
      )
    }
    (self.name, self.key, self.schema) = (name, key, schema)
    (self.broker, self.options, self.time) = (broker, options, time)
    eventSchema = schema.only([Event.cid])
  }

  var settings: ClusterSettings {
    ClusterSettings(partitions: options.partitions, schema: schema.name)
  }

  package func partition(of event: Event) -> Int { key(event).partition(of: options.partitions) }
}

private enum ClusterName {
  static func allows(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
