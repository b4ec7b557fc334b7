import ECS

/// The parents and children of a hierarchy once all that a plan says about it is done.
struct HierarchyGraph {
  typealias TargetNumber = ChangePlan.TargetNumber

  /// The last word about the parent of an entity.
  struct Word {
    /// Nil for none.
    var parent: TargetNumber?

    /// Whose change says so.
    var speaker: TargetNumber
  }

  /// An entity: one of the plan, or any other one.
  private enum Node: Hashable {
    case target(TargetNumber)
    case entity(Entity)
  }

  let hierarchy: HierarchyLink
  private let entities: [Entity?]
  private var numbers: [Entity: TargetNumber] = [:]
  private var words: [TargetNumber: Word] = [:]

  /// Those of whose parents something is said, each once.
  private var children: [TargetNumber] = []

  /// The entities that were given to a parent by what was said so far.
  private var childrenByParent: [TargetNumber: [TargetNumber]] = [:]

  /// Parents that have no other children than the plan says, each with the last step that lists
  /// them.
  private var listed: [TargetNumber: Int] = [:]
  private var parents: [TargetNumber] = []

  init(_ hierarchy: HierarchyLink, _ targets: [ChangePlan.Target]) {
    self.hierarchy = hierarchy
    entities = targets.map(\.entity)
    for (index, entity) in entities.enumerated() {
      if let entity { numbers[entity] = index }
    }
  }

  /// Adds what comes after everything that was added so far.
  mutating func add(_ step: ChangePlan.HierarchyStep) {
    if let parent = step.listingParent {
      list(parent, by: step.number)
      for child in childrenByParent.removeValue(forKey: parent) ?? []
      where words[child]?.parent == parent {
        words[child] = Word(parent: nil, speaker: parent)
      }
      for child in step.children { link(child, to: parent, speaker: parent) }
    } else if let child = step.children.first {
      link(child, to: step.parent, speaker: child)
    }
  }

  private mutating func link(_ child: TargetNumber, to parent: TargetNumber?, speaker: TargetNumber)
  {
    if words[child] == nil { children.append(child) }
    if let parent, hierarchy.isOneToOne {
      list(parent, by: nil)
      for other in childrenByParent.removeValue(forKey: parent) ?? []
      where words[other]?.parent == parent {
        words[other] = Word(parent: nil, speaker: speaker)
      }
    }
    words[child] = Word(parent: parent, speaker: speaker)
    if let parent { childrenByParent[parent, default: []].append(child) }
  }

  private mutating func list(_ parent: TargetNumber, by step: Int?) {
    if listed[parent] == nil { parents.append(parent) }
    listed[parent] = step ?? listed[parent] ?? -1
  }

  // MARK: Asking

  /// What of a step counts in the end; nil for nothing.
  func lastWord(of step: ChangePlan.HierarchyStep) -> [TargetNumber]? {
    if let parent = step.listingParent {
      guard listed[parent] == step.number else { return nil }
      return step.children.filter { words[$0]?.parent == parent }
    }
    guard let child = step.children.first, let word = words[child], word.parent == step.parent
    else { return nil }
    return step.parent.map { [$0] } ?? []
  }

  /// The targets that would be their own ancestors.
  ///
  /// - Complexity: O(*n*), where *n* is the number of targets and their ancestors.
  func targetsInCycles() -> Set<TargetNumber> {
    var result: Set<TargetNumber> = []
    var visited: Set<Node> = []
    for start in children {
      var way: [Node] = []
      var next: Node? = .target(start)
      while let node = next, visited.insert(node).inserted {
        way.append(node)
        next = parent(of: node)
      }
      // A way that ends at a node of its own has gone round in a cycle.
      guard let end = next, let first = way.firstIndex(of: end) else { continue }
      for case .target(let target) in way[first...] { result.insert(target) }
    }
    return result
  }

  private func parent(of child: Node) -> Node? {
    let entity: Entity?
    switch child {
    case .target(let target):
      if let word = words[target] { return word.parent.map(Node.target) }
      entity = entities[target]
    case .entity(let other): entity = other
    }
    guard let parent = entity.flatMap(hierarchy.parent) else { return nil }
    guard let number = numbers[parent] else { return .entity(parent) }
    return listed[number] == nil ? .target(number) : nil
  }

  // MARK: Carrying out

  /// Takes children from parents that they leave, so that no link that is made next can close a
  /// cycle with one that has to go.
  ///
  /// - Returns: Whose changes say so.
  func detachThoseWhoLeave() -> [TargetNumber] {
    var speakers: [TargetNumber] = []
    for child in children {
      guard let word = words[child], let entity = entities[child],
        let parent = hierarchy.parent(entity),
        word.parent.flatMap({ entities[$0] }) != parent
      else { continue }
      hierarchy.detach(entity)
      speakers.append(word.speaker)
    }
    for parent in parents {
      guard let entity = entities[parent] else { continue }
      for child in hierarchy.children(entity)
      where numbers[child].flatMap({ words[$0]?.parent }) != parent {
        hierarchy.detach(child)
        speakers.append(parent)
      }
    }
    return speakers
  }
}
