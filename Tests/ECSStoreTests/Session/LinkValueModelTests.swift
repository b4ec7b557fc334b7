#if SQLite
  import ECS
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
  import Foundation
  import GRDB
  import Testing

  /// Random changes of links with values in two sessions, and by another connection, beside a naive
  /// picture of the file and of both sessions.
  @Suite(.noHangs, .longRunning) struct LinkValueModelTests {
    private struct Link: Hashable {
      var member: Int
      var team: String
    }

    private struct Value: Equatable {
      var role: String
      var since: Int?
    }

    private typealias Links = [Link: Value]

    /// What one session has, and what is known there of the file.
    private struct Side {
      var base: Links
      var local: Links

      mutating func merge(_ stored: Links, localWins: Bool) {
        for link in Set(base.keys).union(local.keys).union(stored.keys) {
          let (old, here, there) = (base[link], local[link], stored[link])
          switch (old, here, there) {
          case (nil, nil, let there): local[link] = there
          case (nil, _?, nil): break
          case (_?, _?, nil), (_?, nil, _): local[link] = nil
          case (_, let here?, let there?):
            local[link] = Value(
              role: merged(old?.role, here.role, there.role, localWins),
              since: merged(
                old.map { .some($0.since) } ?? .none, here.since, there.since, localWins))
          }
        }
        base = stored
      }

      private func merged<Field: Equatable>(
        _ old: Field?, _ here: Field, _ there: Field, _ localWins: Bool
      ) -> Field {
        guard let old else { return localWins ? here : there }
        if there == old { return here }
        return here == old || !localWins ? there : here
      }
    }

    private static let names = ["a", "b", "c"]

    private func links(_ session: StoreSession) -> Links {
      var links: Links = [:]
      for id in 0..<2 {
        for link in session.member(id)?.targets(MemberOf.self).links() ?? [] {
          let team = link.target.get(Team.self)?.name ?? ""
          links[Link(member: id, team: team)] = Value(
            role: link.value.role.rawValue, since: link.value.since)
        }
      }
      return links
    }

    private func stored(_ store: Store) throws -> Links {
      try store.read { database in
        var links: Links = [:]
        for row in try Row.fetchAll(database, sql: "SELECT * FROM member_teams") {
          // Of an enum that is made at once, the column has its JSON.
          let role: String = row["role"]
          links[Link(member: row["member_id"], team: row["team_name"])] = Value(
            role: role.trimmingCharacters(in: ["\""]), since: row["since"])
        }
        return links
      }
    }

    private func change(_ session: StoreSession, _ side: inout Side, _ random: inout SplitMix64)
      -> String
    {
      let link = Link(member: random.below(2), team: Self.names[random.below(3)])
      guard let member = session.member(link.member), let team = session.team(link.team) else {
        return "nothing"
      }
      let role = ["guest", "member", "admin"][random.below(3)]
      let since = [nil, 1, 2][random.below(3)]
      switch random.below(4) {
      case 0:
        member.unrelate(MemberOf.self, from: team)
        side.local[link] = nil
      case 1:
        member.update(MemberOf.self, to: team) { $0.since = since }
        side.local[link]?.since = since
      case 2:
        member.update(MemberOf.self, to: team) {
          $0.role = Membership.Role(rawValue: role) ?? .guest
        }
        side.local[link]?.role = role
      default:
        member.relate(
          MemberOf.self, to: team,
          Membership(role: Membership.Role(rawValue: role) ?? .guest, since: since))
        side.local[link] = Value(role: role, since: since)
      }
      return "\(link) \(role) \(since ?? 0)"
    }

    private func writeOutside(
      _ database: DatabaseQueue, _ file: inout Links, _ random: inout SplitMix64
    ) throws -> String {
      let link = Link(member: random.below(2), team: Self.names[random.below(3)])
      let key: StatementArguments = [link.member, link.team]
      if file[link] != nil, random.below(3) == 0 {
        try database.write {
          try $0.execute(
            sql: "DELETE FROM member_teams WHERE member_id = ? AND team_name = ?", arguments: key)
        }
        file[link] = nil
      } else if file[link] != nil {
        try database.write {
          try $0.execute(
            sql: "UPDATE member_teams SET since = 8 WHERE member_id = ? AND team_name = ?",
            arguments: key)
        }
        file[link]?.since = 8
      } else {
        try database.write {
          try $0.execute(
            sql: "INSERT INTO member_teams (member_id, team_name) VALUES (?, ?)", arguments: key)
        }
        file[link] = Value(role: "member", since: nil)
      }
      return "outside \(link)"
    }

    @Test(arguments: 0..<24)
    func `random changes do what a naive picture says`(seed: UInt64) throws {
      var random = SplitMix64(seed: seed)
      let folder = try Folder()
      let isMadeAtOnce = seed % 3 == 0
      let store = try Club.shared(folder, isMadeAtOnce: isMadeAtOnce)
      let localWins = seed % 2 == 0
      let policy: MergePolicy = localWins ? .localWins : .storeWins
      let first = try store.session(merging: .manual, policy: policy)
      for name in Self.names { first.context.createEntity(with: Team(name: name)) }
      for id in 0..<2 { first.context.createEntity(with: Member(id: id)) }
      try first.save()
      let other = seed % 4 < 2 ? store : try Club.shared(folder, isMadeAtOnce: isMadeAtOnce)
      let sessions = [first, try other.session(merging: .manual, policy: policy)]
      let outside = try DatabaseQueue(path: folder.file().path)
      var file: Links = [:]
      var sides = [Side(base: [:], local: [:]), Side(base: [:], local: [:])]
      var program: [String] = []
      for _ in 0..<60 {
        let number = random.below(2)
        let session = sessions[number]
        switch random.below(10) {
        case 0..<5: program.append("\(number) \(change(session, &sides[number], &random))")
        case 5..<7:
          program.append("\(number) save")
          sides[number].merge(file, localWins: localWins)
          (file, sides[number].base) = (sides[number].local, sides[number].local)
          try session.save()
          try #require(try session.save() == SaveReport(), "\(seed) \(program)")
        case 7:
          program.append("\(number) refresh")
          sides[number].merge(file, localWins: localWins)
          try session.refresh()
        case 8:
          program.append("\(number) rollback")
          sides[number].local = sides[number].base
          session.rollback()
        default: program.append(try writeOutside(outside, &file, &random))
        }
        try #require(try stored(store) == file, "\(seed) \(program)")
        for (session, side) in zip(sessions, sides) {
          try #require(links(session) == side.local, "\(seed) \(program)")
        }
      }
    }
  }
#endif
