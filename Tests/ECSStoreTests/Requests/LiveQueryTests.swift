#if SQLite
  import Dispatch
  import ECS
  import ECSStore
  import ECSTestSupport
  import GRDB
  import Synchronization
  import Testing

  @Suite(.noHangs) struct LiveQueryTests {
    /// The answers that a query has given.
    private final class Told: Sendable {
      let answers = Mutex<[[Int]]>([])
      var all: [[Int]] { answers.withLock { $0 } }
      func add(_ list: [Entity]) { answers.withLock { $0.append(list.stationIDs) } }
    }

    @MainActor
    @Test func `a live query follows the context, other sessions and SQL`() throws {
      let network = try Network()
      let store = try network.store(5)
      let (session, other) = try (store.session(), store.session())
      let stations = session.repository(network.stations)
      let told = Told()
      let query = try stations.liveQuery(
        where: { $0.rank > 1 }, sortedBy: Sort(\Station.rank, .descending), limit: 2,
        didChange: told.add)
      let loop = ReactiveLoop(ctx: session.context, systems: [query])
      expectEqual(query.entities.stationIDs, [5, 4])
      // Here, and not saved.
      query.entities.first?.update(Station.self) { $0.rank = 0 }
      loop.runUntilSettled()
      expectEqual(query.entities.stationIDs, [4, 3])
      // Saved by others, of a row that is not in memory.
      try other.repository(network.stations).require(1).update(Station.self) { $0.rank = 8 }
      try other.save()
      loop.runUntilSettled()
      expectEqual(query.entities.stationIDs, [1, 4])
      try store.write { try $0.execute(sql: "UPDATE station SET rank = 9 WHERE id = 2") }
      loop.runUntilSettled()
      expectEqual(query.entities.stationIDs, [2, 1])
      expectEqual(told.all, [[4, 3], [1, 4], [2, 1]])
      // Outside of its region.
      try store.write { try $0.execute(sql: "UPDATE station SET name = 'other'") }
      loop.runUntilSettled()
      expectEqual(told.all.count, 3)
      withExtendedLifetime(loop) {}
    }

    @Test func `what a query is done for is asked in its region alone`() throws {
      let network = try Network()
      let session = try network.store(3).session()
      let stations = session.repository(network.stations)
      let query = try stations.liveQuery(where: { $0[\Height.meters] > 1 })
      _ = query.collector.drain()
      let ticket = try session.repository(network.tickets).create(Ticket(id: 1))
      expectTrue(query.collector.isEmpty)
      try stations.require(1).set(Height(meters: 2))
      expectFalse(query.collector.isEmpty)
      try expectTrue(query.update())
      expectEqual(query.entities.stationIDs, [1])
      try expectFalse(query.update())
      ticket.destroy()
    }

    @Test func `what other processes write is noticed, in memory or not`() throws {
      let (network, folder) = (try Network(), try Folder())
      var options = Store.Options()
      options.sharing = .processes(checkingEvery: .seconds(3600))
      let stores = try (0..<2).map { _ in
        try Store(at: .file(folder.file()), schema: network.schema, options: options)
      }
      let (here, there) = (try stores[0].session(), try stores[1].session())
      try here.repository(network.stations).create(Station(id: 1, name: "a", rank: 1))
      try here.save()
      let query = try there.repository(network.stations).liveQuery(where: { $0.rank > 0 })
      expectEqual(query.entities.stationIDs, [1])
      there.evict(query.entities)
      try query.update()
      _ = query.collector.drain()
      try here.repository(network.stations).create(Station(id: 2, name: "b", rank: 2))
      try here.save()
      try there.refresh()
      expectFalse(query.collector.isEmpty)
      try expectTrue(query.update())
      expectEqual(query.entities.stationIDs, [1, 2])
      _ = query.collector.drain()
      try here.repository(network.tickets).create(Ticket(id: 1))
      try here.save()
      try there.refresh()
      expectTrue(query.collector.isEmpty)
    }

    @Test func `who is told of answers in several threads hears the last one last`() throws {
      let network = try Network()
      let session = try network.store(1).session()
      let stations = session.repository(network.stations)
      let told = Told()
      let box = Mutex<LiveQuery?>(nil)
      let query = try stations.liveQuery(didChange: { list in
        if list.count == 2 {
          // While this answer is being given, another thread finds the next one.
          let group = DispatchGroup()
          DispatchQueue(label: "other").async(group: group) {
            session.context.createEntity(with: Station(id: 3))
            #expect(throws: Never.self) { try box.withLock { $0 }?.update() }
          }
          group.wait()
        }
        told.add(list)
      })
      box.withLock { $0 = query }
      session.context.createEntity(with: Station(id: 2))
      try query.update()
      expectEqual(told.all, [[1, 2], [1, 2, 3]])
      expectEqual(query.entities.stationIDs, [1, 2, 3])
      box.withLock { $0 = nil }
    }

    @Test func `a query ends with its object, and leaves nothing in the context`() throws {
      let network = try Network()
      let session = try network.store(0).session()
      let before = session.context.count
      do {
        let query = try session.repository(network.stations).liveQuery()
        expectTrue(query.entities.isEmpty)
      }
      expectEqual(session.context.count, before)
      try session.store.write {
        try $0.execute(sql: "INSERT INTO station (id, name) VALUES (1, 'a')")
      }
    }

    @Test func `a live query of a table in memory stops with a message`() async throws {
      await #expect(processExitsWith: .failure) {
        let network = try Network()
        _ = try network.store(0).session().repository(network.tickets).liveQuery()
      }
    }
  }
#endif
