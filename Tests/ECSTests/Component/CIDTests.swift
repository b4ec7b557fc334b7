import ECS
import ECSTestSupport
import Testing

@Suite struct CIDTests {
  struct Stored: Component {
    static let cid = CID(Stored.self)
    let number: Int
  }

  @Test func `Identifiers are equal exactly for the same type`() {
    #expect(Position.cid == Position.cid)
    #expect(Position.cid == CID(Position.self))
    #expect(Position.cid != Velocity.cid)
    #expect(Set([Position.cid, CID(Position.self), Velocity.cid]).count == 2)
  }

  @Test func `An identifier knows its type and the type's name`() {
    #expect(Position.cid.type == Position.self)
    #expect(Position.cid.name == "Position")
    #expect(Position.cid.description == "Position")
  }

  @Test func `A value knows its identifier`() {
    #expect(Position(x: 0, y: 0).cid == Position.cid)
    let component: any Component = Health(points: 1)
    #expect(component.cid == Health.cid)
  }

  @Test func `Identifiers have a total order`() {
    let cids = [Tag.cid, Position.cid, Velocity.cid, Health.cid].sorted()
    #expect(Set(cids).count == 4)
    #expect(zip(cids, cids.dropFirst()).allSatisfy { $0 < $1 && !($1 < $0) })
  }

  @Test func `A type may store its identifier`() {
    let context = Context()
    let entity = context.createEntity(with: Stored(number: 7))
    #expect(Stored.cid.name == "Stored")
    #expect(entity.has(Stored.cid))
    #expect(context.group(Stored.matcher).contains(entity))
  }
}
