import ECS
import ECSTestSupport
import Testing

@Suite struct MatcherTests {
  let context = Context()

  @Test func `A matcher lists its components`() {
    let matcher = Matcher(
      all: [Position.cid, Velocity.cid], any: [Health.cid, Name.cid], none: [Tag.cid])
    expectEqual(matcher.all, [Position.cid, Velocity.cid])
    expectEqual(matcher.any, [Health.cid, Name.cid])
    expectEqual(matcher.none, [Tag.cid])
  }

  @Test func `A component's own matcher asks for it alone`() {
    expectEqual(Position.matcher, Matcher(all: [Position.cid]))
    expectTrue(Position.matcher.any.isEmpty)
    expectTrue(Position.matcher.none.isEmpty)
  }

  @Test func `All components are needed`() {
    let matcher = Matcher(all: [Position.cid, Tag.cid])
    expectTrue(matcher.matches(context.createEntity(with: Position(x: 0, y: 0), Tag())))
    expectTrue(matcher.matches(context.createEntity(with: Tag(), Name("n"), Position(x: 0, y: 0))))
    expectFalse(matcher.matches(context.createEntity(with: Tag())))
    expectFalse(matcher.matches(context.createEntity()))
  }

  @Test func `Any one component is enough`() {
    let matcher = Matcher(any: [Position.cid, Tag.cid])
    expectTrue(matcher.matches(context.createEntity(with: Tag())))
    expectTrue(matcher.matches(context.createEntity(with: Position(x: 0, y: 0))))
    expectTrue(matcher.matches(context.createEntity(with: Position(x: 0, y: 0), Tag())))
    expectFalse(matcher.matches(context.createEntity(with: Name("n"))))
    expectFalse(matcher.matches(context.createEntity()))
  }

  @Test func `Excluded components keep an entity out`() {
    let matcher = Matcher(all: [Position.cid], none: [Tag.cid, Name.cid])
    let entity = context.createEntity(with: Position(x: 0, y: 0))
    expectTrue(matcher.matches(entity))
    entity.set(Tag())
    expectFalse(matcher.matches(entity))
    entity.remove(Tag.self).set(Name("n"))
    expectFalse(matcher.matches(entity))
  }

  @Test func `All three lists work together`() {
    let matcher = Matcher(all: [Position.cid], any: [Health.cid, Name.cid], none: [Tag.cid])
    let entity = context.createEntity(with: Position(x: 0, y: 0))
    expectFalse(matcher.matches(entity))
    entity.set(Name("n"))
    expectTrue(matcher.matches(entity))
    entity.set(Tag())
    expectFalse(matcher.matches(entity))
  }

  @Test func `Matchers that mean the same are equal, however they are built`() {
    let one = Matcher(
      all: [Position.cid, Velocity.cid], any: [Tag.cid, Name.cid], none: [Health.cid])
    let other = Matcher(
      all: Set([Velocity.cid, Position.cid, Velocity.cid].reversed()), any: [Name.cid, Tag.cid],
      none: [Health.cid])
    expectEqual(one, other)
    expectEqual(one.hashValue, other.hashValue)
  }

  @Test func `Any of one component means all of it`() {
    expectEqual(Matcher(any: [Tag.cid]), Matcher(all: [Tag.cid]))
    expectEqual(
      Matcher(all: [Position.cid], any: [Tag.cid]), Matcher(all: [Position.cid, Tag.cid]))
  }

  @Test func `All and any of the same components are different`() {
    let cids: Set<CID> = [Position.cid, Tag.cid]
    expectNotEqual(Matcher(all: cids), Matcher(any: cids))
    expectNotEqual(Matcher(all: [Position.cid], none: [Tag.cid]), Matcher(all: cids))
  }

  @Test func `A description names the components of each list`() {
    let matcher = Matcher(
      all: [Position.cid, Velocity.cid], any: [Health.cid, Name.cid], none: [Tag.cid])
    let description = matcher.description
    let lists = description.split(separator: ")").map { $0.split(separator: "(") }
    let names = lists.map { list in
      Set(list[1].split(separator: ", ").map(String.init))
    }
    expectEqual(lists.map { $0[0].filter { $0 != " " } }, ["all", "any", "none"])
    expectEqual(names, [["Position", "Velocity"], ["Health", "Name"], ["Tag"]])
    expectEqual(Position.matcher.description, "all(Position)")
  }
}
