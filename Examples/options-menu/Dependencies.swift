import ECS

/// Keeps the rule of parents: an option that goes off takes its children with it, and one that goes
/// on switches its parent on; through all levels.
///
/// If a parent went off and a child on since the last pass, the one that changed first decides.
@MainActor final class Dependencies: @MainActor StrictReactiveSystem {
  let collector: Collector
  private let menu: Menu
  private let children: Index<OptionKey>

  init(_ menu: Menu) {
    self.menu = menu
    children = menu.context.index { (parent: Parent) in parent.key }
    collector = menu.context.collector(
      for: Matcher(all: [OptionKey.cid, Value.cid]), type: .addedOrUpdated)
  }

  func execute(entities: EntitySet) {
    var remaining = Array(entities.reversed())
    while let entity = remaining.popLast() {
      guard let key = entity.get(OptionKey.self), let value = entity.get(Value.self) else {
        continue
      }
      let dependents: [Entity] =
        if value.isOn {
          entity.get(Parent.self).flatMap { menu[$0.key] }.map { [$0] } ?? []
        } else {
          Array(children[key])
        }
      for dependent in dependents where dependent.get(Value.self) != value {
        dependent.set(value)
        remaining.append(dependent)
      }
    }
  }
}
