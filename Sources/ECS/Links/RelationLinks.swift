/// The links of one relation between the slots of a core.
///
/// Each link is an element of two doubly linked lists: the targets of its source and the sources of
/// its target, both in the order in which they were linked, unless links were moved. So linking and
/// unlinking are O(1) from both ends, and walking a list touches nothing else.
struct RelationLinks {
  /// Identifies a link while it exists.
  struct ID: Hashable {
    fileprivate var value: UInt32
    static var none: ID { ID(value: .max) }
    var index: Int { Int(value) }
  }

  struct Link {
    fileprivate(set) var source: UInt32
    fileprivate(set) var target: UInt32
    fileprivate(set) var previousTarget: ID
    fileprivate(set) var nextTarget: ID
    fileprivate(set) var previousSource: ID
    fileprivate(set) var nextSource: ID
  }

  /// The list of one slot on one side.
  struct List {
    var first = ID.none
    var last = ID.none
    var count: UInt32 = 0
  }

  private(set) var links: ContiguousArray<Link> = []
  private(set) var firstFree = ID.none

  /// INVARIANT: both cover the same slots; slots beyond have no links.
  private(set) var targets: ContiguousArray<List> = []
  private(set) var sources: ContiguousArray<List> = []

  /// The links by source and target; nil until a look-up would have to go through long lists.
  private(set) var pairs: [UInt64: ID]?

  /// The number of links.
  private(set) var count = 0

  private static var longList: Int { 32 }

  /// The same links, whatever becomes of these.
  ///
  /// - Complexity: O(1), and once O(*k* + *n*) for the first change of either one, where *k* is the
  ///   number of links, and *n* that of slots.
  var frozen: RelationLinks {
    var copy = self
    copy.pairs = nil
    return copy
  }

  /// The number of links that a slot has on a side.
  func count(_ slot: UInt32, _ side: RelationSide) -> Int {
    guard Int(slot) < targets.count else { return 0 }
    return Int(side == .targets ? targets[Int(slot)].count : sources[Int(slot)].count)
  }

  /// The first link of a slot on a side.
  func first(_ slot: UInt32, _ side: RelationSide) -> ID? {
    guard Int(slot) < targets.count else { return nil }
    let first = side == .targets ? targets[Int(slot)].first : sources[Int(slot)].first
    return first == .none ? nil : first
  }

  /// The next link of the same slot on the same side.
  func next(after link: ID, _ side: RelationSide) -> ID? {
    let next = side == .targets ? links[link.index].nextTarget : links[link.index].nextSource
    return next == .none ? nil : next
  }

  /// The previous link of the same slot on the same side.
  func previous(before link: ID, _ side: RelationSide) -> ID? {
    let previous =
      side == .targets ? links[link.index].previousTarget : links[link.index].previousSource
    return previous == .none ? nil : previous
  }

  /// The last link of a slot on a side.
  func last(_ slot: UInt32, _ side: RelationSide) -> ID? {
    guard Int(slot) < targets.count else { return nil }
    let last = side == .targets ? targets[Int(slot)].last : sources[Int(slot)].last
    return last == .none ? nil : last
  }

  /// The slot at the end of a link that a side's name says.
  func slot(of link: ID, _ side: RelationSide) -> UInt32 {
    side == .targets ? links[link.index].target : links[link.index].source
  }

  /// The first slot that a slot is linked to on a side; nil if there is none.
  func firstSlot(_ slot: UInt32, _ side: RelationSide) -> UInt32? {
    first(slot, side).map { self.slot(of: $0, side) }
  }

  /// Whether following the first targets of a slot leads to another one; the links are a hierarchy.
  func isBelow(_ slot: UInt32, _ ancestor: UInt32) -> Bool {
    var next = firstSlot(slot, .targets)
    while let slot = next {
      if slot == ancestor { return true }
      next = firstSlot(slot, .targets)
    }
    return false
  }

  /// The slots that a slot is linked to on a side, in order, at most so many.
  func forEach(
    _ slot: UInt32, _ side: RelationSide, limit: Int = .max, _ body: (UInt32) -> Void
  ) {
    var (link, left) = (first(slot, side), limit)
    while let current = link, left > 0 {
      body(self.slot(of: current, side))
      link = next(after: current, side)
      left -= 1
    }
  }

  /// The links that a slot has on a side, in order, at most so many.
  func forEachLink(
    _ slot: UInt32, _ side: RelationSide, limit: Int = .max, _ body: (ID) -> Void
  ) {
    var (link, left) = (first(slot, side), limit)
    while let current = link, left > 0 {
      body(current)
      link = next(after: current, side)
      left -= 1
    }
  }

