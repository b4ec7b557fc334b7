import ECS

/// The simulation: a context of birds, and what happens to them in a frame.
final class Flock {
  let context = Context(name: "Flock")
  let world: World
  let boids: Group
  private let birds: Group
  private let hawks: Group
  private let rules = Rules()
  private var grid: Grid

  init(boidCount: Int, seed: UInt64) {
    // The more boids the larger the world, so that there is as much room for each.
    let height = (Float(boidCount) * 20 * 9 / 16).squareRoot()
    world = World(size: SIMD2(max(height * 16 / 9, 64), max(height, 36)))
    grid = Grid(world: world, sight: rules.sight)
    birds = context.group(Matcher(all: [Position.cid, Velocity.cid]))
    boids = context.group(Matcher(all: [Position.cid, Velocity.cid], none: [Hawk.cid]))
    hawks = context.group(Hawk.matcher)

    let (nowhere, still) = (Position(point: SIMD2()), Velocity(vector: SIMD2()))
    context.createEntities(boidCount, with: nowhere, still)
    context.createEntities(5, with: nowhere, still, Hawk())
    var random = SplitMix(state: seed)
    birds.withEach { [world] (_, position: inout Position, velocity: inout Velocity) in
      position.point = world.size * SIMD2(random.unit(), random.unit())
      velocity.vector = SIMD2(random.unit() - 0.5, random.unit() - 0.5).limited(to: 1.5...1.5)
    }
    grid.fill(from: boids)
  }

  /// Lets one frame pass.
  ///
  /// The chunks of a pass run on all cores and in any order; since each bird reads the grid, which
  /// shows all birds as they were before, and writes only itself, the result is always the same.
  func step() {
    let (rules, world, grid) = (rules, world, grid)
    var threats: [SIMD2<Float>] = []
    hawks.withEach { (_, position: Position) in threats.append(position.point) }
    boids.withChunksInParallel {
      [threats] (_, velocities: inout MutableSpan<Velocity>, positions: Span<Position>) in
      for offset in positions.indices {
        velocities[offset].vector = rules.steer(
          velocities[offset].vector, at: positions[offset].point, in: grid, fleeing: threats)
      }
    }
    hawks.withEach { (_, velocity: inout Velocity, position: Position) in
      velocity.vector = Flock.hunt(velocity.vector, from: position.point, in: grid)
    }
    birds.withChunksInParallel {
      (_, positions: inout MutableSpan<Position>, velocities: Span<Velocity>) in
      for offset in velocities.indices {
        positions[offset].point = world.wrap(
          positions[offset].point + velocities[offset].vector)
      }
    }
    self.grid.fill(from: boids)
  }

  /// Hawks turn towards the boids that they see, and fly faster than these.
  private static func hunt(
    _ velocity: SIMD2<Float>, from point: SIMD2<Float>, in grid: Grid
  ) -> SIMD2<Float> {
    var prey = SIMD2<Float>()
    grid.forEachNeighbor(of: point) { offset, _ in prey += offset }
    return (velocity + prey.limited(to: 0...0.1)).limited(to: 3.2...3.2)
  }

  /// How much boids that are near each other fly in the same direction, from 0 to 1.
  var alignment: Float { grid.alignment }

  /// A number that is the same exactly if every bird is in the same state, as good as certainly.
  var fingerprint: UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    birds.withEach { (_, position: Position, velocity: Velocity) in
      for value in [position.point.x, position.point.y, velocity.vector.x, velocity.vector.y] {
        hash = (hash ^ UInt64(value.bitPattern)) &* 0x100_0000_01b3
      }
    }
    return hash
  }
}

/// A small random number generator, so that a seed gives the same flock everywhere.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }

  /// A number from 0 to 1, 1 not included.
  mutating func unit() -> Float { Float(next() >> 40) / Float(1 << 24) }
}
