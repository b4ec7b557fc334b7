import ECS
import ECSTestSupport
import Testing

private struct UserID: Component, Equatable {
  var value: Int
}

private struct Row: Component {}

/// Primary indexes that begin to work inside of an iteration, while changes of keys wait for its
/// end.
@Suite(.noHangs) struct WaitingKeyTests {
  let context = Context()

  /// Runs a body once in an iteration that reads keys, so that all changes of them wait.
  private func inIteration(_ body: () throws -> Void) rethrows {
    context.createEntity(with: UserID(value: -1)).set(Row())
    try context.group(Row.matcher).withEach { (_, _: Row, _: UserID) in try body() }
  }

  private func makeUsers() -> PrimaryIndex<UserID, Int> {
    context.primaryIndex { (id: UserID) in id.value }
  }

  @Test func `A key that an entity is about to have is its own, and the one it had is free`() {
    let user = context.createEntity(with: UserID(value: 1))
    var users: PrimaryIndex<UserID, Int>?
    var other: Entity?
    inIteration {
      user.set(UserID(value: 2))
      let made = makeUsers()
      expectEqual(made.holder(of: 2), user)
      expectEqual(made.key(of: user), 2)
      expectEqual(made.getOrCreate(UserID(value: 2)), user)
      expectTrue(made[1] == nil && made.holder(of: 1) == nil)
      other = made.getOrCreate(UserID(value: 1))
      users = made
    }
    expectTrue(other != user && users?[1] == other && users?[2] == user)
  }

  @Test func `Keys that are exchanged are found with their coming holders`() throws {
    let (first, second) = (
      context.createEntity(with: UserID(value: 1)), context.createEntity(with: UserID(value: 2))
    )
    let users = context.primaryIndex(paused: true) { (id: UserID) in id.value }
    try inIteration {
      first.set(UserID(value: 2))
      second.set(UserID(value: 1))
      try users.resume()
      expectEqual(users.getOrCreate(UserID(value: 1)), second)
      expectEqual(users.getOrCreate(UserID(value: 2)), first)
      #expect(throws: IdentityError.immutable(current: 2, refused: 3)) {
        try users.assign(UserID(value: 3), to: first)
      }
    }
    expectTrue(users[1] == second && users[2] == first)
  }

  @Test func `The key of an entity that is about to end or to lose it is free`() {
    let (ended, bare) = (
      context.createEntity(with: UserID(value: 1)), context.createEntity(with: UserID(value: 2))
    )
    var users: PrimaryIndex<UserID, Int>?
    var made: [Entity] = []
    inIteration {
      ended.destroy()
      bare.remove(UserID.self)
      context.createEntity(with: UserID(value: 1)).destroy()
      let index = makeUsers()
      made = [1, 2].map { index.getOrCreate(UserID(value: $0)) }
      users = index
    }
    expectTrue(users?[1] == made[0] && users?[2] == made[1])
    expectTrue(made[0] != ended && made[1] != bare && bare.isEmpty)
  }

  @Test func `A key that an entity was given while the index was paused is its own`() throws {
    let users = makeUsers()
    var user: Entity?
    try inIteration {
      let made = users.getOrCreate(UserID(value: 1))
      users.pause()
      made.set(UserID(value: 2))
      try users.resume()
      expectEqual(users.getOrCreate(UserID(value: 2)), made)
      expectNotEqual(users.getOrCreate(UserID(value: 1)), made)
      user = made
    }
    expectTrue(users[2] == user && users[1] != user)
  }

  @Test func `Keys that two entities are about to have are refused`() throws {
    let users = context.primaryIndex(paused: true) { (id: UserID) in id.value }
    let user = context.createEntity(with: UserID(value: 1))
    inIteration {
      context.createEntity(with: UserID(value: 1))
      #expect(throws: IdentityError<Int>.self) { try users.resume() }
      user.set(UserID(value: 2))
      #expect(throws: Never.self) { try users.resume() }
    }
    expectTrue(users[2] == user && users[1] != nil)
  }

  @Test(arguments: 0..<64 as Range<UInt64>)
  func `Whatever waits, each key leads to the entity that has it in the end`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var entities = (0..<6).map { context.createEntity(with: UserID(value: $0)) }
    let users = context.primaryIndex(paused: true) { (id: UserID) in id.value }
    var found: [Int: Entity] = [:]
    try inIteration {
      for _ in 0..<8 {
        let entity = entities[Int.random(in: 0..<entities.count, using: &random)]
        let key = Int.random(in: 0..<9, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: entity.destroy()
        case 1: entity.remove(UserID.self)
        case 2: entities.append(context.createEntity(with: UserID(value: key)))
        default: entity.set(UserID(value: key))
        }
      }
      // Of those that would have a key together, the first one has it.
      var keys: Set<Int> = []
      for entity in entities {
        if let key = entity.get(UserID.self)?.value, !keys.insert(key).inserted {
          entity.remove(UserID.self)
        }
      }
      try users.resume()
      for key in 0..<9 {
        let entity = users.getOrCreate(UserID(value: key))
        expectEqual(entity.get(UserID.self)?.value, key)
        found[key] = entity
        #expect(throws: IdentityError.immutable(current: key, refused: 9)) {
          try users.assign(UserID(value: 9), to: entity)
        }
      }
    }
    for key in 0..<9 { expectTrue(users[key] == found[key] && found[key]?.isAlive == true) }
    expectEqual(users.count, 10)
  }
}