  /// The link between two slots.
  ///
  /// - Complexity: O(1): where both have many, the pairs are kept from here on.
  mutating func find(source: UInt32, target: UInt32) -> ID? {
    let list = shorterList(source, target)
    guard count(list.slot, list.side) > RelationLinks.longList else { return search(list) }
    if pairs == nil { makePairs() }
    return pairs?[RelationLinks.pair(source, target)]
  }

  /// The link between two slots, for readers beside others: nothing is kept.
  func search(source: UInt32, target: UInt32) -> ID? {
    let list = shorterList(source, target)
    if let pairs, count(list.slot, list.side) > RelationLinks.longList {
      return pairs[RelationLinks.pair(source, target)]
    }
    return search(list)
  }

  /// Whether a search would go through a long list, since no pairs are kept yet.
  func isSlow(source: UInt32, target: UInt32) -> Bool {
    let list = shorterList(source, target)
    return pairs == nil && count(list.slot, list.side) > RelationLinks.longList
  }

  /// The shorter one of the lists in which a link would be, and what is looked for there.
  @inline(__always)
  private func shorterList(
    _ source: UInt32, _ target: UInt32
  ) -> (slot: UInt32, side: RelationSide, wanted: UInt32) {
    count(source, .targets) <= count(target, .sources)
      ? (source, .targets, target) : (target, .sources, source)
  }

  @inline(__always)
  private func search(_ list: (slot: UInt32, side: RelationSide, wanted: UInt32)) -> ID? {
    var link = first(list.slot, list.side)
    while let current = link {
      if slot(of: current, list.side) == list.wanted { return current }
      link = next(after: current, list.side)
    }
    return nil
  }

  // MARK: Changes

  /// The outcome of linking two slots.
  enum Insertion {
    case done

    /// They are linked already.
    case unneeded

    /// There is a link that can't stay beside this one.
    case inTheWay
  }

  /// Links two slots, unless they are linked or have links that can't stay beside this one.
  mutating func insert(
    source: UInt32, target: UInt32, unlessSourceIsLinked isToOne: Bool,
    unlessTargetIsLinked isOneToOne: Bool
  ) -> Insertion {
    if find(source: source, target: target) != nil { return .unneeded }
    if isToOne, count(source, .targets) > 0 { return .inTheWay }
    if isOneToOne, count(target, .sources) > 0 { return .inTheWay }
    insert(source: source, target: target)
    return .done
  }

  /// Links two slots that are not linked, as the youngest of both.
  mutating func insert(source: UInt32, target: UInt32) {
    assert(source != .max && target != .max, "A slot was to be linked that does not exist.")
    grow(toHold: max(source, target))
    let link = Link(
      source: source, target: target,
      previousTarget: targets[Int(source)].last, nextTarget: .none,
      previousSource: sources[Int(target)].last, nextSource: .none)
    let id = append(link)
    if link.previousTarget == .none {
      targets[Int(source)].first = id
    } else {
      links[link.previousTarget.index].nextTarget = id
    }
    if link.previousSource == .none {
      sources[Int(target)].first = id
    } else {
      links[link.previousSource.index].nextSource = id
    }
    targets[Int(source)].last = id
    targets[Int(source)].count += 1
    sources[Int(target)].last = id
    sources[Int(target)].count += 1
    count += 1
    pairs?[RelationLinks.pair(source, target)] = id
  }

  /// Removes a link.
  mutating func remove(_ id: ID) {
    let link = links[id.index]
    assert(isInUse(id), "A link was to go that is not there.")
    if link.previousTarget == .none {
      targets[Int(link.source)].first = link.nextTarget
    } else {
      links[link.previousTarget.index].nextTarget = link.nextTarget
    }
    if link.nextTarget == .none {
      targets[Int(link.source)].last = link.previousTarget
    } else {
      links[link.nextTarget.index].previousTarget = link.previousTarget
    }
    if link.previousSource == .none {
      sources[Int(link.target)].first = link.nextSource
    } else {
      links[link.previousSource.index].nextSource = link.nextSource
    }
    if link.nextSource == .none {
      sources[Int(link.target)].last = link.previousSource
    } else {
      links[link.nextSource.index].previousSource = link.previousSource
    }
    targets[Int(link.source)].count -= 1
    sources[Int(link.target)].count -= 1
    count -= 1
    pairs?[RelationLinks.pair(link.source, link.target)] = nil
    links[id.index].nextTarget = firstFree
    firstFree = id
  }

  /// Whether a link is in the list of its source.
  private func isInUse(_ id: ID) -> Bool {
    let link = links[id.index]
    let first = targets[Int(link.source)].first
    return (link.previousTarget == .none ? first : links[link.previousTarget.index].nextTarget)
      == id
  }

