/// What was measured in a trial, per unit of work.
struct Sample: Codable, Sendable {
  let trial: Trial
  let unit: Benchmark.Unit

  /// The smallest value: what the work costs when nothing disturbs it.
  let minimum: Double

  let median: Double

  /// The distance between the quartiles, as a fraction of the median: how much to trust the rest.
  let spread: Double

  /// How many values there were.
  let count: Int

  /// Sums up measured values, of which there is at least one.
  init(trial: Trial, unit: Benchmark.Unit, values: [Double]) {
    precondition(!values.isEmpty, "\(trial.fullName) was summed up without a value.")
    let sorted = values.sorted()
    self.trial = trial
    self.unit = unit
    minimum = sorted[0]
    median = Sample.quantile(0.5, of: sorted)
    let range = Sample.quantile(0.75, of: sorted) - Sample.quantile(0.25, of: sorted)
    spread = median > 0 ? range / median : 0
    count = sorted.count
  }

  /// The value below which a fraction of ascending values lie, interpolated.
  private static func quantile(_ fraction: Double, of sorted: [Double]) -> Double {
    let position = fraction * Double(sorted.count - 1)
    let lower = Int(position)
    let upper = min(lower + 1, sorted.count - 1)
    return sorted[lower] + (sorted[upper] - sorted[lower]) * (position - Double(lower))
  }
}
