/// The entities of a group, or those related to an entity: filtered, sorted, optionally limited to
/// the first ones, and kept up to date.
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
/// The contents are exact at every moment, even between the changes of a ``Context/perform(_:)``;
/// observers are notified once, at its end, with an ordered difference. Filters and sort keys may
/// read components that the group's matcher does not mention: without such a component an entity
/// does not pass a filter, and is sorted last. Entities that are equal in all keys come in the
/// order of their creation, related ones in the order of their links.
/// ``LiveViewSource/filtered(byTarget:_:)`` and
/// ``LiveViewSource/sorted(by:ofTarget:_:)-(KeyPath<C,Key>Sendable,_,_)`` read components of what
/// the entities are linked to, ``LiveViewSource/filtered(byValue:_:)`` and `sorted(by:ofValue:)`
/// values of the links by which they are related. ``sections(by:)`` divides the view for lists with
/// headings.
///
/// Views are cheap to define, and correct at once. A view that is only defined is not at work,
/// though: each reading looks at all entities and keeps nothing. ``start()`` puts it to work: it is
/// filled once, and each change costs O(log *n*) from then on, until the last reference is
/// released. Observing a view starts it, too. So a list that is observed needs nothing else; start
/// a view that is read often without being observed, but not one that is read once.
///
/// ```swift
/// let ranking = context.group(Score.matcher).sorted(by: \Score.points, .descending).start()
/// ```
///
/// When its context goes away, a view is empty. So is a view of related entities when the entity
/// that they are related to is destroyed; it is not started any more then, and if that entity lives
/// again, by an undo, it shows what is related to it as a view does that was only defined.
public final class LiveView: Sendable {
  @usableFromInline let definition: LiveViewDefinition
  let core: Core

  /// The life of the core in which the view was made.
  private let incarnation: Int

  // Guarded by the lock of the core.
  @safe nonisolated(unsafe) private var begunSink: LiveViewSink?

  /// What keeps the contents up to date, if something does.
  private var startedSink: LiveViewSink? {
    guard let begunSink, !begunSink.hasEnded else { return nil }
    return begunSink
  }

  /// What tells the sink of what decides besides components of its entities.
  // Guarded by the lock of the core.
  @safe nonisolated(unsafe) private var feeds: [any ViewFeed] = []

  @usableFromInline
  init(_ definition: LiveViewDefinition) {
    self.definition = definition
    core = definition.core
    let core = core
    incarnation = core.read { core.incarnation }
  }

  deinit {
    guard begunSink != nil || !feeds.isEmpty else { return }
    core.sectionAfterReading { [core, incarnation, definition, feeds, begunSink] in
      // Aggregates may live longer than the context.
      for feed in feeds { feed.end() }
      guard let begunSink, core.incarnation == incarnation else { return }
      LiveView.end(begunSink, definition)
    }
  }

  private static func end(_ sink: LiveViewSink, _ definition: LiveViewDefinition) {
    switch definition.source {
    case .group:
      if sink.isRouted {
        definition.route?.unregister(sink)
      } else {
        sink.core.sinks.unregister(sink)
      }
      sink.core.client?.viewCount -= 1
    case .related(let source, _): source.unregister(sink)
    }
  }

  /// The group whose entities the view shows; nil if it shows related entities of all kinds.
  public var group: Group? { definition.group }

  /// Whether the context is the one in which the view was made.
  ///
  /// Ask within a section.
  private var isOfThisLife: Bool {
    guard core.incarnation == incarnation, let client = core.client else { return false }
    // PERFORMANCE: V2: groups go with the life, so that one that was there need not be looked up.
    if startedSink != nil { return true }
    guard let group else { return true }
    return client.groups[group.matcher] === group
  }

  /// What keeps the contents, begun if it was not; nil if the context is gone.
  ///
  /// Ask within a section.
  func beginWork() -> LiveViewSink? {
    guard isOfThisLife else { return nil }
    if let startedSink { return startedSink }
    let sink = LiveViewSink(definition, isRouted: definition.isRouted)
    switch definition.source {
    case .group(let group):
      core.client?.viewCount += 1
      if sink.isRouted {
        definition.route?.register(sink)
      } else {
        core.sinks.register(sink)
        sink.fill { core.forEach(in: group.tables, $0) }
      }
    case .related(let source, _):
      guard source.register(sink) else { return nil }
    }
    if let startedSink {
      // A closure of the view has begun its work.
      LiveView.end(sink, definition)
      return startedSink
    }
    // What an earlier life of the owner had.
    for feed in feeds { feed.end() }
    if let begunSink { LiveView.end(begunSink, definition) }
    feeds = definition.dependencies.compactMap { $0.begin(sink) }
    begunSink = sink
    return sink
  }

  /// What keeps the contents of a view at work; else the contents at this moment, or as many of the
  /// first ones as are asked for; nil if the context is gone.
  ///
  /// Ask within a section.
  func contents(first maximumCount: Int = .max) -> LiveViewSink? {
    guard isOfThisLife else { return nil }
    if let startedSink { return startedSink }
    let sink = LiveViewSink(definition.limited(to: maximumCount), isReadOnce: true)
    definition.forEachCandidate { sink.show($0) }
    return sink
  }

  // MARK: Working

