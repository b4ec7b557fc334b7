import ECS
import ECSTestSupport
import Testing

@Suite struct CIDTests {
  struct Stored: Component {
    static let cid = CID(Stored.self)
    let number: Int
  }

  @Test func `Identifiers are equal exactly for the same type`() {
    expectEqual(Position.cid, Position.cid)
    expectEqual(Position.cid, CID(Position.self))
    expectNotEqual(Position.cid, Velocity.cid)
    expectEqual(Set([Position.cid, CID(Position.self), Velocity.cid]).count, 2)
  }

  @Test func `An identifier knows its type and the type's name`() {
    expectTrue(Position.cid.type == Position.self)
    expectEqual(Position.cid.name, "Position")
    expectEqual(Position.cid.description, "Position")
  }

  @Test func `A value knows its identifier`() {
    expectEqual(Position(x: 0, y: 0).cid, Position.cid)
    let component: any Component = Health(points: 1)
    expectEqual(component.cid, Health.cid)
  }

  @Test func `Identifiers have a total order`() {
    let cids = [Tag.cid, Position.cid, Velocity.cid, Health.cid].sorted()
    expectEqual(Set(cids).count, 4)
    expectTrue(zip(cids, cids.dropFirst()).allSatisfy { $0 < $1 && !($1 < $0) })
  }

  @Test func `A type may store its identifier`() {
    let context = Context()
    let entity = context.createEntity(with: Stored(number: 7))
    expectEqual(Stored.cid.name, "Stored")
    expectTrue(entity.has(Stored.cid))
    expectTrue(context.group(Stored.matcher).contains(entity))
  }
}
