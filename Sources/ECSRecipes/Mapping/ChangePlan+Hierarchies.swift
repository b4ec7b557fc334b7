import ECS

extension ChangePlan {
  /// An entity in a hierarchy: one of the plan, or any other one.
  private struct Node: Hashable {
    var target: TargetNumber?
    var entity: Entity?
  }

  /// A relation of a change that leads through a hierarchy.
  private struct Step {
    var change: Int
    var relation: Int
    var hierarchy: HierarchyLink

    /// Which entities get which parents.
    var children: [TargetNumber]
    var parent: TargetNumber?
  }

  /// What changes say about hierarchies, in their order.
  private func steps(from first: Int = 0) -> [Step] {
    var steps: [Step] = []
    for number in changes.indices.dropFirst(first) where changes[number].recipe.hasHierarchies {
      let change = changes[number]
      for (relation, linked) in change.links.enumerated() {
        guard let linked,
          let hierarchy = change.recipe.nested[relation].nested.link.hierarchy
        else { continue }
        steps.append(
          hierarchy.nestsChildren
            ? Step(
              change: number, relation: relation, hierarchy: hierarchy, children: linked,
              parent: change.target)
            : Step(
              change: number, relation: relation, hierarchy: hierarchy,
              children: [change.target], parent: linked.first))
      }
    }
    return steps
  }

  /// The first change that would make an entity its own ancestor.
  func cycle() -> (change: Int, error: RecipeError)? {
    guard changes.contains(where: \.recipe.hasHierarchies) else { return nil }
    let steps = steps()
    for step in steps {
      let others = steps.filter { $0.hierarchy.relation == step.hierarchy.relation }
      guard step.children.contains(where: { isAncestorOfItself($0, step.hierarchy, others) })
      else { continue }
      let change = changes[step.change]
      let path = change.path.appending(change.recipe.nested[step.relation].path)
      return (step.change, RecipeError(recipe: change.recipe.name, path: path, reason: .cycle))
    }
    return nil
  }

  private func isAncestorOfItself(
    _ child: TargetNumber, _ hierarchy: HierarchyLink, _ steps: [Step]
  ) -> Bool {
    let start = node(child)
    var next = parent(of: start, hierarchy, steps)
    var visited: Set<Node> = []
    while let node = next, visited.insert(node).inserted {
      if node == start { return true }
      next = parent(of: node, hierarchy, steps)
    }
    return false
  }

  /// The parent that an entity will have.
  private func parent(of child: Node, _ hierarchy: HierarchyLink, _ steps: [Step]) -> Node? {
    if let target = child.target, let step = steps.last(where: { $0.children.contains(target) }) {
      return step.parent.map(node)
    }
    guard let parent = child.entity.flatMap(hierarchy.parent) else { return nil }
    let node = node(parent)
    // A parent whose children are listed has no others.
    let isListed = steps.contains { $0.hierarchy.nestsChildren && $0.parent == node.target }
    return isListed ? nil : node
  }

  private func node(_ target: TargetNumber) -> Node {
    Node(target: target, entity: targets[target].entity)
  }

  private func node(_ entity: Entity) -> Node {
    Node(target: targets.firstIndex { $0.entity == entity }, entity: entity)
  }

  /// Takes children from their parents if they stand in the way of what is to be linked next: on the
  /// way from one tree to another there may be cycles that neither has.
  func makeRoom(forChange number: Int, _ relation: Int) {
    let steps = steps(from: number)
    guard let step = steps.first(where: { $0.change == number && $0.relation == relation }),
      let parent = step.parent.flatMap({ targets[$0].entity })
    else { return }
    var ancestors: Set<Entity> = []
    var next: Entity? = parent
    while let ancestor = next, ancestors.insert(ancestor).inserted {
      next = step.hierarchy.parent(ancestor)
    }
    let isInTheWay = step.children.contains { child in
      targets[child].entity.map(ancestors.contains) == true
    }
    guard isInTheWay else { return }
    for later in steps where later.hierarchy.relation == step.hierarchy.relation {
      for child in later.children { targets[child].entity.map(step.hierarchy.detach) }
    }
  }
}
