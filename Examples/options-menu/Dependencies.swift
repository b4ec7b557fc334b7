import ECS

/// Keeps the rule of parents: an option that goes off takes its children with it, and one that goes
/// on switches its parent on; through all levels.
///
/// If a parent went off and a child on since the last pass, the one that changed first decides.
@MainActor final class Dependencies: @MainActor StrictReactiveSystem {
  let collector: Collector

  init(_ menu: Menu) {
    collector = menu.context.collector(
      for: Matcher(all: [OptionKey.cid, Value.cid]), type: .addedOrUpdated)
  }

  func execute(entities: EntitySet) {
    var remaining = Array(entities.reversed())
    while let entity = remaining.popLast() {
      guard let value = entity.get(Value.self) else { continue }
      let dependents = (value.isOn ? entity.targets(ChildOf.self) : entity.children).entities()
      for dependent in dependents where dependent.get(Value.self) != value {
        dependent.set(value)
        remaining.append(dependent)
      }
    }
  }
}
