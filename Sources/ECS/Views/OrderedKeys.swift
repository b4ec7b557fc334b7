/// The order of an ordered index, and its keys, while the section of a call lasts.
@usableFromInline
struct OrderedKeys<Key: Comparable> {
  let sink: LiveViewSink
  @usableFromInline let keys: SortKeys<Key>

  /// What is to be looked at instead inside an iteration; nil if nothing was asked for there.
  @usableFromInline var coming: ComingOrder<Key>?

  init(sink: LiveViewSink, keys: SortKeys<Key>) {
    self.sink = sink
    self.keys = keys
  }

  /// Refuses changes of the context while keys are compared, whose `==` and `<` are code of the
  /// user's.
  @usableFromInline
  func beginComparing() -> Core.Mode { sink.core.beginRefusingChanges(.sorting) }

  @usableFromInline
  func endComparing(_ mode: Core.Mode) { sink.core.endRefusingChanges(mode) }

  /// The number of entities that have keys: the others are last.
  @usableFromInline
  var count: Int { coming?.entries.count ?? storedCount }

  private var storedCount: Int {
    sink.nodes.count(before: SortColumn.last) { keys[$0] != nil }
  }

  /// The position of the first entity whose key a condition does not hold of, which holds of all
  /// those before.
  ///
  /// The prefix is that of the key that the condition compares with.
  @usableFromInline
  func position(_ prefix: UInt64, _ isBefore: (Key) -> Bool) -> Int {
    if let coming { return coming.position(isBefore) }
    return sink.nodes.count(before: prefix) { keys[$0].map(isBefore) ?? false }
  }

  /// The positions of all keys between two bounds; none if a bound does not equal itself.
  @inlinable
  func positions(of bounds: (lower: KeyBound<Key>, upper: KeyBound<Key>)) -> Range<Int> {
    let lower: Int
    switch bounds.lower {
    case .unbounded: lower = 0
    case .including(let key):
      guard key == key else { return 0..<0 }
      lower = position(OrderPrefix.of(key)) { $0 < key }
    case .excluding(let key):
      guard key == key else { return 0..<0 }
      lower = position(OrderPrefix.of(key)) { $0 <= key }
    }
    let upper: Int
    switch bounds.upper {
    case .unbounded: upper = count
    case .including(let key):
      guard key == key else { return 0..<0 }
      upper = position(OrderPrefix.of(key)) { $0 <= key }
    case .excluding(let key):
      guard key == key else { return 0..<0 }
      upper = position(OrderPrefix.of(key)) { $0 < key }
    }
    return lower..<max(lower, upper)
  }

  /// The key at a position; nil if there is none.
  @usableFromInline
  func key(at position: Int) -> Key? {
    if let coming {
      return coming.entries.indices.contains(position) ? coming.entries[position].key : nil
    }
    let id = sink.nodes.node(at: position)
    return id == OrderedNodes.none ? nil : keys[id]
  }

  /// The entity at a position; nil if there is none.
  func entity(at position: Int) -> Entity? {
    guard position >= 0, position < count else { return nil }
    return coming?.entries[position].entity ?? sink.entity(at: position)
  }

  @usableFromInline
  func entities(at positions: Range<Int>) -> EntitySet {
    var entities = ContiguousArray<Entity>()
    entities.reserveCapacity(positions.count)
    if let coming {
      for position in positions { entities.append(coming.entries[position].entity) }
    } else {
      sink.nodes.visit(from: positions.lowerBound, count: positions.count) {
        entities.append(sink.entity($0))
      }
    }
    return EntitySet(unique: entities)
  }

  @inlinable
  func firstEntity(under key: Key) -> Entity? {
    let positions = positions(of: (.including(key), .including(key)))
    return entities(at: positions.prefix(1)).first
  }

  /// The key of an entity; nil if there is none.
  func key(of entity: Entity) -> Key? {
    if let coming { return coming.position(of: entity).map { coming.entries[$0].key } }
    return sink.node(of: entity.handle).flatMap { keys[$0] }
  }

  /// The position of an entity; nil if it has no key.
  func position(of entity: Entity) -> Int? {
    if let coming { return coming.position(of: entity) }
    guard let id = sink.node(of: entity.handle), keys[id] != nil else { return nil }
    return sink.nodes.position(id)
  }

  /// Visits all that have a key, in order.
  func visit(_ body: (Key, Entity) -> Void) {
    guard let coming else { return visitStored(body) }
    for entry in coming.entries { body(entry.key, entry.entity) }
  }

  func visitStored(_ body: (Key, Entity) -> Void) {
    sink.nodes.visit(from: 0, count: storedCount) { id in
      if let key = keys[id] { body(key, sink.entity(id)) }
    }
  }
}
