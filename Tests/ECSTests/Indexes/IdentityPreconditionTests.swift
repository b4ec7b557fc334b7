import ECS
import ECSTestSupport
import Testing

private struct UserID: Component {
  var value: Int
}

/// Keys that would change stop the program, with the remedy.
@Suite(.noHangs) struct IdentityPreconditionTests {
  @Test(arguments: 0..<4)
  func `Changing the key of an entity stops and names the remedy`(way: Int) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [way = way as Int] in
      let context = Context()
      let users = context.primaryIndex { (id: UserID) in id.value }
      let user = users.getOrCreate(UserID(value: 7))
      switch way {
      case 0: user.set(UserID(value: 8))
      case 1: user.update(UserID.self) { $0.value += 1 }
      case 2: context.group(UserID.matcher).withEach { (_, id: inout UserID) in id.value += 1 }
      default:
        context.group(UserID.matcher).withEach { (entity, _: UserID) in
          entity.set(UserID(value: 8))
        }
      }
      withExtendedLifetime(users) {}
    }
    expectTrue(
      stopped(
        result,
        saying: "cannot change from the key 7 to the key 8",
        "remove the component first, or copy the entity to the new key"))
  }

  @Test(arguments: [false, true])
  func `Giving a key to an entity of another context stops`(isCopying: Bool) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [isCopying = isCopying as Bool] in
      let (context, other) = (Context(), Context())
      let users = context.primaryIndex { (id: UserID) in id.value }
      let stranger = other.createEntity()
      if isCopying {
        _ = try users.copy(stranger, to: UserID(value: 7))
      } else {
        try users.assign(UserID(value: 7), to: stranger)
      }
      withExtendedLifetime(other) {}
    }
    expectTrue(stopped(result, saying: "use the primary index of the entity's context"))
  }
}
