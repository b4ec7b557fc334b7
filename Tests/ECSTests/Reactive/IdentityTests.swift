import ECS
import ECSTestSupport
import Testing

private struct UserID: Component, Equatable { let value: Int }

@Suite struct IdentityTests {
  let context = Context()
  private let users: PrimaryIndex<UserID, Int>

  init() { users = context.primaryIndex { (id: UserID) in id.value } }

  @Test func `A key is given once, and giving it again changes nothing`() throws {
    let user = context.createEntity()
    try users.identify(user, as: UserID(value: 7))
    let changes = Collector(group: context.group(UserID.matcher), type: .addedUpdatedOrRemoved)
    try users.identify(user, as: UserID(value: 7))
    #expect(users[7] == user)
    #expect(changes.isEmpty)
  }

  @Test func `Another key is refused, and nothing changes`() throws {
    let user = users.getOrCreate(UserID(value: 7))
    let error = #expect(throws: IdentityError<Int>.self) {
      try users.identify(user, as: UserID(value: 8))
    }
    #expect(error == .immutable(present: 7, refused: 8))
    #expect(user.get(UserID.self) == UserID(value: 7))
    #expect(users[8] == nil)
  }

  @Test func `A key that another entity has is refused`() {
    let user = users.getOrCreate(UserID(value: 7))
    let other = context.createEntity()
    let error = #expect(throws: IdentityError<Int>.self) {
      try users.identify(other, as: UserID(value: 7))
    }
    #expect(error == .duplicate(DuplicateKeyError(key: 7, holder: user)))
    #expect(other.isEmpty)
  }

  @Test func `An entity is copied to a new key, without what is unique`() throws {
    let user = users.getOrCreate(UserID(value: 7)).set(Name("a")).set(Settings(volume: 3))
    let copy = try users.copy(user, to: UserID(value: 8))
    #expect(users[8] == copy)
    #expect(copy.get(Name.self) == Name("a"))
    #expect(!copy.has(Settings.self))
    #expect(user.get(UserID.self) == UserID(value: 7))
    #expect(throws: DuplicateKeyError(key: 7, holder: user)) {
      try users.copy(copy, to: UserID(value: 7))
    }
    #expect(context.count == 2)
  }
}
