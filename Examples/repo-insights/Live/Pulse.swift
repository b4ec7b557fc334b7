/// How fast events come, and how many rows of the live views a change has touched.
struct Pulse {
  /// Events a second: of the last second while reading, then of all that was read at last.
  private(set) var rate = 0

  /// The rows that the last change has touched; while a history is read, what came since the last
  /// beat is one.
  private(set) var touched = 0
  private var touching = 0
  private var beginning: (events: Int, time: ContinuousClock.Instant)?
  private var last: (events: Int, time: ContinuousClock.Instant)?

  /// Something is being read from now on, after so many events.
  mutating func begin(at events: Int) {
    (touching, beginning) = (0, (events, .now))
    last = beginning
  }

  mutating func touch(_ rows: Int) { touching += rows }

  /// Takes what came so far for a change of its own; returns whether there is something new to show.
  mutating func beat(at events: Int) -> Bool {
    let hasTouched = touching > 0
    if hasTouched { (touched, touching) = (touching, 0) }
    guard let last, ContinuousClock.now - last.time >= .seconds(1) else { return hasTouched }
    let earlier = rate
    rate = Pulse.rate(from: last, to: events)
    self.last = (events, .now)
    return hasTouched || rate != earlier
  }

  /// All is read.
  mutating func end(at events: Int) {
    guard let beginning else { return }
    if events > beginning.events { rate = Pulse.rate(from: beginning, to: events) }
    if touching > 0 { (touched, touching) = (touching, 0) }
    self.beginning = nil
  }

  private static func rate(
    from earlier: (events: Int, time: ContinuousClock.Instant), to events: Int
  ) -> Int {
    let seconds = (ContinuousClock.now - earlier.time) / .seconds(1)
    return Int((Double(events - earlier.events) / max(seconds, 0.001)).rounded())
  }
}
