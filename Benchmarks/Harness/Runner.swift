import Foundation

/// Makes the trials of a plan, each in a process of its own, so that no row finds the heap as
/// another has left it.
struct Runner {
  let plan: Plan
  let isIsolated: Bool

  /// Makes all trials.
  func run() throws(BenchmarkError) -> Results {
    let progress = ProgressLine(total: plan.trialCount)
    defer { progress.clear() }
    let samples = try run(plan.rows, progress)
    return Results(samples: samples, scaling: try run(plan.scalingRows, progress))
  }

  private func run(
    _ rows: [Plan.Row], _ progress: ProgressLine
  ) throws(BenchmarkError) -> [Sample] {
    var samples: [Sample] = []
    for row in rows {
      for trial in row.trials {
        progress.begin(trial.fullName)
        samples.append(try measure(trial, of: row.benchmark))
      }
    }
    return samples
  }

  private func measure(
    _ trial: Trial, of benchmark: Benchmark
  ) throws(BenchmarkError) -> Sample {
    guard isIsolated else { return try plan.sampling.measure(trial, of: benchmark) }
    switch WorkerProcess.run(["--worker", trial.argument] + plan.sampling.arguments) {
    case .failure(let reason):
      throw .workerFailed(trial: trial.fullName, reason: "its process \(reason)")
    case .output(let output):
      guard let sample = try? JSONDecoder().decode(Sample.self, from: output) else {
        throw .workerFailed(trial: trial.fullName, reason: "its process gave no result")
      }
      return sample
    }
  }

  /// What a worker process does: makes one trial and writes the result.
  static func work(_ argument: String, _ sampling: Sampling) throws(BenchmarkError) {
    WorkerProcess.endWithStarter()
    guard let (trial, benchmark) = Trial.parse(argument) else {
      throw .badValue(option: "--worker", value: argument, wanted: "a trial")
    }
    let sample = try sampling.measure(trial, of: benchmark)
    guard let json = try? JSONEncoder().encode(sample) else {
      throw .workerFailed(trial: trial.fullName, reason: "the result is not a number")
    }
    FileHandle.standardOutput.write(json)
  }
}
