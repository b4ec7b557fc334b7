import Dispatch
import ECS
import ECSTestSupport
import ECSTesting
import Testing

private struct Ship: Component, Equatable { var number: Int }
private struct Cargo: Component {}
private enum DockedAt: ToOneRelation {}

/// Collectors of the changes of views.
@Suite(.noHangs) struct ViewCollectorTests {
  let context = Context()
  let port: Entity
  let ships: [Entity]

  init() {
    port = context.createEntity()
    ships = [
      context.createEntity(with: Ship(number: 0)), context.createEntity(with: Ship(number: 1)),
    ]
  }

  private var docked: LiveView {
    context.group(Ship.matcher).filtered(byLink: DockedAt.self, to: port)
      .sorted(by: \Ship.number)
  }

  @Test(arguments: [ChangeKinds.added, .updated, .removed, .addedUpdatedOrRemoved])
  func `what comes, changes, moves and leaves is collected, by kinds`(type: ChangeKinds) {
    let collector = docked.collector(type: type)
    expectTrue(collector.type == type && collector.group === context.group(Ship.matcher))
    func expect(_ kind: ChangeKinds, _ entities: [Entity]) {
      expectEqual(Array(collector.drain()), (type.contains(kind) ? entities : []))
    }
    ships[1].relate(DockedAt.self, to: port)
    expect(.added, [ships[1]])
    context.perform { for ship in ships { ship.relate(DockedAt.self, to: port) } }
    expect(.added, [ships[0]])
    ships[1].set(Ship(number: 2))
    expect(.updated, [ships[1]])
    ships[1].set(Ship(number: -1))
    expect(.updated, [ships[1]])
    ships[1].set(Cargo())
    expect(.updated, [])
    ships[1].unrelate(DockedAt.self)
    expect(.removed, [ships[1]])
    ships[0].destroy()
    expect(.removed, [ships[0]])
  }

  @Test func `what is there already, and what comes and goes in one change, is not collected`() {
    ships[0].relate(DockedAt.self, to: port)
    let collector = docked.collector(type: .addedUpdatedOrRemoved)
    context.perform {
      ships[1].relate(DockedAt.self, to: port)
      expectTrue(collector.isEmpty)
      ships[1].unrelate(DockedAt.self)
    }
    struct Refused: Error {}
    try? context.transaction {
      ships[1].relate(DockedAt.self, to: port)
      ships[0].unrelate(DockedAt.self)
      throw Refused()
    }
    expectTrue(collector.isEmpty)
    // Whether it is changed in a transaction or not, what stays is collected.
    context.transaction { _ = ships[1].relate(DockedAt.self, to: port) }
    expectEqual(Array(collector.drain()), [ships[1]])
  }

  @Test func `the first entities of a limited view are collected when others make room`() {
    for ship in ships { ship.relate(DockedAt.self, to: port) }
    let collector = docked.limited(to: 1).collector(type: .addedUpdatedOrRemoved)
    ships[0].set(Ship(number: 2))
    expectEqual(Set(collector.drain()), Set(ships))
    ships[1].destroy()
    expectEqual(Array(collector.drainMatching()), [ships[0]])
  }

  @Test func `those that match are those that the view still shows`() {
    let collector = docked.collector()
    for ship in ships { ship.relate(DockedAt.self, to: port) }
    ships[0].unrelate(DockedAt.self)
    expectEqual(Array(collector.drainMatching()), [ships[1]])
  }

  @Test func `views of related entities are collected from, whatever these have`() {
    let collector = port.sources(DockedAt.self).view().collector(type: [.added, .removed])
    ships[1].relate(DockedAt.self, to: port)
    let bare = context.createEntity().relate(DockedAt.self, to: port)
    expectEqual(Array(collector.drainMatching()), [ships[1], bare])
    bare.unrelate(DockedAt.self)
    expectEqual(Array(collector.drain()), [bare])
    ships[1].unrelate(DockedAt.self).relate(DockedAt.self, to: port)
    expectEqual(Set(collector.drain()), [ships[1]])
    collector.pause()
    ships[0].relate(DockedAt.self, to: port)
    collector.resume()
    expectTrue(collector.isEmpty)
  }

  @Test func `a collector is counted, keeps its view at work, and ends`() {
    let before = context.statistics
    var collector: Collector? = docked.collector(limit: 1)
    expectEqual(context.statistics.collectors, before.collectors + 1)
    expectEqual(context.statistics.observers, before.observers + 1)
    for ship in ships { ship.relate(DockedAt.self, to: port) }
    expectTrue(collector?.count == 1 && collector?.lostCount == 1)
    collector?.finish()
    ships[0].unrelate(DockedAt.self).relate(DockedAt.self, to: port)
    expectEqual(collector?.count, 1)
    collector = nil
    let after = context.statistics
    expectTrue(after.collectors == before.collectors && after.observers == before.observers)
    expectEqual(after.views, before.views)
  }

  @Test func `loops work on what a view shows, and await while it does`() async throws {
    let loop = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "port"), systems: [], name: "port")
    let unloaded = Recorder<Entity>()
    loop.on(docked.collector(), name: "Load") { ships in
      for ship in ships { ship.set(Cargo()) }
    }
    loop.onAsync(docked.collector(), name: "Unload", limit: 1) { ship in
      { unloaded.append(ship) }
    }
    context.perform { for ship in ships { ship.relate(DockedAt.self, to: port) } }
    await loop.settled()
    expectTrue(ships.allSatisfy { $0.has(Cargo.self) })
    expectEqual(unloaded.items, ships)
  }
}
