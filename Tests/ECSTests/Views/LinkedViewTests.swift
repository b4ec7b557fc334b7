import ECS
import ECSTestSupport
import Testing

private struct Ship: Component, Equatable { var number: Int }
private struct Port: Component {}
private enum DockedAt: Relation {}
private enum OwnedBy: ToOneRelation {}

/// Views that are filtered by which links their entities have.
@Suite(.noHangs) struct LinkedViewTests {
  let context = Context()
  let ships: [Entity]

  /// A sun; a planet and its moon; a port on each of them, and one nowhere.
  let places: [Entity]
  var sun: Entity { places[0] }
  var planet: Entity { places[1] }
  var moon: Entity { places[2] }
  var stray: Entity { places[3] }

  init() {
    let context = context
    ships = (0..<4).map { context.createEntity(with: Ship(number: $0)) }
    places = (0..<4).map { _ in context.createEntity(with: Port()) }
    places[1].relate(ChildOf.self, to: places[0])
    places[2].relate(ChildOf.self, to: places[1])
  }

  private var group: Group { context.group(Ship.matcher) }

  private func numbers(_ view: LiveView) -> [Int] {
    view.compactMap { $0.get(Ship.self)?.number }
  }

  @Test func `entities that have a link of a kind, or one to a target`() {
    let docked = group.filtered(byLink: DockedAt.self).start()
    let there = group.filtered(byLink: DockedAt.self, to: moon).start()
    expectTrue(docked.isEmpty && there.isEmpty)
    ships[2].relate(DockedAt.self, to: moon).relate(DockedAt.self, to: stray)
    ships[0].relate(DockedAt.self, to: stray)
    expectTrue(numbers(docked) == [0, 2] && numbers(there) == [2])
    ships[2].unrelate(DockedAt.self, from: moon)
    expectTrue(numbers(docked) == [0, 2] && there.isEmpty)
    ships[1].relate(DockedAt.self, to: moon)
    expectTrue(numbers(docked) == [0, 1, 2] && numbers(there) == [1])
    stray.destroy()
    expectEqual(numbers(docked), [1])
    moon.destroy()
    expectTrue(docked.isEmpty && there.isEmpty)
    // What gets its slot is another entity.
    let next = context.createEntity(with: Port())
    ships[0].relate(DockedAt.self, to: next)
    expectTrue(numbers(docked) == [0] && there.isEmpty)
  }

  @Test func `entities below another one, however they come and go there`() {
    let below = context.group(Port.matcher).filtered(below: sun).start()
    expectEqual(Array(below), [planet, moon])
    planet.relate(ChildOf.self, to: stray)
    expectTrue(below.isEmpty)
    stray.relate(ChildOf.self, to: sun)
    expectEqual(Array(below), [planet, moon, stray])
    planet.unrelate(ChildOf.self)
    expectEqual(Array(below), [stray])
    sun.destroy()
    expectTrue(below.isEmpty && context.group(Port.matcher).filtered(below: sun).isEmpty)
  }

  @Test func `entities that are linked to what is below another one`() {
    let there = group.filtered(byLink: DockedAt.self, within: planet).start()
    ships[0].relate(DockedAt.self, to: planet)
    ships[1].relate(DockedAt.self, to: moon)
    ships[2].relate(DockedAt.self, to: sun).relate(DockedAt.self, to: stray)
    expectEqual(numbers(there), [0, 1])
    stray.relate(ChildOf.self, to: moon)
    expectEqual(numbers(there), [0, 1, 2])
    moon.unrelate(ChildOf.self)
    expectEqual(numbers(there), [0])
    planet.destroy()
    expectTrue(there.isEmpty)
  }

  @Test func `they are filtered further, sorted, and collected`() {
    let view = group.filtered(byLink: DockedAt.self, within: sun)
      .filtered { (ship: Ship) in ship.number > 0 }
      .sorted(by: \Ship.number, .descending)
    let collector = view.collector()
    for ship in ships { ship.relate(DockedAt.self, to: moon) }
    expectEqual(numbers(view), [3, 2, 1])
    expectEqual(Set(collector.drain()), Set(ships.dropFirst()))
    planet.unrelate(ChildOf.self)
    expectTrue(view.isEmpty && collector.isEmpty)
    planet.relate(ChildOf.self, to: sun)
    expectEqual(Set(collector.drain()), Set(ships.dropFirst()))
  }

  /// What the views are to show, without any of what they listen to.
  private struct Expected {
    let (sun, entities): (Entity, [Entity])

    private func isBelow(_ entity: Entity) -> Bool {
      sun.isAlive && entity.ancestors().contains(sun)
    }

    func all() -> [[Entity]] {
      let living = entities.filter { $0.has(Ship.self) }
      return [
        living.filter { !$0.targets(DockedAt.self).isEmpty },
        living.filter { sun.isAlive && $0.isRelated(DockedAt.self, to: sun) },
        living.filter(isBelow),
        living.filter { ship in
          sun.isAlive && ship.targets(DockedAt.self).contains { $0 == sun || isBelow($0) }
        },
        living.filter { $0.target(OwnedBy.self) != nil },
      ]
    }
  }

  @Test(arguments: 0..<20)
  func `they are what a search finds, also when changes are taken back`(seed: UInt64) {
    struct TakenBack: Error {}
    var random = SplitMix64(seed: seed)
    let context = Context()
    let entities = (0..<12).map { context.createEntity(with: Ship(number: $0)) }
    let sun = entities[0]
    func views() -> [LiveView] {
      let group = context.group(Ship.matcher)
      return [
        group.filtered(byLink: DockedAt.self), group.filtered(byLink: DockedAt.self, to: sun),
        group.filtered(below: sun), group.filtered(byLink: DockedAt.self, within: sun),
        group.filtered(byLink: OwnedBy.self),
      ]
    }
    let started = views().map { $0.start() }
    let observed = views()
    let tokens = observed.map { $0.observe { _ in } }
    func change() {
      let (one, two) = (
        entities.randomElement(using: &random)!, entities.randomElement(using: &random)!
      )
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<6: try? one.setParent(two)
      case 6..<8: try? one.setParent(nil)
      case 8..<12: one.relate(DockedAt.self, to: two)
      case 12..<14: one.unrelate(DockedAt.self, from: two)
      case 14..<16: one.relate(OwnedBy.self, to: two)
      case 16: one.unrelate(OwnedBy.self)
      case 17: one.remove(Ship.self)
      case 18: one.set(Ship(number: 99))
      default: if one != sun || Bool.random(using: &random) { one.destroy() }
      }
    }
    let expected = Expected(sun: sun, entities: entities)
    for _ in 0..<60 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        try? context.transaction {
          for _ in 0..<6 { change() }
          expectEqual(started.map { Set($0) }, expected.all().map { Set($0) })
          throw TakenBack()
        }
      case 1: context.perform { for _ in 0..<4 { change() } }
      default: change()
      }
      let wanted = expected.all().map { Set($0) }
      expectEqual(started.map { Set($0) }, wanted, "\(seed)")
      expectEqual(observed.map { Set($0) }, wanted, "\(seed)")
      expectEqual(views().map { Set($0) }, wanted, "\(seed)")
    }
    for token in tokens { token.cancel() }
  }
}
