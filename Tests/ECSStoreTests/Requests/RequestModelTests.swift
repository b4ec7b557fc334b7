#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Testing

  /// Random programs of fetching, editing, saving and letting go: what a table on request answers is what
  /// dictionaries say, whatever of it is in memory.
  @Suite(.longRunning) struct RequestModelTests {
    struct Row: Equatable {
      var name = ""
      var rank: Int?
      var height: Int?
      var feeds: Int?
    }

    @Test(arguments: Effort.seeds())
    func `a table on request agrees with a model after every step`(seed: UInt64) throws {
      var random = SplitMix64(seed: seed)
      let network = try Network()
      let store = try Store(at: .memory, schema: network.schema)
      let session = try store.session()
      let stations = session.repository(network.stations)
      var (local, base): ([Int: Row], [Int: Row]) = ([:], [:])
      var program: [String] = []
      for step in 0..<150 {
        let id = Int.random(in: 1...12, using: &random)
        let number = Int.random(in: 0..<4, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<20:
          program.append("make \(id)")
          let error = storeError {
            try stations.create(
              Station(id: id, name: "n\(number)", rank: number == 0 ? nil : number))
          }
          expectEqual((error != nil), (local[id] != nil))
          if error == nil { local[id] = Row(name: "n\(number)", rank: number == 0 ? nil : number) }
        case 20..<40:
          program.append("edit \(id) \(number)")
          let entity = try stations.load(id)
          expectEqual((entity != nil), (local[id] != nil))
          guard let entity else { break }
          entity.update(Station.self) { $0.rank = number == 3 ? nil : number }
          local[id]?.rank = number == 3 ? nil : number
          if number == 0 {
            entity.remove(Height.self)
          } else {
            entity.set(Height(meters: number))
          }
          local[id]?.height = number == 0 ? nil : number
        case 40..<50:
          let other = Int.random(in: 1...12, using: &random)
          program.append("link \(id) \(other)")
          guard let entity = try stations.load(id), let target = try stations.load(other) else {
            break
          }
          entity.relate(Feeds.self, to: target)
          local[id]?.feeds = other
        case 50..<58:
          program.append("destroy \(id)")
          guard let entity = try stations.load(id) else { break }
          _ = try stations.fetch(where: { $0.isRelated(Feeds.self, to: entity) })
          entity.destroy()
          local[id] = nil
          for key in local.keys where local[key]?.feeds == id { local[key]?.feeds = nil }
        case 58..<72:
          program.append("save")
          try session.save()
          base = local
        case 72..<76:
          program.append("rollback")
          session.rollback()
          local = base
        case 76..<90:
          program.append("evict")
          session.evict(
            Array(session.context.group(Station.matcher)).filter { _ in
              Bool.random(using: &random)
            })
        default:
          program.append("fill")
          try session.fill(Array(session.context.group(Fault.matcher)))
        }
        if let failure = try mismatch(stations, session, local, &random) {
          Issue.record(
            "seed \(seed), step \(step): \(failure), after\n\(program.joined(separator: "\n"))")
          return
        }
      }
      try session.save()
      let fresh = try store.session().repository(network.stations)
      expectEqual(rows(try fresh.all()), local)
    }

    private func rows(_ entities: some Sequence<Entity>) -> [Int: Row] {
      var rows: [Int: Row] = [:]
      for entity in entities {
        guard let station = entity.get(Station.self) else { continue }
        let target = entity.target(Feeds.self)
        rows[station.id] = Row(
          name: station.name, rank: station.rank, height: entity.get(Height.self)?.meters,
          feeds: target.flatMap {
            $0.get(Station.self)?.id ?? $0.get(Fault.self).flatMap { Int($0.key) }
          })
      }
      return rows
    }

    /// What a random question is answered otherwise than the model does; nil if nothing is.
    private func mismatch(
      _ stations: Repository<Station, Int>, _ session: StoreSession, _ local: [Int: Row],
      _ random: inout SplitMix64
    ) throws -> String? {
      let number = Int.random(in: 0..<4, using: &random)
      let kind = Int.random(in: 0..<9, using: &random)
      let condition: (RowReference<Station>) -> Condition
      let holds: (Row) -> Bool
      switch kind {
      case 0: (condition, holds) = ({ _ in .all }, { _ in true })
      case 1: (condition, holds) = ({ $0.rank >= number }, { ($0.rank ?? -1) >= number })
      case 2:
        (condition, holds) = ({ !($0.rank >= number) }, { $0.rank.map { $0 < number } ?? false })
      case 3:
        (condition, holds) = ({ $0.name.hasPrefix("n\(number)") }, { $0.name == "n\(number)" })
      case 4:
        (condition, holds) = (
          { !($0[\Height.meters] > number) }, { $0.height.map { $0 <= number } ?? false }
        )
      case 5: (condition, holds) = ({ $0.rank == nil }, { $0.rank == nil })
      case 6:
        (condition, holds) = (
          { $0.has(Height.self) || $0.rank.isIn([1, nil]) },
          { $0.height != nil || $0.rank == 1 || $0.rank == nil }
        )
      case 7:
        (condition, holds) = (
          { $0.name != "n\(number)" && $0.rank < 3 },
          { $0.name != "n\(number)" && ($0.rank ?? 9) < 3 }
        )
      default:
        guard let target = try stations.load(number + 1) else { return nil }
        (condition, holds) = (
          { $0.isRelated(Feeds.self, to: target) }, { $0.feeds == number + 1 }
        )
      }
      let isDescending = Bool.random(using: &random)
      let limit = Bool.random(using: &random) ? nil : Int.random(in: 0..<5, using: &random)
      let offset = Int.random(in: 0..<3, using: &random)
      let matching = local.filter { holds($0.value) }
      let wanted = matching.keys.sorted { left, right in
        switch (local[left]?.rank, local[right]?.rank) {
        case (let one?, let other?) where one != other:
          return isDescending ? one > other : one < other
        case (nil, _?): return false
        case (_?, nil): return true
        default: return left < right
        }
      }.dropFirst(offset).prefix(limit ?? .max)
      let count = try stations.count(where: condition)
      if count != matching.count {
        return "question \(kind) counts \(count), not \(matching.count)"
      }
      if try stations.exists(where: condition) == matching.isEmpty { return "exists \(kind)" }
      let found = try stations.fetch(
        where: condition, sortedBy: Sort(\Station.rank, isDescending ? .descending : .ascending),
        limit: limit, offset: offset)
      if found.stationIDs != Array(wanted) {
        return "question \(kind) \(number) finds \(found.stationIDs), not \(Array(wanted))"
      }
      let values = rows(found)
      return values == local.filter { values[$0.key] != nil }
        ? nil : "question \(kind) has \(values), not \(local)"
    }
  }
#endif
