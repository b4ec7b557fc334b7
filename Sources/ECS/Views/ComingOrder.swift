/// The order of an ordered index once all is done that was asked for in an iteration, which the
/// order that it keeps does not show yet.
@usableFromInline
struct ComingOrder<Key: Comparable> {
  /// The entities that have keys, in order.
  private(set) var entries: [(key: Key, entity: Entity)] = []

  /// Where each of them is.
  private var positions: [Entity: Int] = [:]

  private let iteration: UInt64
  private let stepCount: Int

  /// Whether the value of an entity could not be read, which an iteration had.
  private var isIncomplete = false

  /// Takes what is stored, and of entities that something was asked for what comes of that.
  ///
  /// Those with equal keys come in the order of their creation, and those that are still to be
  /// created last.
  init(
    _ contents: OrderedKeys<Key>, _ component: ComponentKey, _ definition: LiveViewDefinition.Key
  ) {
    let core = contents.sink.core
    var (changed, order): (Set<Handle>, [Handle]) = ([], [])
    var isIncomplete = false
    iteration = core.commands.id
    stepCount = core.commands.forEachStep(component, from: 0) {
      if changed.insert($0).inserted { order.append($0) }
    } lent: { _ in
      isIncomplete = true
    }
    self.isIncomplete = isIncomplete
    var ranked: [(key: Key, rank: Int, entity: Entity)] = []
    contents.visitStored { key, entity in
      if changed.contains(entity.handle) { return }
      ranked.append((key, Int(core.creationOrdinal(entity.handle)), entity))
    }
    let column = definition.makeColumn(core)
    for (number, handle) in order.enumerated() {
      let id = OrderedNodes.ID(index: number)
      _ = column.load(id, core, handle, true)
      guard let keys = column.keys as? SortKeys<Key>, let key = keys[id] else { continue }
      let rank =
        core.isStored(handle) ? Int(core.creationOrdinal(handle)) : Int(UInt32.max) + 1 + number
      ranked.append((key, rank, Entity(core: core, handle: handle)))
    }
    ranked.sort { $0.key == $1.key ? $0.rank < $1.rank : $0.key < $1.key }
    entries = ranked.map { ($0.key, $0.entity) }
    for (position, entry) in entries.enumerated() { positions[entry.entity] = position }
  }

  /// Whether nothing was asked for since then.
  func isUpToDate(_ core: Core) -> Bool {
    !isIncomplete && iteration == core.commands.id && stepCount == core.commands.stepCount
  }

  func position(of entity: Entity) -> Int? { positions[entity] }

  /// The position of the first entry whose key a condition does not hold of, which holds of all
  /// those before.
  func position(_ isBefore: (Key) -> Bool) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(entries[middle].key) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
