/// The nodes of a view's entities, by slot.
struct LiveViewPlaces {
  /// The state of an entity that is linked to the owner of a view of related entities.
  struct Linked {
    var node = OrderedNodes.none
    var arrival: UInt32
  }

  /// By slot, in views of groups, which may show any part of the context.
  private(set) var nodes = SlotMap(absent: OrderedNodes.none)

  /// The linked entities by slot, filtered out or not; nil in views of groups.
  ///
  /// There may be many of these views, each of few entities.
  private(set) var linked: [UInt32: Linked]?

  private(set) var nextArrival = LiveViewPlaces.middle

  init(ofLinked: Bool) {
    if ofLinked { linked = [:] }
  }

  /// The node of a slot's entity; `none` if the view does not show it.
  subscript(slot: UInt32) -> OrderedNodes.ID {
    get {
      if let linked { return linked[slot]?.node ?? OrderedNodes.none }
      return nodes[slot]
    }
    set {
      if linked != nil {
        linked?[slot]?.node = newValue
        return
      }
      switch (nodes[slot] == OrderedNodes.none, newValue == OrderedNodes.none) {
      case (true, true): return
      case (true, false): nodes.insert(slot, newValue)
      case (false, true): nodes.remove(slot)
      case (false, false): nodes.update(slot, newValue)
      }
    }
  }

  /// Lets the processor fetch what is about to be asked for.
  @inline(__always)
  func prefetch(_ slot: UInt32) { nodes.prefetch(slot) }

  /// Whether a slot's entity is one that the view would show if no filter kept it out.
  func isCandidate(_ slot: UInt32) -> Bool { linked.map { $0[slot] != nil } ?? true }

  /// Whether these are the places of a view of related entities.
  var areOfLinked: Bool { linked != nil }

  /// A number that tells the place of a linked entity among the others; nil in views of groups.
  func arrival(_ slot: UInt32) -> UInt32? { linked?[slot]?.arrival }

  /// Whether the numbers of the order of links are used up.
  var isFull: Bool { nextArrival > .max - LiveViewPlaces.widestGap }

  /// So much apart are the numbers of entities, if there are not too many, for others to come
  /// between.
  private static var widestGap: UInt32 { 1 << 12 }

  /// The first number, so that entities may come before the first one as often as behind the last
  /// one.
  private static var middle: UInt32 { 1 << 31 }

  /// So much apart are numbers that are given out afresh: all take at most a quarter.
  private static func gap(for count: Int) -> UInt32 {
    max(1, min(widestGap, .max / 4 / UInt32(clamping: count + 1)))
  }

  mutating func link(_ slot: UInt32) {
    linked?[slot] = Linked(arrival: nextArrival)
    nextArrival += LiveViewPlaces.gap(for: linked?.count ?? 0)
  }

  /// Gives a linked entity a place between two others, before the first one or behind the last one.
  ///
  /// - Returns: Whether there was one.
  mutating func move(_ slot: UInt32, between previous: UInt32?, and next: UInt32?) -> Bool {
    guard let next = next.flatMap({ arrival($0) }) else {
      if isFull { return false }
      linked?[slot]?.arrival = nextArrival
      nextArrival += LiveViewPlaces.gap(for: linked?.count ?? 0)
      return true
    }
    let gap = LiveViewPlaces.gap(for: linked?.count ?? 0)
    // No entity has the number 0.
    let earlier = previous.flatMap { arrival($0) } ?? (next - 2 * min(gap, next / 2))
    guard next > earlier + 1 else { return false }
    linked?[slot]?.arrival = earlier + (next - earlier) / 2
    return true
  }

  mutating func unlink(_ slot: UInt32) { linked?[slot] = nil }

  /// Numbers the linked entities afresh, in the same order.
  mutating func renumber() {
    if linked != nil { renumber(order) }
  }

  /// The slots of linked entities, in their order.
  var order: [UInt32] {
    (linked ?? [:]).sorted(byNumber: { UInt64($0.value.arrival) }).map(\.key)
  }

  /// The order in which entities were linked, at a moment.
  struct Arrivals {
    fileprivate let linked: [UInt32: Linked]
    fileprivate let next: UInt32
  }

  /// The order in which entities were linked; nil in views of groups.
  var arrivals: Arrivals? { linked.map { Arrivals(linked: $0, next: nextArrival) } }

  /// Gives linked entities the places in the order that they had at a moment.
  ///
  /// Returns the slots of those that had others, in that order.
  mutating func restore(_ arrivals: Arrivals) -> [UInt32] {
    nextArrival = arrivals.next
    var changed: [UInt32] = []
    for (slot, entity) in arrivals.linked {
      guard let now = arrival(slot), now != entity.arrival else { continue }
      linked?[slot]?.arrival = entity.arrival
      changed.append(slot)
    }
    return changed.sorted(byNumber: { UInt64(arrival($0) ?? 0) })
  }

  /// Numbers the linked entities afresh, in an order that names all of them.
  mutating func renumber(_ order: [UInt32]) {
    let gap = LiveViewPlaces.gap(for: order.count)
    nextArrival = LiveViewPlaces.middle - UInt32(clamping: order.count / 2) * gap
    for slot in order {
      linked?[slot]?.arrival = nextArrival
      nextArrival += gap
    }
  }

  /// Uses up numbers until so many are left.
  mutating func skipArrivals(leaving count: UInt32) {
    nextArrival = max(nextArrival, .max - LiveViewPlaces.widestGap - count)
  }

  mutating func removeAll() {
    nodes.removeAll()
    if linked != nil { linked = [:] }
  }
}
