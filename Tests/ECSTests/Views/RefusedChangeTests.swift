import ECS
import ECSTestSupport
import Testing

/// Filters, sort keys and the bodies of walks may look at their context, and not change it.
///
/// The message names the one that did.
@Suite(.noHangs) struct RefusedChangeTests {
  /// A component whose key is computed by something that changes the context.
  struct Meddler: Component {
    let context: Context
    let entity: Entity
    let way: Int

    var key: Int {
      RefusedChangeTests.change(context, entity, way)
      return 0
    }
  }

  static func change(_ context: Context, _ entity: Entity, _ way: Int) {
    switch way {
    case 0: entity.set(Tag())
    case 1: entity.destroy()
    case 2: context.createEntity(with: Tag())
    case 3: context.group(Name.matcher).withEach { (_, _: Name) in }
    default: context.withUnique(Settings(volume: 1)) {}
    }
  }

  @Test(arguments: 0..<5)
  func `A filter of a view that changes its context stops`(way: Int) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [way = way as Int] in
      let context = Context()
      let entity = context.createEntity(with: Name("n"))
      let view = context.group(Health.matcher).view().filtered { (health: Health) in
        if health.points > 1 { Self.change(context, entity, way) }
        return true
      }
      view.start()
      context.createEntity(with: Health(points: 2))
    }
    expectTrue(stopped(result, saying: "The filter of a live view called its context to change it"))
  }

  @Test(arguments: 0..<5)
  func `A sort key of a view that changes its context stops`(way: Int) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [way = way as Int] in
      let context = Context()
      let entity = context.createEntity(with: Name("n"))
      let view = context.group(Meddler.matcher).view().sorted(by: \Meddler.key)
      view.start()
      context.createEntity(with: Meddler(context: context, entity: entity, way: way))
    }
    expectTrue(stopped(result, saying: "of a live view or an ordered index, or what compares keys"))
  }

  @Test(arguments: 0..<5)
  func `A walk whose body changes the context stops`(way: Int) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [way = way as Int] in
      let context = Context()
      let root = context.createEntity()
      try context.createEntity(with: Name("n")).setParent(root)
      root.walk { child, _ in Self.change(context, child, way) }
    }
    expectTrue(
      stopped(
        result, saying: "The body of walk(in:_:) called its context to change it",
        "descendants(in:)"))
  }

  @Test func `The innermost closure is the one to blame`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      let root = context.createEntity()
      try context.createEntity(with: Health(points: 1)).setParent(root)
      let view = context.group(Health.matcher).view().filtered { (_: Health) in
        root.destroy()
        return true
      }
      root.walk { _, _ in print(view.count) }
    }
    expectTrue(stopped(result, saying: "The filter of a live view called its context to change it"))
  }
}
