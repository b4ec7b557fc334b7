/// Which trials a run makes, and how many samples each of them takes.
struct Plan {
  /// The rows of the table.
  let rows: [Row]

  /// The rows of the scaling series.
  let scalingRows: [Row]

  let sampling: Sampling

  /// A row with one number of entities.
  struct Row {
    let benchmark: Benchmark
    let n: Int
    let trials: [Trial]

    /// As the table calls it.
    let name: String
  }

  static let scalingSizes = [1000, 4000, 16_000, 64_000, 250_000, 1_000_000, 4_000_000]
  static let smokeSize = 260
  static let smokeScalingSizes = [52, 104, 208]

  /// Makes the plan for what was asked for.
  init(_ options: Options) throws(BenchmarkError) {
    var sampling =
      options.isSmoke ? .smoke : options.sampleCount.map(Sampling.exactly) ?? .standard
    sampling.isSabotaged = options.isSabotaged
    self.sampling = sampling
    let benchmarks = try Plan.benchmarks(options)
    let scaling = options.isScaling ? benchmarks.filter(\.scales) : []
    rows = (options.isScalingAlone ? [] : benchmarks).flatMap { benchmark in
      Plan.sizes(of: benchmark, options).compactMap { n in
        Plan.row(benchmark, n, options.forms, options.contenders)
      }
    }
    let scalingSizes = options.isSmoke ? Plan.smokeScalingSizes : Plan.scalingSizes
    scalingRows = scaling.flatMap { benchmark in
      scalingSizes.compactMap { Plan.row(benchmark, $0, options.forms, [.ecs]) }
    }
    if rows.isEmpty, scalingRows.isEmpty { throw .nothingToRun }
  }

  var trialCount: Int { (rows + scalingRows).reduce(0) { $0 + $1.trials.count } }

  /// The rows whose names match.
  static func benchmarks(_ options: Options) throws(BenchmarkError) -> [Benchmark] {
    guard let filter = options.filter else { return Benchmark.all }
    guard let pattern = try? Regex(filter) else {
      throw .badValue(option: "--filter", value: filter, wanted: "a regular expression")
    }
    return Benchmark.all.filter { $0.id.contains(pattern) }
  }

  private static func sizes(of benchmark: Benchmark, _ options: Options) -> [Int] {
    if options.isSmoke { return [min(smokeSize, benchmark.sizes.min() ?? smokeSize)] }
    return options.size.map { [$0] } ?? benchmark.sizes
  }

  private static func row(
    _ benchmark: Benchmark, _ n: Int, _ forms: [Form], _ contenders: [Contender]
  ) -> Row? {
    var trials: [Trial] = []
    for contender in contenders {
      for form in benchmark.workload(of: contender)?.forms ?? []
      where contender == .naive || forms.contains(form) {
        trials.append(Trial(benchmark, n: n, contender: contender, form: form))
      }
    }
    guard let first = trials.first else { return nil }
    return Row(benchmark: benchmark, n: n, trials: trials, name: first.name)
  }
}
