/// The entities of a group, or those related to an entity, that pass filters, in a sorted order,
/// kept up to date.
///
/// ```swift
/// let young = context.group(Person.matcher)
///   .filtered { (age: Age) in age.value < 20 }
///   .sorted(by: \Age.value, .descending)
///   .then(by: \Name.text)
/// young.first(10)
/// young.observe(by: list) { list, change in list.apply(change.difference) }
///
/// let best = author.sources(WrittenBy.self).sorted(by: \Score.points, .descending)
/// ```
///
/// The contents are exact at every moment, also between the changes of a ``Context/perform(_:)``;
/// observers are told once, at its end, with an ordered difference. Filters and sort keys may read
/// components that the group's matcher does not mention: without such a component an entity does
/// not pass a filter, and is sorted last. Entities that are equal in all keys come in the order of
/// their creation, related ones in the order in which they were linked.
///
/// Views are cheap to define: one begins its work when it is first read or observed, and ends it
/// when it is neither referenced nor observed any more. When its context goes, it is empty, and so
/// is a view of related entities when the entity is destroyed that they are related to.
public final class LiveView: Sendable {
  @usableFromInline let definition: LiveViewDefinition
  private let core: CoreReference

  /// The life of the core in which the view was made.
  private let life: Int

  // Guarded by the lock of the core.
  nonisolated(unsafe) private var startedSink: LiveViewSink?

  @usableFromInline
  init(_ definition: LiveViewDefinition) {
    self.definition = definition
    core = definition.core
    let core = core
    life = core.section { core.life }
  }

  deinit {
    core.section {
      guard let startedSink, core.life == life else { return }
      switch definition.source {
      case .group: core.unregister(startedSink)
      case .related(let source, _): source.unregister(startedSink)
      }
    }
  }

  /// The group whose entities the view shows; nil if it shows related entities of all kinds.
  public var group: Group? { definition.group }

  /// What keeps the contents; nil if the context is gone.
  ///
  /// Ask within a section.
  var sink: LiveViewSink? {
    guard core.life == life, let state = core.state else { return nil }
    if let group, state.groups[group.matcher.filter] !== group { return nil }
    if let startedSink { return startedSink }
    let sink = LiveViewSink(definition)
    switch definition.source {
    case .group(let group):
      core.register(sink)
      core.forEach(in: group.tables) { sink.react(.added, $0) }
    case .related(let source, _):
      guard source.register(sink) else { return nil }
    }
    startedSink = sink
    return sink
  }

  // MARK: Reading

  /// The number of entities.
  ///
  /// - Complexity: O(1). The first use of the view takes O(*n* log *n*), where *n* is the number of
  ///   entities of the group or of related ones; each change of one of them O(log *n*) from then on.
  public var count: Int {
    core.section { sink?.nodes.count ?? 0 }
  }

  /// Whether there are no entities.
  ///
  /// - Complexity: O(1).
  public var isEmpty: Bool { count == 0 }

  /// The entity at a position; nil if there are not that many.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of entities.
  public subscript(position: Int) -> Entity? {
    core.section {
      guard let sink, position >= 0, position < sink.nodes.count else { return nil }
      return sink.entity(sink.nodes.node(at: position))
    }
  }

  /// The first entity; nil if there is none.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of entities.
  public var first: Entity? { self[0] }

  /// The last entity; nil if there is none.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of entities.
  public var last: Entity? {
    core.section { self[count - 1] }
  }

  /// The first entities, at most so many.
  ///
  /// - Complexity: O(*k* + log *n*), where *k* is the number of entities asked for.
  public func first(_ maximumCount: Int) -> [Entity] {
    core.section { sink?.entities(first: maximumCount) ?? [] }
  }

  /// The entities at this moment.
  ///
  /// - Complexity: O(*n*), where *n* is the number of entities.
  public func entities() -> EntitySet {
    EntitySet(unique: ContiguousArray(core.section { sink?.entities ?? [] }))
  }

  /// Whether an entity is in the view.
  ///
  /// - Complexity: O(1).
  public func contains(_ entity: Entity) -> Bool {
    guard entity.core == core else { return false }
    return core.section { sink?.node(of: entity.handle) != nil }
  }

  /// The position of an entity; nil if it is not in the view.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of entities.
  public func position(of entity: Entity) -> Int? {
    guard entity.core == core else { return nil }
    return core.section {
      guard let sink, let id = sink.node(of: entity.handle) else { return nil }
      return sink.nodes.position(id)
    }
  }
}

extension LiveView {
  /// Makes the numbers by which related entities are kept in the order of their links run out soon.
  ///
  /// For tests: it would take four billion links otherwise.
  package func skipArrivals(leaving count: UInt32) {
    core.section { sink?.skipArrivals(leaving: count) }
  }
}

extension LiveView: Sequence {
  /// Visits a snapshot of the view; entities that die meanwhile are skipped.
  public func makeIterator() -> Group.Iterator {
    Group.Iterator(ContiguousArray(core.section { sink?.entities ?? [] }))
  }

  /// A number that is at most the number of entities.
  public var underestimatedCount: Int { 0 }
}

extension LiveView: Hashable {
  /// Whether both are the same view.
  public static func == (left: LiveView, right: LiveView) -> Bool { left === right }

  /// Hashes the identity of the view.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension LiveView: CustomStringConvertible {
  /// What the entities are and how many.
  public var description: String {
    switch definition.source {
    case .group(let group): "View of \(group.matcher) (\(count) entities)"
    case .related(let source, nil): "View of \(source.name) (\(count) entities)"
    case .related(let source, let group?):
      "View of \(source.name) in \(group.matcher) (\(count) entities)"
    }
  }
}
