import ECS
import ECSTestSupport
import Testing

private struct Ship: Component {}
private struct Planet: Component {}
private struct Empire: Component {}
private struct Damaged: Component {}
private enum DockedAt: ToOneRelation {}
private enum BelongsTo: ToOneRelation {}
private enum AlliedWith: Relation {}

/// Two empires with a planet each, a moon, and three ships.
private struct Galaxy {
  let context = Context()
  let red, blue, sol, mars, moon, scout, freighter, wreck: Entity

  init() {
    red = context.createEntity(with: Empire())
    blue = context.createEntity(with: Empire())
    sol = context.createEntity()
    mars = context.createEntity(with: Planet())
    moon = context.createEntity(with: Planet())
    scout = context.createEntity(with: Ship())
    freighter = context.createEntity(with: Ship())
    wreck = context.createEntity(with: Ship(), Damaged())
    mars.relate(ChildOf.self, to: sol)
    moon.relate(ChildOf.self, to: mars)
    mars.relate(BelongsTo.self, to: red)
    moon.relate(BelongsTo.self, to: blue)
    scout.relate(BelongsTo.self, to: red).relate(DockedAt.self, to: mars)
    freighter.relate(BelongsTo.self, to: blue).relate(DockedAt.self, to: mars)
    wreck.relate(BelongsTo.self, to: blue).relate(DockedAt.self, to: moon)
  }
}

/// Whether rows are the expected ones, in any order, each once.
private func isSame(_ rows: [(Entity, Entity)], _ expected: [(Entity, Entity)]) -> Bool {
  isSame(rows.map { [$0.0, $0.1] }, expected.map { [$0.0, $0.1] })
}

private func isSame(
  _ rows: [(Entity, Entity, Entity)], _ expected: [(Entity, Entity, Entity)]
) -> Bool {
  isSame(rows.map { [$0.0, $0.1, $0.2] }, expected.map { [$0.0, $0.1, $0.2] })
}

private func isSame(_ rows: [[Entity]], _ expected: [[Entity]]) -> Bool {
  rows.count == expected.count && Set(rows) == Set(expected)
}

@Suite struct RowTests {
  private let galaxy = Galaxy()

  @Test func `Rows meet all conditions`() {
    let atHome = galaxy.context.rows { ship, planet, empire in
      ship.matches(Ship.matcher)
      ship.relates(DockedAt.self, to: planet)
      ship.relates(BelongsTo.self, to: empire)
      planet.relates(BelongsTo.self, to: empire)
    }
    expectTrue(
      isSame(
        atHome, [(galaxy.scout, galaxy.mars, galaxy.red), (galaxy.wreck, galaxy.moon, galaxy.blue)])
    )
    let abroad = galaxy.context.rows { ship, planet, owner, host in
      ship.relates(DockedAt.self, to: planet)
      ship.relates(BelongsTo.self, to: owner)
      planet.relates(BelongsTo.self, to: host)
      host.matches(Empire.matcher)
    }.filter { $0.2 != $0.3 }
    expectEqual(abroad.count, 1)
    expectEqual(
      abroad.first.map { $0 == (galaxy.freighter, galaxy.mars, galaxy.blue, galaxy.red) }, true)
  }

  @Test func `Matchers of one variable add up`() {
    let sound = galaxy.context.rows { ship, planet in
      ship.matches(Ship.matcher)
      ship.matches(Matcher(all: [Ship.cid], none: [Damaged.cid]))
      ship.relates(DockedAt.self, to: planet)
    }
    expectTrue(isSame(sound, [(galaxy.scout, galaxy.mars), (galaxy.freighter, galaxy.mars)]))
  }

  @Test func `Conditions name entities`() {
    let context = galaxy.context
    let atMars = context.rows { ship, empire in
      ship.relates(DockedAt.self, to: galaxy.mars)
      ship.relates(BelongsTo.self, to: empire)
    }
    expectTrue(isSame(atMars, [(galaxy.scout, galaxy.red), (galaxy.freighter, galaxy.blue)]))
    let ofWreck = context.rows { planet, ship in
      planet.isTarget(of: DockedAt.self, from: galaxy.wreck)
      ship.relates(DockedAt.self, to: planet)
    }
    expectTrue(isSame(ofWreck, [(galaxy.moon, galaxy.wreck)]))
    let lost = context.createEntity()
    lost.destroy()
    for condition in [
      { (ship: QueryVariable) in ship.relates(DockedAt.self, to: lost) },
      { (ship: QueryVariable) in ship.isTarget(of: DockedAt.self, from: lost) },
      { (ship: QueryVariable) in ship.isBelow(lost) },
    ] {
      expectTrue(context.rows { ship, _ in condition(ship) }.isEmpty)
    }
  }

