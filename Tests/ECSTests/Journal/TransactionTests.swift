import ECS
import ECSTestSupport
import ECSTesting
import Testing

private struct Refused: Error, Equatable {}

/// Runs a body as a transaction that throws.
private func fail(in context: Context, _ body: () -> Void) {
  do throws(Refused) {
    try context.transaction { () throws(Refused) in
      body()
      throw Refused()
    }
  } catch {}
}

@Suite(.noHangs) struct TransactionTests {
  let context = Context()

  // MARK: Values and errors

  @Test func `A transaction returns what its body returns, and its changes stay`() {
    let entity = context.createEntity(with: Health(points: 1))
    let result = context.transaction {
      entity.set(Health(points: 2)).set(Tag())
      return 7
    }
    expectEqual(result, 7)
    expectEqual(entity.get(Health.self), Health(points: 2))
    expectTrue(entity.has(Tag.self))
  }

  @Test func `A transaction throws the error of its body, with its type`() {
    let entity = context.createEntity()
    do throws(Refused) {
      try context.transaction { () throws(Refused) in
        entity.set(Tag())
        throw Refused()
      }
      Issue.record("Nothing was thrown.")
    } catch {
      expectEqual(error, Refused())
    }
    expectFalse(entity.has(Tag.self))
  }

  @Test func `A transaction that throws puts back what was set, replaced, removed and updated`() {
    let entity = context.createEntity(
      with: Health(points: 1), Position(x: 1, y: 2), Name("a name too long to be stored inline"),
      Page(filledWith: 7), Matrix(3))
    fail(in: context) {
      entity.set(Health(points: 9)).set(Tag()).remove(Position.self).set(Page(filledWith: 1))
      entity.update(Name.self) { $0.text += "!" }
      entity.remove(Name.self).remove(Matrix.self)
    }
    expectEqual(entity.get(Health.self), Health(points: 1))
    expectEqual(entity.get(Position.self), Position(x: 1, y: 2))
    expectEqual(entity.get(Name.self)?.text, "a name too long to be stored inline")
    expectEqual(entity.get(Page.self), Page(filledWith: 7))
    expectEqual(entity.get(Matrix.self), Matrix(3))
    expectFalse(entity.has(Tag.self))
  }

  @Test func `Weak references, classes and enums come back`() {
    let sprite = Sprite(file: "a.png")
    let entity = context.createEntity(
      with: Target(sprite, name: "target"), sprite, Shape.polygon([1, 2]))
    fail(in: context) {
      entity.set(Target(nil, name: "none")).set(Shape.point).remove(Sprite.self)
      context.createEntity(with: Target(sprite, name: "other"))
    }
    expectTrue(entity.get(Target.self)?.sprite === sprite)
    expectTrue(entity.get(Sprite.self) === sprite)
    expectEqual(entity.get(Shape.self), .polygon([1, 2]))
    expectEqual(context.count, 1)
  }

  @Test func `Entities of a group come back to their places`() {
    let group = context.group(Health.matcher)
    let entities = (0..<9).map { context.createEntity(with: Health(points: $0)) }
    fail(in: context) {
      entities[3].destroy()
      entities[0].set(Tag())
      entities[8].remove(Health.self)
      context.createEntities(40, with: Health(points: 5))
      entities[5].destroy()
      entities[0].remove(Tag.self)
    }
    expectEqual(Array(group), entities)
    expectEqual(entities.map { $0.get(Health.self)?.points }, (0..<9).map { $0 })
  }

  @Test func `Values end when they are no longer needed, but not during the rollback`() {
    let counter = LifeCounter()
    let entity = context.createEntity(with: Tracked(counter, number: 1))
    fail(in: context) {
      entity.set(Tracked(counter, number: 2))
      entity.set(OtherTracked(counter))
      context.createEntity(with: Tracked(counter, number: 3)).destroy()
      context.createEntities(3, with: OtherTracked(counter))
    }
    expectEqual(entity.get(Tracked.self)?.number, 1)
    expectEqual(counter.living, 1)
    context.transaction { _ = entity.set(Tracked(counter, number: 4)) }
    expectEqual(counter.living, 1)
    context.transaction { entity.destroy() }
    expectEqual(counter.living, 0)
  }

  @Test func `Changes made by deinitializers come after the rollback`() {
    let counter = LifeCounter()
    let (entity, other) = (context.createEntity(), context.createEntity(with: Health(points: 1)))
    fail(in: context) {
      entity.set(Tracked(counter, atEnd: { other.set(Health(points: 2)) }))
      other.set(Health(points: 3))
    }
    expectEqual(other.get(Health.self), Health(points: 2))
    expectEqual(counter.living, 0)
  }

  // MARK: Handles

