import ECS

/// One of a number of component types that differ in nothing but their identity.
struct Level<Depth>: Component {}

enum Ground {}
enum Above<Depth> {}

extension GateWorld {
  /// Thirty-two different component types.
  static let levels: [any Component.Type] = types(32, from: Ground.self)

  private static func types<Depth>(
    _ count: Int, from depth: Depth.Type
  ) -> [any Component.Type] {
    count == 0 ? [] : [Level<Depth>.self] + types(count - 1, from: Above<Depth>.self)
  }

  /// The number of the matcher that no group has yet.
  var nextGroup: Int { context.statistics.groups }

  /// Makes groups of positions without some other component, each with another matcher.
  func makeGroups(_ count: Int, from first: Int) {
    for number in first..<first + count {
      let excluded = GateWorld.levels.indices.filter { number & (1 << $0) != 0 }
      _ = context.all([Position.cid], none: Set(excluded.map { GateWorld.levels[$0].cid }))
    }
  }
}
