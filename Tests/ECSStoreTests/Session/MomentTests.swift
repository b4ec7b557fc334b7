#if SQLite
  import Dispatch
  import ECS
  import ECSStore
  import ECSTestSupport
  import GRDB
  import Testing

  /// What others do in the middle of a save.
  @Suite(.longRunning, .noHangs) final class MomentTests: SessionFixture {
    // MARK: Between a loop's waking up and its save

    @Test func `what a loop is about to save is not let go of`() throws {
      let network = try Network()
      let store = try network.store(3)
      let session = try store.session()
      let stations = session.repository(network.stations)
      let saving = SavingSystem(session)
      let station = try #require(try stations.load(1))
      station.update(Station.self) { $0.name = "new" }
      let touched = saving.collector.drain()
      expectFalse(touched.isEmpty)
      expectTrue(session.hasChanges)
      expectEqual(stations.evict(), 0)
      try expectEqual(stations.fetch(where: { $0.name == "new" }).stationIDs, [1])
      try saving.execute(entities: touched)
      try expectEqual(store.rows("SELECT name FROM station WHERE id = 1"), ["new"])
      expectFalse(session.hasChanges)
    }

    @Test func `what a loop is about to save is taken back by a rollback, and saved by closing`()
      throws
    {
      let saving = SavingSystem(session)
      context.createEntity(with: Author(id: 1))
      var touched = saving.collector.drain()
      session.rollback()
      expectNil(session.author(1))
      try saving.execute(entities: touched)
      try expectEqual(store.rows("SELECT id FROM author"), [])
      let folder = try Folder()
      let store = try Town.store(at: .file(folder.file()))
      let other = try store.session()
      let system = SavingSystem(other)
      other.context.createEntity(with: Author(id: 2))
      touched = system.collector.drain()
      try store.close()
      try expectEqual(Town.store(at: .file(folder.file())).rows("SELECT id FROM author"), ["2"])
    }

    @Test func `what has changed before there is a loop wakes it, and what is merged does not`()
      throws
    {
      context.createEntity(with: Author(id: 1))
      let saving = SavingSystem(session)
      expectEqual(saving.collector.count, 1)
      try saving.execute(entities: saving.collector.drain())
      let other = try store.session()
      other.author(1)?.update(Author.self) { $0.first = "Ada" }
      other.context.createEntity(with: Author(id: 2))
      try other.save()
      expectNotNil(session.author(2))
      expectTrue(saving.collector.isEmpty)
    }

    // MARK: Whole sections

    @Test func `what is changed while rows are read for a save is saved as a whole or not at all`()
      throws
    {
      let network = try Network()
      let store = try network.store(3)
      let session = try store.session()
      let stations = session.repository(network.stations)
      let (from, to) = (try #require(try stations.load(1)), try #require(try stations.load(2)))
      // A fault that is given components.
      let ticket = session.context.createEntity(with: Ticket(id: 1))
      let third = try #require(try stations.load(3))
      ticket.relate(About.self, to: third)
      try session.save()
      session.evict([third])
      third.set(Station(id: 3, name: "here", rank: 0))
      let told = session.context.group(Fault.matcher).observeAfterwards {
        guard !third.has(Fault.cid), to.get(Station.self)?.rank == 2 else { return }
        session.context.perform {
          from.update(Station.self) { $0.rank = -9 }
          to.update(Station.self) { $0.rank = 12 }
        }
      }
      from.update(Station.self) { $0.name = "from" }
      try session.save()
      try expectEqual(
        store.rows("SELECT id, name, rank FROM station ORDER BY id"),
        [
          "1 from -9", "2 s2 12", "3 here 0",
        ])
      told.cancel()
    }

    @Test func `sums over rows stay what they are in the file while rows change together`() throws {
      let (session, store) = (session, store)
      let books = (0..<4).map {
        session.context.createEntity(with: Book(isbn: "\($0)", pages: 100))
      }
      try session.save()
      let steps = Effort.raceSteps / 100
      Threads.run(4) { thread in
        for step in 1...steps {
          if thread < 2 {
            session.context.perform {
              books[(step + thread) % 4].update(Book.self) { $0.pages -= 10 }
              books[(step * 3 + thread + 1) % 4].update(Book.self) { $0.pages += 10 }
              let new = session.context.createEntity(with: Author(id: Int64(step * 2 + thread)))
              books[step % 4].relate(PublishedBy.self, to: new)
            }
          } else {
            #expect(throws: Never.self) {
              try session.save()
              let sum = try store.rows("SELECT sum(pages) FROM book")
              if sum != ["400"] { Issue.record("\(sum)") }
            }
          }
        }
      }
    }

    // MARK: Inside of the transaction

    /// Does something once, before a statement that begins with a text is run.
    private func before(_ text: String, _ body: @escaping @Sendable () -> Void) throws {
      let count = Tally()
      try store.write { database in
        // Not for this transaction itself.
        database.afterNextTransaction { database in
          database.trace { event in
            guard count.value == 0, "\(event)".hasPrefix(text) else { return }
            count.add()
            body()
          }
        }
      }
    }

    /// Lets another thread keep the context, and wait for the database there.
    private func waitInContext() -> @Sendable () -> Void {
      let (context, store) = (context, store)
      return {
        let isThere = DispatchSemaphore(value: 0)
        DispatchQueue(label: "reader").async {
          context.perform {
            isThere.signal()
            #expect(throws: Never.self) { try store.rows("SELECT 1") }
          }
        }
        isThere.wait()
      }
    }

    @Test func `a save does not wait for a context in which somebody waits for the database`()
      throws
    {
      let author = context.createEntity(with: Author(id: 1))
      let place = context.createEntity(with: Place(id: 1, name: "a", rank: 1))
      let next = context.createEntity(with: Place(id: 2, name: "b", rank: 2))
      next.relate(Next.self, to: place)
      try session.save()
      let book = context.createEntity(with: Book(isbn: "1"))
      book.relate(WrittenBy.self, to: author)
      book.relate(PublishedBy.self, to: author)
      place.update(Place.self) { $0.id = 3 }
      try before("BEGIN IMMEDIATE", waitInContext())
      try session.save()
      try expectEqual(store.rows("SELECT publisher FROM book"), ["1"])
      try expectEqual(store.rows("SELECT id, next FROM place ORDER BY id"), ["2 3", "3 NULL"])
    }

    @Test func `a query that lives does not either`() throws {
      let network = try Network()
      let store = try network.store(1)
      let session = try store.session()
      let query = try session.repository(network.stations).liveQuery()
      let context = session.context
      let isThere = DispatchSemaphore(value: 0)
      try store.write { database in
        let count = Tally()
        database.afterNextTransaction { database in
          database.trace { event in
            guard count.value == 0, "\(event)".hasPrefix("COMMIT") else { return }
            count.add()
            DispatchQueue(label: "reader").async {
              context.perform {
                isThere.signal()
                #expect(throws: Never.self) { try store.rows("SELECT 1") }
              }
            }
            isThere.wait()
          }
        }
      }
      query.collector.pause()
      query.collector.resume()
      try store.write { try $0.execute(sql: "UPDATE station SET name = 'sql'") }
      expectFalse(query.collector.isEmpty)
    }

    @Test func `who is destroyed while what links to it is saved is saved next`() throws {
      let author = context.createEntity(with: Author(id: 1))
      try session.save()
      let book = context.createEntity(with: Book(isbn: "1"))
      book.relate(WrittenBy.self, to: author)
      book.relate(PublishedBy.self, to: author)
      try before("BEGIN IMMEDIATE") { author.destroy() }
      try session.save()
      try expectEqual(store.rows("SELECT isbn, publisher FROM book"), ["1 1"])
      try session.save()
      try expectEqual(store.rows("SELECT isbn, publisher FROM book"), ["1 NULL"])
      try expectEqual(store.rows("SELECT id FROM author"), [])
      expectFalse(session.hasChanges)
    }
  }
#endif
