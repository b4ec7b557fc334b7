import ECS

/// The changes of a step, in the end: values before and after.
///
/// Both ways are the same: undoing goes from what was after to what was before, redoing back.
struct UndoStep {
  /// A component of an entity.
  struct Place: Hashable {
    let entity: Entity
    let cid: CID
  }

  /// A value, and which of those it is that its place has had.
  struct Value {
    var component: (any Component)?
    var version: UInt64 = 0

    /// Whether both are the same, or equal, if their type is `Equatable`.
    func isKnownSame(as other: Value) -> Bool {
      guard let component, let otherComponent = other.component else {
        return component == nil && other.component == nil
      }
      return version == other.version || isKnownEqual(component, otherComponent)
    }
  }

  struct ValueChange {
    let place: Place
    var before: Value
    var after: Value

    func value(_ side: UndoSide) -> Value { side == .before ? before : after }

    mutating func setVersion(_ version: UInt64, _ side: UndoSide) {
      if side == .before { before.version = version } else { after.version = version }
    }
  }

  /// An entity that was created or destroyed.
  struct Life {
    let entity: Entity
    var wasAlive: Bool
    var isAlive: Bool

    func alive(_ side: UndoSide) -> Bool { side == .before ? wasAlive : isAlive }
  }

  struct Link: Hashable {
    let source: Entity
    let target: Entity
    let relationID: ObjectIdentifier
  }

  struct LinkChange {
    let link: Link
    let relation: any Relation.Type
    var wasLinked: Bool
    var isLinked: Bool

    func linked(_ side: UndoSide) -> Bool { side == .before ? wasLinked : isLinked }
  }

  /// A link that was moved among those of one of its ends, came there, or went.
  struct LinkMove {
    let link: Link
    let relation: any Relation.Type
    let isAmongTargets: Bool

    /// The entity that came next before, and the one that comes next since then.
    ///
    /// That is none, if it was or is the last one; there is no value if the link was or is not
    /// there.
    var earlierNext: Entity??
    var next: Entity??

    func next(_ side: UndoSide) -> Entity?? { side == .before ? earlierNext : next }
  }

  var name: String

  /// Whether a further step of the same name may become a part of it, and until when.
  var joinsUntil: Duration?

  // In the order of the first change of each.
  var values: [ValueChange] = []
  var lives: [Life] = []
  var links: [LinkChange] = []

  /// In the order in which they were made.
  var moves: [LinkMove] = []

  var isEmpty: Bool { values.isEmpty && lives.isEmpty && links.isEmpty && moves.isEmpty }

  /// The bytes that it takes, without what values refer to.
  var byteCount: Int {
    // A value is in a box of its own; each place is in the table of versions, each life in that of
    // the holder.
    var bytes = MemoryLayout<UndoStep>.stride + name.utf8.count
    bytes += values.count * (MemoryLayout<ValueChange>.stride + UndoStep.placeSize)
    bytes += lives.count * (MemoryLayout<Life>.stride + UndoStep.lifeSize)
    bytes += links.count * MemoryLayout<LinkChange>.stride
    bytes += moves.count * MemoryLayout<LinkMove>.stride
    for change in values {
      let size = change.place.cid.layout.size
      if size > 24 {
        bytes += (change.before.component == nil ? 0 : size + 16)
        bytes += (change.after.component == nil ? 0 : size + 16)
      }
    }
    return bytes
  }

  private static var placeSize: Int { 2 * (MemoryLayout<Place>.stride + 16) }
  private static var lifeSize: Int { 64 }

  /// Appends what came next, as a part of this step.
  mutating func append(_ next: UndoStep) {
    var valuePlaces: [Place: Int] = [:]
    for (number, change) in values.enumerated() { valuePlaces[change.place] = number }
    for change in next.values {
      if let number = valuePlaces[change.place] {
        values[number].after = change.after
      } else {
        values.append(change)
      }
    }
    var lifePlaces: [Entity: Int] = [:]
    for (number, life) in lives.enumerated() { lifePlaces[life.entity] = number }
    for life in next.lives {
      if let number = lifePlaces[life.entity] {
        lives[number].isAlive = life.isAlive
      } else {
        lives.append(life)
      }
    }
    var linkPlaces: [Link: Int] = [:]
    for (number, change) in links.enumerated() { linkPlaces[change.link] = number }
    for change in next.links {
      if let number = linkPlaces[change.link] {
        links[number].isLinked = change.isLinked
      } else {
        links.append(change)
      }
    }
    moves += next.moves
    joinsUntil = next.joinsUntil
  }

  /// Notes where a link was that went, or that one came.
  mutating func notePlace(
    of link: Link, _ relation: any Relation.Type, isLinked: Bool,
    _ next: (target: Entity?, source: Entity?)
  ) {
    for (isAmongTargets, next) in [(true, next.target), (false, next.source)] {
      moves.append(
        LinkMove(
          link: link, relation: relation, isAmongTargets: isAmongTargets,
          earlierNext: isLinked ? nil : .some(next), next: isLinked ? .some(next) : nil))
    }
  }

  /// Leaves out what is in the end as it was in the beginning.
  mutating func simplify() {
    let unborn = Set(lives.lazy.filter { !$0.wasAlive && !$0.isAlive }.map(\.entity))
    lives.removeAll { $0.wasAlive == $0.isAlive }
    values.removeAll { change in
      if unborn.contains(change.place.entity) { return true }
      guard let before = change.before.component else { return change.after.component == nil }
      return change.after.component.map { isKnownEqual(before, $0) } ?? false
    }
    var passing: Set<Link> = []
    for change in links {
      let ends = [change.link.source, change.link.target]
      if !change.wasLinked && !change.isLinked || ends.contains(where: unborn.contains) {
        passing.insert(change.link)
      }
    }
    links.removeAll {
      $0.wasLinked == $0.isLinked || unborn.contains($0.link.source)
        || unborn.contains($0.link.target)
    }
    moves.removeAll { passing.contains($0.link) }
    var kept: [LinkMove] = []
    for move in moves {
      // Nothing else was moved meanwhile, so both are one.
      let same = kept.reversed().prefix { $0.link == move.link }.enumerated().first {
        $1.isAmongTargets == move.isAmongTargets
      }
      guard let place = same.map({ kept.count - 1 - $0.offset }) else {
        kept.append(move)
        continue
      }
      kept[place].next = move.next
      if kept[place].earlierNext == move.next { kept.remove(at: place) }
    }
    moves = kept
  }
}

/// Which end of a step.
enum UndoSide {
  case before
  case after

  var other: UndoSide { self == .before ? .after : .before }
}

/// Whether values are of a type that is `Equatable`, and are equal.
func isKnownEqual(_ left: any Component, _ right: any Component) -> Bool {
  func compare<Left: Equatable>(_ left: Left) -> Bool { (right as? Left) == left }
  guard let left = left as? any Equatable else { return false }
  return compare(left)
}
