import ECS
import JSONValues

extension ChangePlan {
  /// The part of a change that is about a hierarchy.
  struct HierarchyStep {
    /// The position of the step among all of a plan.
    var number: Int
    var change: Int
    var relation: Int

    /// Which entities get which parent.
    var children: [TargetNumber]
    var parent: TargetNumber?

    /// The parent, if these are all of its children.
    var listingParent: TargetNumber?
  }

  /// Takes what is said last about each hierarchy for all that is said.
  ///
  /// - Returns: The first change that would make an entity its own ancestor.
  mutating func settleHierarchies() -> (change: Int, error: RecipeError)? {
    if !hierarchies.isEmpty { hierarchies = [] }
    guard changes.contains(where: \.recipe.hasHierarchies) else { return nil }
    var steps: [[HierarchyStep]] = []
    for index in changes.indices { addSteps(of: index, to: &steps) }
    var first: HierarchyStep?
    for position in hierarchies.indices {
      let inCycles = hierarchies[position].targetsInCycles()
      for step in steps[position] {
        let lastWord = hierarchies[position].lastWord(of: step)
        changes[step.change].links[step.relation] = lastWord
        guard let lastWord,
          (step.listingParent == nil ? step.children : lastWord).contains(where: inCycles.contains),
          step.number < first?.number ?? .max
        else { continue }
        first = step
      }
    }
    guard let first else { return nil }
    let change = changes[first.change]
    let path = change.path.appending(change.recipe.nested[first.relation].path)
    return (first.change, RecipeError(recipe: change.recipe.name, path: path, reason: .cycle))
  }

  private mutating func addSteps(of position: Int, to steps: inout [[HierarchyStep]]) {
    let change = changes[position]
    guard change.recipe.hasHierarchies else { return }
    for (relation, linked) in change.links.enumerated() {
      guard let linked,
        let hierarchy = change.recipe.nested[relation].nested.link.hierarchy
      else { continue }
      let index =
        hierarchies.firstIndex { $0.hierarchy.relation == hierarchy.relation }
        ?? hierarchies.count
      if index == hierarchies.count {
        hierarchies.append(HierarchyGraph(hierarchy, targets))
        steps.append([])
      }
      let lists = hierarchy.nestsChildren
      let step = HierarchyStep(
        number: steps.reduce(0) { $0 + $1.count }, change: position, relation: relation,
        children: lists ? linked : [change.target], parent: lists ? change.target : linked.first,
        listingParent: lists ? change.target : nil)
      hierarchies[index].add(step)
      steps[index].append(step)
    }
  }

  /// Takes children from parents that they leave: on the way from one tree to another there could
  /// be cycles that neither has.
  mutating func detachThoseWhoLeave() {
    for graph in hierarchies {
      for target in graph.detachThoseWhoLeave() { targets[target].hasChanged = true }
    }
  }
}