  /// Begins to keep the contents up to date, if the view does not yet do so.
  ///
  /// It does so as long as anything references or observes it; see ``isStarted``.
  ///
  /// - Returns: The view, to chain calls.
  /// - Complexity: O(*n* log *n*), where *n* is the number of entities of the group or of related
  ///   ones; each change of one of them takes O(log *n*) from then on. O(1) if it is started.
  @discardableResult
  public func start() -> LiveView {
    core.section { _ = beginWork() }
    return self
  }

  /// Whether the view keeps its contents up to date: since ``start()``, or since it was first
  /// observed.
  ///
  /// - Complexity: O(1).
  public var isStarted: Bool {
    core.readingSection { isOfThisLife && startedSink != nil }
  }

  // MARK: Reading

  /// The number of entities.
  ///
  /// - Complexity: O(1) once the view is started; otherwise O(*n*), where *n* is the number of
  ///   entities of the group or of related ones.
  public var count: Int {
    core.readingSection {
      guard isOfThisLife else { return 0 }
      if let startedSink { return startedSink.count }
      var count = 0
      definition.forEachCandidate { if definition.accepts($0) { count += 1 } }
      return Swift.min(count, definition.limit)
    }
  }

  /// Whether there are no entities.
  ///
  /// - Complexity: Same as ``count``.
  public var isEmpty: Bool { count == 0 }

  /// The entity at a position; nil if there are not that many.
  ///
  /// - Complexity: O(log *n*) once the view is started, otherwise O(*n* log *k*), where *n* is the
  ///   number of entities and *k* the position.
  public subscript(position: Int) -> Entity? {
    guard position >= 0 else { return nil }
    return core.readingSection { contents(first: position + 1)?.entity(at: position) }
  }

  /// The entities at positions, as many as there are.
  ///
  /// ```swift
  /// let page = view[20..<40]
  /// ```
  ///
  /// - Complexity: O(*k* + log *n*) once the view is started, where *n* is the number of entities
  ///   and *k* that of those asked for; otherwise O(*n* log *m*), where *m* is the last position.
  /// - Precondition: The range doesn't begin below 0.
  public subscript(positions: some KeyRange<Int>) -> EntitySet {
    let (first, end) = (positions.firstPosition, positions.endPosition)
    require(
      first >= 0, "A view was asked for the entities from \(first) on: positions begin at 0.")
    guard first < end else { return [] }
    return EntitySet(
      unique: core.readingSection { contents(first: end)?.entities(at: first..<end) ?? [] })
  }

  /// The first entity; nil if there is none.
  ///
  /// - Complexity: That of reading a position.
  public var first: Entity? { self[0] }

  /// The last entity; nil if there is none.
  ///
  /// - Complexity: O(log *n*) once the view is started, otherwise O(*n* log *n*), where *n* is the
  ///   number of entities.
  public var last: Entity? {
    core.readingSection {
      guard let contents = contents() else { return nil }
      return contents.entity(at: contents.count - 1)
    }
  }

  /// The first entities, at most the given number.
  ///
  /// - Complexity: O(*k* + log *n*) once the view is started, where *k* is the number of entities
  ///   asked for; otherwise O(*n* log *k*).
  public func first(_ maximumCount: Int) -> EntitySet {
    guard maximumCount > 0 else { return [] }
    return EntitySet(
      unique: core.readingSection {
        contents(first: maximumCount)?.entities(first: maximumCount) ?? []
      })
  }

  /// The entities at this moment.
  ///
  /// - Complexity: O(*n*) once the view is started, otherwise O(*n* log *n*), where *n* is the
  ///   number of entities.
  public func entities() -> EntitySet {
    EntitySet(unique: core.readingSection { contents()?.entities(first: .max) ?? [] })
  }

  /// Whether an entity is in the view.
  ///
  /// - Complexity: O(1) once the view is started, and for views of groups; otherwise O(*n*), where
  ///   *n* is the number of related entities. Same as ``position(of:)`` if the view is limited.
  public func contains(_ entity: Entity) -> Bool {
    guard entity.core == core else { return false }
    if definition.limit < .max { return position(of: entity) != nil }
    return core.readingSection {
      guard isOfThisLife else { return false }
      if let startedSink { return startedSink.contains(entity.handle) }
      return definition.isCandidate(entity.handle) && definition.accepts(entity.handle)
    }
  }

  /// The position of an entity; nil if it is not in the view.
  ///
  /// - Complexity: O(log *n*) once the view is started, otherwise O(*n* log *n*), where *n* is the
  ///   number of entities.
  public func position(of entity: Entity) -> Int? {
    guard entity.core == core else { return nil }
    return core.readingSection { contents()?.position(of: entity.handle) }
  }
}

extension LiveView {
  /// Makes the numbers by which related entities are kept in the order of their links run out soon.
  ///
  /// For tests: it would take four billion links otherwise.
  package func skipArrivals(leaving count: UInt32) {
    core.section { startedSink?.skipArrivals(leaving: count) }
  }
}

extension LiveView: Sequence {
  /// Visits a snapshot of the view; entities that die in the meantime are skipped.
  public func makeIterator() -> Group.Iterator {
    Group.Iterator(core.readingSection { contents()?.entities(first: .max) ?? [] })
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
  /// What the entities are, and how many if the view is started.
  public var description: String {
    let state = isStarted ? "\(count) entities" : "not started"
    return switch definition.source {
    case .group(let group): "View of \(group.matcher) (\(state))"
    case .related(let source, nil): "View of \(source.name) (\(state))"
    case .related(let source, let group?):
      "View of \(source.name) in \(group.matcher) (\(state))"
    }
  }
}