  @Test func `A destroyed entity is revived with the same handle`() {
    let entity = context.createEntity(with: Health(points: 1))
    let number = entity.creationNumber
    fail(in: context) {
      entity.destroy()
      expectFalse(entity.isAlive)
      expectNotEqual(context.createEntity(), entity)
    }
    expectTrue(entity.isAlive)
    expectEqual(entity.creationNumber, number)
    expectEqual(entity.get(Health.self), Health(points: 1))
    expectEqual(context.count, 1)
  }

  @Test func `Handles of undone entities stay dead forever`() {
    var undone: [Entity] = []
    let kept = context.createEntities(3, with: Tag())
    fail(in: context) {
      undone = context.createEntities(5, with: Tag())
      kept[1].destroy()
      undone.append(context.createEntity(with: Health(points: 1)))
      undone[2].destroy()
      undone.append(context.createEntity())
    }
    for _ in 0..<20 {
      for entity in context.createEntities(8, with: Tag()) {
        expectFalse(undone.contains(entity))
        entity.destroy()
      }
    }
    expectTrue(undone.allSatisfy { !$0.isAlive })
    expectTrue(kept.allSatisfy { $0.isAlive })
  }

  @Test func `Slots of entities that a transaction destroys for good are reused`() {
    for _ in 0..<10 {
      let entities = context.createEntities(100, with: Tag())
      context.transaction { for entity in entities { entity.destroy() } }
    }
    let highest = context.createEntities(100, with: Tag()).map(\.description).max() ?? ""
    expectFalse(highest.contains("Entity 2"), "\(highest) is in a new slot.")
  }

  @Test func `Revived entities keep their order when creation numbers run out`() {
    let entities = (0..<4).map { context.createEntity(with: Health(points: $0)) }
    context.skipCreations(leaving: 2)
    fail(in: context) {
      entities[1].destroy()
      context.createEntities(9, with: Tag())
    }
    expectEqual(Array(context.entities()), entities)
  }

  // MARK: Nesting

  @Test func `An inner transaction that throws undoes its own changes`() {
    let entity = context.createEntity(with: Health(points: 1))
    context.transaction {
      entity.set(Health(points: 2))
      fail(in: context) { entity.set(Health(points: 3)).set(Tag()) }
      expectEqual(entity.get(Health.self), Health(points: 2))
      entity.set(Position(x: 1, y: 1))
    }
    expectEqual(entity.get(Health.self), Health(points: 2))
    expectFalse(entity.has(Tag.self))
    expectTrue(entity.has(Position.self))
  }

  @Test func `Changes of an inner transaction are undone with the outer one`() {
    let entity = context.createEntity(with: Health(points: 1))
    fail(in: context) {
      context.transaction { _ = entity.set(Health(points: 2)).set(Tag()) }
      context.perform { _ = entity.set(Name("x")) }
    }
    expectEqual(entity.components().count, 1)
    expectEqual(entity.get(Health.self), Health(points: 1))
  }

  @Test func `Transactions of two contexts know nothing of each other`() {
    let other = Context()
    let (entity, stranger) = (context.createEntity(), other.createEntity())
    fail(in: context) {
      entity.set(Tag())
      other.transaction { _ = stranger.set(Tag()) }
      fail(in: other) { stranger.set(Health(points: 1)) }
    }
    expectFalse(entity.has(Tag.self))
    expectTrue(stranger.has(Tag.self))
    expectFalse(stranger.has(Health.self))
  }

  @Test func `A context that ends inside a transaction ends after it`() {
    let counter = LifeCounter()
    var context: Context? = Context()
    let entity = context?.createEntity(with: Tracked(counter))
    do {
      try context?.transaction {
        entity?.set(OtherTracked(counter))
        context = nil
        entity?.destroy()
        throw Refused()
      }
    } catch {}
    expectNil(context)
    expectEqual(entity?.isAlive, false)
    expectEqual(counter.living, 0)
  }

  // MARK: Iterations

  @Test func `Changes made by iterations are undone`() {
    let group = context.all([Health.cid, Name.cid])
    let entities = (0..<5).map {
      context.createEntity(with: Health(points: $0), Name("a name too long for inline, \($0)"))
    }
    fail(in: context) {
      group.withEach { (_, health: inout Health, name: inout Name) in
        health.points += 10
        name.text += "!"
      }
      group.withChunks { (_, healths: inout MutableSpan<Health>) in healths[2].points = 0 }
      group.withEach { (entity, health: Health) in
        if health.points == 10 { entity.destroy() }
        if health.points == 11 { context.createEntity(with: Tag()) }
      }
    }
    expectEqual(entities.map { $0.get(Health.self)?.points }, [0, 1, 2, 3, 4])
    expectEqual(entities[3].get(Name.self)?.text, "a name too long for inline, 3")
    expectEqual(context.count, 5)
  }

