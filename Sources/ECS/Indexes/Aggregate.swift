/// A value computed of many entities, by key and in all: a count, a sum, an average, the lowest or
/// highest of their values, or whatever a closure combines them to.
///
/// ```swift
/// let hours = context.sum(of: \Task.hours, by: \Task.owner)
/// hours["ada"]     // nil if no entity with a Task has this key
/// hours.total
/// let subscription = hours.observe { hours in show(hours.total ?? 0) }
/// ```
///
/// It is exact after every change, before anything is notified, as an ``Index`` is: no reading goes
/// through the entities. It remembers the key and the value of each entity, so what a component
/// refers to cannot make it stale.
///
/// An entity whose key does not equal itself, as what is not a number, counts as one without a
/// value.
///
/// The keys may be what entities are linked to, as in
/// ``Context/sum(of:byTarget:_:in:)-((C)->Int,_,_,_)``, and views may be sorted and filtered by
/// results: ``LiveViewSource/sorted(by:_:)-(Aggregate<Entity,Value>,_)``.
///
/// It works from its creation until nothing references or observes it. When its context goes away,
/// it is empty.
public final class Aggregate<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The component from which keys and values are computed.
  public var component: CID { registration.component }

  let core: Core

  // Guarded by the lock of the core.
  @usableFromInline let state: AggregateState<Key, Value>

  private let registration: any AggregateRegistration

  @usableFromInline
  convenience init(_ core: Core, _ state: AggregateState<Key, Value>, _ sink: IndexSink) {
    self.init(core, state, IndexRegistration(core: core, sink: sink, paused: false))
  }

  init(
    _ core: Core, _ state: AggregateState<Key, Value>, _ registration: any AggregateRegistration
  ) {
    self.core = core
    self.state = state
    self.registration = registration
  }

  /// What the values under a key come to at this moment; nil if there are none.
  ///
  /// - Complexity: O(1) on average.
  public subscript(key: Key) -> Value? {
    core.readingSection { state.result(key) }
  }

  /// What all values come to at this moment; nil if there are none.
  ///
  /// - Complexity: O(1).
  public var total: Value? {
    core.readingSection { state.result(nil) }
  }

  /// The number of entities that have a value; by targets, that of their links.
  ///
  /// - Complexity: O(1).
  public var count: Int {
    core.readingSection { state.count(nil) }
  }

  /// The number of entities that have a value under a key; by targets, that of their links.
  ///
  /// - Complexity: O(1) on average.
  public func count(for key: Key) -> Int {
    core.readingSection { state.count(key) }
  }

  /// The number of keys that have entities.
  ///
  /// - Complexity: O(1).
  public var keyCount: Int {
    core.readingSection { state.keyCount }
  }

  /// Whether the context that it was made for still exists.
  ///
  /// Ask within a section.
  private var isAtWork: Bool { registration.isOfPresentContext }
}

/// Keeps an aggregate informed as long as it is referenced.
protocol AggregateRegistration: Sendable {
  /// The component from which values are computed.
  var component: CID { get }

  /// Whether the context that it was made for still exists.
  ///
  /// Ask within a section.
  var isOfPresentContext: Bool { get }
}

extension IndexRegistration: AggregateRegistration {}

extension Aggregate where Key: Comparable {
  /// The keys that have entities, in order, and what their values come to at this moment.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of keys.
  public func sorted() -> [(key: Key, value: Value)] {
    core.readingSection {
      state.keys.sorted().compactMap { key in state.result(key).map { (key, $0) } }
    }
  }
}

extension Aggregate: ChangeSource {
  /// Where it is announced that a value came, went, or was set anew.
  public var changeSignal: ChangeSignal {
    ChangeSignal(core: core, subject: .view(ObjectIdentifier(self))) { notifier in
      self.isAtWork ? AggregateObserverList(notifier, self, self.state) : nil
    }
  }
}

extension Aggregate: CustomStringConvertible {
  /// The component, and how many entities and keys there are.
  public var description: String {
    core.readingSection { "Aggregate of \(component) (\(count) entities, \(keyCount) keys)" }
  }
}

/// The observers of an aggregate, which lives as long as there are any.
private final class AggregateObserverList<Key: Hashable & Sendable, Value: Sendable>:
  // Guarded by the lock of the core.
  ObserverList, @unchecked Sendable
{
  private let aggregate: Aggregate<Key, Value>
  private let state: AggregateState<Key, Value>

  init(
    _ notifier: Notifier, _ aggregate: Aggregate<Key, Value>, _ state: AggregateState<Key, Value>
  ) {
    self.aggregate = aggregate
    self.state = state
    super.init(notifier, .view(ObjectIdentifier(aggregate)))
  }

  override func observersOfWholeDidChange() {
    state.observers = hasObserversOfWhole ? self : nil
  }

  override func observersOfWholeEnded() { state.observers = nil }

  override var name: String { "\(aggregate)" }
}
