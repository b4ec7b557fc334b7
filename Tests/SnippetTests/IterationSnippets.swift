import ECS
import Testing

/// The code of the article "Iteration".
@Suite struct IterationSnippets {
  struct Position: Component, Equatable {
    var x: Float
    var y: Float
  }
  struct Velocity: Component {
    var dx: Float
    var dy: Float
  }
  struct Spark: Component {}

  struct Wind: Component {
    var dx: Float
  }

  struct OutOfBounds: Error {}

  let context = Context()
  let moving: Group

  init() {
    moving = context.group(Matcher(all: [Position.cid, Velocity.cid]))
    context.createEntities(3, with: Position(x: 0, y: 0), Velocity(dx: 1, dy: 2))
  }

  @Test func `A loop may change everything`() {
    for entity in moving {
      if let position = entity.get(Position.self), position.x > 100 { entity.destroy() }
    }
    #expect(moving.count == 3)
  }

  @Test func `A closure gets values`() {
    moving.withEach { (entity, position: inout Position, velocity: Velocity) in
      position.x += velocity.dx
      position.y += velocity.dy
    }
    #expect(moving.allSatisfy { $0.get(Position.self) == Position(x: 1, y: 2) })
  }

  @Test func `Chunks are spans`() {
    moving.withChunks {
      (chunk, positions: inout MutableSpan<Position>, velocities: Span<Velocity>) in
      for offset in positions.indices {
        positions[offset].x += velocities[offset].dx
        positions[offset].y += velocities[offset].dy
      }
    }
    #expect(moving.allSatisfy { $0.get(Position.self) == Position(x: 1, y: 2) })
  }

  @Test func `Optional components are nil where there are none`() {
    moving.first?.set(Wind(dx: 5))
    moving.withEach { (entity, position: inout Position, velocity: Velocity, wind: Wind?) in
      position.x += velocity.dx + (wind?.dx ?? 0)
    }
    #expect(moving.filter { ($0.get(Position.self)?.x ?? 0) >= 5 }.count == 1)
  }

  @Test func `Chunks run on all cores`() {
    let gravity: Float = -9.81
    moving.withChunksInParallel { (chunk, velocities: inout MutableSpan<Velocity>) in
      for offset in velocities.indices { velocities[offset].dy += gravity }
    }
    #expect(moving.allSatisfy { $0.get(Velocity.self)?.dy == 2 - 9.81 })
  }

  @Test func `Groups change when the iteration ends`() {
    moving.withEach { (entity, position: inout Position, velocity: Velocity) in
      position.x += velocity.dx
      context.createEntity(with: position, Spark())
      entity.remove(Velocity.self)
      print(entity.has(Velocity.self), moving.contains(entity))  // false true
      #expect(!entity.has(Velocity.self))
      #expect(moving.contains(entity))
    }
    print(moving.isEmpty)  // true, now
    #expect(moving.isEmpty)
    #expect(context.group(Spark.matcher).count == 3)
  }

  @Test func `What was changed before an error stays`() {
    var visits = 0
    do {
      try moving.withEach { (entity, position: inout Position) in
        visits += 1
        position.x = 7
        if visits == 2 { throw OutOfBounds() }
      }
    } catch {
      print(error)
    }
    #expect(moving.map { $0.get(Position.self)?.x } == [7, 0, 0])
  }
}
