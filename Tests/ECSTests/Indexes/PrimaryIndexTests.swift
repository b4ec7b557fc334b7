import ECS
import ECSTestSupport
import Testing

private struct UserID: Component, Equatable {
  let value: Int
}

private struct Member: Component {}

@Suite(.noHangs) struct PrimaryIndexTests {
  let context = Context()

  @Test func `The keys are those of all entities that have one`() {
    let context = Context()
    let index = context.primaryIndex { (name: Name) in name.text }
    let entities = ["a", "b", "c"].map { context.createEntity(with: Name($0)) }
    entities[1].destroy()
    expectEqual(index.keys.sorted(), ["a", "c"])
    context.createEntity(with: Name("d"))
    expectEqual(index.keys.sorted(), ["a", "c", "d"])
  }

  @Test func `The same key gives the same entity`() {
    let users = context.primaryIndex { (id: UserID) in id.value }
    let user = users.getOrCreate(UserID(value: 7))
    expectEqual(user.get(UserID.self), UserID(value: 7))
    expectEqual(users.getOrCreate(UserID(value: 7)), user)
    expectEqual(users[7], user)
    expectNil(users[8])
    expectEqual(users.count, 1)
    expectTrue(users.context === context)
  }

  @Test func `A second claimant is refused and nothing changes`() {
    let users = context.primaryIndex { (id: UserID) in id.value }
    let user = users.getOrCreate(UserID(value: 7))
    let other = context.createEntity(with: UserID(value: 8))
    let changes = Collector(group: context.group(UserID.matcher), type: .addedUpdatedOrRemoved)
    #expect(throws: IdentityError.duplicate(key: 7, holder: user)) {
      try users.assign(UserID(value: 7), to: other)
    }
    expectEqual(other.get(UserID.self), UserID(value: 8))
    expectTrue(changes.isEmpty)
  }

  @Test func `A key can be assigned again to its holder, and to another once it is free`() throws {
    let users = context.primaryIndex { (id: UserID) in id.value }
    let user = users.getOrCreate(UserID(value: 7))
    let changes = Collector(group: context.group(UserID.matcher), type: .updated)
    try users.assign(UserID(value: 7), to: user)
    expectEqual(changes.drain(), [user])
    user.remove(UserID.self)
    let other = context.createEntity()
    try users.assign(UserID(value: 7), to: other)
    try users.assign(UserID(value: 9), to: user)
    expectEqual(users[7], other)
    expectEqual(users[9], user)
  }

  @Test func `Destroying an entity frees its key`() {
    let users = context.primaryIndex { (id: UserID) in id.value }
    users.getOrCreate(UserID(value: 7)).destroy()
    expectNil(users[7])
    expectEqual(users.count, 0)
  }

  @Test func `Asking twice inside an iteration gives the same entity`() {
    let users = context.primaryIndex { (id: UserID) in id.value }
    context.createEntities(3, with: Member())
    var made: Set<Entity> = []
    context.group(Member.matcher).withEach { (_, _: Member) in
      made.insert(users.getOrCreate(UserID(value: 1)))
    }
    expectEqual(made.count, 1)
    expectEqual(users[1], made.first)
    expectEqual(made.first?.isAlive, true)
  }

  @Test func `Assigning a key twice inside an iteration refuses the second time`() {
    let users = context.primaryIndex { (id: UserID) in id.value }
    context.createEntities(2, with: Member())
    var refused = 0
    context.group(Member.matcher).withEach { (entity, _: Member) in
      do throws(IdentityError<Int>) {
        try users.assign(UserID(value: 1), to: entity)
      } catch {
        refused += 1
      }
    }
    expectEqual(refused, 1)
    expectEqual(users.count, 1)
  }

  @Test
  func `An index that is made inside an iteration takes no offense at keys that are replaced`() {
    context.createEntity(with: Member())
    context.createEntity(with: UserID(value: 0))
    var made: [PrimaryIndex<UserID, Int>] = []
    var other: Entity?
    context.group(Member.matcher).withEach { (_, _: Member) in
      let entity = context.createEntity(with: UserID(value: 0))
      entity.set(UserID(value: 1))
      let users = context.primaryIndex { (id: UserID) in id.value }
      expectTrue(users[0]?.isAlive == true && users[1] == entity)
      other = users.getOrCreate(UserID(value: 2))
      made.append(users)
    }
    expectEqual(made.first?.count, 3)
    expectTrue(made.first?[1] != nil && made.first?[2] == other)
    expectEqual(other?.isAlive, true)
  }

  @Test func `An index that finds duplicates on resuming stays paused`() throws {
    let users = context.primaryIndex { (id: UserID) in id.value }
    let first = users.getOrCreate(UserID(value: 1))
    users.pause()
    expectNil(users[1])
    let second = context.createEntity(with: UserID(value: 1))
    #expect(throws: IdentityError.duplicate(key: 1, holder: first)) { try users.resume() }
    expectTrue(users.isPaused)
    second.destroy()
    try users.resume()
    expectEqual(users[1], first)
  }

  @Test func `An index that outlives its context is empty and makes dead entities`() {
    var context: Context? = Context()
    let users = context?.primaryIndex { (id: UserID) in id.value }
    _ = users?.getOrCreate(UserID(value: 1))
    context = nil
    expectNil(users?.context)
    expectEqual(users?.count, 0)
    expectEqual(users?.getOrCreate(UserID(value: 1)).isAlive, false)
    expectEqual(users?.count, 0)
  }

  @Test func `Setting a key that another entity has stops with a message`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      let users = context.primaryIndex { (id: UserID) in id.value }
      _ = users.getOrCreate(UserID(value: 7))
      context.createEntity().set(UserID(value: 7))
      withExtendedLifetime(users) {}
    }
    expectTrue(stopped(result, saying: "UserID was set to the key 7"))
  }
}
