/// Which trials a run makes, and how many samples each of them takes.
struct Plan {
  let rows: [Row]
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

  /// Makes the plan for what was asked for.
  init(_ options: Options) throws(BenchmarkError) {
    sampling =
      options.isSmoke ? .smoke : options.sampleCount.map(Sampling.exactly) ?? .standard
    rows = try Plan.benchmarks(options).flatMap { benchmark in
      Plan.sizes(of: benchmark, options).compactMap { Plan.row(benchmark, $0, options) }
    }
    if rows.isEmpty { throw .nothingToRun }
  }

  var trials: [Trial] { rows.flatMap(\.trials) }

  /// The rows whose names match.
  static func benchmarks(_ options: Options) throws(BenchmarkError) -> [Benchmark] {
    let all = Benchmark.all.filter { !options.isScaling || $0.scales }
    guard let filter = options.filter else { return all }
    guard let pattern = try? Regex(filter) else {
      throw .badValue(option: "--filter", value: filter, wanted: "a regular expression")
    }
    return all.filter { $0.id.contains(pattern) }
  }

  private static func sizes(of benchmark: Benchmark, _ options: Options) -> [Int] {
    if options.isSmoke { return [min(smokeSize, benchmark.sizes.min() ?? smokeSize)] }
    if options.isScaling { return scalingSizes }
    return options.size.map { [$0] } ?? benchmark.sizes
  }

  private static func row(_ benchmark: Benchmark, _ n: Int, _ options: Options) -> Row? {
    var trials: [Trial] = []
    for contender in options.contenders where contender == .ecs || !options.isScaling {
      for form in benchmark.workload(of: contender)?.forms ?? []
      where contender == .naive || options.forms.contains(form) {
        trials.append(Trial(benchmark, n: n, contender: contender, form: form))
      }
    }
    guard let first = trials.first else { return nil }
    return Row(benchmark: benchmark, n: n, trials: trials, name: first.name)
  }
}
