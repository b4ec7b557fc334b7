import ECS
import JSONValues

extension ChangePlan {
  /// A relation of a change that leads through a hierarchy.
  struct HierarchyStep {
    var relation: Int
    var hierarchy: HierarchyLink

    /// Which entities get which parent.
    var children: [TargetNumber]
    var parent: TargetNumber?
  }

  /// What a change says about hierarchies, in its order.
  private func steps(of number: Int) -> [HierarchyStep] {
    let change = changes[number]
    guard change.recipe.hasHierarchies else { return [] }
    return change.links.enumerated().compactMap { relation, linked in
      guard let linked,
        let hierarchy = change.recipe.nested[relation].nested.link.hierarchy
      else { return nil }
      return hierarchy.nestsChildren
        ? HierarchyStep(
          relation: relation, hierarchy: hierarchy, children: linked, parent: change.target)
        : HierarchyStep(
          relation: relation, hierarchy: hierarchy, children: [change.target],
          parent: linked.first)
    }
  }

  /// The first change that would make an entity its own ancestor.
  func cycle() -> (change: Int, error: RecipeError)? {
    guard changes.contains(where: \.recipe.hasHierarchies) else { return nil }
    var graphs: [ObjectIdentifier: HierarchyGraph] = [:]
    for number in changes.indices {
      for step in steps(of: number) {
        graphs[step.hierarchy.relation, default: HierarchyGraph(step.hierarchy, targets)]
          .add(step)
      }
    }
    let cycles = graphs.mapValues { $0.targetsInCycles() }
    for (number, change) in changes.enumerated() {
      for step in steps(of: number) {
        guard let inCycles = cycles[step.hierarchy.relation],
          step.children.contains(where: inCycles.contains)
        else { continue }
        let path = change.path.appending(change.recipe.nested[step.relation].path)
        return (number, RecipeError(recipe: change.recipe.name, path: path, reason: .cycle))
      }
    }
    return nil
  }

  /// Takes children from their parents if they are in the way of what is linked next: on the
  /// way from one tree to another there may be cycles that neither has.
  func makeRoom(forChange number: Int, _ relation: Int) {
    guard let step = steps(of: number).first(where: { $0.relation == relation }),
      let parent = step.parent.flatMap({ targets[$0].entity })
    else { return }
    let children = Set(step.children.compactMap { targets[$0].entity })
    var visited: Set<Entity> = []
    var next: Entity? = parent
    while let ancestor = next, !children.contains(ancestor), visited.insert(ancestor).inserted {
      next = step.hierarchy.parent(ancestor)
    }
    guard let next, children.contains(next) else { return }
    for later in changes.indices.dropFirst(number).flatMap(steps)
    where later.hierarchy.relation == step.hierarchy.relation {
      for child in later.children { targets[child].entity.map(step.hierarchy.detach) }
      // Those that a list no longer has are in the way, too.
      guard later.hierarchy.nestsChildren, let parent = later.parent.flatMap({ targets[$0].entity })
      else { continue }
      step.hierarchy.children(parent).forEach(step.hierarchy.detach)
    }
  }
}

/// Who will be whose parent in a hierarchy.
private struct HierarchyGraph {
  /// An entity: one of the plan, or any other one.
  private enum Node: Hashable {
    case target(ChangePlan.TargetNumber)
    case entity(Entity)
  }

  private let hierarchy: HierarchyLink
  private let targets: [ChangePlan.Target]
  private var numbers: [Entity: ChangePlan.TargetNumber] = [:]

  /// The parents that are planned; nil for none.
  private var parents: [ChangePlan.TargetNumber: ChangePlan.TargetNumber?] = [:]

  /// Parents whose children are listed, so that they have no others.
  private var listed: Set<ChangePlan.TargetNumber> = []

  init(_ hierarchy: HierarchyLink, _ targets: [ChangePlan.Target]) {
    (self.hierarchy, self.targets) = (hierarchy, targets)
    for (number, target) in targets.enumerated() {
      if let entity = target.entity { numbers[entity] = number }
    }
  }

  /// Adds what comes after everything that was added so far.
  mutating func add(_ step: ChangePlan.HierarchyStep) {
    for child in step.children { parents[child] = .some(step.parent) }
    if step.hierarchy.nestsChildren, let parent = step.parent { listed.insert(parent) }
  }

  /// The targets that would be their own ancestors.
  ///
  /// - Complexity: O(*n*), where *n* is the number of targets and their ancestors.
  func targetsInCycles() -> Set<ChangePlan.TargetNumber> {
    var result: Set<ChangePlan.TargetNumber> = []
    var visited: Set<Node> = []
    for start in parents.keys {
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
      if let planned = parents[target] { return planned.map(Node.target) }
      entity = targets[target].entity
    case .entity(let other): entity = other
    }
    guard let parent = entity.flatMap(hierarchy.parent) else { return nil }
    guard let number = numbers[parent] else { return .entity(parent) }
    return listed.contains(number) ? nil : .target(number)
  }
}
