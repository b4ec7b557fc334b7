import ECS
import ECSTestSupport
import Testing

private enum AttachedTo: Relation {}
private struct Partner: Component { let entity: Entity }

@Suite struct DumpTests {
  let context = Context(name: "shop")

  @Test func `A dump of a context begins with what statistics count`() {
    context.createEntities(1234, with: Tag())
    let group = context.group(Tag.matcher)
    let collector = Collector(group: group, type: .added)
    let first = context.dump().split(separator: "\n").first
    expectEqual(
      first,
      "shop: 1,234 entities, 2 tables, 1 group, 0 indexes, 1 collector, 0 views, 0 observers")
    withExtendedLifetime(collector) {}
  }

  @Test func `A dump of an empty context is a line`() {
    expectEqual(
      Context(name: "e").dump(),
      "e: 0 entities, 1 table, 0 groups, 0 indexes, 0 collectors, 0 views, 0 observers")
  }

  @Test func `The largest tables, groups and collectors come first, and others are counted`() {
    context.createEntity(with: Tag(), Health(points: 1))
    context.createEntities(3, with: Tag())
    context.createEntities(2, with: Health(points: 2))
    let collectors = [Tag.matcher, Health.matcher].map {
      Collector(group: context.group($0), type: .addedOrUpdated)
    }
    for entity in context.group(Tag.matcher) { entity.set(Tag()) }
    let lines = context.dump().split(separator: "\n").map(String.init)
    expectTrue(lines.contains { $0.hasPrefix("  3 entities, ") && $0.hasSuffix(" bytes: Tag") })
    expectEqual(
      lines.suffix(3),
      [
        "collectors:", "  4 entities wait: all(Tag)", "  0 entities wait: all(Health)",
      ])
    expectTrue(lines.contains("  4 entities: all(Tag)"))
    let short = context.dump(limit: 1).split(separator: "\n").map(String.init)
    expectTrue(short[1] == "tables:" && short[2].hasSuffix(": Tag") && short[3] == "  and 2 more")
    context.compact()
    // A number for each row, and values of 4 bytes.
    let sizes = context.dump().split(separator: "\n").filter { $0.contains("bytes") }
    expectEqual(Set(sizes.compactMap { Int($0.split(separator: " ")[2]) }), [12, 16, 8])
    expectTrue(context.dump(limit: -1).contains("tables:\n  and 3 more\n"))
    withExtendedLifetime(collectors) {}
  }

  @Test func `A dump of an entity has values, and links of both ends`() {
    let other = context.createEntity(with: Tag())
    let entity = context.createEntity(with: Health(points: 5), Tag())
    entity.relate(AttachedTo.self, to: other)
    other.relate(AttachedTo.self, to: entity)
    entity.relate(AttachedTo.self, to: entity)
    let lines = entity.dump().split(separator: "\n").map(String.init)
    expectTrue(entity.description.hasPrefix("\(lines[0]) ("))
    expectEqual(Set(lines[1...2]), ["  \(Health(points: 5))", "  Tag()"])
    expectEqual(
      Set(lines[3...4]), ["  AttachedTo -> \(other)", "  AttachedTo -> \(entity)"])
    expectEqual(lines[5...], ["  \(other) -> AttachedTo"])
    expectTrue(entity.dump(limit: 1).hasSuffix("\n  and 2 more"))
  }

  @Test func `Entities that refer to each other are shown`() {
    let one = context.createEntity(with: Tag())
    let other = context.createEntity(with: Partner(entity: one))
    one.set(Partner(entity: other))
    expectTrue(one.dump().contains("Partner(entity: \(other))"))
  }

  @Test func `A dead entity has its number alone`() {
    let entity = context.createEntity(with: Tag())
    entity.destroy()
    expectEqual(entity.dump(), entity.description)
  }
}
