import ECS

/// A context with entities, as most rows need it.
class ContextWorld: Batching {
  let n: Int
  let context: Context
  var entities: [Entity] = []

  init(_ n: Int, _ context: Context = Context()) {
    self.n = n
    self.context = context
  }

  func batch(_ body: () -> Double) -> Double {
    context.perform(body)
  }

  /// Fills the world with entities that have a Position.
  func fillPositioned() {
    entities = (0..<n).map { context.createEntity(with: Seed.position($0)) }
  }

  /// Fills the world with entities that have a Position and a Velocity.
  func fillMoving() {
    entities = (0..<n).map { context.createEntity(with: Seed.position($0), Seed.velocity) }
  }

  /// Replaces the Position of all entities, one after the other, by one with the number of the entity.
  final func replacePositions() {
    var x: Float = 0
    for entity in entities {
      x += 1
      entity.set(Position(x: x, y: 2))
    }
  }

  static func empty(_ n: Int) -> ContextWorld { ContextWorld(n) }

  static func positioned(_ n: Int) -> ContextWorld {
    let world = ContextWorld(n)
    world.fillPositioned()
    return world
  }

  static func moving(_ n: Int) -> ContextWorld {
    let world = ContextWorld(n)
    world.fillMoving()
    return world
  }

  static func shuffled(_ n: Int) -> ContextWorld {
    let world = moving(n)
    var generator = Seed.Generator()
    world.entities.shuffle(using: &generator)
    return world
  }

  /// The sum of all `Position.x`.
  func sumOfPositions() -> Double {
    var sum = 0.0
    context.group(Position.matcher).withEach { (_, position: Position) in
      sum += Double(position.x)
    }
    return sum
  }

  /// Puts all positions back to where they were, column by column.
  ///
  /// By handle, 40 MB of a million entities would come between two passes, and the next one would begin with
  /// columns that no cache holds: the programs of the peers don't do so.
  func resetPositions() {
    var i = 0
    context.group(Position.matcher).withEach { (_, position: inout Position) in
      position = Seed.position(i)
      i += 1
    }
  }
}

/// The values that worlds are filled with, the same for every contender.
enum Seed {
  static func position(_ i: Int) -> Position { Position(x: Float(i & 15), y: 0) }

  static let velocity = Velocity(dx: 1, dy: 2)

  /// The sum of `Position.x` of n entities.
  static func sum(_ n: Int) -> Double {
    Double((0..<n).reduce(0) { $0 + $1 & 15 })
  }

  static let dt: Float = 0.5

  /// A generator with the same numbers on every run.
  struct Generator: RandomNumberGenerator {
    private var state: UInt64 = 42

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var z = state
      z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
      z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
      return z ^ (z >> 31)
    }
  }
}
