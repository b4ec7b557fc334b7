import ECS
import Foundation

/// Light on a dark ground: each boid glows in the color of its direction and leaves a short trail.
struct Picture {
  let width: Int
  let height: Int
  private var light: [SIMD3<Float>]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    light = Array(repeating: SIMD3(), count: width * height)
  }

  /// Lets the light of earlier frames fade and adds that of the boids as they are now.
  mutating func expose(_ flock: Flock) {
    for pixel in light.indices { light[pixel] *= 0.72 }
    let scale = SIMD2(Float(width), Float(height)) / flock.world.size
    // What all boids shine with together is the same in a picture of any size.
    let glow = Float(width * height) / Float(max(flock.boids.count, 1)) * 0.055
    flock.boids.withEach { (_, position: Position, velocity: Velocity) in
      let place = position.point * scale
      let (x, y) = (min(Int(place.x), width - 1), min(Int(place.y), height - 1))
      light[y * width + x] += Picture.color(of: velocity.vector) * min(glow, 0.9)
    }
  }

  /// A color of the wheel for each direction.
  private static func color(of velocity: SIMD2<Float>) -> SIMD3<Float> {
    let direction = velocity / max(velocity.length, 0.001)
    let (red, green) = (direction.x, direction.x * -0.5 + direction.y * 0.866)
    let blue = direction.x * -0.5 - direction.y * 0.866
    return SIMD3(red, green, blue) * 0.45 + 0.55
  }

  /// The red, green and blue of a pixel, from 0 to 255.
  func pixel(_ x: Int, _ y: Int) -> SIMD3<UInt8> {
    let light = light[y * width + x]
    // As on film: more light makes it brighter ever more slowly, up to white.
    let developed = light / (light + 0.6) * 1.25
    let ground = SIMD3<Float>(0.02, 0.03, 0.07)
    let color = (ground + developed).clamped(lowerBound: SIMD3(), upperBound: SIMD3(repeating: 1))
    return SIMD3<UInt8>(color * 255, rounding: .toNearestOrAwayFromZero)
  }

  /// The picture as a file.
  var png: Data { PNG.encode(width: width, height: height, pixel: pixel) }
}
