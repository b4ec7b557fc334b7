import ECS

struct Position: Component {
  var point: SIMD2<Float>
}

struct Velocity: Component {
  var vector: SIMD2<Float>
}

/// Marks the few birds that the others flee from.
struct Hawk: Component {}

/// How boids behave; lengths in units of the world, times in frames.
struct Rules: Sendable {
  /// How far a boid sees, which is also the size of the grid's cells.
  var sight: Float = 9
  var personalSpace: Float = 4.5
  var alignment: Float = 0.09
  var cohesion: Float = 0.004
  var separation: Float = 0.16
  var fear: Float = 70
  var speeds: ClosedRange<Float> = 1.1...2.4

  /// The velocity that a boid changes to, given what is around it.
  func steer(
    _ velocity: SIMD2<Float>, at point: SIMD2<Float>, in grid: Grid, fleeing hawks: [SIMD2<Float>]
  ) -> SIMD2<Float> {
    var (count, headings, center, push) = (Float(0), SIMD2<Float>(), SIMD2<Float>(), SIMD2<Float>())
    grid.forEachNeighbor(of: point) { offset, other in
      let distanceSquared = (offset * offset).sum()
      // A distance of zero is the boid itself.
      guard distanceSquared < sight * sight, distanceSquared > 0 else { return }
      count += 1
      headings += other
      center += offset
      if distanceSquared < personalSpace * personalSpace { push -= offset / distanceSquared }
    }
    var result = velocity
    if count > 0 {
      result += (headings / count - velocity) * alignment
      result += center / count * cohesion
      result += push * separation
    }
    for hawk in hawks {
      let away = -grid.world.offset(from: point, to: hawk)
      let distance = away.length
      if distance < fear { result += away / max(distance, 1) * (1 - distance / fear) * 0.5 }
    }
    return result.limited(to: speeds)
  }
}

/// A rectangle whose opposite edges touch.
struct World: Sendable {
  var size: SIMD2<Float>

  func wrap(_ point: SIMD2<Float>) -> SIMD2<Float> {
    let wrapped = point - (point / size).rounded(.down) * size
    // Rounding can end exactly on the far edge, which is the near one.
    return wrapped.replacing(with: SIMD2(), where: wrapped .>= size)
  }

  /// The shortest way between two points.
  func offset(from start: SIMD2<Float>, to end: SIMD2<Float>) -> SIMD2<Float> {
    let offset = end - start
    return offset - (offset / size).rounded(.toNearestOrAwayFromZero) * size
  }
}

extension SIMD2<Float> {
  var length: Float { (self * self).sum().squareRoot() }

  func limited(to lengths: ClosedRange<Float>) -> SIMD2<Float> {
    let length = length
    guard length > 0 else { return SIMD2(lengths.lowerBound, 0) }
    return self * (Swift.min(Swift.max(length, lengths.lowerBound), lengths.upperBound) / length)
  }
}
