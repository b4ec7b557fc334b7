#if SQLite
  import ECSTestSupport
  import ECS
  import ECSStore
  import GRDB
  import Testing

  @Suite struct FaultTests {
    /// Station 1 feeds 2, and ticket 1 is about station 1.
    private func store(_ network: Network) throws -> Store {
      let store = try network.store(3)
      let session = try store.session()
      let stations = session.repository(network.stations)
      let ticket = try session.repository(network.tickets).create(Ticket(id: 1))
      try stations.require(1).relate(Feeds.self, to: stations.require(2))
      ticket.relate(About.self, to: try stations.require(1))
      try session.save()
      return store
    }

    @Test func `a link to a row that is not in memory leads to a fault`() throws {
      let network = try Network()
      let session = try store(network).session()
      let ticket = try session.repository(network.tickets).require(1)
      let fault = try #require(ticket.target(About.self))
      expectEqual(fault.get(Fault.self)?.table, "station")
      expectEqual(fault.get(Fault.self)?.key, "1")
      expectFalse(fault.has(Station.cid))
      expectFalse(session.hasChanges)
      try expectEqual(session.fill([fault, ticket]), 1)
      expectEqual(fault.get(Station.self)?.name, "s1")
      expectFalse(fault.has(Fault.cid))
      expectEqual(fault.target(Feeds.self)?.get(Fault.self)?.key, "2")
      try expectEqual(session.repository(network.stations).require(1), fault)
      try expectEqual(session.save(), SaveReport())
    }

    @Test func `fetching fills faults`() throws {
      let network = try Network()
      let session = try store(network).session()
      let fault = try #require(
        session.repository(network.tickets).require(1).target(About.self))
      try expectEqual(session.repository(network.stations).fetch(limit: 1), [fault])
      expectEqual(fault.get(Station.self)?.id, 1)
    }

    @Test func `what is linked to stays as a fault when it is evicted`() throws {
      let network = try Network()
      let session = try store(network).session()
      let stations = session.repository(network.stations)
      let ticket = try session.repository(network.tickets).require(1)
      let one = try stations.require(1)
      try session.fill(Array(one.targets(Feeds.self)))
      expectEqual(stations.evict(), 2)
      expectTrue(one.isAlive && one.has(Fault.cid) && !one.has(Station.cid))
      expectEqual(ticket.target(About.self), one)
      try expectEqual(session.save(), SaveReport())
      // What only the evicted one was linked to is gone.
      expectEqual(session.context.count, 2)
    }

    @Test func `what belongs to a row that is let go of stays, whether or not a table keeps that`()
      throws
    {
      let network = try Network()
      let store = try network.store(3)
      let session = try store.session()
      let stations = session.repository(network.stations)
      let one = try stations.require(1)
      let draft = session.context.createEntity(with: Station(id: 9, name: "draft"))
      try draft.setParent(one)
      expectEqual(session.evict([one]), 1)
      expectTrue(draft.isAlive && draft.parent == one && one.has(Fault.cid))
      try expectEqual(session.save(), SaveReport(inserted: 1))
      try expectEqual(stations.require(1), one)
      // A fault goes with the last one that is linked to it.
      expectEqual(stations.evict(), 2)
      expectEqual(session.context.count, 0)
      expectEqual(session.evict([draft]), 0)
      try expectEqual(stations.fetch().stationIDs, [1, 2, 3, 9])
    }

    @Test func `a link to a fault is saved`() throws {
      let network = try Network()
      let session = try store(network).session()
      let fault = try #require(
        session.repository(network.tickets).require(1).target(About.self))
      try session.repository(network.tickets).create(Ticket(id: 2)) {
        $0.relate(About.self, to: fault)
      }
      try session.save()
      try expectEqual(session.store.rows("SELECT id, about FROM ticket"), ["1 1", "2 1"])
    }

    @Test func `components that somebody gives to a fault change its row`() throws {
      let network = try Network()
      let session = try store(network).session()
      let fault = try #require(
        session.repository(network.tickets).require(1).target(About.self))
      fault.set(Station(id: 1, name: "new", rank: 1))
      try expectEqual(session.save().updated, 1)
      expectFalse(fault.has(Fault.cid))
      try expectEqual(
        session.store.rows("SELECT name, feeds FROM station WHERE id = 1"), ["new 2"])
    }

    @Test func `a row that is gone can't be filled`() throws {
      let network = try Network()
      let session = try store(network).session()
      let fault = try #require(
        session.repository(network.tickets).require(1).target(About.self))
      try session.store.write { database in
        try database.execute(sql: "UPDATE ticket SET about = NULL")
        try database.execute(sql: "DELETE FROM station WHERE id = 1")
      }
      try expectEqual(session.fill([fault]), 0)
      expectTrue(fault.has(Fault.cid))
      try session.refresh()
      try expectNil(session.repository(network.tickets).require(1).target(About.self))
    }

    @Test func `rolling back links to a fault again`() throws {
      let network = try Network()
      let session = try store(network).session()
      let ticket = try session.repository(network.tickets).require(1)
      ticket.target(About.self)?.destroy()
      expectNil(ticket.target(About.self))
      session.rollback()
      expectEqual(ticket.target(About.self)?.get(Fault.self)?.key, "1")
      try expectEqual(session.save(), SaveReport())
    }

    @Test func `what others save is merged into rows in memory alone`() throws {
      let network = try Network()
      let store = try store(network)
      let (here, there) = try (store.session(), store.session())
      let (ours, theirs) = (here.repository(network.stations), there.repository(network.stations))
      let one = try ours.require(1)
      for station in try theirs.all() { station.update(Station.self) { $0.name += "!" } }
      try theirs.create(Station(id: 4, name: "s4"))
      try there.save()
      expectEqual(one.get(Station.self)?.name, "s1!")
      expectEqual(here.context.group(Station.matcher).count, 1)
      try expectEqual(ours.count(), 4)
      try store.write { try $0.execute(sql: "UPDATE station SET name = 'sql'") }
      try here.refresh()
      expectEqual(one.get(Station.self)?.name, "sql")
      expectEqual(here.context.group(Station.matcher).count, 1)
      try store.write {
        try $0.execute(
          sql:
            "UPDATE ticket SET about = NULL; UPDATE station SET feeds = NULL; DELETE FROM station WHERE id = 1"
        )
      }
      try here.refresh()
      expectFalse(one.isAlive)
    }

    @Test func `a row that rows of the file refer to is not deleted`() throws {
      let network = try Network()
      let session = try store(network).session()
      let two = try session.repository(network.stations).require(2)
      two.destroy()
      guard case .foreignKey(table: "station", _)? = storeError({ try session.save() }) else {
        Issue.record("A row was deleted that another refers to.")
        return
      }
      session.rollback()
      try expectNotNil(session.repository(network.stations).load(2))
    }
  }
#endif
