#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Foundation
  import GRDB
  import Testing

  @Suite struct RequestTests {
    @Test func `a session begins without the rows of a table on request`() throws {
      let network = try Network()
      let session = try network.store(20).session()
      expectEqual(session.loaded.rows, 0)
      expectTrue(session.context.group(Station.matcher).isEmpty)
      try expectEqual(session.repository(network.stations).count(), 20)
    }

    @Test func `fetched rows become entities once`() throws {
      let network = try Network()
      let session = try network.store(20).session()
      let stations = session.repository(network.stations)
      let first = try stations.fetch(where: { $0.rank == 3 })
      expectEqual(first.stationIDs, [3, 13])
      try expectEqual(stations.fetch(where: { $0.id >= 13 && $0.id <= 14 }).first, first[1])
      expectEqual(session.context.group(Station.matcher).count, 3)
      expectFalse(session.hasChanges)
      try expectEqual(session.save(), SaveReport())
    }

    @Test func `a key that an entity had is nobody's until it is saved otherwise`() throws {
      let network = try Network()
      let store = try network.store(4)
      let session = try store.session()
      let stations = session.repository(network.stations)
      let two = try stations.require(2)
      two.update(Station.self) { $0.id = 16 }
      try expectTrue(stations.load(2) == nil && stations.load(16) == two)
      #expect(throws: StoreError.self) { try stations.require(2) }
      try expectTrue(stations.find(2) == nil && !stations.exists(where: { $0.id == 2 }))
      let new = try stations.create(Station(id: 2, name: "new"))
      try expectEqual(stations.load(2), new)
      try session.save()
      try expectTrue(stations.load(2) == new && stations.load(16) == two)
      try expectEqual(
        store.rows("SELECT id, name FROM station WHERE id IN (2, 16)"), ["2 new", "16 s2"])
      two.update(Station.self) { $0.id = 17 }
      session.rollback()
      try expectEqual(stations.load(16), two)
    }

    @Test func `unsaved changes are in the answer at their places`() throws {
      let network = try Network()
      let session = try network.store(6).session()
      let stations = session.repository(network.stations)
      try stations.require(2).update(Station.self) { $0.rank = 9 }
      try stations.require(5).destroy()
      try stations.create(Station(id: 7, name: "s7", rank: 4))
      let sorted = try stations.fetch(sortedBy: Sort(\Station.rank, .descending))
      expectEqual(sorted.stationIDs, [2, 6, 4, 7, 3, 1])
      let part = try stations.fetch(
        sortedBy: Sort(\Station.rank, .descending), limit: 3, offset: 2)
      expectEqual(part.stationIDs, [4, 7, 3])
      try expectEqual(stations.count(), 6)
      try expectEqual(stations.count(where: { $0.rank > 3 }), 4)
      try expectTrue(stations.exists(where: { $0.rank == 9 }))
      try expectFalse(stations.exists(where: { $0.rank == 5 }))
      try session.save()
      try expectEqual(
        stations.fetch(sortedBy: Sort(\Station.rank, .descending)).stationIDs,
        sorted.stationIDs)
    }

    @Test
    func `what is counted is what is fetched, also if a new row has the key of one in the file`()
      throws
    {
      let network = try Network()
      let session = try network.store(6).session()
      let stations = session.repository(network.stations)
      // Saving will tell.
      session.context.createEntity(with: Station(id: 2, name: "twin", rank: 9))
      session.context.createEntity(with: Station(id: 8, name: "new", rank: 2))
      for limit in [nil, 1, 3] {
        try expectEqual(
          stations.fetch(where: { $0.rank < 4 }, limit: limit).stationIDs,
          Array([1, 3, 8].prefix(limit ?? 9)))
      }
      try expectEqual(stations.count(where: { $0.rank < 4 }), 3)
      try expectEqual(stations.count(where: { $0.rank == 9 }), 1)
      try expectEqual(stations.count(), stations.fetch().count)
      try expectFalse(stations.exists(where: { $0.name == "s2" }))
      try expectTrue(stations.exists(where: { $0.name == "s3" }))
    }

    @Test func `limits count what is taken alone`() throws {
      let network = try Network()
      let session = try network.store(30).session()
      let stations = session.repository(network.stations)
      try expectEqual(stations.fetch(limit: 3, offset: 4).stationIDs, [5, 6, 7])
      expectEqual(session.context.group(Station.matcher).count, 3)
      try expectTrue(stations.fetch(limit: 0).isEmpty)
      try expectEqual(stations.fetch(offset: 28).stationIDs, [29, 30])
      try expectTrue(stations.fetch(limit: .max, offset: .max).isEmpty)
      try expectEqual(
        stations.first(sortedBy: Sort(\Station.name, .descending))?.get(Station.self)?.id, 9)
    }

    @Test func `nil comes last, and absent components are neither greater nor not greater`() throws
    {
      let network = try Network()
      let store = try network.store(3)
      let session = try store.session()
      let stations = session.repository(network.stations)
      try stations.require(1).update(Station.self) { $0.rank = nil }
      try stations.require(2).set(Height(meters: 5))
      for isSaved in [false, true] {
        if isSaved {
          try session.save()
          expectEqual(session.evict(try stations.all()), 3)
        }
        try expectEqual(stations.fetch(sortedBy: Sort(\Station.rank)).stationIDs, [2, 3, 1])
        try expectEqual(
          stations.fetch(sortedBy: Sort(\Station.rank, .descending)).stationIDs, [3, 2, 1])
        try expectEqual(stations.fetch(where: { $0[\Height.meters] > 3 }).stationIDs, [2])
        try expectTrue(stations.fetch(where: { !($0[\Height.meters] > 3) }).isEmpty)
        try expectEqual(stations.fetch(where: { !($0[\Height.meters] > 9) }).stationIDs, [2])
        try expectEqual(stations.fetch(where: { $0.rank == nil }).stationIDs, [1])
        try expectEqual(stations.fetch(where: { $0.rank != nil }).stationIDs, [2, 3])
        try expectEqual(stations.fetch(where: { !($0.rank > 2) }).stationIDs, [2])
        try expectEqual(stations.fetch(where: { $0.rank.isIn([nil, 3]) }).stationIDs, [1, 3])
        try expectEqual(stations.fetch(where: { !$0.rank.isIn([2]) }).stationIDs, [1, 3])
        try expectTrue(stations.fetch(where: { $0.rank.isIn([]) }).isEmpty)
        try expectEqual(stations.fetch(where: { $0.has(Height.self) }).stationIDs, [2])
        try expectEqual(stations.fetch(where: { !$0.has(Height.self) }).stationIDs, [1, 3])
      }
    }

    @Test func `texts are matched by their bytes, whatever they hold`() throws {
      let network = try Network()
      let session = try network.store(0).session()
      let stations = session.repository(network.stations)
      let names = ["a\0b", "a%b", "A_b", "e\u{301}", "\u{e9}", "x'; DROP TABLE station; --", ""]
      for (id, name) in names.enumerated() { try stations.create(Station(id: id, name: name)) }
      for isSaved in [false, true] {
        if isSaved {
          try session.save()
          session.evict(try stations.all())
        }
        for (id, name) in names.enumerated() {
          try expectEqual(stations.fetch(where: { $0.name == name }).stationIDs, [id])
        }
        try expectEqual(stations.fetch(where: { $0.name.hasPrefix("a\0") }).stationIDs, [0])
        try expectEqual(stations.fetch(where: { $0.name.hasPrefix("") }).count, names.count)
        try expectEqual(stations.fetch(where: { $0.name.contains("DROP") }).stationIDs, [5])
        try expectEqual(stations.fetch(where: { $0.name.contains("\0b") }).stationIDs, [0])
        try expectTrue(stations.fetch(where: { $0.name.like("a_b") }).stationIDs.contains(2))
      }
    }

    @Test func `a field without a column can't be asked for`() throws {
      let network = try Network()
      let session = try network.store(1).session()
      let stations = session.repository(network.stations)
      let error = storeError { _ = try stations.fetch(where: { $0[\Author.first] == "a" }) }
      guard case .schemaMismatch(table: "station", _)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      let relation = storeError {
        _ = try stations.fetch(where: {
          $0.isRelated(WrittenBy.self, to: session.context.createEntity())
        })
      }
      guard case .noForeignKey? = relation else {
        Issue.record("\(String(describing: relation))")
        return
      }
    }

    @Test func `a key of the file is refused before anything is written`() throws {
      let network = try Network()
      let session = try network.store(3).session()
      let stations = session.repository(network.stations)
      guard
        case .duplicateKey(table: "station", key: "2")? = storeError({
          try stations.create(Station(id: 2))
        })
      else {
        Issue.record("A key came twice.")
        return
      }
      expectNil(stations.find(2))
      try stations.require(2).destroy()
      try stations.create(Station(id: 2, name: "new"))
      try expectEqual(session.save().updated, 1)
      let other = Context()
      other.createEntity(with: Station(id: 3))
      guard case .duplicateKey? = storeError({ _ = try session.store.session(on: other) }) else {
        Issue.record("A context with a key of the file was attached.")
        return
      }
    }

    @Test func `load and upsert ask the file`() throws {
      let network = try Network()
      let session = try network.store(3).session()
      let stations = session.repository(network.stations)
      expectNil(stations.find(1))
      try expectEqual(stations.load(1)?.get(Station.self)?.name, "s1")
      expectNotNil(stations.find(1))
      try expectNil(stations.load(4))
      expectNotNil(storeError { _ = try stations.require(4) })
      stations.upsert(Station(id: 2, name: "two"))
      let report = try session.save()
      expectTrue((report.inserted, report.updated) == (0, 1))
      try expectTrue(stations.delete(key: 3))
      try expectFalse(stations.delete(key: 9))
      try expectEqual(session.save().deleted, 1)
      try expectEqual(session.store.rows("SELECT id, name FROM station"), ["1 s1", "2 two"])
    }

    @Test func `evicted entities are gone, and their rows are not`() throws {
      let network = try Network()
      let session = try network.store(5).session()
      let stations = session.repository(network.stations)
      let all = try stations.all()
      all[0].update(Station.self) { $0.name = "changed" }
      expectEqual(session.evict(all), 4)
      expectTrue(all[0].isAlive && !all[1].isAlive)
      expectEqual(session.context.count, 1)
      try expectEqual(session.save().updated, 1)
      expectEqual(stations.evict(), 1)
      expectEqual(session.context.count, 0)
      try expectEqual(stations.fetch(where: { $0.name == "changed" }).stationIDs, [1])
      try expectEqual(session.save(), SaveReport())
    }

    @Test func `entities of tables in memory are not evicted`() throws {
      let network = try Network()
      let session = try network.store(1).session()
      let ticket = try session.repository(network.tickets).create(Ticket(id: 1))
      try session.save()
      expectEqual(session.evict([ticket]), 0)
      expectTrue(ticket.isAlive)
    }

    @Test func `generated keys come with the save`() throws {
      let table = try Table(
        "todo", of: Todo.self, generatedKey: \TodoID.value, in: TodoID(value: 0)
      ) {
        Fields(of: Todo()) {
          Field(\.text, at: "text")
          Field(\.isDone, at: "done")
        }
      }.onRequest()
      let session = try Store(at: .memory, schema: Schema { table }).session()
      let todos = session.repository(table)
      for text in ["a", "b"] { try todos.create(Todo(text: text)) }
      try expectEqual(todos.fetch(sortedBy: Sort(\Todo.text, .descending)).count, 2)
      try session.save()
      expectEqual(todos.evict(), 2)
      try expectEqual(todos.load(2)?.get(Todo.self)?.text, "b")
      try expectEqual(todos.fetch(where: { $0[\TodoID.value] > 1 }).count, 1)
    }

    @Test func `tables of pairs can't have ends on request`() throws {
      let authors = try Library.authors().onRequest()
      let books = try Library.books()
      let error = #expect(throws: SchemaError.self) {
        _ = try Schema {
          authors
          books
        }
      }
      expectEqual(error?.reason, .pairsOnRequest("authors"))
    }

    @Test func `rows that can't be read are refused or left out`() throws {
      let folder = try Folder()
      let network = try Network()
      let store = try Store(at: .file(folder.file()), schema: network.schema)
      try store.write { database in
        try database.execute(
          sql: """
            INSERT INTO station (id, name) VALUES (1, 'a'), (2, CAST(x'ff' AS TEXT)), (3, 'c')
            """)
      }
      let session = try store.session()
      guard
        case .unreadable(table: "station", key: "2", column: "name", _)? = storeError({
          _ = try session.repository(network.stations).all()
        })
      else {
        Issue.record("A row that can't be read was read.")
        return
      }
      expectEqual(session.context.count, 0)
      let lenient = try store.session(unreadable: .skipAndReport)
      try expectEqual(lenient.repository(network.stations).all().stationIDs, [1, 3])
    }

    @Test func `fetching in a section stops with a message`() async throws {
      await #expect(processExitsWith: .failure) {
        let network = try Network()
        let session = try network.store(1).session()
        session.context.perform { _ = try? session.repository(network.stations).all() }
      }
    }
  }
#endif
