import ECS
import ECSTestSupport
import Testing

/// Closure and chunk iteration: what they visit, with which values.
@Suite struct IterationTests {
  let context = Context()

  /// Entities in several tables, numbered by their health, all with position and velocity.
  @discardableResult
  func makeEntities(_ count: Int = 30) -> [Entity] {
    (0..<count).map { number in
      let entity = context.createEntity(
        with: Health(points: Int32(number)), Position(x: Float(number), y: 0),
        Velocity(dx: Float(number), dy: 1))
      if number.isMultiple(of: 3) { entity.set(Tag()) }
      if number.isMultiple(of: 5) { entity.set(Name("\(number)")) }
      return entity
    }
  }

  @Test func `A closure sees each entity of the group once with its values`() {
    let entities = makeEntities()
    var seen: [Entity: Int32] = [:]
    var visits = 0
    context.group(Health.matcher).withEach { (entity, health: Health) in
      seen[entity] = health.points
      visits += 1
    }
    expectEqual(visits, 30)
    expectEqual(
      seen, Dictionary(uniqueKeysWithValues: entities.enumerated().map { ($1, Int32($0)) }))
  }

  @Test func `A closure visits in the order of the group`() {
    makeEntities()
    let group = context.group(Health.matcher)
    var visited: [Entity] = []
    group.withEach { (entity, _: Health) in visited.append(entity) }
    expectEqual(visited, Array(group))
  }

  @Test func `A closure may read up to four components`() {
    makeEntities(2)
    let entity = context.createEntity(
      with: Health(points: 7), Position(x: 1, y: 2), Velocity(dx: 3, dy: 4), Matrix(5))
    let group = context.group(Matrix.matcher)
    var reads = 0
    group.withEach { (e, a: Health, b: Position) in
      expectTrue(e == entity && a.points == 7 && b == Position(x: 1, y: 2))
      reads += 1
    }
    group.withEach { (e, a: Health, b: Position, c: Velocity) in
      expectTrue(e == entity && a.points == 7 && b.x == 1 && c == Velocity(dx: 3, dy: 4))
      reads += 1
    }
    group.withEach { (e, a: Health, b: Position, c: Velocity, d: Matrix) in
      expectTrue(e == entity && a.points == 7 && b.x == 1 && c.dx == 3 && d == Matrix(5))
      reads += 1
    }
    expectEqual(reads, 3)
  }

  @Test func `A closure may change up to four components`() {
    let entity = context.createEntity(
      with: Health(points: 1), Position(x: 1, y: 1), Velocity(dx: 1, dy: 1), Name("1"))
    let group = context.group(Health.matcher)
    group.withEach { (_, a: inout Health) in a.points += 1 }
    group.withEach { (_, a: inout Health, b: inout Position) in
      a.points += 1
      b.x += 1
    }
    group.withEach { (_, a: inout Health, b: inout Position, c: inout Velocity) in
      a.points += 1
      b.x += 1
      c.dx += 1
    }
    group.withEach { (_, a: inout Health, b: inout Position, c: inout Velocity, d: inout Name) in
      a.points += 1
      b.x += 1
      c.dx += 1
      d.text += "+"
    }
    expectEqual(entity.get(Health.self)?.points, 5)
    expectEqual(entity.get(Position.self)?.x, 4)
    expectEqual(entity.get(Velocity.self)?.dx, 3)
    expectEqual(entity.get(Name.self)?.text, "1+")
  }

  @Test func `A closure may change some components and read others`() {
    let entities = makeEntities()
    let group = context.group(Health.matcher)
    group.withEach { (_, position: inout Position, velocity: Velocity) in
      position.x += velocity.dx
    }
    group.withEach { (_, position: inout Position, velocity: Velocity, health: Health) in
      position.y += velocity.dy + Float(health.points)
    }
    group.withEach {
      (_, position: inout Position, velocity: inout Velocity, health: Health) in
      velocity.dx = position.x
      position.x = Float(health.points)
    }
    for (number, entity) in entities.enumerated() {
      let value = Float(number)
      expectEqual(entity.get(Position.self), Position(x: value, y: value + 1))
      expectEqual(entity.get(Velocity.self), Velocity(dx: 2 * value, dy: 1))
    }
  }

  @Test func `Entities without a requested component are left out`() {
    makeEntities()
    var names = 0
    context.group(Health.matcher).withEach { (_, name: Name) in
      expectFalse(name.text.isEmpty)
      names += 1
    }
    expectEqual(names, 6)
    var chunkNames = 0
    context.group(Health.matcher).withChunks { (_, names: Span<Name>) in
      chunkNames += names.count
    }
    expectEqual(chunkNames, 6)
  }

  @Test func `An empty group never calls the closure`() {
    context.createEntity(with: Health(points: 1)).destroy()
    var calls = 0
    let group = context.group(Health.matcher)
    group.withEach { (_, _: Health) in calls += 1 }
    group.withEach { (_, _: inout Health) in calls += 1 }
    group.withChunks { (_, _: Span<Health>) in calls += 1 }
    let parallel = Recorder<Int>()
    group.withChunksInParallel { (_, _: Span<Health>) in parallel.append(1) }
    expectEqual(calls, 0)
    expectEqual(parallel.count, 0)
  }

  @Test func `Chunks hold each entity of the group once with its values`() {
    let entities = makeEntities()
    var seen: [Entity: Int32] = [:]
    context.group(Health.matcher).withChunks {
      (chunk, health: Span<Health>, positions: Span<Position>) in
      expectTrue(chunk.count == health.count && chunk.count == positions.count)
      for offset in 0..<chunk.count {
        expectNil(seen[chunk.entity(at: offset)])
        expectEqual(positions[offset].x, Float(health[offset].points))
        seen[chunk.entity(at: offset)] = health[offset].points
      }
    }
    expectEqual(
      seen, Dictionary(uniqueKeysWithValues: entities.enumerated().map { ($1, Int32($0)) }))
  }

