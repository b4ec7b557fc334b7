import ECS

/// One of a number of component types that differ in nothing but their identity.
protocol ExtraComponent: Component {
  init(v: Float)
}

/// As many component types as there are levels: `Next<Next<Start>>` is the third level.
struct Extra<Level>: ExtraComponent {
  var v: Float
}

enum Start {}
enum Next<Level> {}

/// A number of different component types.
func extraTypes(_ count: Int) -> [any ExtraComponent.Type] {
  func types<Level>(_ count: Int, from level: Level.Type) -> [any ExtraComponent.Type] {
    count == 0 ? [] : [Extra<Level>.self] + types(count - 1, from: Next<Level>.self)
  }
  return types(count, from: Start.self)
}

extension Entity {
  /// Adds one of the extra components.
  func setExtra(_ type: any ExtraComponent.Type) {
    func add(_ type: (some ExtraComponent).Type) { set(type.init(v: 1)) }
    add(type)
  }
}

extension Entity {
  /// Adds one of the extra components, or removes it if it is there.
  func toggleExtra(_ type: any ExtraComponent.Type) {
    func takeAway(_ type: (some ExtraComponent).Type) { remove(type) }
    if has(type.cid) { takeAway(type) } else { setExtra(type) }
  }
}

extension NaiveEntity {
  /// Adds one of the extra components.
  func setExtra(_ type: any ExtraComponent.Type) {
    func add(_ type: (some ExtraComponent).Type) { set(type.init(v: 1)) }
    add(type)
  }
}
