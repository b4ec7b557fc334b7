import ECS

/// The changes of a step, in the end: values before and after.
///
/// Both ways are the same: undoing goes from what was after to what was before, redoing back.
struct UndoStep {
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

    /// The values before and after; nil if links of the relation have none.
    var values: LinkValueChange?

    func linked(_ side: UndoSide) -> Bool { side == .before ? wasLinked : isLinked }

    /// The value at one end; nil if there is no link, or none of its values.
    func value(_ side: UndoSide) -> (any Component)? {
      side == .before ? values?.old : values?.new
    }

    /// Adds what comes after it.
    mutating func join(isLinked: Bool, _ value: (any Component)?) {
      self.isLinked = isLinked
      if values != nil || value != nil { values = LinkValueChange(old: values?.old, new: value) }
    }

    /// Whether it is after it as it was before, as far as it may count whether values are equal.
    func isUndone(byEquality: Bool) -> Bool {
      guard wasLinked == isLinked else { return false }
      guard wasLinked, let values else { return true }
      guard let old = values.old, let new = values.new else { return values.new == nil }
      return byEquality && isKnownEqual(old, new)
    }
  }

  /// The values of a link before and after a step.
  // PERFORMANCE: UN3: an object, so that links without values take a reference for it.
  final class LinkValueChange: Sendable {
    let old: (any Component)?
    let new: (any Component)?

    init(old: (any Component)?, new: (any Component)?) { (self.old, self.new) = (old, new) }

    /// The bytes that it takes, with those of values that lie in boxes.
    var byteCount: Int {
      func size<C: Component>(_ value: C) -> Int {
        MemoryLayout<C>.size > 24 ? MemoryLayout<C>.size + 16 : 0
      }
      return 96 + (old.map { size($0) } ?? 0) + (new.map { size($0) } ?? 0)
    }
  }

  /// The changes of other things than values, of which most steps have none.
  // PERFORMANCE: UN3: one reference for all of it.
  private final class Structure: Sendable {
    let lives: [Life]
    let links: [LinkChange]
    let operations: [LinkOperation]

    init(_ lives: [Life], _ links: [LinkChange], _ operations: [LinkOperation]) {
      (self.lives, self.links, self.operations) = (lives, links, operations)
    }
  }

  let name: String

  /// Whether a further step of the same name may become a part of it, and until when.
  var joinsUntil: Duration?

  let values: StepValues
  private let structure: Structure?

  init(
    _ name: String, _ values: StepValues, lives: [Life], links: [LinkChange],
    operations: [LinkOperation]
  ) {
    self.name = name
    self.values = values
    structure =
      lives.isEmpty && links.isEmpty && operations.isEmpty
      ? nil : Structure(lives, links, operations)
  }

  /// Makes a step of nothing but values.
  init(_ name: String, _ values: StepValues) {
    (self.name, self.values, structure) = (name, values, nil)
  }

  var lives: [Life] { structure?.lives ?? [] }

  /// Visits those.
  // PERFORMANCE: UN3: mostly there are none, for which no empty list has to be made and ended.
  func forEachLife(_ body: (Life) -> Void) {
    if let structure { for life in structure.lives { body(life) } }
  }

  /// In the order of the first change of each.
  var links: [LinkChange] { structure?.links ?? [] }

  /// What was done to links, in this order; empty if links only came, or none did.
  var operations: [LinkOperation] { structure?.operations ?? [] }

  var isEmpty: Bool { values.isEmpty && structure == nil }

  /// What has values of links that may be anything; nil if there are none.
  var linkValues: AnyObject? {
    structure.flatMap { $0.links.contains { $0.values != nil } ? $0 : nil }
  }

  /// The bytes that it takes, without what values refer to.
  var byteCount: Int {
    // Itself, and the object of the values; each life is in the table of the holder, too.
    var bytes = 160 + name.utf8.count + values.byteCount
    if let structure {
      bytes += structure.lives.count * (MemoryLayout<Life>.stride + 64)
      for change in structure.links {
        bytes += MemoryLayout<LinkChange>.stride + (change.values?.byteCount ?? 0)
      }
      bytes += structure.operations.count * MemoryLayout<LinkOperation>.stride
    }
    return bytes
  }

  /// The entities and components that it has changed.
  var valueKeys: Set<ValueKey> { Set(values.lazy.map { ValueKey(entity: $0.entity, cid: $0.cid) }) }

  /// Steps that came one after the other as one, of the name of the first.
  ///
  /// Versions of values are kept for it, or not, as they are for the others. If they are, the
  /// present moment is the end of the last one.
  static func joined(
    _ steps: [UndoStep], _ tracker: ValueTracker, isKept: Bool
  ) -> UndoStep {
    var (lives, links): ([Life], [LinkChange]) = ([], [])
    var operations: [LinkOperation] = []
    var lifeIndices: [Entity: Int] = [:]
    var linkIndices: [Link: Int] = [:]
    tracker.begin()
    for step in steps {
      if operations.isEmpty, !step.operations.isEmpty { operations.add(linking: links) }
      if step.operations.isEmpty, !operations.isEmpty { operations.add(linking: step.links) }
      for operation in step.operations { operations.add(operation) }
      for life in step.lives {
        if let index = lifeIndices[life.entity] {
          lives[index].isAlive = life.isAlive
        } else {
          lifeIndices[life.entity] = lives.count
          lives.append(life)
        }
      }
      for change in step.links {
        if let index = linkIndices[change.link] {
          links[index].join(isLinked: change.isLinked, change.value(.after))
        } else {
          linkIndices[change.link] = links.count
          links.append(change)
        }
      }
      tracker.add(step.values)
    }
    let unborn = UndoStep.simplify(
      &lives, &links, &operations, isPresent: isKept, byEquality: isKept)
    return UndoStep(
      steps.first?.name ?? "",
      tracker.finish(isKept: isKept, without: unborn.isEmpty ? nil : unborn), lives: lives,
      links: links, operations: operations)
  }

  /// Leaves out what is in the end as it was in the beginning; returns the entities that there were
  /// neither then nor are after it.
  ///
  /// If the present moment is the end of the step, the order of links of entities that others have
  /// destroyed does not count, either. Values of links that are equal count as the same where
  /// versions of values are kept: elsewhere, since `==` may see less than there is, they do not.
  static func simplify(
    _ lives: inout [Life], _ links: inout [LinkChange], _ operations: inout [LinkOperation],
    isPresent: Bool = true, byEquality: Bool
  ) -> Set<Entity> {
    if lives.isEmpty, links.isEmpty, operations.isEmpty { return [] }
    let unborn = Set(lives.lazy.filter { !$0.wasAlive && !$0.isAlive }.map(\.entity))
    lives.removeAll { $0.wasAlive == $0.isAlive }
    links.removeAll {
      $0.isUndone(byEquality: byEquality) || unborn.contains($0.link.source)
        || unborn.contains($0.link.target)
    }
    if links.isEmpty, !operations.isEmpty {
      let ours = Set(lives.map(\.entity))
      let isChanged = LinkOrder.isChanged(by: operations) {
        unborn.contains($0) || isPresent && !$0.isAlive && !ours.contains($0)
      }
      if !isChanged { operations = [] }
    }
    return unborn
  }

  /// The links that are there at both ends, and may be elsewhere among others.
  var keptLinks: [(link: Link, relation: any Relation.Type)] {
    if operations.isEmpty { return [] }
    var first: [LinkOperation] = []
    var last: [Link: LinkOperation] = [:]
    for operation in operations where last.updateValue(operation, forKey: operation.link) == nil {
      first.append(operation)
    }
    return first.compactMap {
      $0.isLinking || last[$0.link]?.isUnlinking != false ? nil : ($0.link, $0.relation)
    }
  }
}
