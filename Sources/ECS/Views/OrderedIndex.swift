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
/// It is exact at every moment, as an ``Index`` is, inside iterations, too, and remembers the key
/// of each entity. Entities with equal keys come in the order of their creation. Those without a
/// key, as the closure returned nil or a value that does not equal itself (not a number), are not
/// in the index.
///
/// Inside an iteration, the first look-up after something was asked for that concerns the component
/// takes O(*n* log *n*), where *n* is the number of entities of the index; ``view`` shows what was
/// there before.
///
/// It works from its creation until it is released; ``view`` shows the same as a list that can be
/// observed. When its context goes away, it is empty. Use an ``Index`` where you only look for
/// equal keys: that takes O(1).
public final class OrderedIndex<Key: Comparable & Sendable>: Sendable {
  /// The entities in the order of their keys, those without a key last.
  public let view: LiveView

  /// The component from which keys are computed.
  public let component: CID

  @usableFromInline
  let core: Core

  private let key: LiveViewDefinition.Key

  /// The order that comes of what was asked for in an iteration; nil until needed.
  // Guarded by the lock of the core.
  @safe nonisolated(unsafe) private var coming: ComingOrder<Key>?

  @usableFromInline
  init(of component: CID, in group: Group, _ key: LiveViewDefinition.Key) {
    var definition = LiveViewDefinition(.group(group))
    definition.keys = [key]
    view = LiveView(definition).start()
    self.component = component
    self.key = key
    core = group.core
  }

  /// Reads the order and the keys, within a section; nil if the context is gone.
  ///
  /// What compares keys must not change the context meanwhile: the order is being read.
  @inlinable
  func read<Result>(_ body: (OrderedKeys<Key>) -> Result?) -> Result? {
    core.readingSection {
      guard var contents else { return nil }
      let mode = contents.beginComparing()
      defer { contents.endComparing(mode) }
      if !mode.accepts { contents.coming = comingOrder(contents) }
      return body(contents)
    }
  }

  @usableFromInline
  var contents: OrderedKeys<Key>? {
    guard let sink = view.beginWork(), let keys = sink.columns[0].keys as? SortKeys<Key> else {
      return nil
    }
    sink.settle()
    return OrderedKeys(sink: sink, keys: keys)
  }

  /// The order once all is done that was asked for in the iteration that runs; nil if nothing was.
  ///
  /// It is made anew when something more was asked for.
  @usableFromInline
  func comingOrder(_ contents: OrderedKeys<Key>) -> ComingOrder<Key>? {
    guard core.commands.hasSteps else { return nil }
    if let coming, coming.isUpToDate(core) { return coming }
    if coming == nil { core.commands.append { [weak self] in self?.coming = nil } }
    let made = ComingOrder(contents, component.key, key)
    coming = made
    return made
  }

  // MARK: By keys

  /// The entities whose keys are in a range, in order, at this moment.
  ///
  /// - Complexity: O(*k* + log *n*), where *n* is the number of entities of the index and *k* that
  ///   of those in the range.
  @inlinable
  public subscript(range: some KeyRange<Key>) -> EntitySet {
    let bounds = range.keyBounds
    return read { $0.entities(at: $0.positions(of: bounds)) } ?? []
  }

  /// All entities that have a key, in order, at this moment.
  ///
  /// - Complexity: O(*n*), where *n* is the number of entities of the index.
  public subscript(range: UnboundedRange) -> EntitySet {
    read { $0.entities(at: 0..<$0.count) } ?? []
  }

  /// The entities under a key at this moment, in the order of their creation.
  ///
  /// - Complexity: O(*k* + log *n*), where *n* is the number of entities of the index and *k* that
  ///   of those under the key.
  @inlinable
  public subscript(key: Key) -> EntitySet {
    read { $0.entities(at: $0.positions(of: (.including(key), .including(key)))) } ?? []
  }

  /// The number of entities whose keys are in a range.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of entities of the index.
  @inlinable
  public func count(in range: some KeyRange<Key>) -> Int {
    let bounds = range.keyBounds
    return read { $0.positions(of: bounds).count } ?? 0
  }

  /// The number of entities whose keys come before one, whether or not any entity has that one.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of entities of the index.
  @inlinable
  public func rank(of key: Key) -> Int {
    read { $0.positions(of: (.unbounded, .excluding(key))).count } ?? 0
  }

  /// The key of an entity; nil if the index does not have it.
  ///
  /// - Complexity: O(1).
  public func key(of entity: Entity) -> Key? {
    guard entity.core == core else { return nil }
    return read { $0.key(of: entity) }
  }

