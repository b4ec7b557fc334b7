import ECS
import Testing

/// The code of the article "The mental model".
@Suite struct MentalModelSnippets {
  struct Email: Component {
    let address: String
  }
  struct Avatar: Component {
    let path: String
  }
  struct Admin: Component {}
  struct Suspended: Component {}

  @Test func `What an entity is, its components say`() {
    let context = Context()
    let user = context.createEntity(with: Email(address: "ada@example.org"))
    user.set(Admin())
    user.set(Avatar(path: "ada.png"))
    user.remove(Avatar.self)
    #expect(user.has(Admin.self) && !user.has(Avatar.self))

    let admins = context.group(Matcher(all: [Email.cid, Admin.cid], none: [Suspended.cid]))
    print(admins.contains(user))  // true
    user.set(Suspended())
    print(admins.contains(user))  // false
    #expect(!admins.contains(user))
    user.remove(Suspended.self)
    #expect(admins.contains(user))
  }

  @Test func `A dead handle never means somebody else`() {
    let context = Context()
    let first = context.createEntity(with: Email(address: "first@example.org"))
    first.destroy()
    let second = context.createEntity(with: Email(address: "second@example.org"))

    print(first.isAlive)  // false
    print(first.get(Email.self) as Any)  // nil
    first.set(Email(address: "nobody@example.org"))  // does nothing
    print(context.statistics.staleWrites)  // 1
    print(first == second)  // false
    #expect(!first.isAlive && first.get(Email.self) == nil && first != second)
    #expect(context.statistics.staleWrites == 1)
    #expect(second.get(Email.self)?.address == "second@example.org")
  }
}
