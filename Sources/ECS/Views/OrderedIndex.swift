/// Finds the entities of a context by ranges of a value computed from a component, in its order.
///
/// ```swift
/// let due = context.orderedIndex { (task: Task) in task.due }
/// due[..<now]                 // overdue, the oldest first
/// due.count(in: now...)       // without looking at each
/// due.entities(at: 0..<50)    // a page
/// due.min
/// ```
///
/// It is exact at every moment, as an ``Index`` is, and remembers the key of each entity. Entities with equal
/// keys come in the order of their creation. Those without a key, as the closure returned nil or a value
/// that does not equal itself (not a number), are not in the index.
///
/// It works from its creation until it is released; ``view`` shows the same as a list that can be observed.
/// When its context goes away, it is empty. Use an ``Index`` where you only look for equal keys: that takes O(1).
public final class OrderedIndex<Key: Comparable & Sendable>: Sendable {
  /// The entities in the order of their keys, those without a key last.
  public let view: LiveView

  /// The component from which keys are computed.
  public let component: CID

  @usableFromInline
  let core: Core

  @usableFromInline
  init(of group: Group, _ key: LiveViewDefinition.Key) {
    var definition = LiveViewDefinition(.group(group))
    definition.keys = [key]
    view = LiveView(definition).start()
    component = key.mentioned
    core = group.core
  }

  /// What keeps the order, and the keys; nil if the context is gone.
  ///
  /// Ask within a section.
  @usableFromInline
  var contents: OrderedKeys<Key>? {
    guard let sink = view.beginWork(), let keys = sink.columns[0].keys as? SortKeys<Key> else {
      return nil
    }
    sink.settle()
    return OrderedKeys(sink: sink, keys: keys)
  }

  // MARK: By keys

  /// The entities whose keys are in a range, in order, at this moment.
  ///
  /// - Complexity: O(*k* + log *n*), where *n* is the number of entities of the index and *k* that of those in
  ///   the range.
  @inlinable
  public subscript(range: some KeyRange<Key>) -> EntitySet {
    core.section {
      guard let contents else { return [] }
      return contents.entities(at: contents.positions(of: range.keyBounds))
    }
  }

  /// All entities that have a key, in order, at this moment.
  ///
  /// - Complexity: O(*n*), where *n* is the number of entities of the index.
  public subscript(range: UnboundedRange) -> EntitySet {
    core.section { contents.map { $0.entities(at: 0..<$0.count) } ?? [] }
  }

  /// The entities under a key at this moment, in the order of their creation.
  ///
  /// - Complexity: O(*k* + log *n*), where *n* is the number of entities of the index and *k* that of those
  ///   under the key.
  @inlinable
  public subscript(key: Key) -> EntitySet {
    core.section {
      guard let contents else { return [] }
      return contents.entities(at: contents.positions(of: (.including(key), .including(key))))
    }
  }

  /// The number of entities whose keys are in a range.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of entities of the index.
  @inlinable
  public func count(in range: some KeyRange<Key>) -> Int {
    core.section { contents?.positions(of: range.keyBounds).count ?? 0 }
  }

  /// The number of entities whose keys come before one, whether or not any entity has that one.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of entities of the index.
  @inlinable
  public func rank(of key: Key) -> Int {
    core.section { contents?.positions(of: (.unbounded, .excluding(key))).count ?? 0 }
  }

  /// The key of an entity; nil if the index does not have it.
  ///
  /// - Complexity: O(1).
  public func key(of entity: Entity) -> Key? {
    guard entity.core == core else { return nil }
    return core.section {
      guard let contents, let id = contents.sink.node(of: entity.handle) else { return nil }
      return contents.keys[id]
    }
  }

  /// The lowest key; nil if no entity has one.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of entities of the index.
  public var min: Key? {
    core.section { contents?.key(at: 0) }
  }

  /// The highest key; nil if no entity has one.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of entities of the index.
  public var max: Key? {
    core.section { contents.flatMap { $0.key(at: $0.count - 1) } }
  }

