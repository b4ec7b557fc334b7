import ECS
import ECSSnapshots
import ECSTestSupport

/// A change of the links to one entity.
enum LinkOrderChange: Sendable {
  case link(Int)
  case insert(Int, at: Int)
  case move(Int, before: Int)
  case remove(Int)
  case destroy(Int)
}

/// A context in which the links of a relation come, go and are moved.
// Used by one thread.
final class LinkOrderWorld<R: Relation> {
  typealias Value = ReplayWorld.Value

  let context = Context()
  private var entities: [Entity] = []

  /// Makes so many entities, of which the first ones, so many, have a link to the last one.
  init(entities count: Int = 5, linked: Int = 0) {
    for _ in 0..<count { make() }
    for index in 0..<linked { link(index, to: count - 1) }
  }

  subscript(index: Int) -> Entity { entities[index] }

  @discardableResult
  func make() -> Entity {
    let entity = context.createEntity(with: Value(value: entities.count))
    entities.append(entity)
    return entity
  }

  func link(_ source: Int, to target: Int) { link(entities[source], entities[target]) }

  private func link(_ source: Entity, _ target: Entity) {
    func setParent<H: Hierarchy>(_ hierarchy: H.Type) {
      try? source.setParent(target, in: hierarchy)
    }
    if let hierarchy = R.self as? any Hierarchy.Type {
      setParent(hierarchy)
    } else {
      source.relate(R.self, to: target)
    }
  }

  // MARK: The program

  func make(_ change: LinkOrderChange, ofLinksTo last: Int) {
    let related = entities[last].sources(R.self)
    switch change {
    case .link(let index): link(index, to: last)
    case .insert(let index, let position): related.insert(entities[index], at: position)
    case .move(let index, let next): related.move(entities[index], before: entities[next])
    case .remove(let index): related.remove(entities[index])
    case .destroy(let index): entities[index].destroy()
    }
  }

  func change(_ random: inout SplitMix64) {
    let alive = entities.filter(\.isAlive)
    guard alive.count > 2 else {
      make()
      return
    }
    let owner = alive[random.below(2)]
    let other = alive[random.below(alive.count)]
    let related = random.oneIn(3) ? owner.targets(R.self) : owner.sources(R.self)
    let some = related.isEmpty ? nil : Array(related)[random.below(related.count)]
    switch random.below(10) {
    case 0, 1: link(other, owner)
    case 2: link(owner, other)
    case 3: if let some { related.remove(some) }
    case 4, 5: if let some { related.move(some, to: random.below(related.count)) }
    case 6:
      link(other, owner)
      if other.isRelated(R.self, to: owner) { owner.sources(R.self).move(other, to: 0) }
    case 7: (some ?? other).destroy()
    case 8: link(make(), owner)
    default:
      if random.oneIn(3) {
        other.destroy()
      } else if random.oneIn(2) {
        related.reverse()
      } else {
        // An entity that has nothing that is recorded.
        let passing = context.createEntity()
        link(passing, owner)
        if let some, some != passing { related.move(some, before: nil) }
        passing.destroy()
      }
    }
  }

  /// The orders of all links on both sides, by the numbers of entities.
  static func orders(_ context: Context) -> [String] {
    func numbers(_ entities: [Entity]) -> [Int] {
      entities.map { $0.get(Value.self)?.value ?? -1 }
    }
    return context.entities().compactMap { entity in
      entity.get(Value.self).map { ($0.value, entity) }
    }.sorted { $0.0 < $1.0 }.map { number, entity in
      """
      \(number): to \(numbers(Array(entity.targets(R.self)))), \
      from \(numbers(Array(entity.sources(R.self))))
      """
    }
  }

  var orders: [String] { LinkOrderWorld.orders(context) }
}
