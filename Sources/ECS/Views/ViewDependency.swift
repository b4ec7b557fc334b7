/// A condition that decides what a view shows besides components of its entities.
@usableFromInline
struct ViewDependency: Sendable {
  /// What it is: several of a kind become one.
  let kind: ObjectIdentifier

  /// The components that matter.
  fileprivate(set) var components: [CID]

  private let makeFeed: @Sendable (LiveViewSink, [CID]) -> (any ViewFeed)?

  init(
    _ kind: ObjectIdentifier, _ components: [CID],
    makeFeed: @escaping @Sendable (LiveViewSink, [CID]) -> (any ViewFeed)?
  ) {
    self.kind = kind
    self.components = components
    self.makeFeed = makeFeed
  }

  /// Tells a view of changes from here on; nil if the context is gone.
  func begin(_ sink: LiveViewSink) -> (any ViewFeed)? { makeFeed(sink, components) }
}

extension LiveViewDefinition {
  /// Adds something that decides what the view shows.
  @usableFromInline
  mutating func add(_ dependency: ViewDependency) {
    guard let place = dependencies.firstIndex(where: { $0.kind == dependency.kind }) else {
      return dependencies.append(dependency)
    }
    for cid in dependency.components where !dependencies[place].components.contains(cid) {
      dependencies[place].components.append(cid)
    }
  }
}

/// A listener that notifies a view at work of a dependency.
protocol ViewFeed: AnyObject, Sendable {
  /// Ceases to tell the view.
  func end()
}

extension ViewDependency {
  /// That on what the values under entities come to.
  @usableFromInline
  init<Value>(on aggregate: Aggregate<Entity, Value>) {
    self.init(ObjectIdentifier(aggregate), []) { sink, _ in AggregateFeed(sink, aggregate) }
  }
}

/// A dependency of a view on what the values under its entities come to.
private final class AggregateFeed<Value: Sendable>:
  // Guarded by the lock of the core.
  AggregateWatcher<Entity>, ViewFeed, @unchecked Sendable
{
  private let sink: LiveViewSink
  private let state: AggregateState<Entity, Value>

  init(_ sink: LiveViewSink, _ aggregate: Aggregate<Entity, Value>) {
    self.sink = sink
    state = aggregate.state
    super.init()
    state.add(self)
  }

  func end() {
    state.remove(self)
    sink.core.retire(self)
  }

  override func resultChanged(of key: Entity) {
    if key.core == sink.core { sink.dependencyChanged(of: key.handle) }
  }

  override func allResultsChanged() {
    var candidates: [Handle] = []
    sink.definition.forEachCandidate { candidates.append($0) }
    for handle in candidates { sink.dependencyChanged(of: handle) }
  }
}