  /// The keys at this moment, each once, in order.
  ///
  /// - Complexity: O(*n*), where *n* is the number of entities of the index.
  public var keys: [Key] {
    core.section {
      guard let contents else { return [] }
      var keys: [Key] = []
      contents.sink.nodes.visit(from: 0, count: contents.count) { id in
        if let key = contents.keys[id], keys.last != key { keys.append(key) }
      }
      return keys
    }
  }

  // MARK: By positions

  /// The number of entities that have a key.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of entities of the index.
  public var count: Int {
    core.section { contents?.count ?? 0 }
  }

  /// Whether no entity has a key.
  ///
  /// - Complexity: That of ``count``.
  public var isEmpty: Bool { count == 0 }

  /// The entity with the lowest key, the first one created of several; nil if there is none.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of entities of the index.
  public var first: Entity? { entity(at: 0) }

  /// The entity with the highest key, the last one created of several; nil if there is none.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of entities of the index.
  public var last: Entity? {
    core.section {
      guard let contents, contents.count > 0 else { return nil }
      return contents.sink.entity(at: contents.count - 1)
    }
  }

  /// The entity at a position in the order; nil if there are not that many.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of entities of the index.
  public func entity(at position: Int) -> Entity? {
    core.section {
      guard let contents, position < contents.count else { return nil }
      return contents.sink.entity(at: position)
    }
  }

  /// The entities at positions in the order; as many as there are.
  ///
  /// - Complexity: O(*k* + log *n*), where *n* is the number of entities of the index and *k* that of those
  ///   asked for.
  /// - Precondition: The range doesn't begin below 0.
  public func entities(at positions: Range<Int>) -> EntitySet {
    require(
      positions.lowerBound >= 0,
      "An index was asked for the entities at \(positions): positions begin at 0.")
    return core.section {
      guard let contents else { return [] }
      return contents.entities(at: positions.clamped(to: 0..<contents.count))
    }
  }

  /// The position of an entity in the order; nil if the index does not have it.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of entities of the index.
  public func position(of entity: Entity) -> Int? {
    guard entity.core == core else { return nil }
    return core.section {
      guard let contents, let id = contents.sink.node(of: entity.handle), contents.keys[id] != nil
      else { return nil }
      return contents.sink.nodes.position(id)
    }
  }
}

extension OrderedIndex where Key: Strideable {
  /// The entity whose key is nearest to one; nil if there is none.
  ///
  /// Of two that are equally near, it is the one with the lower key; of several with that key, the first one
  /// created.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of entities of the index.
  @inlinable
  public func nearest(to key: Key) -> Entity? {
    core.section {
      guard let contents, key == key else { return nil }
      let position = contents.positions(of: (.unbounded, .excluding(key))).upperBound
      guard let above = contents.key(at: position) else {
        return contents.key(at: position - 1).flatMap { contents.firstEntity(under: $0) }
      }
      guard let below = contents.key(at: position - 1) else {
        return contents.firstEntity(under: above)
      }
      let isBelow = below.distance(to: key) <= key.distance(to: above)
      return contents.firstEntity(under: isBelow ? below : above)
    }
  }
}

extension OrderedIndex<String> {
  /// The entities whose keys begin with a text, in order, at this moment.
  ///
  /// Texts are compared by Unicode scalars in canonical form, as strings are ordered: `e` followed by an accent
  /// is another letter. To ignore case, fold it in the key and in what you look for.
  ///
  /// - Complexity: O(*k* + log *n*), where *n* is the number of entities of the index and *k* that of those
  ///   found.
  public func prefix(_ text: String) -> EntitySet {
    // Nothing that begins with the text comes behind the last scalar after it, which is in no text.
    self[text...(text + "\u{10FFFF}")]
  }
}

extension OrderedIndex: CustomStringConvertible {
  /// Which component is in order, and how many entities there are.
  public var description: String { "Ordered index of \(component) (\(count) entities)" }
}
