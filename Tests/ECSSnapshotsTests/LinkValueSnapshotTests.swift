import ECS
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Foundation
import Testing

private struct Name: Component, Equatable { var text = "" }
private struct Membership: Component, Equatable, Codable {
  var role = "guest"
  var since = 0
}
private struct Referral: Component, Equatable, EntityReferencing {
  var by: Entity?
  mutating func mapEntities(_ map: (Entity) -> Entity) { by = by.map(map) }
}
private enum MemberOf: Relation { typealias Value = Membership }
private enum LedBy: ToOneRelation { typealias Value = Referral }
private enum Knows: Relation {}
private enum Plain: Relation {}

@Suite struct LinkValueSnapshotTests {
  private let context = Context()
  private let entities: [Entity]

  init() {
    let context = context
    entities = (0..<4).map { context.createEntity(with: Name(text: "\($0)")) }
  }

  private static let members = Stored(of: Membership(), as: "membership") {
    Field(\.role, at: "role")
    Field(\.since, at: "since")
  }

  private func schema(
    _ values: Stored<Membership> = LinkValueSnapshotTests.members, default value: Membership? = nil
  ) throws -> Schema {
    try Schema("club") {
      Stored(of: Name(), as: "name") { Field(\.text, at: "text") }.identified(by: \.text)
      Links(MemberOf.self, as: "memberOf", values: values, default: value)
      Links(
        LedBy.self, as: "ledBy",
        values: Stored(of: Referral(), as: "referral") { Field(\.by, at: "by") })
      Links(Knows.self, as: "knows")
    }
  }

  /// The same names, without values.
  private func plainSchema() throws -> Schema {
    try Schema("club") {
      Stored(of: Name(), as: "name") { Field(\.text, at: "text") }.identified(by: \.text)
      Links(Plain.self, as: "memberOf")
    }
  }

  private func fill() {
    entities[0].relate(MemberOf.self, to: entities[3], Membership(role: "admin", since: 7))
    entities[1].relate(MemberOf.self, to: entities[3], Membership(role: "guest", since: 8))
    entities[0].relate(MemberOf.self, to: entities[2], Membership(role: "owner", since: 9))
    entities[3].sources(MemberOf.self).reverse()
    entities[0].targets(MemberOf.self).reverse()
    entities[2].relate(LedBy.self, to: entities[1], Referral(by: entities[0]))
    entities[2].relate(Knows.self, to: entities[1])
  }

  /// The links with their values, in their orders.
  private func state(_ context: Context) -> [String] {
    func name(_ entity: Entity?) -> String { entity?.get(Name.self)?.text ?? "-" }
    return context.group(Name.matcher).map { entity in
      let members = entity.sources(MemberOf.self).links().map { "\(name($0.source)) \($0.value)" }
      let teams = entity.targets(MemberOf.self).links().map { "\(name($0.target)) \($0.value)" }
      let leader = entity.value(of: LedBy.self).map { name($0.by) } ?? ""
      return "\(name(entity)): \(members) \(teams) \(leader) \(entity.targets(Knows.self).count)"
    }.sorted()
  }

  @Test func `values are restored with their links, whatever their form`() throws {
    fill()
    let whole = Stored(Membership.self, as: "membership")
    for schema in [try schema(), try schema(whole)] {
      let copy = Context()
      try Snapshot(try context.snapshot(schema).data).restore(into: copy, schema)
      expectEqual(state(copy), state(context))
    }
  }

  @Test func `without values, files are what they were`() throws {
    entities[0].relate(Plain.self, to: entities[1])
    let data = try context.snapshot(try plainSchema()).data
    expectEqual(data[8], 1)
    fill()
    try expectEqual(context.snapshot(try schema()).data[8], 2)
  }

  @Test func `a file from before links had values takes a default, or is refused`() throws {
    entities[0].relate(Plain.self, to: entities[1])
    let old = try context.snapshot(try plainSchema())
    #expect(throws: SnapshotError.self) { try old.restore(into: Context(), try schema()) }
    let copy = Context()
    try old.restore(into: copy, try schema(default: Membership(role: "new")))
    expectEqual(copy.valuedLinks(MemberOf.self).map(\.value), [Membership(role: "new")])
  }

