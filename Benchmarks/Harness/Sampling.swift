/// How many values are taken of each trial.
struct Sampling: Sendable {
  /// Runs whose values are dropped, to warm up caches and the allocator.
  var warmUps: Int

  var fewest: Int
  var most: Int

  /// When to stop once there are enough.
  var budget: Duration

  /// Whether to expect other checksums than the right ones; for tests.
  var isSabotaged = false

  /// As many as fit into about a second.
  static let standard = Sampling(warmUps: 2, fewest: 7, most: 201, budget: .seconds(1))

  /// Exactly so many.
  static func exactly(_ count: Int) -> Sampling {
    Sampling(warmUps: 2, fewest: count, most: count, budget: .zero)
  }

  /// One, to see that it runs.
  static let smoke = Sampling(warmUps: 0, fewest: 1, most: 1, budget: .zero)

  /// What tells a worker process to sample in the same way.
  var arguments: [String] {
    (fewest < most ? [] : ["--samples", "\(most)"]) + (isSabotaged ? ["--sabotage"] : [])
  }

  /// Takes the values of a trial.
  func measure(_ trial: Trial, of benchmark: Benchmark) throws(BenchmarkError) -> Sample {
    guard let workload = benchmark.workload(of: trial.contender) else {
      throw .workerFailed(trial: trial.fullName, reason: "there is no such workload")
    }
    let sampler = workload.makeSampler(trial.n, trial.form)
    let operations = Double(max(1, benchmark.operations(trial.n)))
    // Memory is counted, not timed: it does not vary.
    let isTime = benchmark.unit.isTime
    for _ in 0..<(isTime ? warmUps : 0) { _ = try value(of: sampler(), trial) }
    let begin = ContinuousClock.now
    var values: [Double] = []
    while values.count < (isTime ? most : min(most, 3)) {
      if values.count >= fewest, ContinuousClock.now - begin > budget { break }
      values.append(try value(of: sampler(), trial) / operations)
    }
    return Sample(trial: trial, unit: benchmark.unit, values: values)
  }

  private func value(
    of reading: Workload.Reading, _ trial: Trial
  ) throws(BenchmarkError) -> Double {
    try reading.checksum.verify(trial.fullName, isSabotaged: isSabotaged)
    return reading.total
  }
}
