import ECS

/// The boids of one frame, sorted by the square cell that they are in, so that a boid's neighbors
/// are in nine short runs of memory.
struct Grid: Sendable {
  struct Neighbor: Sendable {
    var point: SIMD2<Float>
    var velocity: SIMD2<Float>
  }

  let world: World
  private let columns: Int
  private let rows: Int
  private let cellSize: SIMD2<Float>

  /// For each cell where its run in `neighbors` begins, which is where that of the cell before
  /// ends; one more for the end of the last.
  private var starts: [Int]
  private var neighbors: [Neighbor] = []

  /// Makes an empty grid of cells that are at least as wide and high as boids can see.
  init(world: World, sight: Float) {
    self.world = world
    columns = max(3, Int(world.size.x / sight))
    rows = max(3, Int(world.size.y / sight))
    cellSize = world.size / SIMD2(Float(columns), Float(rows))
    starts = Array(repeating: 0, count: columns * rows + 1)
  }

  private func cell(of point: SIMD2<Float>) -> (column: Int, row: Int) {
    let cell = point / cellSize
    return (min(Int(cell.x), columns - 1), min(Int(cell.y), rows - 1))
  }

  private func number(of point: SIMD2<Float>) -> Int {
    let (column, row) = cell(of: point)
    return row * columns + column
  }

  /// Sorts the boids of a group into the cells, by counting.
  mutating func fill(from boids: Group) {
    for cell in starts.indices { starts[cell] = 0 }
    boids.withChunks { (_: borrowing Chunk, positions: Span<Position>) in
      for offset in positions.indices { starts[number(of: positions[offset].point)] += 1 }
    }
    var total = 0
    for cell in starts.indices {
      total += starts[cell]
      starts[cell] = total
    }
    let nobody = Neighbor(point: SIMD2(), velocity: SIMD2())
    if neighbors.count != total { neighbors = Array(repeating: nobody, count: total) }
    // Each run is filled from its end, which moves its start to where it belongs.
    boids.withChunks {
      (_: borrowing Chunk, positions: Span<Position>, velocities: Span<Velocity>) in
      for offset in positions.indices {
        let point = positions[offset].point
        let cell = number(of: point)
        starts[cell] -= 1
        neighbors[starts[cell]] = Neighbor(point: point, velocity: velocities[offset].vector)
      }
    }
  }

  /// Visits the boids in the cell of a point and in the eight around it, with the way to them and
  /// their velocity.
  @inline(__always)
  func forEachNeighbor(
    of point: SIMD2<Float>, _ body: (_ offset: SIMD2<Float>, _ velocity: SIMD2<Float>) -> Void
  ) {
    let (column, row) = cell(of: point)
    for y in row - 1...row + 1 {
      for x in column - 1...column + 1 {
        // A cell beyond an edge is the one at the opposite edge, seen one world away.
        let over = SIMD2<Float>(x < 0 ? -1 : x < columns ? 0 : 1, y < 0 ? -1 : y < rows ? 0 : 1)
        let cell = (y + rows) % rows * columns + (x + columns) % columns
        let origin = point - over * world.size
        for place in starts[cell]..<starts[cell + 1] {
          body(neighbors[place].point - origin, neighbors[place].velocity)
        }
      }
    }
  }

  /// How much the boids of a cell fly in the same direction: 0 if at random, 1 if all do.
  var alignment: Float {
    var (together, alone) = (Float(0), Float(0))
    for cell in starts.indices.dropLast() {
      var sum = SIMD2<Float>()
      for neighbor in neighbors[starts[cell]..<starts[cell + 1]] {
        sum += neighbor.velocity
        alone += neighbor.velocity.length
      }
      together += sum.length
    }
    return alone > 0 ? together / alone : 0
  }
}
