import ECS
import ECSTestSupport
import Testing

/// Key builders may look at their context, and not change it.
@Suite(.noHangs) struct IndexPreconditionTests {
  /// Changes a context in a way that a key builder must not.
  static func change(_ context: Context, _ entity: Entity, _ way: Int) {
    switch way {
    case 0: entity.set(Health(points: 9))
    case 1: entity.set(Tag())
    case 2: entity.remove(Name.self)
    case 3: entity.destroy()
    case 4: _ = context.createEntity()
    case 5: context.createEntity(with: Tag())
    case 6: context.createEntities(2, with: Tag())
    case 7: context.destroyAllEntities()
    case 8: context.setUniqueComponent(Settings(volume: 1))
    case 9: context.removeUniqueComponent(Selection.self)
    case 10: entity.update(Name.self) { $0.text = "changed" }
    case 11: entity.setIfChanged(Tag())
    case 12: context.group(Name.matcher).withEach { (_, _: Name) in }
    default: context.compact()
    }
  }

  @Test(arguments: 0..<14)
  func `A key builder that changes its context stops`(way: Int) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [way = way as Int] in
      let context = Context()
      let entity = context.createEntity(with: Name("n"), Health(points: 1))
      let index = context.index(paused: true) { (tag: Tag) in
        Self.change(context, entity, way)
        return 1
      }
      context.createEntity(with: Selection(count: 1))
      index.resume()
      context.createEntity().set(Tag())
    }
    expectTrue(stopped(result, saying: "or a closure of an aggregate, called its context"))
  }

  @Test(arguments: [false, true])
  func `A filter of a view that pauses or resumes an index stops`(isPaused: Bool) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [isPaused = isPaused as Bool] in
      let context = Context()
      let index = context.primaryIndex(paused: isPaused) { (name: Name) in name.text }
      let view = context.group(Name.matcher).filtered { (_: Name) in
        if isPaused { try? index.resume() } else { index.pause() }
        return true
      }.start()
      context.createEntity(with: Name("n"))
      withExtendedLifetime(view) {}
    }
    expectTrue(stopped(result, saying: "The filter of a live view called its context to change it"))
  }

  @Test func `A key builder that changes its context while the index is filled stops`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      let entity = context.createEntity(with: Tag())
      _ = context.index(keys: { (_: Tag) -> [Int] in
        entity.destroy()
        return []
      })
    }
    expectTrue(stopped(result, saying: "or a closure of an aggregate, called its context"))
  }

  @Test func `A key builder may read its context`() {
    let context = Context()
    let other = context.createEntity(with: Name("n"))
    let index = context.index { (health: Health) in
      "\(other.get(Name.self)?.text ?? "") \(health.points) \(context.group(Name.matcher).count)"
    }
    let entity = context.createEntity(with: Health(points: 7))
    expectEqual(Array(index["n 7 1"]), [entity])
  }

  @Test func `Making a primary index over duplicates stops and names the key`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      context.createEntities(2, with: Health(points: 7))
      _ = context.primaryIndex { (health: Health) in health.points }
    }
    expectTrue(stopped(result, saying: "Health was set to the key 7"))
  }
}