  @Test func `What is below is found at any depth`() {
    let context = galaxy.context
    let belowSol = context.rows { ship, planet in
      ship.relates(DockedAt.self, to: planet)
      planet.isBelow(galaxy.sol)
    }
    expectTrue(
      isSame(
        belowSol,
        [(galaxy.scout, galaxy.mars), (galaxy.freighter, galaxy.mars), (galaxy.wreck, galaxy.moon)])
    )
    expectTrue(
      isSame(
        context.rows { low, high in low.isBelow(high) },
        [(galaxy.mars, galaxy.sol), (galaxy.moon, galaxy.mars), (galaxy.moon, galaxy.sol)]))
    expectTrue(
      context.rows { low, high in
        low.isBelow(high)
        high.isBelow(low)
      }.isEmpty)
  }

  @Test func `Variables without conditions are combined in all ways`() {
    let pairs = galaxy.context.rows { left, right in
      left.matches(Empire.matcher)
      right.matches(Empire.matcher)
    }
    let (red, blue) = (galaxy.red, galaxy.blue)
    expectTrue(isSame(pairs, [(red, red), (red, blue), (blue, red), (blue, blue)]))
    let all = galaxy.context.rows { _, right in right.matches(Damaged.matcher) }
    expectTrue(all.count == 8 && all.allSatisfy { $0.1 == galaxy.wreck })
  }

  @Test func `A variable may be related to itself`() {
    let (red, blue) = (galaxy.red, galaxy.blue)
    red.relate(AlliedWith.self, to: red).relate(AlliedWith.self, to: blue)
    let alone = galaxy.context.rows { own, other in
      own.relates(AlliedWith.self, to: own)
      own.relates(AlliedWith.self, to: other)
    }
    expectTrue(isSame(alone, [(red, red), (red, blue)]))
  }

  @Test func `Conditions may depend on what holds outside`() {
    func ships(onlyDamaged: Bool, types: [CID]) -> Int {
      galaxy.context.rows { ship, planet in
        ship.relates(DockedAt.self, to: planet)
        if onlyDamaged { ship.matches(Damaged.matcher) }
        if types.isEmpty { planet.matches(Planet.matcher) } else { ship.matches(Ship.matcher) }
        for type in types { ship.matches(Matcher(all: [type])) }
      }.count
    }
    expectEqual(ships(onlyDamaged: false, types: []), 3)
    expectEqual(ships(onlyDamaged: true, types: []), 1)
    expectEqual(ships(onlyDamaged: false, types: [Ship.cid, Damaged.cid]), 1)
  }

  @Test func `A relation that nothing has used has no rows, and stays unused`() {
    let context = Context()
    context.createEntity(with: Ship())
    expectTrue(context.rows { ship, planet in ship.relates(DockedAt.self, to: planet) }.isEmpty)
    expectEqual(context.linkCount(DockedAt.self), 0)
  }

  @Test func `Long lists of links are looked up, also by readers`() {
    let context = Context()
    let empires = (0..<50).map { _ in context.createEntity(with: Empire()) }
    for left in empires {
      for right in empires where left != right { left.relate(AlliedWith.self, to: right) }
    }
    func mutual() -> Int {
      context.rows { left, right, third in
        left.relates(AlliedWith.self, to: right)
        right.relates(AlliedWith.self, to: third)
        third.relates(AlliedWith.self, to: left)
      }.count
    }
    expectEqual(context.reading { mutual() }, 50 * 49 * 48)
    expectEqual(mutual(), 50 * 49 * 48)
  }

  @Test func `Rows are of the moment, inside of transactions and passes, too`() {
    let context = galaxy.context
    func docked() -> Int {
      context.rows { ship, planet in ship.relates(DockedAt.self, to: planet) }.count
    }
    context.transaction {
      galaxy.scout.destroy()
      expectEqual(docked(), 2)
    }
    context.group(Ship.matcher).withEach { (_, _: Ship) in expectEqual(docked(), 2) }
    expectEqual(docked(), 2)
  }

  @Test func `Variables of another query, and entities of another context, stop the program`() async
  {
    let others = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      _ = context.rows { outer, _ in
        let rows = context.rows { _, inner in inner.relates(AlliedWith.self, to: outer) }
        if rows.isEmpty { outer.matches(Ship.matcher) }
      }
    }
    expectTrue(stopped(others, saying: "variable of another query"))
    let foreign = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (context, other) = (Context(), Context())
      let empire = other.createEntity()
      _ = context.rows { ship, _ in ship.relates(BelongsTo.self, to: empire) }
    }
    expectTrue(stopped(foreign, saying: "belongs to another context"))
  }
}
