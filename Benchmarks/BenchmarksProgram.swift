import Foundation

/// Measures the workloads of this package; see `--help`.
@main
enum BenchmarksProgram {
  static func main() {
    do throws(BenchmarkError) {
      try run(Options(Array(CommandLine.arguments.dropFirst())))
      guard fflush(nil) == 0 else {
        throw unsafe .cannotWrite(file: "standard output", reason: String(cString: strerror(errno)))
      }
    } catch {
      FileHandle.standardError.write(Foundation.Data("benchmarks: \(error)\n".utf8))
      exit(error.exitStatus)
    }
  }

  private static func run(_ options: Options) throws(BenchmarkError) {
    if options.isHelp { return print(Options.help) }
    if options.isList { return try list(options) }
    let plan = try Plan(options)
    if let worker = options.worker { return try Runner.work(worker, plan.sampling) }
    for file in [options.jsonFile, options.svgFile] {
      if let file { try TextFile.checkWritable(file) }
    }
    let baseline = try options.baselineFile.map { file throws(BenchmarkError) in
      try Baseline(contentsOf: file)
    }
    let runner = Runner(plan: plan, isIsolated: options.isIsolated && !options.isSmoke)
    let results = try runner.run()
    show(results, options, baseline)
    if let file = options.jsonFile { try JSONReport(results).write(to: file) }
    if let file = options.svgFile { try SVGChart(results).write(to: file) }
  }

  private static func show(_ results: Results, _ options: Options, _ baseline: Baseline?) {
    print(Machine().description)
    if !isOptimized { print("Beware: this is a debug build. Use swift run -c release benchmarks.") }
    print()
    if !options.isScalingAlone { print(results.table(comparedWith: baseline)) }
    if let baseline { print("\n\(baseline.note)") }
    if options.isScaling { print("\n\(results.scalingTable())") }
  }

  private static func list(_ options: Options) throws(BenchmarkError) {
    var table = Table([("row", .left), ("entities", .left), ("scales", .left), ("workload", .left)])
    for benchmark in try Plan.benchmarks(options) {
      table.append([
        benchmark.id, benchmark.sizes.map(Trial.short).joined(separator: ", "),
        benchmark.scales ? "yes" : "", benchmark.title,
      ])
    }
    print(table.text)
  }

  private static var isOptimized: Bool {
    var isOptimized = true
    assert(
      {
        isOptimized = false
        return true
      }())
    return isOptimized
  }
}
