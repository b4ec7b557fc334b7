import ECS

/// The options of an app, and what can be done with them.
///
/// It only changes the context. What follows from a change is the business of systems.
@MainActor final class Menu {
  let context = Context(name: "Options")
  private let options: PrimaryIndex<OptionKey, OptionKey>
  private let shown: Group

  init() {
    options = context.primaryIndex { (key: OptionKey) in key }
    shown = context.all([OptionKey.cid, MenuIndex.cid, Title.cid, Value.cid])
  }

  /// Makes the options that the app knows, with their stored values, and one for each stored
  /// value that it does not know, so that the next save keeps it.
  func fill(_ definitions: [Definition], stored: [String: Bool]) {
    context.perform {
      for (index, definition) in definitions.enumerated() {
        let key = OptionKey(name: definition.key)
        let entity = options.getOrCreate(key)
        entity.set(MenuIndex(value: index)).set(Title(text: definition.title))
        entity.set(Description(text: definition.description))
        if let parent = definition.parent { entity.set(Parent(key: OptionKey(name: parent))) }
        entity.set(Value(isOn: stored[key.name] ?? definition.isOn))
      }
      for (name, isOn) in stored.sorted(by: { $0.key < $1.key }) {
        let entity = options.getOrCreate(OptionKey(name: name))
        if !entity.has(Value.self) { entity.set(Value(isOn: isOn)) }
      }
      if let first = entities().first?.get(OptionKey.self) {
        context.setUniqueComponent(Selection(key: first))
      }
    }
  }

  /// The options that are shown, in the order of the menu.
  func entities() -> [Entity] {
    shown.sorted(forObject: self) {
      ($0.get(MenuIndex.self)?.value ?? 0) < ($1.get(MenuIndex.self)?.value ?? 0)
    }
  }

  subscript(key: OptionKey) -> Entity? { options[key] }

  /// Moves the cursor up or down; it stops at the ends.
  func moveSelection(by distance: Int) {
    let keys = entities().compactMap { $0.get(OptionKey.self) }
    context.updateUniqueComponent(Selection.self) { selection in
      guard let place = keys.firstIndex(of: selection.key) else { return }
      selection.key = keys[min(max(place + distance, 0), keys.count - 1)]
    }
  }

  /// Switches an option, the selected one if none is named; with no value, to the other one.
  ///
  /// - Returns: False if there is no such option.
  func `switch`(_ key: OptionKey? = nil, to isOn: Bool? = nil) -> Bool {
    guard let key = key ?? context.uniqueComponent(Selection.self)?.key,
      let entity = options[key], entity.has(Title.self)
    else { return false }
    entity.updateIfChanged(Value.self) { $0.isOn = isOn ?? !$0.isOn }
    return true
  }
}