  /// The lowest key; nil if no entity has one.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of entities of the index.
  public var min: Key? {
    read { $0.key(at: 0) }
  }

  /// The highest key; nil if no entity has one.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of entities of the index.
  public var max: Key? {
    read { $0.key(at: $0.count - 1) }
  }

  /// The keys at this moment, each once, in order.
  ///
  /// - Complexity: O(*n*), where *n* is the number of entities of the index.
  public var keys: [Key] {
    read { contents in
      var keys: [Key] = []
      contents.visit { key, _ in
        if keys.last != key { keys.append(key) }
      }
      return keys
    } ?? []
  }

  // MARK: By positions

  /// The number of entities that have a key.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of entities of the index.
  public var count: Int {
    read { $0.count } ?? 0
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
    read { $0.entity(at: $0.count - 1) }
  }

  /// The entity at a position in the order; nil if there are not that many.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of entities of the index.
  public func entity(at position: Int) -> Entity? {
    read { $0.entity(at: position) }
  }

  /// The entities at positions in the order; as many as there are.
  ///
  /// - Complexity: O(*k* + log *n*), where *n* is the number of entities of the index and *k* that
  ///   of those asked for.
  /// - Precondition: The range doesn't begin below 0.
  public func entities(at positions: Range<Int>) -> EntitySet {
    require(
      positions.lowerBound >= 0,
      "An index was asked for the entities at \(positions): positions begin at 0.")
    return read { $0.entities(at: positions.clamped(to: 0..<$0.count)) } ?? []
  }

  /// The position of an entity in the order; nil if the index does not have it.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of entities of the index.
  public func position(of entity: Entity) -> Int? {
    guard entity.core == core else { return nil }
    return read { $0.position(of: entity) }
  }
}

extension OrderedIndex where Key: Strideable {
  /// The entity whose key is nearest to one; nil if there is none.
  ///
  /// Of two that are equally near, it is the one with the lower key; of several with that key, the
  /// first one created.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of entities of the index.
  /// - Precondition: Distances between keys can be represented: those of floating-point numbers and
  ///   dates always can, and integers have a form of this that needs none.
  @inlinable
  public func nearest(to key: Key) -> Entity? {
    nearest(to: key) { below, above in below.distance(to: key) <= key.distance(to: above) }
  }
}

extension OrderedIndex where Key: FixedWidthInteger {
  /// The entity whose key is nearest to one; nil if there is none.
  ///
  /// Of two that are equally near, it is the one with the lower key; of several with that key, the
  /// first one created. Keys may be as far apart as their type allows.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of entities of the index.
  @inlinable
  public func nearest(to key: Key) -> Entity? {
    func distance(_ lower: Key, _ upper: Key) -> Key.Magnitude {
      Key.Magnitude(truncatingIfNeeded: upper) &- Key.Magnitude(truncatingIfNeeded: lower)
    }
    return nearest(to: key) { below, above in distance(below, key) <= distance(key, above) }
  }
}

extension OrderedIndex {
  /// The entity under the nearest of the keys beside one; which that is, if there are two, a
  /// closure says.
  @inlinable
  func nearest(to key: Key, isBelow: (Key, Key) -> Bool) -> Entity? {
    read { contents in
      guard key == key else { return nil }
      let position = contents.positions(of: (.unbounded, .excluding(key))).upperBound
      let (below, above) = (contents.key(at: position - 1), contents.key(at: position))
      guard let below, let above else {
        return (below ?? above).flatMap { contents.firstEntity(under: $0) }
      }
      return contents.firstEntity(under: isBelow(below, above) ? below : above)
    }
  }
}

extension OrderedIndex<String> {
  /// The entities whose keys begin with a text, in order, at this moment.
  ///
  /// Texts are compared by Unicode scalars in canonical, composed form, as strings are ordered: "é"
  /// does not begin with "e", however it is written. To ignore case, fold it in the key and in what
  /// you look for. Of keys in which U+10FFFF follows the text, which is no character, only those
  /// that end with it are found.
  ///
  /// - Complexity: O(*k* + log *n*), where *n* is the number of entities of the index and *k* that
  ///   of those found.
  public func prefix(_ text: String) -> EntitySet {
    // Nothing that begins with the text comes behind the last scalar after it, which is no
    // character.
    self[text...(text + "\u{10FFFF}")]
  }
}

extension OrderedIndex: CustomStringConvertible {
  /// Which component is in order, and how many entities there are.
  public var description: String { "Ordered index of \(component) (\(count) entities)" }
}
