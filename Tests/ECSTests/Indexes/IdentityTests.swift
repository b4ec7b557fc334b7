import ECS
import ECSTestSupport
import Testing

private struct UserID: Component, Equatable {
  var value: Int
  var note = ""
}

@Suite struct IdentityTests {
  let context = Context()
  private let users: PrimaryIndex<UserID, Int>

  init() { users = context.primaryIndex { (id: UserID) in id.value } }

  @Test func `The same key is fine, and the component is set`() throws {
    let user = context.createEntity()
    try users.assign(UserID(value: 7), to: user)
    let changes = Collector(group: context.group(UserID.matcher), type: .updated)
    try users.assign(UserID(value: 7, note: "a"), to: user)
    user.set(UserID(value: 7, note: "b"))
    user.update(UserID.self) { $0.note = "c" }
    context.group(UserID.matcher).withEach { (_, id: inout UserID) in id.note += "d" }
    expectEqual(user.get(UserID.self), UserID(value: 7, note: "cd"))
    expectEqual(users[7], user)
    expectEqual(changes.count, 1)
  }

  @Test func `Another key is refused, nothing changes and nothing is notified`() throws {
    let user = users.getOrCreate(UserID(value: 7))
    let changes = Collector(group: context.group(UserID.matcher), type: .addedUpdatedOrRemoved)
    #expect(throws: IdentityError.immutable(current: 7, refused: 8)) {
      try users.assign(UserID(value: 8), to: user)
    }
    expectEqual(user.get(UserID.self), UserID(value: 7))
    expectNil(users[8])
    expectTrue(changes.isEmpty)
  }

  @Test func `A key that another entity has is refused, nothing changes and nothing is notified`() {
    let user = users.getOrCreate(UserID(value: 7))
    let other = context.createEntity()
    let changes = Collector(group: context.group(UserID.matcher), type: .addedUpdatedOrRemoved)
    #expect(throws: IdentityError.duplicate(key: 7, holder: user)) {
      try users.assign(UserID(value: 7), to: other)
    }
    expectTrue(other.isEmpty)
    expectTrue(changes.isEmpty)
  }

  @Test func `Removing the component frees the key, and the entity can get another one`() throws {
    let user = users.getOrCreate(UserID(value: 7))
    user.remove(UserID.self).set(UserID(value: 8))
    expectNil(users[7])
    expectEqual(users[8], user)
    let other = users.getOrCreate(UserID(value: 7))
    expectNotEqual(other, user)
  }

  @Test func `Inside an iteration, an entity has the key that it is going to have`() {
    let user = users.getOrCreate(UserID(value: 1))
    let fresh = context.createEntity(with: Tag())
    var errors: [IdentityError<Int>?] = []
    context.group(Tag.matcher).withEach { (_, _: Tag) in
      let made = users.getOrCreate(UserID(value: 2))
      user.remove(UserID.self)
      for (entity, key) in [(user, 3), (fresh, 4), (fresh, 5), (made, 6), (fresh, 2), (fresh, 4)] {
        do throws(IdentityError<Int>) {
          try users.assign(UserID(value: key), to: entity)
          errors.append(nil)
        } catch {
          errors.append(error)
        }
      }
    }
    expectEqual(
      errors,
      [
        nil, nil, .immutable(current: 4, refused: 5),
        .immutable(current: 2, refused: 6),
        users[2].map { .duplicate(key: 2, holder: $0) }, nil,
      ])
    expectEqual(users[4], fresh)
    expectTrue(users[1] == nil && users[3] == user)
    expectEqual(users.count, 3)
  }

  @Test func `A dead entity gets no key, not even inside an iteration`() throws {
    let dead = context.createEntity()
    dead.destroy()
    try users.assign(UserID(value: 1), to: dead)
    expectNil(users[1])
    context.createEntity(with: Tag())
    try context.group(Tag.matcher).withEach { (_, _: Tag) in
      try users.assign(UserID(value: 1), to: dead)
      expectNotEqual(users.getOrCreate(UserID(value: 1)), dead)
    }
    expectEqual(users[1]?.isAlive, true)
  }

  @Test func `Keys may change while the index is paused`() throws {
    let user = users.getOrCreate(UserID(value: 7))
    users.pause()
    user.set(UserID(value: 8))
    try users.resume()
    expectEqual(users[8], user)
    expectNil(users[7])
  }

  @Test func `A plain index lets keys change`() {
    let index = context.index { (health: Health) in health.points }
    let entity = context.createEntity(with: Health(points: 1))
    entity.set(Health(points: 2))
    expectEqual(index.first(for: 2), entity)
    expectEqual(index.count(for: 1), 0)
  }

  @Test func `An entity is copied to a new key, without unique components`() throws {
    let user = users.getOrCreate(UserID(value: 7)).set(Name("a")).set(Settings(volume: 3))
    let copy = try users.copy(user, to: UserID(value: 8))
    expectEqual(users[8], copy)
    expectEqual(copy.get(Name.self), Name("a"))
    expectFalse(copy.has(Settings.self))
    expectEqual(user.get(UserID.self), UserID(value: 7))
    #expect(throws: IdentityError.duplicate(key: 7, holder: user)) {
      try users.copy(copy, to: UserID(value: 7))
    }
    expectEqual(context.count, 2)
  }

  @Test func `The errors say what is wrong and what to do`() {
    let user = users.getOrCreate(UserID(value: 7))
    expectTrue(
      IdentityError.duplicate(key: 7, holder: user).description.contains("\(user) has it"))
    expectTrue(
      IdentityError.immutable(current: 7, refused: 8).description
        .contains("remove the component first, or copy the entity"))
  }
}
