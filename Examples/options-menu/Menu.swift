import ECS

/// The options of an app, and what can be done with them.
///
/// It only changes the context. What follows from a change is the business of systems.
@MainActor final class Menu {
  let context = Context(name: "Options")
  private let options: PrimaryIndex<OptionKey, OptionKey>

  /// The options that are shown, in the order of the menu.
  let shown: LiveView

  init() {
    options = context.primaryIndex { (key: OptionKey) in key }
    shown = context.all([OptionKey.cid, MenuIndex.cid, Title.cid, Value.cid])
      .sorted(by: \MenuIndex.value).start()
  }

  /// Makes the options that the app defines, with their stored values, and one for each stored
  /// value that it does not define, so that the next save keeps it.
  func fill(_ definitions: [Definition], stored: [String: Bool]) {
    context.perform {
      for (index, definition) in definitions.enumerated() {
        let key = OptionKey(name: definition.key)
        let entity = options.getOrCreate(key)
        entity.set(MenuIndex(value: index)).set(Title(text: definition.title))
        entity.set(Description(text: definition.description))
        if let parent = definition.parent {
          entity.relate(ChildOf.self, to: options.getOrCreate(OptionKey(name: parent)))
        }
        entity.set(Value(isOn: stored[key.name] ?? definition.isOn))
      }
      for (name, isOn) in stored.sorted(by: { $0.key < $1.key }) {
        let entity = options.getOrCreate(OptionKey(name: name))
        if !entity.has(Value.self) { entity.set(Value(isOn: isOn)) }
      }
      if let first = shown.first { context.setUniqueComponent(Selection(option: first)) }
    }
  }

  /// Moves the cursor up or down; it stops at the ends.
  func moveSelection(by distance: Int) {
    context.updateUniqueComponent(Selection.self) { selection in
      guard let place = shown.position(of: selection.option) else { return }
      selection.option = shown[min(max(place + distance, 0), shown.count - 1)] ?? selection.option
    }
  }

  /// Switches an option, the selected one if none is named; with no value, to the other one.
  ///
  /// - Returns: False if there is no such option.
  func `switch`(_ key: OptionKey? = nil, to isOn: Bool? = nil) -> Bool {
    let selected = context.uniqueComponent(Selection.self)?.option
    guard let entity = key.map({ options[$0] }) ?? selected, entity.has(Title.self) else {
      return false
    }
    entity.updateIfChanged(Value.self) { $0.isOn = isOn ?? !$0.isOn }
    return true
  }
}
