/// The order of an ordered index, and its keys, while the section of a call lasts.
@usableFromInline
struct OrderedKeys<Key: Comparable> {
  let sink: LiveViewSink
  @usableFromInline let keys: SortKeys<Key>

  init(sink: LiveViewSink, keys: SortKeys<Key>) {
    self.sink = sink
    self.keys = keys
  }

  /// Lets nobody change the context while keys are compared, whose `==` and `<` are code of the user's.
  @usableFromInline
  func beginComparing() -> Core.Mode { sink.core.beginRefusingChanges(.sorting) }

  @usableFromInline
  func endComparing(_ mode: Core.Mode) { sink.core.endRefusingChanges(mode) }

  /// The number of entities that have keys: the others are last.
  @usableFromInline
  var count: Int {
    position(before: SortColumn.last) { keys[$0] != nil }
  }

  @usableFromInline
  func position(before prefix: UInt64, isBefore: (OrderedNodes.ID) -> Bool) -> Int {
    sink.nodes.count(before: prefix, isBefore: isBefore)
  }

  /// The positions of all keys between two bounds; none if a bound does not equal itself.
  @inlinable
  func positions(of bounds: (lower: KeyBound<Key>, upper: KeyBound<Key>)) -> Range<Int> {
    let lower: Int
    switch bounds.lower {
    case .unbounded: lower = 0
    case .including(let key):
      guard key == key else { return 0..<0 }
      lower = position(before: OrderPrefix.of(key)) { keys[$0].map { $0 < key } ?? false }
    case .excluding(let key):
      guard key == key else { return 0..<0 }
      lower = position(before: OrderPrefix.of(key)) { keys[$0].map { $0 <= key } ?? false }
    }
    let upper: Int
    switch bounds.upper {
    case .unbounded: upper = count
    case .including(let key):
      guard key == key else { return 0..<0 }
      upper = position(before: OrderPrefix.of(key)) { keys[$0].map { $0 <= key } ?? false }
    case .excluding(let key):
      guard key == key else { return 0..<0 }
      upper = position(before: OrderPrefix.of(key)) { keys[$0].map { $0 < key } ?? false }
    }
    return lower..<max(lower, upper)
  }

  /// The key at a position; nil if there is none.
  @usableFromInline
  func key(at position: Int) -> Key? {
    let id = sink.nodes.node(at: position)
    return id == OrderedNodes.none ? nil : keys[id]
  }

  @usableFromInline
  func entities(at positions: Range<Int>) -> EntitySet {
    var entities = ContiguousArray<Entity>()
    entities.reserveCapacity(positions.count)
    sink.nodes.visit(from: positions.lowerBound, count: positions.count) {
      entities.append(sink.entity($0))
    }
    return EntitySet(unique: entities)
  }

  @inlinable
  func firstEntity(under key: Key) -> Entity? {
    let positions = positions(of: (.including(key), .including(key)))
    return entities(at: positions.prefix(1)).first
  }
}
