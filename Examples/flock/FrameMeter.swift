import Foundation

/// Counts frames, the time that passes, and how much of it the simulation takes.
struct FrameMeter {
  let boids: Int
  private(set) var frames = 0
  private var simulation = Duration.zero
  private let start = ContinuousClock.now

  init(boids: Int) { self.boids = boids }

  mutating func measure(_ frame: () -> Void) {
    simulation += ContinuousClock().measure(frame)
    frames += 1
  }

  /// What the screen shows of it.
  var shown: String {
    "\(boids) boids, \(frames) frames, \(rate(.now - start)) on the screen per second"
  }

  /// What the simulation could do, if nothing had to be drawn.
  var simulated: String {
    "\(boids) boids, \(frames) frames, \(rate(simulation)) frames per second"
  }

  private func rate(_ time: Duration) -> String {
    String(format: "%.1f", Double(frames) / max(time / .seconds(1), 1e-9))
  }
}
