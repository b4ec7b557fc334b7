import ECS
import ECSTestSupport
import Testing

@Suite(.noHangs) struct ContextPreconditionTests {
  @Test func `Creating an entity with two components of a type stops and names it`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Context().createEntity(with: Tag(), Health(points: 1), Health(points: 2))
    }
    expectTrue(stopped(result, saying: "two Health components"))
  }

  @Test func `Creating many entities with two components of a type stops and names it`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Context().createEntities(3, with: Health(points: 1), Health(points: 2))
    }
    expectTrue(stopped(result, saying: "two Health components"))
  }

  @Test func `Creating a negative number of entities stops`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Context().createEntities(-3, with: Tag())
    }
    expectTrue(stopped(result, saying: "was given the count -3"))
  }

  @Test(arguments: [false, true])
  func `Creating several holders of a unique component stops`(isInside: Bool) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [isInside = isInside as Bool] in
      let context = Context()
      guard isInside else {
        context.createEntities(2, with: Tag(), Settings(volume: 1))
        return
      }
      context.createEntity(with: Tag())
      context.group(Tag.matcher).withEach { (_, _: Tag) in
        context.createEntities(2, with: Settings(volume: 1))
      }
    }
    expectTrue(stopped(result, saying: "2 entities cannot be created with a unique component"))
  }

  @Test func `Asking for the one entity of a matcher that several match stops`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      context.createEntities(3, with: Tag())
      _ = context.uniqueEntity(Tag.matcher)
    }
    expectTrue(stopped(result, saying: "3 entities match all(Tag)"))
  }

  @Test func `A scoped override inside an iteration stops`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      context.createEntity(with: Tag())
      context.group(Tag.matcher).withEach { (_, _: Tag) in
        context.withUnique(Settings(volume: 1)) {}
      }
    }
    expectTrue(stopped(result, saying: "withUnique", "inside an iteration"))
  }
}