  @Test func `values that a schema does not know are refused, or reported`() throws {
    fill()
    let snapshot = try context.snapshot(try schema())
    #expect(throws: SnapshotError.self) { try snapshot.restore(into: Context(), try plainSchema()) }
    let copy = Context()
    let report = try snapshot.restore(into: copy, try plainSchema(), unknown: .drop)
    expectTrue(report.unknownComponents.contains("membership"))
    expectEqual(copy.linkCount(Plain.self), 3)
    let other = Stored(of: Membership(), as: "other") { Field(\.role, at: "role") }.leaving(\.since)
    #expect(throws: SnapshotError.self) {
      try snapshot.restore(into: Context(), try schema(other), unknown: .drop)
    }
  }

  @Test func `merging replaces values of links that are there`() throws {
    fill()
    let snapshot = try context.snapshot(try schema())
    let expected = state(context)
    entities[0].update(MemberOf.self, to: entities[3]) { $0.since = 100 }
    let counts = Recorder<String>()
    let subscriptions = entities.map { entity in
      entity.targets(MemberOf.self).observe(initial: false) { _ in
        counts.append(entity.get(Name.self)?.text ?? "")
      }
    }
    let index = context.primaryIndex { (name: Name) in name.text }
    try snapshot.merge(into: context, try schema(), by: index)
    expectEqual(state(context), expected)
    expectEqual(counts.take(), ["0"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `merging a file from before links had values leaves those that are there`() throws {
    entities[0].relate(Plain.self, to: entities[1])
    entities[2].relate(Plain.self, to: entities[1])
    let old = try context.snapshot(try plainSchema())
    entities[0].relate(MemberOf.self, to: entities[1], Membership(role: "admin"))
    let index = context.primaryIndex { (name: Name) in name.text }
    try old.merge(into: context, try schema(default: Membership(role: "new")), by: index)
    expectEqual(entities[0].value(of: MemberOf.self, to: entities[1])?.role, "admin")
    expectEqual(entities[2].value(of: MemberOf.self, to: entities[1])?.role, "new")
  }

  @Test func `a name of values that something else has is refused`() throws {
    #expect(throws: SchemaError.self) {
      try Schema("club") {
        Stored(of: Membership(), as: "membership") { Field(\.role, at: "role") }.leaving(\.since)
        Links(MemberOf.self, as: "memberOf", values: LinkValueSnapshotTests.members)
      }
    }
  }

  // MARK: Text

  @Test func `in text a link with a value is an object`() throws {
    fill()
    let schema = try schema()
    let text = String(decoding: try context.snapshot(schema).json(schema), as: UTF8.self)
    expectEqual(
      text,
      """
      {"snapshot":"club","format":2,"references":{"referral":["by"]}}
      {"@":"0","name":{"text":"0"},"memberOf":[{"@":"2","membership":{"role":"owner","since":9}},\
      {"@":"3","membership":{"role":"admin","since":7}}]}
      {"@":"1","name":{"text":"1"},"memberOf":[{"@":"3","membership":{"role":"guest","since":8}}]}
      {"@":"2","name":{"text":"2"},"ledBy":[{"@":"1","referral":{"by":"0"}}],"knows":["1"]}
      {"@":"3","name":{"text":"3"}}

      """)
  }

  @Test func `values in text are read again, whatever their form`() throws {
    fill()
    let whole = Stored(Membership.self, as: "membership")
    for schema in [try schema(), try schema(whole)] {
      let json = try context.snapshot(schema).json(schema)
      let snapshot = try Snapshot(json: json, schema)
      let copy = Context()
      try snapshot.restore(into: copy, schema)
      // The orders of sources are not part of text.
      copy.group(Name.matcher).first { $0.get(Name.self)?.text == "3" }?
        .sources(MemberOf.self).reverse()
      expectEqual(state(copy), state(context))
      try expectEqual(snapshot.json(schema), json)
      try expectEqual(Snapshot(snapshot.data).json(schema), json)
    }
  }

  @Test(arguments: 0..<20)
  func `random links with values are read again from text`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<12 {
      let (source, target) = (entities[random.below(4)], entities[random.below(4)])
      switch random.below(3) {
      case 0:
        let value = Membership(role: ["a", "\"", "é"][random.below(3)], since: random.below(9))
        source.relate(MemberOf.self, to: target, value)
      case 1:
        let by = random.below(5)
        source.relate(LedBy.self, to: target, Referral(by: by < 4 ? entities[by] : nil))
      default: source.unrelate(MemberOf.self, from: target)
      }
    }
    let schema = try schema()
    let json = try context.snapshot(schema).json(schema)
    let copy = Context()
    try Snapshot(json: json, schema).restore(into: copy, schema)
    func values(_ context: Context) -> [String] {
      context.group(Name.matcher).sorted().map { entity in
        let teams = entity.targets(MemberOf.self).links().map {
          "\($0.target.get(Name.self)?.text ?? "") \($0.value)"
        }
        let leader = entity.value(of: LedBy.self).map { $0.by?.get(Name.self)?.text ?? "nil" }
        return "\(teams) \(leader ?? "none")"
      }
    }
    expectEqual(values(copy), values(context), "\(seed)")
  }

  @Test func `text from before links had values takes a default, or is refused`() throws {
    entities[0].relate(Plain.self, to: entities[1])
    let plain = try plainSchema()
    let json = try context.snapshot(plain).json(plain)
    #expect(throws: SnapshotError.self) { try Snapshot(json: json, try schema()) }
    let later = try schema(default: Membership(role: "new"))
    let copy = Context()
    try Snapshot(json: json, later).restore(into: copy, later)
    expectEqual(copy.valuedLinks(MemberOf.self).map(\.value), [Membership(role: "new")])
    let text = String(decoding: try Snapshot(json: json, later).json(later), as: UTF8.self)
    expectTrue(text.contains(#"{"@":"1","membership":{"role":"new","since":0}}"#))
  }

  @Test func `an old version of a value is migrated from text`() throws {
    let next = Stored(of: Membership(), as: "belongs", version: 2, formerly: "membership") {
      Field(\.role, at: "rank")
      Field(\.since, at: "since")
    }
    .migrating(from: 1) { old in old["rank"] = .string((old["role"]?.string ?? "") + "!") }
    let old = """
      {"snapshot":"club","format":2}
      {"@":"a","name":{"text":"a"},"memberOf":[{"@":"b","membership":{"role":"admin","since":7}}]}
      {"@":"b","name":{"text":"b"}}
      """
    let schema = try schema(next)
    let copy = Context()
    let snapshot = try Snapshot(json: Data(old.utf8), schema)
    try snapshot.restore(into: copy, schema)
    expectEqual(
      copy.valuedLinks(MemberOf.self).map(\.value), [Membership(role: "admin!", since: 7)])
    let text = String(decoding: try snapshot.json(schema), as: UTF8.self)
    expectTrue(text.contains(#""versions":{"belongs":2}"#))
    expectTrue(text.contains(#"{"@":"b","belongs":{"rank":"admin!","since":7}}"#))
  }

  @Test func `bad links in text are refused with their lines`() throws {
    func error(_ link: String, other: String = "") -> SnapshotError? {
      let text = """
        {"snapshot":"club","format":2}
        {"@":"a","name":{"text":"a"}}
        {"@":"b","name":{"text":"b"},"memberOf":[\(other)\(link)]}
        """
      do { _ = try Snapshot(json: Data(text.utf8), try schema()) } catch {
        return error as? SnapshotError
      }
      return nil
    }
    let good = #"{"@":"a","membership":{"role":"x","since":1}}"#
    expectNil(error(good))
    expectEqual(
      error(#""b""#, other: good + ","),
      SnapshotError(
        .badLinks("the link has no value, which others have"), name: "memberOf", offset: 3))
    expectEqual(error(#"{"@":"b"}"#, other: good + ",")?.name, "memberOf")
    expectEqual(error(#"{"@":"a","other":{}}"#), SnapshotError(.unknown, name: "other", offset: 3))
    expectEqual(error(#"{"membership":{}}"#)?.name, "@")
    expectEqual(error(#"{"@":"a","membership":{"role":5}}"#)?.offset, 3)
    expectEqual(error(#"{"@":"c","membership":{"role":"x"}}"#)?.name, "memberOf")
    expectEqual(error(#""a""#)?.name, "memberOf")
    expectEqual(error(#"{"@":"a"}"#)?.name, "memberOf")
  }

  @Test func `damaged files are refused`() throws {
    fill()
    let schema = try schema()
    let data = try context.snapshot(schema).data
    for count in stride(from: 0, to: data.count, by: 7) {
      #expect(throws: SnapshotError.self) { try Snapshot(data.prefix(count)) }
    }
    var random = SplitMix64(seed: 3)
    for _ in 0..<400 {
      var bytes = data
      bytes[random.below(bytes.count)] ^= UInt8(1 << random.below(8))
      guard let snapshot = try? Snapshot(bytes) else { continue }
      #expect(throws: SnapshotError.self) { try snapshot.restore(into: Context(), schema) }
    }
  }
}
