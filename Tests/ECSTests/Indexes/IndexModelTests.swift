import ECS
import ECSTestSupport
import Testing

/// Keys of which many have the same hash.
private struct Clashing: Hashable, Sendable {
  let value: Int
  func hash(into hasher: inout Hasher) { hasher.combine(value % 5) }
}

private struct Keyed: Component {
  var keys: [Int]
}

/// Indexes beside dictionaries that are computed anew from the components.
@Suite struct IndexModelTests {
  @Test(arguments: 0..<10)
  func `Indexes agree with a naive one after every step`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let context = Context()
    let one = context.index { (keyed: Keyed) in keyed.keys.first ?? -1 }
    let clashing = context.index { (keyed: Keyed) in Clashing(value: keyed.keys.first ?? -1) }
    let several = context.index(keys: { (keyed: Keyed) in keyed.keys })
    let severalClashing = context.index(keys: { (keyed: Keyed) in
      keyed.keys.map(Clashing.init(value:))
    })
    var entities: [Entity] = []
    for step in 0..<200 {
      let keys = (0..<random.next(4)).map { _ in random.next(20) }
      let entity = entities.isEmpty ? nil : entities[random.next(entities.count)]
      switch random.next(8) {
      case 0, 1: entities.append(context.createEntity(with: Keyed(keys: keys)))
      case 2: entity?.destroy()
      case 3: entity?.remove(Keyed.self)
      case 4: entity?.set(Tag())
      default: entity?.set(Keyed(keys: keys))
      }
      let holders = entities.compactMap { entity in
        entity.get(Keyed.self).map { (entity: entity, keys: $0.keys) }
      }
      var firsts: [Int: Set<Entity>] = [:]
      var all: [Int: Set<Entity>] = [:]
      for holder in holders {
        firsts[holder.keys.first ?? -1, default: []].insert(holder.entity)
        for key in holder.keys { all[key, default: []].insert(holder.entity) }
      }
      let areRight = (-1..<20).allSatisfy { key in
        let (first, all) = (firsts[key] ?? [], all[key] ?? [])
        return Set(one[key]) == first && one.count(for: key) == first.count
          && Set(clashing[Clashing(value: key)]) == first
          && Set(several[key]) == all && several.count(for: key) == all.count
          && Set(severalClashing[Clashing(value: key)]) == all
      }
      expectTrue(areRight, "seed \(seed), step \(step)")
      expectEqual(one.keyCount, firsts.count, "seed \(seed), step \(step)")
      expectEqual(several.keyCount, all.count, "seed \(seed), step \(step)")
    }
  }

  /// A small generator of random numbers that gives the same ones everywhere.
  struct SplitMix {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next(_ bound: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var bits = state
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      return Int((bits ^ (bits >> 31)) % UInt64(bound))
    }
  }
}