  @Test func `Chunks of up to four components can be changed`() {
    let entities = makeEntities()
    let group = context.group(Health.matcher)
    group.withChunks {
      (
        chunk, positions: inout MutableSpan<Position>, velocities: Span<Velocity>,
        health: Span<Health>
      ) in
      for offset in 0..<chunk.count {
        positions[offset].x += velocities[offset].dx + Float(health[offset].points)
      }
    }
    group.withChunks {
      (chunk, positions: inout MutableSpan<Position>, velocities: inout MutableSpan<Velocity>) in
      for offset in 0..<chunk.count {
        velocities[offset].dy = positions[offset].x
        positions[offset].y = 7
      }
    }
    for (number, entity) in entities.enumerated() {
      expectEqual(entity.get(Position.self), Position(x: 3 * Float(number), y: 7))
      expectEqual(entity.get(Velocity.self)?.dy, 3 * Float(number))
    }
  }

  @Test func `Chunks of nontrivial components can be changed`() {
    let entities = (0..<20).map { context.createEntity(with: Name("\($0)")) }
    context.group(Name.matcher).withChunks { (chunk, names: inout MutableSpan<Name>) in
      for offset in 0..<chunk.count { names[offset].text += " changed in a chunk" }
    }
    for (number, entity) in entities.enumerated() {
      expectEqual(entity.get(Name.self)?.text, "\(number) changed in a chunk")
    }
  }

  @Test func `Tags and classes can be iterated`() {
    let sprite = Sprite(file: "a.png")
    context.createEntities(3, with: Tag(), sprite)
    var count = 0
    context.group(Tag.matcher).withEach { (_, _: Tag, other: Sprite) in
      expectTrue(other === sprite)
      count += 1
    }
    context.group(Tag.matcher).withChunks { (_, tags: Span<Tag>, _: Span<Sprite>) in
      count += tags.count
    }
    context.group(Tag.matcher).withEach { (_, other: inout Sprite) in
      other = Sprite(file: "b.png")
    }
    expectEqual(count, 6)
    expectTrue(context.group(Sprite.matcher).allSatisfy { $0.get(Sprite.self)?.file == "b.png" })
  }

  @Test func `A class and its subclass are components of their own`() {
    // It has no state.
    class Shape: Component, @unchecked Sendable {}
    // Nor has it.
    final class Circle: Shape, @unchecked Sendable {}
    let shape = context.createEntity(with: Shape())
    let circle = context.createEntity(with: Circle())
    let both = context.createEntity(with: Shape(), Circle())
    var seen: [Entity] = []
    context.withEach { (entity, _: Shape) in seen.append(entity) }
    expectEqual(Set(seen), [shape, both])
    seen = []
    context.withEach { (entity, _: inout Circle, shape: Shape?) in
      seen.append(entity)
      expectEqual((shape == nil), (entity == circle))
    }
    expectEqual(Set(seen), [circle, both])
    seen = []
    context.withEach { (entity, _: Circle) in seen.append(entity) }
    context.withEach { (entity, _: Shape, circle: Circle?) in
      expectEqual((circle == nil), (entity == shape))
      seen.append(entity)
    }
    context.withChunks { (chunk, _: Span<Circle>, shapes: Span<Shape>?) in
      expectEqual((shapes == nil), (chunk.entity(at: 0) == circle))
    }
    expectEqual(Set(seen), [circle, both, shape])
  }

  @Test func `Parallel chunks hold each entity once`() {
    let entities = context.createEntities(20_000, with: Health(points: 1))
    for number in stride(from: 0, to: 20_000, by: 3) { entities[number].set(Tag()) }
    let counted = Recorder<[Entity]>()
    context.group(Health.matcher).withChunksInParallel {
      (chunk, health: inout MutableSpan<Health>) in
      var mine: [Entity] = []
      for offset in 0..<chunk.count {
        health[offset].points += 1
        mine.append(chunk.entity(at: offset))
      }
      counted.append(mine)
    }
    let seen = counted.items.flatMap { $0 }
    expectEqual(seen.count, 20_000)
    expectEqual(Set(seen), Set(entities))
    expectTrue(entities.allSatisfy { $0.get(Health.self)?.points == 2 })
  }

  @Test func `Parallel chunks change some components and read others`() {
    let entities = makeEntities(300)
    context.group(Health.matcher).withChunksInParallel {
      (
        chunk, positions: inout MutableSpan<Position>, velocities: Span<Velocity>,
        health: Span<Health>
      ) in
      for offset in 0..<chunk.count {
        positions[offset].x = velocities[offset].dx + Float(health[offset].points)
      }
    }
    for (number, entity) in entities.enumerated() {
      expectEqual(entity.get(Position.self)?.x, 2 * Float(number))
    }
  }

  @Test func `An iteration can be repeated, and runs inside perform`() {
    makeEntities()
    let group = context.group(Health.matcher)
    var sum: Int32 = 0
    context.perform {
      group.withEach { (_, health: Health) in sum += health.points }
      group.withEach { (_, health: Health) in sum -= health.points }
      let total = Recorder<Int>()
      group.withChunksInParallel { (chunk, _: Span<Health>) in total.append(chunk.count) }
      expectEqual(total.items.reduce(0, +), 30)
    }
    expectEqual(sum, 0)
  }
}
