#if SQLite && os(Linux) && canImport(Glibc)
  import ECS
  import ECSStore
  import ECSTestSupport
  import GRDB
  import Testing

  @Suite struct RequestMemoryTests {
    /// Ten million rows take 200 MB, the whole process; fewer take a part of it.
    @Test func `work on many rows takes memory for a part of them`() async {
      await #expect(processExitsWith: .success) {
        let count = Effort.isUnlimited ? 10_000_000 : 50_000
        let (folder, network) = try (Folder(), Network())
        let store = try Store(at: .file(folder.file()), schema: network.schema)
        try store.write { database in
          try database.execute(
            sql: """
              INSERT INTO station (id, name, rank)
              WITH RECURSIVE number(i) AS
                (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < ?)
              SELECT i, 'station ' || i, i % 1000 FROM number
              """, arguments: [count])
        }
        let session = try store.session()
        let stations = session.repository(network.stations)
        let before = residentBytes()
        var (last, sum, most) = (0, 0, 0)
        while true {
          let some = try stations.fetch(
            where: { $0.id > last }, sortedBy: Sort(\Station.id), limit: 5000)
          guard let end = some.last?.get(Station.self)?.id else { break }
          for station in some {
            sum += 1
            // One in a hundred is changed.
            if sum % 100 == 0 { station.update(Station.self) { $0.name += "!" } }
          }
          try session.save()
          expectEqual(session.evict(some), some.count)
          last = end
          most = max(most, residentBytes())
        }
        expectEqual(sum, count)
        try expectEqual(stations.count(where: { $0.name.like("%!") }), count / 100)
        try expectEqual(
          stations.fetch(where: { $0.rank == 7 }, limit: 100).count, min(100, count / 1000))
        expectLessThanOrEqual(session.context.group(Station.matcher).count, 100)
        most = max(most, residentBytes())
        if Effort.isUnlimited { print("resident at most: \(most) bytes, \(before) before") }
        expectLessThan(most - before, 40 << 20)
        expectLessThan(most, 200 << 20)
      }
    }
  }
#endif
