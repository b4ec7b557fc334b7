#if SQLite
  import ECS
  import ECSStore
  import Foundation

  struct Station: Component, Equatable {
    var id = 0
    var name = ""
    var rank: Int?
  }

  /// What a station may lack.
  struct Height: Component, Equatable { var meters = 0 }

  struct Ticket: Component, Equatable { var id = 0 }

  enum Feeds: ToOneRelation {}
  enum About: ToOneRelation {}

  /// A table on request, and one that is in memory and refers to it.
  struct Network {
    let stations: ECSStore.Table<Station, Int>
    let tickets: ECSStore.Table<Ticket, Int>
    let schema: Schema

    init() throws {
      let stations = try Table("station", key: \Station.id) {
        Fields(of: Station()) {
          Field(\.id, at: "id")
          Field(\.name, at: "name")
          Field(\.rank, at: "rank")
        }
        Fields(of: Height()) { Field(\.meters, at: "height.meters") }
        Nested.itself(oneAt: "feeds", as: .key, through: .targets(of: Feeds.self))
      } columns: {
        Column(\Station.rank).indexed()
      }.onRequest()
      let tickets = try Table("ticket", key: \Ticket.id) {
        Fields(of: Ticket()) { Field(\.id, at: "id") }
        Nested(one: stations.recipe, at: "about", as: .key, through: .targets(of: About.self))
      }
      (self.stations, self.tickets) = (stations, tickets)
      schema = try Schema {
        stations
        tickets
      }
    }

    /// A file in memory with stations 1 to a number, whose ranks are their numbers modulo 10.
    func store(_ count: Int) throws -> Store {
      let store = try Store(at: .memory, schema: schema)
      let session = try store.session()
      let stations = session.repository(stations)
      for id in stride(from: 1, through: count, by: 1) {
        try stations.create(Station(id: id, name: "s\(id)", rank: id % 10))
      }
      try session.save()
      return store
    }
  }

  extension Sequence where Element == Entity {
    var stationIDs: [Int] { compactMap { $0.get(Station.self)?.id } }
  }
#endif
