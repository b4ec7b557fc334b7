import ECS

/// The changes of a step, in the end: values before and after.
///
/// Both ways are the same: undoing goes from what was after to what was before, redoing back.
final class UndoStep {
  /// A component of an entity.
  struct ValueKey: Hashable {
    let entity: Entity
    let cid: CID
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

  let name: String

  /// Whether a further step of the same name may become a part of it, and until when.
  var joinsUntil: Duration?

  let values: StepValues
  let lives: [Life]

  /// In the order of the first change of each.
  let links: [LinkChange]

  /// In the order in which they were made.
  let moves: [LinkMove]

  init(
    _ name: String, _ values: StepValues, lives: [Life], links: [LinkChange], moves: [LinkMove]
  ) {
    self.name = name
    self.values = values
    self.lives = lives
    self.links = links
    self.moves = moves
  }

  var isEmpty: Bool { values.isEmpty && lives.isEmpty && links.isEmpty && moves.isEmpty }

  /// The bytes that it takes, without what values refer to.
  var byteCount: Int {
    // This object and that of the values; each life is in the table of the holder, too.
    160 + name.utf8.count + values.byteCount
      + lives.count * (MemoryLayout<Life>.stride + 64)
      + links.count * MemoryLayout<LinkChange>.stride + moves.count * MemoryLayout<LinkMove>.stride
  }

  /// The entities and components that it has changed.
  var valueKeys: Set<ValueKey> { Set(values.lazy.map { ValueKey(entity: $0.entity, cid: $0.cid) }) }

  /// This step and the one that came next as one.
  func joined(with next: UndoStep, _ tracker: ValueTracker) -> UndoStep {
    var (lives, links) = (lives, links)
    var moves = moves + next.moves
    var lifeIndices: [Entity: Int] = [:]
    for (index, life) in lives.enumerated() { lifeIndices[life.entity] = index }
    for life in next.lives {
      if let index = lifeIndices[life.entity] {
        lives[index].isAlive = life.isAlive
      } else {
        lives.append(life)
      }
    }
    var linkIndices: [Link: Int] = [:]
    for (index, change) in links.enumerated() { linkIndices[change.link] = index }
    for change in next.links {
      if let index = linkIndices[change.link] {
        links[index].isLinked = change.isLinked
      } else {
        links.append(change)
      }
    }
    let unborn = UndoStep.simplify(&lives, &links, &moves)
    tracker.begin()
    tracker.add(values)
    tracker.add(next.values)
    return UndoStep(
      name, tracker.finish(isKept: true, without: unborn), lives: lives, links: links,
      moves: moves)
  }

  /// Leaves out what is in the end as it was in the beginning; returns the entities that there were
  /// neither then nor are now.
  static func simplify(
    _ lives: inout [Life], _ links: inout [LinkChange], _ moves: inout [LinkMove]
  ) -> Set<Entity> {
    if lives.isEmpty, links.isEmpty, moves.isEmpty { return [] }
    let unborn = Set(lives.lazy.filter { !$0.wasAlive && !$0.isAlive }.map(\.entity))
    lives.removeAll { $0.wasAlive == $0.isAlive }
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
      guard let index = same.map({ kept.count - 1 - $0.offset }) else {
        kept.append(move)
        continue
      }
      kept[index].next = move.next
      if kept[index].earlierNext == move.next { kept.remove(at: index) }
    }
    moves = kept
    return unborn
  }
}