  private mutating func append(_ link: Link) -> ID {
    guard firstFree != .none else {
      links.append(link)
      return ID(value: UInt32(links.count - 1))
    }
    let id = firstFree
    firstFree = links[id.index].nextTarget
    links[id.index] = link
    return id
  }

  private mutating func grow(toHold slot: UInt32) {
    guard Int(slot) >= targets.count else { return }
    let count = max(64, Int(slot) + 1, targets.count * 2)
    targets.append(contentsOf: repeatElement(List(), count: count - targets.count))
    sources.append(contentsOf: repeatElement(List(), count: count - sources.count))
  }

  // MARK: Order

  /// Puts a link before another one of the same slot on a side, or behind all of them.
  mutating func move(_ id: ID, _ side: RelationSide, before next: ID?) {
    assert(isInUse(id) && next != id, "A link was to be moved that cannot be.")
    let slot = self.slot(of: id, side.other)
    join(previous(before: id, side), self.next(after: id, side), side, of: slot)
    let before = next.map { previous(before: $0, side) } ?? last(slot, side)
    join(before, id, side, of: slot)
    join(id, next, side, of: slot)
  }

  /// Makes two links of a slot follow each other on a side; one that is nil is the end of the list.
  private mutating func join(
    _ previous: ID?, _ next: ID?, _ side: RelationSide, of slot: UInt32
  ) {
    let (before, after) = (previous ?? .none, next ?? .none)
    switch (side, previous) {
    case (.targets, nil): targets[Int(slot)].first = after
    case (.sources, nil): sources[Int(slot)].first = after
    case (.targets, let previous?): links[previous.index].nextTarget = after
    case (.sources, let previous?): links[previous.index].nextSource = after
    }
    switch (side, next) {
    case (.targets, nil): targets[Int(slot)].last = before
    case (.sources, nil): sources[Int(slot)].last = before
    case (.targets, let next?): links[next.index].previousTarget = before
    case (.sources, let next?): links[next.index].previousSource = before
    }
  }

  // MARK: Taking back

  /// A link with its neighbors in both lists.
  func link(_ id: ID) -> Link { links[id.index] }

  /// The link that was inserted last, which is the youngest of its source, and whether its ID
  /// was used for the first time.
  ///
  /// `reused` is the ID that the insertion would have used again, asked for before it.
  func inserted(by source: UInt32, reusing reused: ID?) -> (id: ID, isNew: Bool) {
    (targets[Int(source)].last, reused == nil)
  }

  /// The ID that the next link gets, if it is one that was used before.
  var nextReused: ID? { firstFree == .none ? nil : firstFree }

  /// Takes an insertion back, all changes after which have been taken back.
  mutating func revertInsertion(_ id: ID, isNew: Bool) {
    remove(id)
    guard isNew else { return }
    assert(id.index == links.count - 1, "A link was to be forgotten that is not the last one.")
    firstFree = links[id.index].nextTarget
    links.removeLast()
  }

  /// Takes a removal back, all changes after which have been taken back.
  mutating func revertRemoval(_ id: ID, of link: Link) {
    assert(firstFree == id, "A link was to come back whose ID is in use.")
    firstFree = links[id.index].nextTarget
    links[id.index] = link
    if link.previousTarget == .none {
      targets[Int(link.source)].first = id
    } else {
      links[link.previousTarget.index].nextTarget = id
    }
    if link.nextTarget == .none {
      targets[Int(link.source)].last = id
    } else {
      links[link.nextTarget.index].previousTarget = id
    }
    if link.previousSource == .none {
      sources[Int(link.target)].first = id
    } else {
      links[link.previousSource.index].nextSource = id
    }
    if link.nextSource == .none {
      sources[Int(link.target)].last = id
    } else {
      links[link.nextSource.index].previousSource = id
    }
    targets[Int(link.source)].count += 1
    sources[Int(link.target)].count += 1
    count += 1
    pairs?[RelationLinks.pair(link.source, link.target)] = id
  }

  // MARK: Pairs

  static func pair(_ source: UInt32, _ target: UInt32) -> UInt64 {
    UInt64(source) << 32 | UInt64(target)
  }

  private mutating func makePairs() {
    var made: [UInt64: ID] = [:]
    made.reserveCapacity(count)
    for slot in sources.indices {
      var link = first(UInt32(slot), .sources)
      while let current = link {
        made[RelationLinks.pair(links[current.index].source, UInt32(slot))] = current
        link = next(after: current, .sources)
      }
    }
    pairs = made
  }
}