  @Test func `An iteration whose body throws is undone`() {
    let entities = (0..<5).map { context.createEntity(with: Health(points: $0)) }
    #expect(throws: Refused.self) {
      try context.transaction {
        try context.group(Health.matcher).withEach { (entity, health: inout Health) in
          health.points = 9
          entity.set(Tag())
          if entity == entities[3] { throw Refused() }
        }
      }
    }
    expectEqual(entities.map { $0.get(Health.self)?.points }, [0, 1, 2, 3, 4])
    expectTrue(entities.allSatisfy { !$0.has(Tag.self) })
  }

  @Test func `A transaction inside an iteration stops`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      context.createEntity(with: Tag())
      context.group(Tag.matcher).withEach { (_, _: Tag) in context.transaction {} }
    }
    expectTrue(stopped(result, saying: "A transaction was begun inside an iteration"))
  }

  @Test func `A transaction inside an update leaves the value to the closure`() {
    let entity = context.createEntity(with: Name("before"), Health(points: 1))
    entity.update(Name.self) { name in
      fail(in: context) {
        entity.set(Name("set inside")).set(Health(points: 2))
        entity.remove(Name.self)
      }
      fail(in: context) { entity.destroy() }
      name.text += " and after"
    }
    expectEqual(entity.get(Name.self)?.text, "before and after")
    expectEqual(entity.get(Health.self), Health(points: 1))
  }

  // MARK: What finds entities

  @Test func `Links come back in their order`() {
    enum Knows: Relation {}
    let entities = context.createEntities(6, with: Tag())
    for other in entities[1...] { entities[0].relate(Knows.self, to: other) }
    for child in entities[1...3] { child.relate(ChildOf.self, to: entities[0]) }
    fail(in: context) {
      entities[0].unrelate(Knows.self, from: entities[3])
      entities[0].relate(Knows.self, to: entities[3])
      entities[2].destroy()
      entities[5].relate(Knows.self, to: context.createEntity())
      entities[0].destroy()
    }
    expectEqual(Array(entities[0].targets(Knows.self)), Array(entities[1...]))
    expectEqual(Array(entities[0].children), Array(entities[1...3]))
    expectTrue(entities.allSatisfy { $0.isAlive })
    expectTrue(entities[5].links().isEmpty)
  }

  @Test func `A unique component comes back to its holder`() {
    context.setUniqueComponent(Settings(volume: 1))
    let holder = context.uniqueEntity(Settings.self)
    fail(in: context) {
      context.createEntity(with: Settings(volume: 2))
      expectEqual(holder?.isAlive, false)
      context.setUniqueComponent(Selection(count: 1))
    }
    expectEqual(context.uniqueComponent(Settings.self)?.volume, 1)
    expectEqual(context.uniqueEntity(Settings.self), holder)
    expectFalse(context.hasUniqueComponent(Selection.self))
    context.removeUniqueComponent(Settings.self)
    expectEqual(holder?.isAlive, false)
  }

  @Test func `Indexes are restored, in order, and so are those that are made inside`() {
    let byPoints = context.index { (health: Health) in health.points % 2 }
    let byLetter = context.index(keys: { (name: Name) in Array(name.text) })
    let entities = (0..<6).map {
      context.createEntity(with: Health(points: $0), Name("n\($0 % 3)"))
    }
    let (even, letter) = (byPoints[0], byLetter["n"])
    var made: Index<Int32>?
    fail(in: context) {
      entities[0].set(Health(points: 1)).set(Name("x1"))
      made = context.index { (health: Health) in health.points }
      entities[2].destroy()
      entities[4].remove(Name.self)
      byPoints.pause()
      byPoints.resume()
    }
    expectEqual(Set(byPoints[0]), Set(even))
    expectEqual(byLetter["n"], letter)
    expectTrue(byLetter["x"].isEmpty)
    expectEqual(made?[0].first, entities[0])
    expectEqual(made?.keyCount, 6)
  }

  @Test func `Collectors hold what they held`() {
    let group = context.group(Health.matcher)
    let all = Collector(group: group, type: .addedUpdatedOrRemoved)
    let few = Collector(group: group, type: .addedOrUpdated, limit: 2)
    let entities = (0..<4).map { context.createEntity(with: Health(points: $0)) }
    expectEqual(few.lostCount, 2)
    fail(in: context) {
      entities[0].set(Health(points: 7))
      expectEqual(all.popFirst(), entities[0])
      expectEqual(few.drain().count, 2)
      context.createEntities(40, with: Health(points: 1))
      entities[1].destroy()
    }
    expectEqual(few.lostCount, 2)
    expectEqual(Array(few.drain()), Array(entities[2...]))
    expectEqual(Array(all.drain()), entities)
    fail(in: context) { entities[0].set(Health(points: 7)) }
    expectTrue(all.isEmpty && few.isEmpty)
  }

  @Test func `Compacting inside a transaction does nothing`() {
    let entity = context.createEntity(with: Tag())
    fail(in: context) {
      entity.set(Health(points: 1))
      context.compact()
    }
    expectTrue(entity.has(Tag.self))
    expectFalse(entity.has(Health.self))
  }
}
