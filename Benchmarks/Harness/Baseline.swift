import Foundation

/// Saved results that others are compared with.
struct Baseline {
  private let report: JSONReport
  private let samples: [Trial: Sample]

  /// Reads what `--json` has saved.
  init(contentsOf file: String) throws(BenchmarkError) {
    report = try JSONReport(contentsOf: file)
    samples = Dictionary(report.samples.map { ($0.trial, $0) }) { first, _ in first }
  }

  /// How a sample differs from the one before.
  enum Change {
    /// So little that it may be chance.
    case noise
    case faster
    case slower

    var word: String {
      switch self {
      case .noise: "≈"
      case .faster: "less"
      case .slower: "MORE"
      }
    }
  }

  /// Differences of less than this are chance on any machine that does other things too.
  static let leastNoise = 0.05

  /// Compares minima; what the samples spread over counts as chance.
  func change(of sample: Sample) -> (ratio: Double, noise: Double, change: Change)? {
    guard let old = samples[sample.trial], old.minimum > 0 else { return nil }
    let ratio = sample.minimum / old.minimum
    let noise = max(Baseline.leastNoise, sample.spread, old.spread)
    let change: Change = abs(ratio - 1) <= noise ? .noise : ratio < 1 ? .faster : .slower
    return (ratio, noise, change)
  }

  /// The earlier minimum, and how the new one relates to it.
  func columns(for sample: Sample) -> [String] {
    guard let old = samples[sample.trial], let (ratio, noise, change) = change(of: sample) else {
      return ["", "new"]
    }
    return [
      Figure.value(old.minimum),
      "\(Figure.ratio(ratio)) ±\(Figure.percent(noise)) \(change.word)",
    ]
  }

  /// What to think of the comparison.
  var note: String {
    var lines = [
      "change: ratio of the minima to the baseline of \(ISO8601DateFormatter().string(from: report.date)).",
      "≈ is within the noise: 5 %, or the larger spread of the two runs. Rerun what differs.",
    ]
    if report.machine != Machine() {
      lines.append("Beware: the baseline is from another machine (\(report.machine.description)).")
    }
    return lines.joined(separator: "\n")
  }
}
