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
      #expect(state(copy) == state(context))
    }
  }

  @Test func `without values, files are what they were`() throws {
    entities[0].relate(Plain.self, to: entities[1])
    let data = try context.snapshot(try plainSchema()).data
    #expect(data[8] == 1)
    fill()
    #expect(try context.snapshot(try schema()).data[8] == 2)
  }

  @Test func `a file from before links had values takes a default, or is refused`() throws {
    entities[0].relate(Plain.self, to: entities[1])
    let old = try context.snapshot(try plainSchema())
    #expect(throws: SnapshotError.self) { try old.restore(into: Context(), try schema()) }
    let copy = Context()
    try old.restore(into: copy, try schema(default: Membership(role: "new")))
    #expect(copy.valuedLinks(MemberOf.self).map(\.value) == [Membership(role: "new")])
  }

  @Test func `values that a schema does not know are refused, or reported`() throws {
    fill()
    let snapshot = try context.snapshot(try schema())
    #expect(throws: SnapshotError.self) { try snapshot.restore(into: Context(), try plainSchema()) }
    let copy = Context()
    let report = try snapshot.restore(into: copy, try plainSchema(), unknown: .drop)
    #expect(report.unknownComponents.contains("membership"))
    #expect(copy.linkCount(Plain.self) == 3)
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
    #expect(state(context) == expected)
    #expect(counts.take() == ["0"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `merging a file from before links had values leaves those that are there`() throws {
    entities[0].relate(Plain.self, to: entities[1])
    entities[2].relate(Plain.self, to: entities[1])
    let old = try context.snapshot(try plainSchema())
    entities[0].relate(MemberOf.self, to: entities[1], Membership(role: "admin"))
    let index = context.primaryIndex { (name: Name) in name.text }
    try old.merge(into: context, try schema(default: Membership(role: "new")), by: index)
    #expect(entities[0].value(of: MemberOf.self, to: entities[1])?.role == "admin")
    #expect(entities[2].value(of: MemberOf.self, to: entities[1])?.role == "new")
  }

  @Test func `a name of values that something else has is refused`() throws {
    #expect(throws: SchemaError.self) {
      try Schema("club") {
        Stored(of: Membership(), as: "membership") { Field(\.role, at: "role") }.leaving(\.since)
        Links(MemberOf.self, as: "memberOf", values: LinkValueSnapshotTests.members)
      }
    }
  }

  @Test func `values have no text, which is said`() throws {
    fill()
    #expect(throws: SnapshotError.self) { try context.snapshot(try schema()).json(try schema()) }
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
