import ECS
import ECSTestSupport
import ECSTesting
import Testing

private struct UserID: Component, Equatable { var value: Int }
private struct Options: Component { var names: [String] }
private final class Picture: Component {
  let file: String
  init(file: String) { self.file = file }
}
private enum Follows: Relation {}
private struct Role: EntityReferencing, Equatable {
  var name: String
  var deputy: Entity?
  mutating func mapEntities(_ map: (Entity) -> Entity) { deputy = deputy.map(map) }
}
private enum Leads: Relation { typealias Value = Role }

@Suite struct ContextDifferenceTests {
  let saved = Context()
  let loaded = Context()

  @discardableResult
  private func user(_ id: Int, _ name: String, in context: Context) -> Entity {
    context.createEntity(with: UserID(value: id), Name(name))
  }

  private func difference() -> ContextDifference {
    loaded.difference(from: saved) { entity in
      entity.get(UserID.self).map { "user \($0.value)" }
    }
  }

  @Test func `Equal contents don't differ, however they came about`() {
    for context in [saved, loaded] {
      for id in context === saved ? [1, 2, 3] : [3, 1, 2] { user(id, "name", in: context) }
      context.setUniqueComponent(Settings(volume: 3))
    }
    loaded.createEntity(with: Tag()).destroy()
    expectTrue(difference().isEmpty)
    expectEqual("\(difference())", "No difference")
    expectFalse(loaded.difference(from: saved).isEmpty, "in the order of creation they do")
    expectTrue(Context().difference(from: Context()).isEmpty)
  }

  @Test func `Entities that only one has are reported`() {
    user(1, "a", in: saved)
    user(2, "b", in: saved).set(Tag())
    user(1, "a", in: loaded)
    user(3, "c", in: loaded).relate(Follows.self, to: loaded.createEntity())
    expectEqual(
      difference().lines,
      [
        "- user 2 (Name, Tag, UserID)", "+ user 3 (Name, UserID, Follows)", "+ entity 1 ()",
      ])
  }

  @Test func `Differences in an entity are reported by component`() {
    user(1, "a", in: saved).set(Tag()).set(Shape.point)
    user(1, "b", in: loaded).set(Health(points: 2)).set(Shape.point)
    expectEqual(
      difference().lines,
      [
        "  user 1:", "  + Health(points: 2)", #"  - Name(text: "a")"#, #"  + Name(text: "b")"#,
        "  - Tag()",
      ])
  }

  @Test func `Components without equality are compared by all that they show`() {
    for context in [saved, loaded] {
      user(1, "a", in: context).set(Options(names: ["x"])).set(Picture(file: "p"))
    }
    expectTrue(difference().isEmpty)
    for entity in loaded.group(UserID.matcher) {
      entity.set(Options(names: ["x", "y"])).set(Picture(file: "q"))
    }
    let text = "\(difference())"
    expectTrue(text.contains(#"+ Options(names: ["x", "y"])"#))
    expectTrue(text.contains(#""p""#) && text.contains(#""q""#))
  }

  @Test func `Links are compared by the entities that they lead to`() {
    for context in [saved, loaded] {
      let users = (1...3).map { user($0, "name", in: context) }
      users[0].relate(Follows.self, to: users[1])
      users[1].relate(ChildOf.self, to: users[2])
    }
    expectTrue(difference().isEmpty)
    for entity in loaded.group(UserID.matcher) where entity.get(UserID.self)?.value == 1 {
      for other in loaded.group(UserID.matcher) where other.get(UserID.self)?.value == 3 {
        entity.unrelate(Follows.self)
        entity.relate(Follows.self, to: other)
      }
    }
    expectEqual(
      difference().lines, ["  user 1:", "  - Follows to user 2", "  + Follows to user 3"])
  }

  @Test func `Values of links are compared`() {
    for (context, name) in [(saved, "admin"), (loaded, "guest")] {
      let (one, two) = (user(1, "a", in: context), user(2, "b", in: context))
      one.relate(Leads.self, to: two, Role(name: name))
      two.relate(Leads.self, to: one, Role(name: "owner"))
    }
    let rest = "deputy: nil)"
    expectEqual(
      difference().lines,
      [
        "  user 1:", #"  - Leads to user 2 Role(name: "admin", \#(rest)"#,
        #"  + Leads to user 2 Role(name: "guest", \#(rest)"#,
      ])
  }

  @Test func `Handles of entities that correspond are the same where a type names them`() {
    var (users, others): ([Entity], [Entity]) = ([], [])
    for id in [1, 2] { users.append(user(id, "a", in: saved)) }
    for id in [2, 1] { others.insert(user(id, "a", in: loaded), at: 0) }
    users[0].set(Role(name: "lead", deputy: users[1]))
    users[0].relate(Leads.self, to: users[1], Role(name: "of", deputy: users[0]))
    others[0].set(Role(name: "lead", deputy: others[1]))
    others[0].relate(Leads.self, to: others[1], Role(name: "of", deputy: others[0]))
    expectTrue(difference().isEmpty)
    others[0].update(Leads.self, to: others[1]) { $0.deputy = others[1] }
    expectEqual(difference().lines.count, 3)
    others[0].update(Leads.self, to: others[1]) { $0.deputy = others[0] }
    others[0].update(Role.self) { $0.deputy = others[0] }
    expectEqual(difference().lines.count, 3)
  }

  @Test func `Unique components are compared wherever they are`() {
    saved.setUniqueComponent(Settings(volume: 1))
    saved.setUniqueComponent(Selection(count: 1))
    user(1, "a", in: saved)
    user(1, "a", in: loaded).set(Settings(volume: 1))
    expectEqual(
      difference().lines,
      [
        "- unique Selection(count: 1)", "- unique Settings(volume: 1)",
        "+ unique Settings(volume: 1) of user 1",
      ])
    loaded.setUniqueComponent(Selection(count: 2))
    expectTrue(difference().lines.contains("+ unique Selection(count: 2)"))
  }

  @Test func `Keys that several entities share are reported`() {
    for name in ["a", "b"] { user(1, name, in: saved) }
    user(1, "a", in: loaded)
    expectEqual(difference().lines, ["- user 1: several entities have this key"])
  }

  @Test func `Entities without a key are paired in creation order`() {
    saved.createEntity(with: Health(points: 1))
    saved.createEntity(with: Health(points: 2))
    loaded.createEntity(with: Health(points: 1))
    user(1, "a", in: loaded)
    user(1, "a", in: saved)
    loaded.createEntity(with: Health(points: 3))
    expectEqual(
      difference().lines, ["  entity 2:", "  - Health(points: 2)", "  + Health(points: 3)"])
  }
}

@Suite struct EntityLinksTests {
  @Test func `The links of an entity are those of all relations, in order`() {
    let context = Context()
    let entities = (0..<4).map { _ in context.createEntity() }
    expectTrue(entities[0].links().isEmpty)
    entities[0].relate(ChildOf.self, to: entities[1])
    entities[0].relate(Follows.self, to: entities[3]).relate(Follows.self, to: entities[2])
    let links = entities[0].links()
    expectEqual(links.map { "\($0.relation)" }, ["ChildOf", "Follows", "Follows"])
    expectEqual(links.map(\.target), [entities[1], entities[3], entities[2]])
    expectTrue(entities[1].links().isEmpty, "it is a target only")
    entities[3].destroy()
    expectEqual(entities[0].links().map(\.target), [entities[1], entities[2]])
    entities[0].destroy()
    expectTrue(entities[0].links().isEmpty)
  }
}
