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
    entities.withEach { (option, value: Value) in spread(value, from: option) }
  }

  /// Gives a value to what has to follow, on all levels.
  private func spread(_ value: Value, from option: Entity) {
    let dependents = (value.isOn ? option.targets(ChildOf.self) : option.children).entities()
    for dependent in dependents where dependent.get(Value.self) != value {
      spread(value, from: dependent.set(value))
    }
  }
}
